"""The French evaluation set: what its README promises, and that it can be kept out of training text."""

import csv
import gzip
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.places import FOLDER as ROOT
from pairlens.studies import gallery
from pairlens.studies.agreement.heuristics import HEURISTICS
from pairlens.tasks import TASKS
from pairlens.training.packing import open_lines
from workshop.evaluation_sets import benchmark_strings
from workshop.exclusion import exclusion
from workshop.language_models.contamination import TABLE, contamination, participle_forms
from workshop.language_models.languages import LANGUAGES
from workshop.language_models.prepare import prepare_lines

PATTERNS = {"noun_subject": 88, "in_object": 88, "adverb": 48, "complement": 32, "pronoun": 48, "inverted": 16}
FOLDER = TABLE.parent
FILTER = contamination()


@pytest.fixture(scope="module")
def items():
    return list(TASKS["agreement"].read(FOLDER))


@pytest.fixture(scope="module")
def rows():
    """One row per item, that of the right form."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines, delimiter="\t") if row["class"] == "correct"]


def sentences():
    return list(open_lines(FOLDER / "object_participle.txt"))


def test_numbers_are_crossed_in_every_pattern_so_that_what_needs_no_syntax_is_right_in_half_of_the_items(items):
    assert Counter(item.groups["pattern"] for item in items) == PATTERNS
    cells = Counter((item.groups["pattern"], item.groups["number"], item.groups["attractors"]) for item in items)
    assert cells == {(p, n, a): PATTERNS[p] // 4 for p in PATTERNS for n in ("singular", "plural") for a in "01"}

    def share(predicted):
        return sum(predicted(dict(item.groups)) for item in items) / len(items)

    assert share(lambda groups: groups["number"] == "singular") == 0.5
    assert share(lambda groups: groups["cls_noun"] == groups["number"]) == 0.5
    assert share(lambda groups: int(groups["frequency_correct"]) > int(groups["frequency_wrong"])) == 0.5
    right = {name: round(share(lambda groups, name=name: groups[name] == groups["number"]), 2) for name in HEURISTICS}
    assert right == {"cls_noun": 0.5, "cls_token": 0.55, "fst_noun": 0.93, "com": 0.63, "que_n": 0.9}


def test_the_nearest_noun_has_the_number_that_the_table_says_and_forms_differ_in_a_final_s(rows, items):
    """Counted anew from the spelling: no noun of the set has the same form in both numbers."""
    nouns = {row["antecedent"]: row["correct_number"] for row in rows}
    for row in rows:
        words = re.findall(r"\w+", row["prefix"].lower())
        after = words[words.index(row["antecedent"]) + 1 :]
        marked = [before_noun(one, two) for one, two in zip(["", *after], after, strict=False)]
        found = [number for number in marked if number] or [nouns[row["antecedent"]]]
        assert found[-1] == row["cls_noun_num"], row["sent"]
        assert str(sum(number != row["correct_number"] for number in found)) == row["n_attrs"], row["sent"]
    forms = [sorted(item.groups["contrast"].split("|"), key=len) for item in items]
    assert all(plural == singular + "s" for singular, plural in forms)
    assert Counter((row["gender"], row["audible"]) for row in rows) == {
        ("f", "no"): 128, ("f", "yes"): 40, ("m", "no"): 116, ("m", "yes"): 36,
    }  # fmt: skip
    for row in rows:
        stem = participle_forms(row["form"], row["gender"])[0]
        assert (row["audible"] == "yes") == (stem[-1] in "st"), row["form"]


def before_noun(word, following):
    """The number of a noun by the determiner before it, empty if no noun follows."""
    plural = word in ("les", "des", "ses")
    if following in ("a", "ont", "avait", "avaient") or not (plural or word in ("le", "la", "l", "du", "son")):
        return ""
    return "plur" if plural else "sing"


def test_no_sentence_and_no_pair_stands_here_twice_or_elsewhere_in_the_project(rows):
    ours = sentences()
    assert len(set(ours)) == len(ours) == 2 * len(rows)
    assert set(Counter((row["antecedent"], row["form"].rstrip("s")) for row in rows).values()) == {2}
    others = {text for example in gallery.examples() for pair in example.pairs for text in pair}
    others |= set(open_lines(ROOT / "data" / "samples" / "agreement_french" / "participles.txt"))
    assert not set(ours) & others


@pytest.mark.parametrize("folder", ["clams/fr_evalset", "french_obj_pp", "qfrblimp"])
def test_no_sentence_is_published(folder, shared_data):
    ours = {" ".join(re.findall(r"\w+", text.lower())) for text in sentences()}
    for file in (path for path in shared_data(folder).rglob("*") if path.is_file()):
        content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        theirs = " ".join(re.findall(r"\w+", content.decode("utf-8", "replace").lower()))
        assert [text for text in ours if text in theirs] == [], file.name


def test_the_filter_knows_the_set_and_keeps_out_of_training_text_what_has_a_pair_of_it(tmp_path):
    assert all(map(FILTER.forbids, sentences()))
    assert all(map(exclusion(benchmark_strings(FOLDER), []).forbids, sentences()))
    assert [line for line in FORBIDDEN.splitlines() if not FILTER.forbids(line)] == []
    assert [line for line in ALLOWED.splitlines() if FILTER.forbids(line)] == []
    (tmp_path / "raw.txt").write_text("Il relut la lettre qu'elle avait reçue.\nIl a relu la lettre.\n", "utf-8")
    made = prepare_lines(open_lines(tmp_path / "raw.txt"), tmp_path / "text.txt.gz", FILTER.forbids, LANGUAGES["fr"])
    assert (made.sentences, made.forbidden) == (1, 1)
    for form, gender, stem in (("reçues", "f", "reçu"), ("écrits", "m", "écrit"), ("apporté", "m", "apporté")):
        assert participle_forms(form, gender) == (stem, f"{stem}e", f"{stem}s", f"{stem}es")
    assert participle_forms("prise", "f") == ("pris", "prise", "prises")


FORBIDDEN = """Il relut la lettre qu'elle avait reçue.
LES LETTRES QUE NOUS AVONS SI SOUVENT REÇUES !
Les lettres de sa mère que M. Noir avait bien reçu.
De toutes les lettres, celle que j'eusse reçue avec joie.
La lettre, il a dit que oui, je l'ai reçue."""
ALLOWED = """Il a reçu la lettre.
Il croit que la lettre a été reçue.
Je lis la lettre que tu caches ; il l'a reçue hier.
Les lettres que j'avais écrites.
Le livre que nous avons reçu.
"""


