"""What is said of texts that `data lint` calls errors: the same errors, counted and placed."""

import pytest

import pairlens
from pairlens.studies.lint.running import CHECKS, lint
from pairlens.tasks.pairs import pair
from pairlens.text.faults import FAULTS, Faults, faults_in

SOUND = ("The cat sleeps.", "The cat sleep.")
CHECKS_OF_TEXTS = ("dates", "lost_cells", "html_entities", "judgement_marks", "wrong_encoding")
OF_TEXTS = dict(zip(CHECKS_OF_TEXTS, FAULTS, strict=True))
SAID_BY_SCORING = {"empty_texts", "regions", "unreadable"}
WRONG = [
    "2024-03-01 00:00:00", "1-Mar", "Mar-2024", "03:04:00", "#N/A", "#NAME?", "nan", "NULL", "Tom &amp; Ana sing.",
    "* The cat sleep.", "??The cat sleep.", "The cat sleep (ungrammatical).", "Le garÃ§on dort.", "Le gar\ufffdon.",
]  # fmt: skip
RIGHT = ["None of us.", "#blessed", "AT&T.", "*Yes*, he said.", "Le garçon dort.", "12 cats sleep.", "may", ""]


def said(items, rows):
    faults = Faults()
    for item, row in zip(items, rows, strict=True):
        faults.add(item, row)
    return faults.in_words()


def test_a_text_is_at_fault_as_its_checks_say_every_one_that_finds_errors():
    findings = lint([pair(text, text, "The dogs run.") for text in (*WRONG, *RIGHT)]).findings
    for text in (*WRONG, *RIGHT):
        assert faults_in(text) == [name for name, has in FAULTS.items() if has(text)]
        assert bool(faults_in(text)) == (text in WRONG)
        checks = {*findings[findings["item"] == text]["check"]} & OF_TEXTS.keys()
        assert {OF_TEXTS[name] for name in checks} == {*faults_in(text)}, text
    errors = {name for name, search in CHECKS.items() if search.check.severity == "error"}
    assert errors - SAID_BY_SCORING == {*OF_TEXTS, "identical_texts", "contradictions"}


def test_texts_are_counted_and_placed():
    texts = {"a": ("#N/A", "1-Mar"), "b": SOUND, "c": ("The same.", "The same."), "d": SOUND[::-1]}
    items = [pair(name, *both) for name, both in texts.items()]
    assert said(items, [2, 3, 5, 6]) == (
        "5 of 8 texts have what data lint calls errors and are scored all the same: a spreadsheet error or a missing "
        "value (row 2); a date or a time and nothing else (row 2); the same text twice in an item (row 5); the "
        "texts of another item with right and wrong exchanged (rows 3, 6)."
    )
    assert "(items b, d)" in said(items, [2, 3, 2, 3]), "rows of several files"
    assert "(items b, d)" in said(items, [None] * 4)
    assert said(items[1:2], [2]) == said([], []) == ""
    many = [pair(str(n), "NA", "x") for n in range(12)]
    assert "(rows 2, 3, 4, 5, 6, 7, 8, 9 and 4 more)" in said(many, [*range(2, 14)])
    texts = [SOUND, SOUND[::-1], SOUND, ("x y", "x y"), ("x y", "x y"), ("z", "w"), ("z", "w")]
    items = [pair(str(n), *both) for n, both in enumerate(texts)]
    found = {check.name: one.n for check, one in lint(items).outcomes}
    assert (found["contradictions"], found["identical_texts"]) == (3, 2)
    told = said(items, [None] * 7)
    assert "right and wrong exchanged (items 0, 1, 2); the same text twice in an item (items 3, 4)." in told


@pytest.mark.slow
def test_a_run_says_it_and_forgets_it_when_the_file_is_right(save, unigram, capsys):
    from pairlens.cli import main

    path = save("a.csv", "good,bad\nThe cat sleeps.,The cat sleep.\n\n#N/A,The dogs runs.\n")
    run, output = pairlens.benchmark(path, unigram, task="pairs"), ("--output_dir", str(path.parent / "out"))
    expected = (
        "1 of 4 texts has what data lint calls an error and is scored all the same: a spreadsheet error or a missing "
        "value (row 4)."
    )
    assert run.faults == expected
    assert main(["zero-shot", "--task", "pairs", "--data_path", str(path), "--model", unigram, *output]) == 0
    assert expected in capsys.readouterr().err
    assert main(["report", run.run_id, "-o", str(path.parent / "r.html")]) == 0
    assert "a spreadsheet error or a missing value (row 4)." in (path.parent / "r.html").read_text("utf-8")
    sound = save("b.csv", "good,bad\nThe cat sleeps.,The cat sleep.\n")
    assert pairlens.benchmark(sound, unigram, task="pairs").faults == ""
