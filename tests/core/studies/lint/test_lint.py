"""Every check: stimuli in which it finds something, what it says of them, and stimuli in which it finds nothing."""

import gzip
import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairlens.errors import InputError
from pairlens.files.row_mistakes import RowMistakes
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import read_design
from pairlens.studies.lint import running
from pairlens.studies.lint.check import KEPT, TokenCounter, counted, edits
from pairlens.studies.lint.pairs import log_frequencies
from pairlens.studies.lint.running import CHECKS, lint, lint_design
from pairlens.tasks import TASKS
from pairlens.tasks.pairs import pair
from pairlens.text.faults import mended
from pairlens.types import Candidate, Item
from tests.records import write

CLEAN = ("The cat sleeps.", "The cat sleep.")
SING = ("They sing.", "They sings.")


def items(*texts, **groups):
    """Pairs with ids `pair_0`, ...; `groups` have one value per pair."""
    return [
        pair(f"pair_{number}", *both, {name: values[number] for name, values in groups.items()})
        for number, both in enumerate(texts)
    ]


def design(*rows):
    names = ("sentid", "pairid", "comparison", "sentence", "ROI", "condition")
    table = pd.DataFrame(rows, columns=names).astype("str")
    return lint_design(read_design(table, guess_columns(table)))


def whole(pairid, condition, roi="2"):
    return [
        (2 * pairid, pairid, "expected", f"Cat {pairid} sleeps.", roi, condition),
        (2 * pairid + 1, pairid, "unexpected", f"Cat {pairid} sleep.", roi, condition),
    ]


def mistakes(*rows):
    found = RowMistakes()
    for number in rows:
        found.add(number, InputError("column 'good' has no text", f"a.csv, row {number}"))
    return found


def one_of(report, name):
    """How much a check found, and the sentence about it, empty if it found nothing."""
    summary = report.summary
    found = summary[summary["n"] > 0]
    sentences = dict(zip(found["check"], report.in_words(), strict=True))
    counts = dict(zip(summary["check"], summary["n"], strict=True))
    return counts.get(name, 0), sentences.get(name, "")


def characters(window=None):
    return TokenCounter(len, window, whole_words=False)


def agreeing(right, wrong, number=12):
    return [(f"The cat {'very ' * k}often {right}.", f"The cat {'very ' * k}often {wrong}.") for k in range(number)]


def both_ways(right, wrong):
    return items(*agreeing(right, wrong), *agreeing(wrong, right))


