"""Items from templates: every pair differs where it should, agreement holds, nothing comes twice."""

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.analysis.experiment import EXPECTED
from pairlens.cli import main
from pairlens.errors import InputError
from pairlens.files.tables import read_table, write_table
from pairlens.places import FOLDER as ROOT
from pairlens.studies import gallery
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import read_design
from pairlens.studies.generator import Template, as_pairs, generate, templates
from pairlens.tasks import TASKS
from pairlens.text.lexicon import AGREEING, lexicon
from pairlens.text.words import word_spans
from tests.refusals import error_of

SAMPLES = ROOT / "data" / "samples" / "minimal_pairs"
NAMES = list(templates())
FACTORS = {"attractor", "verb", "comma", "filler", "object"}

names, seeds = st.sampled_from(NAMES), st.integers(0, 10_000)


def words(sentence):
    return [sentence[start:end] for start, end in word_spans(sentence, "previous")]


def region(row):
    """The words of the region of interest, without marks."""
    found = words(row["sentence"])
    return [found[int(position)].strip(".,") for position in row["ROI"].split(",")]


def features(language, part=""):
    """Number and gender of every form, or of those of one part of speech; only what all its readings share."""
    known = {}
    for entry in (entry for entry in lexicon(language).entries if part in ("", entry.path[0])):
        for form, of_form in zip(entry.forms, entry.features, strict=True):
            value = (of_form & AGREEING) | entry.gender
            known[form] = known[form] & value if form in known else value
    return known


@pytest.mark.slow
@given(names, seeds, st.integers(1, 30))
def test_every_template_makes_whole_designs(name, seed, number):
    table = generate(name, number, seed)
    assert table["sentence"].is_unique and list(table["sentid"]) == list(range(1, len(table) + 1))
    cells = [column for column in table.columns if column == "comparison" or column in FACTORS]
    assert (table.groupby(cells)["item"].nunique() == number).all()
    assert len(table) == number * len(table[cells].drop_duplicates())
    for _, row in table.iterrows():
        assert region(row), row["sentence"]
        assert row["sentence"][0].isupper() and row["sentence"].endswith(".")
        assert not set("{}[]*|@") & set(row["sentence"]) and "  " not in row["sentence"]


@pytest.mark.slow
@given(st.sampled_from([name for name in NAMES if "|" in templates()[name].text]), seeds)
def test_pairs_differ_in_one_word(name, seed):
    table = generate(name, 6, seed)
    if "comparison" not in table:
        return
    for _, pair in table.groupby("pairid"):
        assert list(pair["comparison"]) == ["expected", "unexpected"]
        one, other = (words(sentence) for sentence in pair["sentence"])
        differing = [place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        assert len(differing) == 1
        assert name == "polarity" or [str(place) for place in differing] == pair["ROI"].unique().tolist()


@pytest.mark.slow
@given(
    st.sampled_from(["agreement", "attraction", "attraction_relative", "reflexive", "agreement_fr", "participle_fr",
                     "gender_fr", "agreement_pt", "gender_pt"]),
    seeds,
)  # fmt: skip
def test_expected_forms_agree_with_the_first_noun_and_others_do_not(name, seed):
    language = templates()[name].language
    known, nouns = features(language), features(language, "noun")
    for _, row in generate(name, 4, seed).iterrows():
        tokens = [token.lower() for word in words(row["sentence"]) for token in word.strip(".").split("'")]
        noun = next(nouns[token] for token in tokens if token in nouns)
        target = known[region(row)[0]]
        both = [pair for pair in ({"sg", "pl"}, {"m", "f"}) if target & pair and noun & pair]
        agrees = all(target & pair == noun & pair for pair in both)
        assert both and agrees is (row["comparison"] == EXPECTED), row["sentence"]


@pytest.mark.slow
@given(names, seeds, st.integers(1, 12), st.integers(0, 12))
def test_a_seed_always_gives_the_same_items_and_more_begin_alike(name, seed, few, more):
    table = generate(name, few + more, seed)
    pd.testing.assert_frame_equal(table[table["item"] <= few], generate(name, few, seed))


def test_seeds_give_other_items_none_alike_up_to_the_region_and_words_are_used_evenly():
    assert len({tuple(generate("attraction", 5, seed)["sentence"]) for seed in range(5)}) == 5
    table = generate("attraction", 24, 1)
    heads = [words(sentence)[1] for sentence in table.groupby("item")["sentence"].first()]
    entries = {form: entry.forms[0] for entry in lexicon("en").entries for form in entry.forms}
    assert max(Counter(entries[head] for head in heads).values()) == 2  # 24 heads of 20 words
    assert Counter(features("en")[head] for head in heads) == {frozenset({"sg"}): 12, frozenset({"pl"}): 12}
    french = Template("{definite@a} {a=person.f:sg} [x|y]", "fr")
    assert generate(french, 1, 1, "en")["sentence"][0].startswith(("La ", "L'"))
    table = generate("attraction", 200, 3)
    texts = table["sentence"].str.split()
    beginnings = [" ".join(text[: int(roi) + 1]) for text, roi in zip(texts, table["ROI"], strict=True)]
    assert not pd.Series(beginnings).duplicated().any()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [("x [is|are] [f: a|b=].", ["X is a.", "X are a.", "X is.", "X are."]),
     ("[f: a|b] [g: c|d] [f: a=1|b=2]", ["A c 1", "A d 1", "B c 2", "B d 2"]),
     ("{determiner.definite:sg} [a|b] . so , it is", ["The a. So, it is", "The b. So, it is"]),
     ("{animal:[n: sg|pl]|plant:[n: sg|pl]}", None)],
)  # fmt: skip
def test_cells_in_order(text, sentences):
    found = generate(text, 1, 1)["sentence"].tolist()
    assert found == sentences if sentences else len(found) == 4


