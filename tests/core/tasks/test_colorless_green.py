"""Agreement in nonsense: its reader, the same items from either kind of file, and tables with a column per model."""

import shutil
from collections import Counter

import pandas as pd
import pytest

from pairlens.analysis.agreement import agreement_numbers
from pairlens.cli import main
from pairlens.files.tables import read_table
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.studies.agreement.answers import candidates
from pairlens.studies.agreement.model_columns import right_by_model
from tests.records import read, refusal
from tests.refusals import error_of

SAMPLE = ROOT / "data" / "samples" / "colorless_green" / "English"
RELEASED = "colorless_green/data/evaluation_output"
GOLD = (
    "L!NOUN_VERB!Number=Sing!Number=Plur\t4\t{sent}\t3\tVERB\tMood=Ind|Number=Plur\tsing\tsings\tsing\t1\tNOUN\tx y\n"
)


def one(save, sent, text):
    save("a.gold", GOLD.format(sent=sent))
    return save("a.text", text)


def test_a_nonce_sentence_keeps_another_word_where_the_form_goes_and_an_original_has_the_form(save):
    (item,) = read("colorless_green", one(save, 3, "the jars there dig soup . <eos>\n"))
    right, wrong = item.candidates
    assert (right.context, right.text, wrong.text) == ("the jars there", " sing soup .", " sings soup .")
    assert [c.text[slice(*c.regions["form"])] for c in item.candidates] == ["sing", "sings"]
    assert item.groups == {
        "type": "generated", "language": "unknown", "number": "plural", "attractors": "unknown", "distance": "2",
        "pattern": "L__NOUN_VERB", "prefix_length": "3", "unknown": "0", "frequency_correct": "unknown",
        "frequency_wrong": "unknown", "constr_id": "4", "contrast": "sing|sings",
    }  # fmt: skip
    (item,) = read("colorless_green", one(save, 0, "the birds there sing well .\n"))
    assert item.groups["type"] == "original"
    message = refusal("colorless_green", one(save, 0, "the birds there dig well .\n"))
    assert message == "a.gold, line 1: the word at place 3 of the sentence is 'dig', neither of sing / sings."


def test_a_table_beside_says_more_and_alone_makes_the_same_items_but_not_of_other_forms(tmp_path):
    both = read("colorless_green", SAMPLE)
    folder = tmp_path / "English"
    folder.mkdir()
    shutil.copy(SAMPLE / "generated.tab", folder)
    assert read("colorless_green", folder) == read("colorless_green", SAMPLE / "generated.tab") == both
    shutil.copy(SAMPLE / "generated.text", folder)
    assert "there is no generated.gold beside it" in refusal("colorless_green", folder)
    (folder / "generated.tab").unlink()
    shutil.copy(SAMPLE / "generated.gold", folder)
    for with_table, without in zip(both, read("colorless_green", tmp_path), strict=True):
        assert with_table.candidates == without.candidates and with_table.id == without.id
        told = {name for name, value in without.groups.items() if value != with_table.groups[name]}
        assert told <= {"attractors", "frequency_correct", "frequency_wrong"}
    assert {item.groups["attractors"] for item in both} == {"0", "1"}
    shutil.copytree(SAMPLE, tmp_path / "set")
    table = tmp_path / "set" / "generated.tab"
    table.write_text(table.read_text().replace("\tlight\t", "\tlit\t"))
    assert "generated.tab, row 2: the form is 'lit'" in refusal("colorless_green", tmp_path / "set")


COUNTS = {"English": 410, "Hebrew": 3730, "Italian": 1190, "Russian": 4420}