CASES = {
    "identical_texts": (
        items(CLEAN, (SING[0], SING[0])), items(CLEAN), 1,
        "1 of 2 pairs is identical and can only tie (row 2)."),
    "contradictions": (
        items(CLEAN, SING, CLEAN[::-1]), items(CLEAN, CLEAN), 2,
        "2 of 3 pairs have the same texts as another one, with right and wrong exchanged (rows 1, 3)."),
    "duplicates": (
        items(CLEAN, SING, CLEAN, CLEAN), items(CLEAN, CLEAN[::-1], SING), 2,
        "2 of 4 pairs repeat an earlier one word for word (rows 3, 4)."),
    "several_edits": (
        items(CLEAN, ("Who should he hug after that?", "Who should he after that hug?")),
        items(CLEAN, ("He has been there.", "He had gone there.")), 1,
        "1 of 2 pairs differs in several places: 2 places: 1 (row 2)."),
    "word_counts": (
        items(CLEAN, ("He slept well.", "He slept very very well."), ("It is a b.", "It is b.")), items(CLEAN), 2,
        "2 of 3 pairs have texts with different numbers of words; choosing the one with fewer words would be right "
        "in 50.0 % of all pairs (rows 2, 3)."),
    "token_counts": (
        lambda: lint(items(CLEAN, ("I am.", "We are.")), counter=characters()),
        lambda: lint(items(("ab", "cd")), counter=characters()), 2,
        "2 of 2 pairs have texts with different numbers of tokens; choosing the one with fewer tokens would be right "
        "in 50.0 % of all pairs (rows 1, 2)."),
    "length": (
        items(*agreeing("is", "were")), both_ways("is", "were"), 1,
        "Length tells right from wrong: in 100.0 % of 12 pairs the right text has fewer characters "
        "(95 % interval 75.8 to 100.0)."),
    "label_variants": (
        items(*[CLEAN] * 6, field=["a/b", "A_b ", "a/b", "x", "x", "x"]),
        items(*[CLEAN] * 4, field=["-1", "1", "-1", "1"]), 1,
        "1 of 2 labels is written in several ways: field 'a/b' (2 pairs) and 'A_b ' (1 pair)."),
    "empty_texts": (
        items(CLEAN, ("They sing.", " ")), items(CLEAN), 1,
        "1 of 4 texts is empty and cannot be scored (row 2)."),
    "right_answers": (
        [*items(CLEAN), Item("x", (Candidate("a", "good"), Candidate("b", "bad")), "god")], items(CLEAN), 1,
        "1 of 2 pairs has not exactly one right text (row 2)."),
    "missing_fields": (
        items(*[CLEAN] * 3, verb=["be", "", "have"]),
        items(*[CLEAN] * 3, UID=["a", "a", "b"], verb=["be", "do", ""]), 1,
        "1 of 3 pairs lacks a value that others of their kind have (row 2)."),
    "unreadable": (
        lambda: lint(items(CLEAN), rows=[3], mistakes=mistakes(4, 2)),
        lambda: lint(items(CLEAN), rows=[2], mistakes=mistakes()), 2,
        "2 rows cannot be read; 1 pair can (rows 2, 4)."),
    "judgement_marks": (
        items(CLEAN, ("*They sing", "? They sings"), ("#The rock fell", "It fell (good).")),
        items(("*sighs* They sing", "#peace"), ("Is 3*4 right?", "(Good heavens!) It is.")), 4,
        "4 of 6 texts have an acceptability mark, as printed before or after examples in papers (rows 2, 3)."),
    "html_entities": (
        items(("Tom &amp; Ann", "It&#39;s")), items(("AT&T; yes", "R&D & so; on")), 2,
        "2 of 2 texts have HTML entities such as &amp; in them (row 1)."),
    "lost_cells": (
        items(CLEAN, ("#NAME?", "nan"), ("#N/A", " None ")),
        items(("None came.", "NaN is no number."), ("#name", "The nan sleeps.")), 4,
        "4 of 6 texts hold a spreadsheet error or a missing value instead of a text (rows 2, 3)."),
    "dates": (
        items(CLEAN, ("1-Mar", "2025-03-01 00:00:00"), ("Mar-25", "01/03/2025")),
        items(("On 1-Mar he left.", "He left 2025-03-01."), ("1-3", "may 5 boys")), 4,
        "4 of 6 texts are a date or a time and nothing else (rows 2, 3)."),
    "line_breaks": (
        items(("The cat\nsleeps.", "The cat sleep."), *[CLEAN] * 9),
        items(("What is it?\nA cat.", "What is it?\nA cats."), CLEAN), 1,
        "1 of 20 texts has a line break inside, unlike the others of this set (row 1)."),
    "capitals_differ": (
        items(CLEAN, ("The cat sleeps.", "the cat sleep."), ("It sings.", "IT SINGS.")),
        items(("He saw him.", "Him saw he."), ("American men", "Canadian Men too")), 2,
        "2 of 3 pairs differ in capitals, with the same word in the same place (rows 2, 3)."),
    "end_marks_differ": (
        items(CLEAN, ("Is it?", "It is.")),
        items(CLEAN, ("He said “no.”", "He said “no.”)"), ("No mark", "nor here")), 1,
        "1 of 2 pairs has texts that end with different punctuation marks (row 2)."),
    "end_marks_missing": (
        items(CLEAN, CLEAN, ("They sing", "They sings")),
        items(("They sing", "They sings"), ("she sings", "she sing"), CLEAN), 2,
        "2 of 6 texts have no punctuation mark at the end; the others have one (row 3)."),
    "frequency": (
        items(*agreeing("is", "thrives")), both_ways("is", "thrives"), 1,
        "Word frequency tells right from wrong: in 100.0 % of 12 pairs the right word is the more frequent one "
        "(95 % interval 75.8 to 100.0)."),
    "number": (
        items(*agreeing("sleeps", "sleep")), both_ways("sleeps", "sleep"), 1,
        "Number tells right from wrong: in 100.0 % of 12 pairs the right form is the singular "
        "(95 % interval 75.8 to 100.0)."),
    "tokenised": (
        items(("Les clés qu' il a prises .", "Les clés qu' il a pris .")),
        items(("Les clés qu'il a prises.", "Les clés qu'il a pris.")), 2,
        "2 of 2 texts look tokenised, with spaces before punctuation or after elisions; the policy detokenise=fr "
        "joins them (row 1)."),
    "quotes": (
        items(("It’s here.", "It’re here."), ("It's there.", "It're there.")),
        items(("It's here.", "It're here.")), 2,
        "2 of 4 texts have curly quotation marks or apostrophes, while others have straight ones (row 1)."),
    "spaces": (
        items(CLEAN, ("The\u00a0cat  sleeps.", "The cat sleep. ")),
        items(("What is it?\nA cat.", "What is it?\nA cats.")), 2,
        "2 of 4 texts have invisible spaces (no-break, double, or at the beginning or end) (row 2)."),
    "normal_forms": (
        items(("Le cafe\u0301 ferme.", "Le café ferment.")), items(("Le café ferme.", "Le café ferment.")), 1,
        "1 of 2 texts has accents as separate characters (not in the form NFC) (row 1)."),
    "wrong_encoding": (
        items(("Le cafÃ© ferme.", "Le café ferment."), ("Ma\ufffdtre", "Maitre")),
        items(("« Ô », dit-il à Âlex.", "« Ô », dire-il à Âlex."), ("Le «CAFÉ»", "MAÑ»")), 2,
        "2 of 4 texts were read in the wrong encoding: save the file as UTF-8 (rows 1, 2)."),
    "scripts": (
        items(("The c\u0430t sleeps.", "The cat sleep.")),
        items(("Кот спит.", "Кот спят."), ("The letter α is.", "The letter α are.")), 1,
        "1 of 2 texts has words with letters from several scripts (row 1)."),
    "capitals": (
        items(("The cat SLEEPS.", "The cat sleep.")),
        items(("I saw A cat.", "I see A cat."), ("кот спит", "החתול ישן")), 1,
        "1 of 2 texts has words in capitals (row 1)."),
    "window": (
        lambda: lint(items(CLEAN), counter=characters(14)), lambda: lint(items(CLEAN), counter=characters(15)), 1,
        "1 of 2 texts is longer than the 14 tokens the model sees at once (row 1)."),
    "regions": (
        lambda: design(*whole(1, "a"), *whole(2, "a", "3")), lambda: design(*whole(1, "a")), 2,
        "2 of 4 regions lie outside the text (items 4, 5)."),
    "cells": (
        lambda: design(*whole(1, "a"), *whole(2, "a"), *whole(3, "b")),
        lambda: design(*whole(1, "a"), *whole(2, "b")), 2,
        "2 of 4 conditions have fewer than the 2 sentences of the fullest one: condition b, comparison expected has "
        "1; condition b, comparison unexpected has 1."),
    "left_out": (
        lambda: design(*whole(1, "a"), (9, 9, "expected", "Alone.", "0", "a")), lambda: design(*whole(1, "a")), 1,
        "1 of 3 rows is left out, or without a partner or a region (row 3)."),
}  # fmt: skip