@pytest.mark.parametrize(
    ("text", "roi"),
    [("when it left[c: with=,|without=] the end *was* here", "5"), ("a *b c* d *e* [x|y]", "1,2,4"),
     ("a * b * [x|y]", "1"), ("the [cat is|cats are] here", "1,2"), ("oui ! *non* [x|y]", "1"),
     ("\"[x|y]\" he said", "0"), ("[f: a|b]", None)],
)  # fmt: skip
def test_regions(text, roi):
    table = generate(text, 1, 1)
    assert (table["ROI"].tolist() if roi else "ROI" in table) == ([roi] * 2 if roi else False)


def test_templates_say_what_they_test_a_name_stands_for_one_word_and_so_many_are_made_at_once():
    text = "{it=animal:sg/pl}: a {it:sg}, two {it:pl}, {it@it!number} {verb.rest@it|verb.rest@it!number}"
    animals = [{form.lower() for form in entry.forms} for entry in lexicon("en").select([["animal"]])]
    for sentence in generate(text, 2, 1)["sentence"][::2]:
        first, *others = (word.strip(":,").lower() for word in words(sentence))
        (forms,) = (forms for forms in animals if first in forms)
        assert len(forms & {first, *others}) == 2
    for name, template in templates().items():
        assert template.name == name and template.title and template.about.endswith(".")
    for number in (0, 25_001):
        with pytest.raises(InputError, match="Between 1 and 25,000"):
            generate("attraction", number, 1)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("{plant:sg} [x|y]", 6),
        ("{cosy} {bleak} [x|y]", 12),
        ("{plant:sg} {plant:pl} [x|y]", 30),  # no word twice in an item
        ("the rose and the {plant:sg} [x|y]", 5),  # none that the template has
        ("[f: a={plant:sg}|b={vessel:sg}]", 6),  # no sentence in two items
        ("[x|y]", 1),
    ],
)
def test_all_items_there_are_and_not_one_more(text, number):
    assert generate(text, number, 3)["item"].nunique() == number
    with pytest.raises(InputError, match=f"template makes only {number}"):
        generate(text, number + 1, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [("The {noum:sg} [a|b]", "{noum:sg}: There is no class of English words 'noum'. Did you mean 'noun'?"),
     ("{noun:pls} [a|b]", "{noun:pls}: There is no noun form 'pls'. Did you mean 'pl'? Known: pl, sg."),
     ("{noun} [a|b]", "{noun}: 'any' could be several forms"),
     ("The {noun:sg", "'{' at character 5 has no counterpart, near 'The {noun:sg'"),
     ("{noun:sg} sleeps", "there is no contrast"), ("{noun:sg} [a|b|c]", "[a|b|c]: expected two forms"),
     ("{verb@hed} {head=noun:sg} [a|b]", "There is no word to agree with 'hed'. Did you mean 'head'?"),
     ("{a=noun@b} {b=noun@a} [a|b]", "{a=noun@b}: it agrees with itself"),
     ("{a=noun:sg} {a=verb:sg} [a|b]", "'a' is already the name of another word, {a=noun}"),
     ("{a=noun:sg} {verb@a!gender} [a|b]", "has no gender to differ from"),
     ("{a=noun:sg} {verb@a!numbre} [a|b]", "There is no way to disagree 'numbre'. Did you mean 'number'?"),
     ("{noun.verb:sg} [a|b]", "No word of the English lexicon is in 'noun.verb'"),
     ("{noun sg} [a|b]", "{noun sg}: expected a class of words such as"),
     ("[f: a|b] [f: a|c]", "the factor 'f' has the levels a, b at one place and a, c at another"),
     ("[f: a]", "[f: a]: a factor has two levels or more"), ("[f: a=x|a=y]", "every level needs a name of its own"),
     ("[item: a|b]", "a factor cannot be called 'item'"),
     (" ".join(f"[f{i}: a|b]" for i in range(7)), "make 128 different sentences of each item; 64 are the most"),
     (f"{{noun{''.join(f'[f{i}: :sg|:pl]' for i in range(7))}}}", "a slot has 6 choices at most"),
     ("[a|b]" * 401, "2,000 characters at most"), ("*a [x|y]", "one of them is missing"),
     ("a | b [x|y]", "a bar outside braces and brackets"),
     ("{plant:sg} rose oak tree bush daisy flower [x|y]", "every word of this class is in the template already"),
     (" ".join(["{plant:sg}"] * 7) + "[x|y]", "No item can be made"),
     ("attracton", "There is no template 'attracton'. Did you mean 'attraction'?")],
)  # fmt: skip
def test_what_is_wrong_with_a_template_is_said(text, message):
    assert message in error_of(lambda: generate(text, 2, 1))