@pytest.mark.soak
def test_the_released_sets(shared_data):
    items = read("colorless_green", shared_data("colorless_green/data/agreement"))
    assert Counter(item.groups["language"] for item in items) == COUNTS
    originals = Counter(item.groups["language"] for item in items if item.groups["type"] == "original")
    assert originals == {language: n // 10 for language, n in COUNTS.items()}
    same = [item.groups["language"] for item in items if item.candidates[0].text == item.candidates[1].text]
    assert Counter(same) == {"Hebrew": 11, "Italian": 1, "Russian": 19}
    assert len({item.id for item in items}) == len(items) == 9750


@pytest.mark.parametrize("language", ["English", "Italian"])
def test_released_tables_and_sentences_give_the_same_items(shared_data, language, tmp_path):
    """Places and features from one file, prefixes and columns of the other."""
    folder = shared_data("colorless_green/data/agreement") / language
    alone = tmp_path / language
    alone.mkdir()
    for name in ("generated.text.gz", "generated.gold.gz"):
        (alone / name).symlink_to(folder / name)
    made, of_table = read("colorless_green", alone), read("colorless_green", folder / "generated.tab.gz")
    assert len({item.id for item in made}) == len(made) == COUNTS[language]
    for item, other in zip(made, of_table, strict=True):
        assert item.candidates == other.candidates
        for name in ("type", "number", "distance", "pattern", "prefix_length", "constr_id"):
            assert item.groups[name] == other.groups[name], (item.id, name)


PUBLISHED = {
    ("English", "original"): (41, 0, 80.49), ("English", "generated"): (369, 0, 71.82),
    ("Italian", "original"): (119, 0, 90.76), ("Italian", "generated"): (1071, 1, 84.78),
    ("Hebrew", "original"): (373, 0, 95.17), ("Hebrew", "generated"): (3357, 11, 79.80),
}  # fmt: skip
"""Items, ties and per cent right of the best LSTM of each language, with ties wrong."""


def test_the_published_models_come_out_by_one_command(shared_data, tmp_path, capsys):
    target = tmp_path / "models.csv"
    assert main(["agreement", "models", "--predictions", str(shared_data(RELEASED)), "-o", str(target)]) == 0
    said = capsys.readouterr().out
    shares = "79.97 % ties half, 80.13 % ties correct, 79.80 % ties wrong"
    assert f"3,357 items\t11 ties (11 of the same word)\t{shares}" in said
    table = read_table(target)
    assert len(table) == len(said.splitlines()) == 8
    best = table[table["set"] == "best_model"].set_index(["language", "type"])
    found = {
        key: (int(row["n"]), int(row["ties"]), round(100 * float(row["wrong"]), 2)) for key, row in best.iterrows()
    }
    assert found == PUBLISHED
    assert best["same"].tolist() == best["ties"].tolist(), "every tie is an item with one word twice"


def test_shares_are_those_of_the_metric_under_each_policy(shared_data):
    path = shared_data(RELEASED) / "Italian" / "best_model_mturk.tab.gz"
    table = right_by_model(path)
    (model,) = set(table["model"])
    assert model == "hidden650_batch64_dropout0.2_lr10.0", "people's choices (mturk_count) are no logarithms"
    answers = candidates(path, column=model)
    for ties in ("half", "correct", "wrong"):
        by_type = agreement_numbers(answers, Policy(ties=ties)).by["type"]
        expected = {row["group"]: (row["n"], row["share"]) for _, row in by_type.iterrows()}
        assert {row["type"]: (row["n"], pytest.approx(row[ties])) for _, row in table.iterrows()} == expected


def models(save, *rows):
    return save("m.tab", "\n".join(("class\tform\tprefix\tsent\tn_attr\tfirst\tsecond", *rows)) + "\n")


def test_every_column_of_logarithms_is_a_model_and_without_one_a_table_is_refused(save):
    rows = [
        "correct\tsing\tthey\tthey sing .\t0\t-1\t-2.5", "wrong\tsings\tthey\tthey sing .\t0\t-2\t-2.5",
        "correct\tgo\tthey\tthey go .\t0\t-3\t", "wrong\tgoes\tthey\tthey go .\t0\t-2\tnan",
        "correct\tsay\tthey\tthey say .\t0\t-inf\t0", "wrong\tsays\tthey\tthey say .\t0\t-inf\t-3",
    ]  # fmt: skip
    table = right_by_model(models(save, *rows))
    assert table["model"].tolist() == ["first", "second"]
    assert table[["type", "language", "set"]].drop_duplicates().to_numpy().tolist() == [["unknown", "unknown", "m"]]
    assert table[["n", "left_out", "right", "ties", "same"]].to_numpy().tolist() == [[3, 0, 1, 1, 0], [2, 1, 1, 1, 0]]
    assert table[["half", "correct", "wrong"]].to_numpy().tolist() == [[0.5, 2 / 3, 1 / 3], [0.75, 1, 0.5]]
    rows = ["correct\tsing\tthey\tthey sing .\t0\t0.2\tx", "wrong\tsings\tthey\tthey sing .\t0\t0.1\t-1"]
    message = error_of(lambda: right_by_model(models(save, *rows)))
    assert message.startswith("m.tab: no column holds log-probabilities, numbers that are never above 0. Found class")
    assert "generated.tab: no column holds log-probabilities" in error_of(lambda: right_by_model(SAMPLE.parent))
    message = error_of(lambda: right_by_model(SAMPLE / "generated.text"))
    assert message == "generated.text: cannot read a file of this kind. Expected .tab, .raw-pred; also as .gz, .xz."


@pytest.mark.soak
def test_no_sentence_of_the_samples_is_published(shared_data):
    def sentences(task, path):
        return {(one.context + one.text).lower() for item in read(task, path) for one in item.candidates}

    released = {"colorless_green": "agreement", "linzen": "linzen_testset"}
    for task, folder in released.items():
        ours = sentences(task, SAMPLE.parents[1] / task)
        assert len(ours) == 40 and not ours & sentences(task, shared_data(f"colorless_green/data/{folder}"))


def test_items_of_the_sample_are_balanced():
    items = read("colorless_green", SAMPLE)
    frame = pd.DataFrame([item.groups for item in items])
    assert frame["type"].value_counts().to_dict() == {"generated": 15, "original": 5}
    assert frame.groupby("constr_id").size().tolist() == [4] * 5 and set(frame["language"]) == {"English"}