@pytest.fixture
def only(known_counts, monkeypatch):
    """`only("dates")`: the other checks are not made."""
    return lambda *names: monkeypatch.setattr(running, "CHECKS", {name: CHECKS[name] for name in names})


@pytest.mark.parametrize("name", CASES)
def test_a_check_finds_what_it_should_and_nothing_else(name, only):
    bad, good, n, sentence = CASES[name]
    only(name)
    assert one_of(bad() if callable(bad) else lint(bad), name) == (n, sentence)
    assert one_of(good() if callable(good) else lint(good), name) == (0, "")


@pytest.mark.slow
def test_errors_come_first_what_does_not_apply_is_not_said_and_each_text_is_cut_into_tokens_once(
    known_counts, monkeypatch
):
    report = lint(items(CLEAN))
    assert report.in_words() == [] and report.n_errors == 0
    assert list(report.findings.columns) == ["check", "severity", "item", "row", "what", "texts"]
    assert len(report.findings) == 0 and (report.summary["n"] == 0).all()
    assert not {"token_counts", "window", "cells", "left_out"} & set(report.summary["check"]), "which do not apply"
    report = lint(items(CLEAN, ("They SING.", "They SING."), UID=["a", "b"]))
    assert list(report.summary["severity"].unique()) == ["error", "warning", "note"]
    wanted = ["identical_texts", "error", "pair_1", 2, "the same text twice", "They SING."]
    assert report.findings.iloc[0].tolist() == wanted
    without_answer = [Item("a", (Candidate("One text.", "text"),))]
    assert not {"right_answers", "length", "several_edits"} & set(lint(without_answer).summary["check"])
    asked = []

    def tokens(text):
        asked.append(text)
        return len(text)

    lint(items(CLEAN, CLEAN), counter=TokenCounter(tokens, 3, whole_words=False))
    assert sorted(asked) == sorted(CLEAN)
    told = []
    monkeypatch.setattr(running, "tell", lambda *, done, of: told.append((done, of)))
    lint(items(CLEAN))
    assert told == [(done, len(CHECKS)) for done in range(len(CHECKS))]


