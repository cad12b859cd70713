"""A table as the sentences of an experiment: roles, pairs, regions, and what is left out."""

from dataclasses import replace
from itertools import pairwise, product

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.analysis.experiment import Columns
from pairlens.errors import InputError
from pairlens.studies.experiment import wording
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import part_at_bars, places_of, positions, read_design, typed_design
from pairlens.text.words import word_spans


def table(*rows, names="sentid pairid comparison condition sentence ROI"):
    return pd.DataFrame(rows, columns=names.split())


PAIR = (("1", "1", "expected", "sg", "The cat sleeps.", "2"), ("2", "1", "unexpected", "sg", "The cat sleep.", "2"))
CONDITION = Columns(conditions=("condition",))


def designed(*rows):
    return read_design(table(*rows), CONDITION)


def reasons(design):
    return list(zip(design.excluded["row"], design.excluded["reason"], strict=True))


def test_roles_are_guessed_by_names_and_conditions_by_what_repeats_over_pairs_and_is_the_same_within_them():
    found = guess_columns(table(*PAIR, names="SentID PairID Comparison Cond Sentence roi"))
    assert found == Columns("Sentence", "SentID", "PairID", "Comparison", roi="roi", conditions=("Cond",))
    frame = pd.DataFrame(
        {
            "sentence": [f"s{i}" for i in range(8)], "pairid": [i // 2 for i in range(8)],
            "comparison": ["expected", "unexpected"] * 4, "verb": ["a", "a", "b", "b"] * 2,
            "number": ["sg", "pl"] * 4, "contextid": ["x", "x", "y", "y"] * 2,
            "noun": ["p", "p", "q", "q", "r", "r", "s", "s"], "language": ["en"] * 8,
        }
    )  # fmt: skip
    assert guess_columns(frame).conditions == ("verb",)
    unpaired = guess_columns(frame.drop(columns="pairid"))
    assert (unpaired.item, unpaired.conditions) == ("noun", ()), "its two sentences are what pairs them"
    alone = guess_columns(frame.drop(columns=["pairid", "comparison", "noun"]))
    assert alone.conditions == ("verb", "number")  # each row counts
    pairs = product(enumerate(["sg", "pl"] * 3), ("expected", "unexpected"))
    rows = [(str(pair), side, number, "a", pair % 3) for (pair, number), side in pairs]
    assert guess_columns(table(*rows, names="pairid comparison number sentence list_nr")).conditions == ("number",)


def test_the_usual_names_of_sides_are_known_and_roles_that_were_named_must_be_there_the_usual_ones_need_not():
    for sides in (("good", "bad"), ("Grammatical", "ungrammatical"), ("plausible", "implausible")):
        found = guess_columns(table(*((str(n), "1", side, "c", "A", "") for n, side in enumerate(sides))))
        assert (found.expected, found.unexpected) == sides
    frame = pd.DataFrame({"text": ["A b", "A c"]})
    assert list(read_design(frame, Columns(sentence="text")).sentences) == ["sentid", "sentence"]
    for columns, said in (
        (Columns(sentence="texts"), r"a\.csv: There is no column 'texts'\. Did you mean 'text'\?"),
        (Columns(sentence="text", pairid="pair"), "no column 'pair'"),
        (Columns(sentence="text", conditions=("verb",)), "no column 'verb'"),
        (Columns(sentence=""), r"say which column holds the sentences, or which two\. Found text"),
    ):
        with pytest.raises(InputError, match=said):
            read_design(frame, columns, "a.csv")


def test_a_column_with_a_name_of_ours_is_kept_under_another_and_cells_become_text_without_space_around_it():
    values = ["a_b, c", "tab\there"]
    rows = [(str(2 * i + j), str(i), ("expected", "unexpected")[j], values[i] + j * " ", f"S {i} {j}", "0")
            for i in (0, 1) for j in (0, 1)]  # fmt: skip
    design = designed(*rows)
    assert design.excluded.empty and design.sentences["condition"].unique().tolist() == values
    assert [item.groups["condition"] for item in design.items()] == values
    frame = table(*PAIR, names="sentid pairid comparison word sentence ROI").assign(roi="x")
    design = read_design(frame, Columns(conditions=("word",)))
    assert design.columns.conditions == ("given_word",)
    assert design.sentences[["given_word", "given_roi"]].iloc[0].tolist() == ["sg", "x"]
    rows = (1.0, "A b", [0, 1], None), (2.0, "A c", 1, 2.5)
    sentences = read_design(table(*rows, names="sentid sentence ROI condition"), CONDITION).sentences
    assert sentences["sentid"].tolist() == ["1", "2"] and sentences["roi"].tolist() == [(0, 1), (1,)]
    assert sentences["condition"].tolist() == ["", "2.5"]


def test_two_columns_of_texts_become_two_sentences_per_row_and_one_that_is_missing_is_listed():
    frame = pd.DataFrame(
        {"sentence_good": ["Cats sleep.", "Dogs bark."], "sentence_bad": ["Cats sleeps.", "Dogs barks."], "ROI": 1,
         "sentid": ["a", "b"], "UID": "agreement"}
    )  # fmt: skip
    columns = guess_columns(frame)
    assert (columns.sentence, columns.expected, columns.unexpected) == ("", "sentence_good", "sentence_bad")
    design = read_design(frame, columns)
    columns = ["sentence", "comparison", "pairid", "sentid", "given_sentid", "roi"]
    assert [tuple(row) for row in design.sentences[columns].to_numpy()] == [
        ("Cats sleep.", "expected", "1", "1", "a", (1,)), ("Cats sleeps.", "unexpected", "1", "2", "a", (1,)),
        ("Dogs bark.", "expected", "2", "3", "b", (1,)), ("Dogs barks.", "unexpected", "2", "4", "b", (1,)),
    ]  # fmt: skip
    assert design.excluded.empty
    frame = pd.DataFrame({"good": ["A", "B"], "bad": ["C", " "]})
    design = read_design(frame, Columns(expected="good", unexpected="bad"))
    assert reasons(design) == [(2, "no sentence"), (2, "pair 2 has no unexpected sentence")]
    assert len(design.items()) == 1


def test_rows_that_cannot_be_used_are_left_out_and_a_repeated_sentid_keeps_its_first_sentence():
    design = designed(
        *PAIR,
        ("3", "2", "expected", "sg", "", "2"),
        ("", "2", "unexpected", "sg", "The dog bark.", "2"),
        ("5", "3", "expcted", "sg", "The dog barks.", "2"),
        ("6", "3", "", "sg", "The dog barks.", "2"),
    )
    assert design.sentences["sentid"].tolist() == ["1", "2"]
    assert reasons(design) == [
        (3, "no sentence"),
        (4, "no sentid"),
        (5, "the comparison 'expcted' is neither expected nor unexpected"),
        (6, "no comparison: neither expected nor unexpected"),
    ]
    assert design.excluded["pairid"].tolist() == ["2", "2", "3", "3"]
    other = ("2", "1", "unexpected", "sg", "The cat slept.", "2")
    moved = ("2", "9", "unexpected", "sg", "The cat sleep.", "2")
    design = designed(*PAIR, PAIR[1], other, moved)
    assert design.sentences["sentence"].tolist() == ["The cat sleeps.", "The cat sleep."]
    assert reasons(design) == [
        (3, "the same as row 2"),
        (4, "sentid 2 is already that of another sentence, in row 2"),
        (5, "sentid 2 is already that of the same sentence in row 2"),
    ]
    assert len(design.items()) == 1


def test_a_comparison_that_never_says_expected_or_has_one_name_for_both_is_an_error():
    frame = table(("1", "1", "good", "c", "A", ""), ("2", "1", "bad", "c", "B", ""))
    missing = r"t\.tsv: column 'comparison': There is no comparison 'expected'.*bad, good"
    with pytest.raises(InputError, match=missing):
        read_design(frame, Columns(), "t.tsv")
    with pytest.raises(InputError, match=r"There is no comparison 'odd'\. Did you mean 'od'\?"):
        read_design(frame.replace("bad", "od"), Columns(expected="good", unexpected="odd"))
    design = read_design(frame, Columns(expected="Good", unexpected="BAD"))
    assert design.sentences["comparison"].tolist() == ["expected", "unexpected"]
    with pytest.raises(InputError, match="expected and unexpected are both called 'Good'"):
        read_design(table(*PAIR), Columns(expected="Good", unexpected="good"))


def test_positions_and_that_a_missing_roi_leaves_the_sentence_in_the_design():
    cells = {"3,4": (3, 4), " 4 , 3,3 ": (3, 4), "0": (0,), "[1, 2]": (1, 2), "3.0": (3,)}
    none = dict.fromkeys(["", "x", "3.4", "-1", "3;4", "3,", "²", "3-5", "9" * 30])
    assert {cell: positions(cell) for cell in cells | none} == cells | none
    design = designed(PAIR[0], (*PAIR[1][:-1], ""), ("3", "", "expected", "sg", "A b", "1-2"))
    assert design.sentences["roi"].tolist() == [(2,), (), ()]
    assert reasons(design) == [
        (2, "no ROI given"),
        (3, "ROI '1-2' is neither positions such as 3,4 (the first is 0) nor a word that occurs once in it"),
        (3, "no pairid: it is in no pair"),
    ]
    without = read_design(table(*PAIR).assign(ROI=""), CONDITION)
    assert "roi" not in without.sentences and without.excluded.empty


def test_items_are_the_pairs_also_in_another_condition_and_what_is_none_is_listed():
    design = designed(
        *PAIR,
        ("3", "2", "expected", "sg", "C", "0"),
        *(("4", "3", "expected", "sg", "D", "0"), ("5", "3", "expected", "sg", "E", "0")),
        ("6", "3", "unexpected", "sg", "F", "0"),
        *(("7", "4", "expected", "sg", "G", "0"), ("8", "4", "unexpected", "pl", "H", "0")),
    )
    assert len(design.sentences) == 8 and [item.id for item in design.items()] == ["1 (sg)"]
    assert reasons(design) == [
        (3, "pair 2 has no unexpected sentence"),
        *((row, "pair 3 has 2 expected and 1 unexpected sentences") for row in (4, 5, 6)),
        *((row, "the sentences of pair 4 differ in their conditions") for row in (7, 8)),
    ]
    again = [(f"{row[0]}b", *row[1:3], "pl", row[4].replace("cat", "cats"), row[5]) for row in PAIR]
    design = designed(*PAIR, *again)
    assert design.excluded.empty and [item.id for item in design.items()] == ["1 (sg)", "1 (pl)"]
    (item,) = designed(*PAIR).items()
    assert {one.label: one.text for one in item.candidates} == {side: text for _, _, side, _, text, _ in PAIR}
    assert item.gold == "expected"
    assert item.groups == {"UID": "pairs", "condition": "sg", "contrast": "sleeps.|sleep."}


def test_sentences_can_be_left_out_later_and_a_table_without_a_usable_one_is_an_error():
    with pytest.raises(InputError, match=r"t.csv: no sentence can be used \(row 1: no sentence\)"):
        read_design(table(("1", "1", "expected", "c", " ", "")), Columns(), "t.csv")
    with pytest.raises(InputError, match="no sentence below the column names"):
        read_design(table(), Columns())
    design = designed(*PAIR).without({"2": "it is too long"})
    assert design.sentences["sentid"].tolist() == ["1"]
    assert list(design.excluded) == ["row", "sentid", "pairid", "reason"]
    assert design.excluded.to_numpy().tolist() == [[0, "2", "1", "it is too long"]]


def test_bars_are_taken_out_and_part_regions_unless_most_sentences_have_none():
    typed = {"The key| to it |is": "The key to it is", "walk|ed home": "walked home", "a |  | b": "a b"}
    typed |= {"a || b": "a b", " | a | b |": "a b", "no bar": "no bar"}
    assert {text: part_at_bars(text)[0] for text in typed} == typed
    design = designed(
        ("1", "1", "expected", "c", "The cat | sleeps | here.", "1"),
        ("2", "1", "unexpected", "c", "The cat | sleep | here.", "1"),
        ("3", "2", "expected", "c", "The dog barks here.", "1"),
    )
    assert design.sentences["sentence"].tolist() == ["The cat sleeps here.", "The cat sleep here."]
    assert design.sentences["bars"].tolist() == [((0, 7), (8, 14), (15, 20)), ((0, 7), (8, 13), (14, 19))]
    assert design.sentences["roi"].tolist() == [(1,), (1,)]
    assert reasons(design) == [(3, "no | in the sentence, while the others have regions between bars")]
    design = designed(*PAIR, ("3", "2", "expected", "c", "a | b", "0"))
    assert "bars" not in design.sentences and design.sentences["sentence"].iloc[2] == "a | b"


@given(st.text(alphabet="ab |", max_size=20))
def test_regions_are_the_parts_between_bars_in_order(typed):
    text, spans = part_at_bars(typed)
    assert "|" not in text
    assert [text[start:end] for start, end in spans] == [part.strip() for part in typed.split("|")]
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    assert text.replace(" ", "") == typed.replace("|", "").replace(" ", "")
    assert part_at_bars(typed.replace("|", " | "))[0].split() == typed.replace("|", " ").split()


@pytest.mark.slow
def test_lines_are_pairs_blank_lines_end_them_headings_name_conditions_and_a_pasted_table_is_one():
    design = typed_design(["Cats sleep.", "Cats sleeps.", "Dogs bark.", "", "", "Birds sing.", " Birds sings. ", ""])
    assert design.sentences["pairid"].tolist() == ["1", "1", "2", "3", "3"]
    assert design.sentences["sentence"].tolist()[-1] == "Birds sings."
    assert reasons(design) == [(3, "pair 2 has no unexpected sentence")] and design.columns.conditions == ()
    design = typed_design(["# left", "a | b", "a | c", "#arrived", "d | b", "d | c"])
    assert design.columns.conditions == ("condition",)
    assert design.sentences["condition"].tolist() == ["left", "left", "arrived", "arrived"]
    assert design.sentences["bars"].notna().all() and len(design.items()) == 2
    repeated = ["# left", "a", "b", "c", "d", "# arrived", "e", "f", "g", "h"]  # as many pairs below each are items
    assert typed_design(repeated).sentences["item"].tolist() == ["1", "1", "2", "2"] * 2
    assert "item" not in typed_design([*repeated, "x", "y"]).sentences
    design = typed_design(["sentid\tsentence\tcondition\tROI", "a\tIt rains.\tx\t1", "b\tIt snows."])
    assert design.sentences["sentid"].tolist() == ["a", "b"]
    assert design.sentences["condition"].tolist() == ["x", ""] and reasons(design) == [(3, "no ROI given")]
    for head, gold in ([], "expected"), (["good\tbad"], "good"):
        design = typed_design([*head, "Cats sleep.\tCats sleeps.", "", "Dogs bark.\tDogs barks."])
        assert design.sentences["sentence"].tolist() == ["Cats sleep.", "Cats sleeps.", "Dogs bark.", "Dogs barks."]
        assert [item.gold for item in design.items()] == [gold] * 2


@pytest.mark.parametrize(
    ("lines", "message"),
    [([" ", ""], "nothing to analyse yet"), (["# only"], "no sentences below"),
     (["a\tb\tc", "d\te\tf"], "does not name a column of sentences"),
     (["sentence\troi", "a\t1\tx"], "Line 2: found 3 cells, expected 2"),
     (["sentence\tsentence", "a\tb"], "two columns have the same name"), (["sentence\troi"], "no sentence below")],
)  # fmt: skip
def test_lines_that_are_nothing_get_one_sentence(lines, message):
    with pytest.raises(InputError, match=message):
        typed_design(lines)


@pytest.mark.parametrize(
    ("cell", "sentence", "place"),
    [("was", "The key to the cabinets was rusty.", 5), ("Was.", "However, it was", 2), ("rusty", "Rusty, it was.", 0),
     ("游泳", "他们 游泳 了。", 1)],
)  # fmt: skip
def test_a_word_that_occurs_once_is_a_region(cell, sentence, place):
    design = designed(("1", "1", "expected", "c", sentence, cell))
    words = [sentence[start:end] for start, end in word_spans(sentence)]
    assert design.sentences["roi"].tolist() == [cell] and places_of(cell, words) == (place,)
    barred = designed(("1", "1", "expected", "c", "|".join(words), cell))
    assert barred.sentences["roi"].tolist() == [(place,)]


@pytest.mark.parametrize("cell", ["the", "key", "", "The."])
def test_a_word_that_is_missing_or_there_twice_is_said_once_for_all(cell):
    rows = [("1", "1", "expected", "c", "The cat saw the dog", cell), ("2", "1", "unexpected", "c", "a cat", "1")]
    design = designed(*rows)
    said = wording.regionless(design)
    assert design.sentences["roi"].tolist() == [(), (1,)]
    assert said.startswith("1 of 2 sentences have no region of interest, the first in row 1: ")
    assert wording.regionless(designed(*PAIR)) == ""


def test_chunks_are_a_finding_and_regions_if_one_wants():
    rows = [("1", "1", "expected", "c", "Die_Katze sieht das_Haus.", "das Haus"),
            ("2", "1", "unexpected", "c", "Die_Katze sehen das_Haus.", "2")]  # fmt: skip
    assert wording.chunked(designed(*rows)).startswith("In 2 of 2 sentences _ joins words")
    design = read_design(table(*rows), replace(CONDITION, chunks="_"))
    assert design.sentences["sentence"].iloc[0] == "Die Katze sieht das Haus." and wording.chunked(design) == ""
    assert design.sentences["bars"].iloc[0] == ((0, 9), (10, 15), (16, 25))
    assert design.sentences["roi"].tolist() == [(2,), (2,)]


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


@pytest.mark.slow
@pytest.mark.parametrize("renamed", [{}, IN_PORTUGUESE, IN_DUTCH, {"item": "Numéro", "sentence": "Phrase"}])
def test_what_is_the_same_within_an_item_or_differs_within_a_pair_is_no_condition(renamed):
    table = survey(**renamed)
    in_spanish = table.replace({"expected": "esperado", "unexpected": "inesperado"})
    for one in (table, table[table.columns[::-1]], in_spanish):
        columns = guess_columns(one)
        assert (columns.item, columns.conditions) == (renamed.get("item", "item"), ())
        assert wording.summary(read_design(one, columns)) == "12 sentences in 6 pairs of 6 items."
    said = wording.columns(guess_columns(table), table)
    assert "question, author (the same within an item)" in said and "audio (a value per row)" in said
    assert "length (not crossed with the items)" in said


def test_without_crossing_nothing_is_taken_for_items_or_conditions_nor_where_a_role_is_known():
    assert guess_columns(crossed().drop(columns=["number", "attractor", "version"])).item == ""
    assert guess_columns(crossed(), {"item": "verb", "conditions": ()}).item == "verb"
    assert guess_columns(crossed(), {"item": "nothing"}).item == "nothing", "the design says that there is none"
    pair = of_one_item().query("tense == 'now' and number == 'sg'")
    assert guess_columns(pair).conditions == ()


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_items_and_conditions_follow_from_what_crosses(seed):
    table = crossed()
    if seed is not None:
        table = table.sample(frac=1, random_state=seed).sample(frac=1, axis="columns", random_state=seed)
    columns = guess_columns(table)
    assert (columns.item, {*columns.conditions}) == ("stimulus", {"number", "attractor"})


@pytest.mark.slow
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
