"""Which columns are items and conditions, as their values cross."""

from itertools import product

import pandas as pd
import pytest

from core.studies.experiment import wording
from core.studies.experiment.columns import guess_columns
from core.studies.experiment.design import read_design


def survey(**renamed):
    """Six items with two sentences each, and the columns of a survey."""
    rows = [
        {"item": item, "comparison": side, "sentence": f"the text {item} {side}", "question": f"is it {item} or not?",
         "list": 1 + (item + (side == "expected")) % 2, "author": "AB" if item < 4 else "CD",
         "audio": f"{item}{side}.wav", "length": 20 + (item + len(side)) % 5}
        for item, side in product(range(1, 7), ("expected", "unexpected"))
    ]  # fmt: skip
    return pd.DataFrame(rows).rename(columns=renamed)


def crossed(comparison=False):
    """24 items in four conditions, each in another of four lists."""
    rows = [
        {"stimulus": 7 * item, "number": number, "attractor": attractor, "version": "ABCD"[(item + place) % 4],
         "verb": f"v{item % 12}", "sentence": f"the text {item} {number} {attractor}"}
        for item in range(24) for place, (number, attractor) in enumerate(product(("sg", "pl"), ("same", "other")))
    ]  # fmt: skip
    sides = {"same": "good", "other": "bad"}
    table = pd.DataFrame(rows)
    return table.assign(kind=table.pop("attractor").map(sides)) if comparison else table


IN_PORTUGUESE = {"item": "n_item", "comparison": "Tipo", "sentence": "Frase", "list": "Lista"}
IN_DUTCH = {"item": "nr", "comparison": "soort", "sentence": "Zin", "list": "versie"}


@pytest.mark.parametrize("renamed", [{}, IN_PORTUGUESE, IN_DUTCH, {"item": "Numéro", "sentence": "Phrase"}])
def test_what_is_the_same_within_an_item_or_differs_within_a_pair_is_no_condition(renamed):
    table = survey(**renamed)
    for one in (
        table,
        table[table.columns[::-1]],
        table.replace({"expected": "esperado", "unexpected": "inesperado"}),
    ):
        columns = guess_columns(one)
        assert (columns.item, columns.conditions) == (renamed.get("item", "item"), ())
        assert wording.summary(read_design(one, columns)) == "12 sentences in 6 pairs of 6 items."
    said = wording.columns(guess_columns(table), table)
    assert "question, author (the same within an item)" in said and "audio (a value per row)" in said
    assert "length (not crossed with the items)" in said


def test_the_columns_of_a_survey_as_it_is(shared_data):
    from core.files.tables import read_table

    table = read_table(shared_data("field") / "cols.csv")
    assert wording.summary(read_design(table, guess_columns(table))) == "12 sentences in 6 pairs of 6 items."


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_items_and_conditions_follow_from_what_crosses(seed):
    table = crossed()
    if seed is not None:
        table = table.sample(frac=1, random_state=seed).sample(frac=1, axis="columns", random_state=seed)
    columns = guess_columns(table)
    assert (columns.item, {*columns.conditions}) == ("stimulus", {"number", "attractor"})


def test_pairs_stay_whole_under_the_conditions_that_are_guessed_and_a_row_per_participant_is_none():
    columns = guess_columns(crossed(comparison=True))
    assert (columns.item, columns.comparison, columns.conditions) == ("stimulus", "kind", ("number",))
    design = read_design(crossed(comparison=True), columns)
    assert wording.summary(design).startswith("96 sentences in 48 pairs of 24 items; conditions: number")
    table = pd.concat([crossed(comparison=True).assign(participant=name) for name in ("p1", "p2")])
    design = read_design(table, guess_columns(table))
    assert "participant" not in design.columns.conditions and len(design.sentences) == 96
    assert design.excluded["reason"].iloc[0] == "the same sentence as in row 1"


def of_one_item(**sides):
    """One item, two tenses by two numbers by two sides; the verb crosses with the number, the audio with nothing."""
    rows = [
        {"item": 1, "list": "AB"[(number == "sg") == (side == "grammatical")], "tense": tense, "number": number,
         "grammaticality": side, "verb": f"{tense} {'s' if (number == 'sg') == (side == 'grammatical') else ''}",
         "audio": f"{tense}{number}{side}.wav", "sentence": f"the text {tense} {number} {side}"}
        for tense, number, side in product(("now", "then"), ("sg", "pl"), ("grammatical", "ungrammatical"))
    ]  # fmt: skip
    return pd.DataFrame(rows).replace({"grammaticality": sides})


@pytest.mark.parametrize(
    ("table", "conditions"),
    [
        (of_one_item(), {"tense", "number"}),
        (of_one_item(grammatical="gramatical", ungrammatical="agramatical"), {"tense", "number"}),
        (of_one_item().query("tense == 'now'"), {"number"}),
        (of_one_item().query("number == 'pl'").drop(columns="number"), {"tense"}),
    ],
    ids=["two conditions", "in Portuguese", "one condition", "the other"],
)
def test_what_varies_within_the_only_item_and_crosses_the_comparison_is_a_condition(table, conditions):
    columns = guess_columns(table)
    assert (columns.item, {*columns.conditions}) == ("item", conditions)
    summary = wording.summary(read_design(table, columns))
    assert summary.startswith(f"{len(table)} sentences in {len(table) // 2} pairs of 1 item; conditions: ")
    assert "audio (a value per row)" in wording.columns(columns, table)


def test_what_data_lint_calls_an_error_is_said_of_a_design():
    table = of_one_item()
    table.loc[[1, 4], "sentence"] = ["#N/A", "1-Mar"]
    assert wording.faults(read_design(of_one_item(), guess_columns(of_one_item()))) == ""
    assert wording.faults(read_design(table, guess_columns(table))) == (
        "2 of 8 texts have what data lint calls errors and are scored all the same: a spreadsheet error or a missing "
        "value (sentence 2); a date or a time and nothing else (sentence 5)."
    )
    assert wording.faults in wording.REMARKS, "which are said by the verb and on the page"


def test_without_crossing_nothing_is_taken_for_items_or_conditions_nor_where_a_role_is_known():
    assert guess_columns(crossed().drop(columns=["number", "attractor", "version"])).item == ""
    assert guess_columns(crossed(), {"item": "verb", "conditions": ()}).item == "verb"
    assert guess_columns(crossed(), {"item": "nothing"}).item == "nothing", "the design says that there is none"
    pair = of_one_item().query("tense == 'now' and number == 'sg'")
    assert guess_columns(pair).conditions == ()