def test_identical_texts_are_looked_for_among_all_candidates_counted_and_named_by_file_and_number(only):
    only("identical_texts")
    n = KEPT + 50
    report = lint(items(*[(f"Same {place}.", f"Same {place}.") for place in range(n)]))
    assert len(report.findings) == KEPT
    said = f"{n} of {n} pairs are identical and can only tie (rows 1, 2, 3, 4, 5, 6, 7, 8 and {n - 8} more)."
    assert one_of(report, "identical_texts") == (n, said)
    several = [pair(name, "They sing.", "They sing.") for name in ("passive_1_324", "passive_1_810", "binding_5")]
    several.append(pair("binding_6", *CLEAN))
    (said,) = lint(several).in_words()
    assert "(passive_1: 324, 810; binding: 5)" in said
    options = [Item(f"i_{n}", tuple(Candidate(t, str(k)) for k, t in enumerate(texts)), "0") for n, texts in
               enumerate([("a", "b", "b"), ("a", "b", "c")])]  # fmt: skip
    assert lint(options).in_words() == ["1 of 2 items has two identical texts, whose scores are equal (row 1)."]
    shared = (Candidate("flies.", "good", "A robin "), Candidate("flies.", "bad", "A penguin "))
    assert lint([Item("a", shared, "good")]).in_words() == []


def test_what_is_one_sided_in_one_paradigm_is_not_hidden_by_another_and_items_may_say_their_number(only):
    only("length")
    both = items(*agreeing("is", "were"), *agreeing("were", "is"), UID=["singular"] * 12 + ["plural"] * 12)
    n, sentence = one_of(lint(both), "length")
    assert n == 2
    assert sentence.startswith("Length tells right from wrong in 2 of 2 groups of items (in all of them, in 50.0 %")
    only("number")
    always = items(*agreeing("x", "y"), number=["plural"] * 11 + ["singular"])
    n, sentence = one_of(lint(always), "number")
    assert n == 1
    assert "in 91.7 % of 12 pairs the right form is the plural (95 % interval 64.6 to 98.5)" in sentence
    mixed = items(*agreeing("sleeps", "sleep"), number=["plural", "singular"] * 6)
    assert one_of(lint(mixed), "number")[0] == 0