@pytest.mark.slow
@given(
    st.lists(
        st.sampled_from(["{", "}", "[", "]", "|", ":", "=", "@", "!", "*", ".", "/", " ", "a", "noun", "verb", "sg",
                         "pl", "{noun:sg}", "[a|b]", "{verb:sg|verb:pl}", "[f: x|y]", "{h=person:sg}", "{verb@h}"]),
        max_size=14,
    )
)  # fmt: skip
def test_any_text_is_a_template_or_is_refused_in_words(parts):
    try:
        table = generate("".join(parts), 1, 1)
    except InputError:
        return
    assert table["sentence"].is_unique and len(table) > 1


DESIGNS = {"attraction": ("attractor",), "garden_path": ("verb", "comma")}


@pytest.mark.parametrize("name", [*DESIGNS, "participle_fr", "agreement_pt"])
def test_samples_are_what_the_generator_writes_and_designs(name):
    table = read_table(SAMPLES / f"{name}.tsv")
    pd.testing.assert_frame_equal(table, generate(name, 24, 1).astype("str"), check_dtype=False)
    ours = {text for example in gallery.examples() for pair in example.pairs for text in pair}
    assert not ours & set(table["sentence"])
    if name in DESIGNS:
        columns = guess_columns(table)
        assert columns.conditions == DESIGNS[name] and columns.item == "item"
        design = read_design(table, columns)
        assert design.excluded.empty and len(design.sentences) == len(table) == 96


def test_pairs_are_read_as_a_benchmark_and_the_verb_writes_prints_and_lists(tmp_path, capsys):
    table = generate("attraction", 3, 1)
    write_table(as_pairs(table, "attraction"), tmp_path / "pairs.jsonl")
    items = list(TASKS["pairs"].read(tmp_path / "pairs.jsonl"))
    assert len(items) == 6 and {item.groups["UID"] for item in items} == {"attraction"}
    assert [candidate.text for item in items for candidate in item.candidates] == table["sentence"].tolist()
    assert "no pairs" in error_of(lambda: as_pairs(generate("garden_path", 1, 1)))
    with pytest.raises(InputError, match="a factor cannot be called 'UID': the table of pairs has a column"):
        as_pairs(generate("[UID: a=The|b=A] {noun:sg} {verb:sg|verb:pl}.", 1, 1))
    output = tmp_path / "items.tsv"
    assert main(["generate", "--template", "attraction", "--seed", "1", "--output", str(output)]) == 0
    assert output.read_bytes() == (SAMPLES / "attraction.tsv").read_bytes()
    assert main(["generate", "-t", "{definite@who} {who=person:sg/pl} [a|b]", "-n", "1", "--language", "fr"]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split("\t") == ["sentid", "pairid", "item", "comparison", "sentence", "ROI"] and len(rows) == 2
    assert main(["generate", "-t", "attraction", "-n", "1", "--pairs"]) == 0
    assert capsys.readouterr().out.startswith("sentence_good\tsentence_bad\tUID\titem\tattractor\n")
    assert main(["generate", "--list"]) == 0
    listed = capsys.readouterr().out
    assert all(f"{name}\t" in listed for name in NAMES)
    assert "noun.person.m, noun.person.f" in listed and "participle f pl" in listed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [([], "There is no template"), (["-t", "atraction"], "Did you mean 'attraction'"),
     (["-t", "attraction", "-o", "items.doc"], "Expected .csv"),
     (["-t", "{noun:sg} [a|b]", "--language", "de"], "'de'")],
)  # fmt: skip
def test_the_verb_refuses_in_one_sentence(arguments, message, capsys):
    assert main(["generate", *arguments]) == 2 and message in capsys.readouterr().err