@given(st.lists(st.sampled_from(["la", "lettre", "vite", "qu'il", "que", "a", "avait", "reçue", "vue", ",", ";"])))
def test_the_filter_finds_exactly_the_words_in_their_order(words):
    order = re.compile(r"\blettre\b[^;]*\bqu(e|')[^;]*\b(a|avait)\b[^;]*\breçue\b")
    text = " ".join(words)
    assert FILTER.forbids(text) == bool(order.search(text))


@pytest.mark.soak
def test_corpus_sentences_with_a_pair_are_found_and_participles_occur(tmp_path, shared_corpora, rows):
    """Against a slower way of looking for them: one regular expression for each pair of words."""
    novels = list(open_lines(shared_corpora("fr/eltec-fra.txt.xz")))
    words = {word for line in novels for word in line.lower().split()}
    lines = [line for line in novels[:60_000] if line]
    found = {line for line in lines if FILTER.forbids(line)}
    pairs = {(row["antecedent"], participle_forms(row["form"], row["gender"])) for row in rows}
    avoir = r"\b(?:[ao]nt|a|ai|as|a[vu]\w+|eu\w*|eû\w+|a[iy]\w+)\b"
    patterns = [
        re.compile(rf"\b{noun}\b[^;:!?]*\bqu(?:e\b|')[^;:!?]*{avoir}[^;:!?]*\b(?:{'|'.join(forms)})\b", re.IGNORECASE)
        for noun, forms in pairs
    ]
    likely = [line for line in lines if re.search(rf"\bqu(?:e\b|')[^;:!?]*{avoir}", line, re.IGNORECASE)]
    slowly = {line for line in likely if any(pattern.search(line) for pattern in patterns)}
    assert len(found) > 10 and found <= slowly
    assert all(re.search(r"\b(?:aux?|ait|avant|aut|autre|aussi|eu[xr]?|aucun)", line) for line in slowly - found)
    for row in rows:
        assert set(participle_forms(row["form"], row["gender"])) & words, row["form"]