@pytest.mark.slow
def test_regions_of_candidates_and_between_bars_sentences_without_pairs_and_missing_conditions_are_looked_at(only):
    only("regions")
    good = Candidate("is here.0", "good", "", {"form": (0, 2)})
    for text, what in (("is here.1", []), ("was", ["region 'form' is characters 0 to 9 of 3"])):
        report = lint([Item("a", (good, Candidate(text, "bad", "", {"form": (0, 9)})), "good")])
        assert report.findings["what"].tolist() == what
    report = design((2, 1, "expected", "Cat| 1 sleeps.", "2", "a"), (3, 1, "unexpected", "Cat| 1 sleep.", "2", "a"))
    assert one_of(report, "regions")[0] == 2
    assert report.findings["what"].iloc[0] == "position 2 (from 0) of 2 regions between bars"
    only("spaces")
    table = pd.DataFrame({"sentence": ["One  space.", "Another."]})
    report = lint_design(read_design(table, guess_columns(table)))
    assert one_of(report, "spaces")[1].endswith("(item 1).")
    only("left_out")
    report = design(*whole(1, "a"), (9, 9, "expected", "Alone.", "x", "a"), (8, 8, "expected", "", "0", "a"))
    assert report.in_words() == ["2 of 4 rows are left out, or without a partner or a region (rows 3, 4)."]
    (alone,) = report.findings.query("item == '9'")["what"]
    assert "neither positions" in alone and "pair 9 has no unexpected sentence" in alone
    only("cells")
    conditions = [("x", "y")] * 2 + [("x", "z")] * 2 + [("w", "y")] * 2
    rows = [(n, n // 2, ("expected", "unexpected")[n % 2], f"Text {n}.", *at) for n, at in enumerate(conditions)]
    table = pd.DataFrame(rows, columns=["sentid", "pairid", "comparison", "sentence", "cond_a", "cond_b"])
    table = table.astype("str")
    n, sentence = one_of(lint_design(read_design(table, guess_columns(table))), "cells")
    assert n == 2 and "cond_a w, cond_b z, comparison expected has 0" in sentence


def test_every_check_has_a_case_and_describes_itself_verbs_agree_and_no_items_are_refused():
    with pytest.raises(InputError, match="no item"):
        lint([])
    assert counted(1, 2, "pair", "have words") == "1 of 2 pairs has words"
    assert counted(1, 1, "pair", "repeat it") == "1 of 1 pair repeats it" and set(CASES) == set(CHECKS)
    for name, search in CHECKS.items():
        assert search.check.name == name and search.check.severity in ("error", "warning", "note")
        assert search.check.meaning.endswith(".") and not search.check.title.endswith(".")


def test_word_counts_are_used_for_their_language_only_and_damaged_ones_passed_over(home, unigram):
    (home / "models" / unigram / "counts.tsv.gz").write_bytes(gzip.compress(b"")[:10] + b"\xff" * 20)
    english = pd.Series(["The cat sleeps on the old table in the house."])
    known = log_frequencies(english, {"the", "table", "qwrtzpl"})
    # From the card and the first lines of the file: (count + 1) / (tokens + types + 1).
    assert known.keys() == {"the", "table"} and math.exp(known["the"]) == pytest.approx(0.06, abs=0.02)
    french = pd.Series(["Le chat de la voisine dort souvent sur une vieille chaise dans le jardin."])
    assert log_frequencies(french, {"le", "chat"}) == {}


def test_signs_make_labels_different_and_labels_that_a_task_reads_as_one_are_found_in_its_file(only, tmp_path):
    only("label_variants")
    report = lint(items(*[CLEAN] * 8, attractor=["+att", "-att", "+att", "-att", "a-b", "a_b", "+att", "-att"]))
    assert report.findings["what"].tolist() == ["attractor 'a-b' (1 pair) and 'a_b' (1 pair)"]
    assert one_of(report, "label_variants")[0] == 1
    fields = ["syntax_semantics", "syntax/semantics", "syntax_semantics", "syntax_semantics"]
    texts = {"sentence_good": "The cat sleeps.", "sentence_bad": "The cat sleep."}
    file = write(tmp_path / "u.jsonl", *(texts | {"UID": "u", "field": field} for field in fields))
    read = list(TASKS["blimp"].read(file))
    assert lint(read).in_words() == []
    assert lint(read, source=file).in_words() == [
        "1 of 1 label is written in several ways: field 'syntax_semantics' (3 pairs) and 'syntax/semantics' (1 "
        "pair), which are read as one."
    ]


WORDS = st.lists(st.sampled_from(["a", "b", "c", "dd"]), max_size=8).map(" ".join)


@given(WORDS, WORDS)
def test_edits_are_empty_for_equal_words_only_and_add_up_to_the_difference(first, second):
    found = edits(first, second)
    assert (found == []) == (first.split() == second.split())
    removed = sum(len(old.split()) for old, _ in found)
    added = sum(len(new.split()) for _, new in found)
    assert len(first.split()) - removed == len(second.split()) - added
    assert all(old != new for old, new in found)


@pytest.mark.parametrize(
    "text", ["Le café est fermé.", "« Où ? » — “oui”", "Кот спит", "החתול ישן", "naïve Ça l’été"]
)
@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_what_was_read_in_the_wrong_encoding_is_read_in_the_right_one(text, encoding):
    """Five bytes are no characters of Windows-1252: programs take them as those of Latin-1."""
    read = "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in text.encode())
    assert mended(read) == text and mended(text) == text


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 4)  # of four times as many texts: a report takes as long of few
@given(st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), min_size=1, max_size=24))
def test_any_text_can_be_looked_at(known_counts, texts):
    report = lint(items(*texts), counter=characters(5))
    assert one_of(report, "identical_texts")[0] == sum(good == bad for good, bad in texts)
    assert len(report.in_words()) == (report.summary["n"] > 0).sum()
    assert report.summary["share"].between(0, 1).all()
