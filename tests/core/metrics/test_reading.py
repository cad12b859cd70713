"""Reading times: the task, what surprisal adds to regressions of them, and the files of BabyLM's pipeline."""

import csv
import gzip
import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

from pairlens.analysis import reading
from pairlens.errors import InputError
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import PRESETS
from pairlens.statistics.regression import EYE_TRACKING, MEASURED, PLAIN, SPILLOVER, reading_statistics
from pairlens.tasks import TASKS
from pairlens.tasks.reading import NUMBERS
from tests.candidate_table import candidate_table
from tests.refusals import error_of

SAMPLE = ROOT / "data" / "samples" / "reading" / "reading.csv"
TASK = TASKS["reading"]
POLICY = PRESETS["pairlens"]


@pytest.fixture(scope="module")
def items():
    return list(TASK.read(SAMPLE))


@pytest.fixture(scope="module")
def candidates(items):
    """The sample's words with invented surprisals between 0 and 20 nats."""
    generator = np.random.default_rng(5)
    return candidate_table(items, lambda item, candidate: (-float(generator.uniform(0, 20)), 1))


def written(path, change):
    """The sample as rows, changed, as a file."""
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    change(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def set_cells(**cells):
    return lambda rows: rows[2].update(cells)


class TestTask:
    def test_each_row_is_a_word_after_its_context_with_the_word_before_and_its_numbers(self, items):
        word, previous = items[0].candidates
        assert (word.label, word.context, word.text) == ("word", "They heard a strange noise in", " the")
        assert (previous.label, previous.context, previous.text) == ("previous", "They heard a strange noise", " in")
        assert [candidate.label for candidate in items[2].candidates] == ["word"], "the second word of its sentence"
        assert len(items) == 83 and items[82].id == "reading_82"
        groups = items[0].groups
        assert (groups["UID"], groups["contrast"]) == ("reading", "7")
        assert (groups["Subtlex_log10"], groups["length"], groups["RTgopast"]) == ("14.2", "3", "116.7")
        assert set(MEASURED) | {*PLAIN, "prev_length"} <= set(groups)
        assert "" in {item.groups["Subtlex_log10"] for item in items}, "the sample has a word of unknown frequency"
        with SAMPLE.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                words, place = row["sentence"].split(), int(row["context_length"])
                assert row["item"] == " ".join(words[:place]) and row["word"] == words[place]
                assert row["prev_word"] == ("" if place == 1 else words[place - 1])

    def test_packed_files_and_tables_of_another_country_have_the_same_items(self, items, tmp_path):
        (tmp_path / "reading_data.csv.gz").write_bytes(gzip.compress(SAMPLE.read_bytes()))
        assert list(TASK.read(tmp_path)) == items
        for delimiter, point in ((";", "."), ("\t", ",")):
            table = pd.read_csv(SAMPLE, dtype="str", keep_default_na=False)
            for name in NUMBERS:
                table[name] = table[name].str.replace(".", point)
            table.to_csv(tmp_path / "a.csv", sep=delimiter, index=False)
            assert list(TASK.read(tmp_path / "a.csv")) == items
        lost = set_cells(item="", word="of", sentence="None of them knew.", context_length="1")
        word = list(TASK.read(written(tmp_path / "lost.csv", lost)))[2].candidates[0]
        assert (word.context, word.text) == ("None", " of")
        first = set_cells(item="", word="She", sentence="She slept.", context_length="0")
        word = list(TASK.read(written(tmp_path / "first.csv", first)))[2].candidates[0]
        assert (word.context, word.text) == ("", "She")

    def test_wrong_cells_missing_columns_files_without_words_and_of_another_kind_are_named(self, tmp_path):
        for name, cell, message in (
            ("RTgopast", "fast", "column 'RTgopast' must be a number or empty, found 'fast'."),
            ("N400", "inf", "column 'N400' must be a number or empty, found 'inf'."),
            ("word", " ", "column 'word' has no text."),
        ):
            path = written(tmp_path / "wrong.csv", set_cells(**{name: cell}))
            assert error_of(lambda path=path: list(TASK.read(path))) == f"wrong.csv, row 4: {message}"

        def fewer(rows):
            for row in rows:
                del row["RTgopast"], row["prev_item"]

        path = written(tmp_path / "few.csv", fewer)
        assert error_of(lambda: list(TASK.read(path))).startswith("few.csv: no column prev_item, RTgopast. Found ")
        header = tmp_path / "header.csv"
        header.write_text(SAMPLE.read_text("utf-8").splitlines()[0] + "\n", "utf-8")
        assert error_of(lambda: list(TASK.read(header))) == "header.csv: no word below the column names."
        other = tmp_path / "words.jsonl"
        other.write_text('{"word": "a"}\n')
        assert "expected a .csv file" in error_of(lambda: list(TASK.read(other)))


def share(table, measured, base):
    """What surprisal adds to the base, both as statsmodels fits them from a formula."""
    formula = f"{measured} ~ ({' + '.join(base)}) ** 2"
    known = table.dropna(subset=[measured, "surprisal", *base])
    without, model = (smf.ols(formula + more, known).fit() for more in ("", " + surprisal"))
    return float((model.rsquared - without.rsquared) / (1 - without.rsquared))


class TestMetrics:
    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(3))
    def test_they_equal_statsmodels_also_with_gaps(self, seed):
        table = reading_statistics(reading_table(seed))
        eye = float(np.mean([share(table, measured, PLAIN) for measured in EYE_TRACKING]))
        assert METRICS["eye_tracking"].value(table) == pytest.approx(eye, abs=1e-9)
        paced = share(table, "self_paced_reading_time", SPILLOVER)
        assert METRICS["self_paced"].value(table) == pytest.approx(paced, abs=1e-9)

    def test_a_surprisal_that_the_predictors_imply_adds_nothing_and_too_few_words_give_no_number(self, candidates):
        table = reading_statistics(reading_table(1))
        table["surprisal"] = 3 * table["length"] * table["context_length"] + table["Subtlex_log10"]
        assert METRICS["eye_tracking"].value(table) == 0
        assert METRICS["eye_tracking"].value(table.assign(surprisal=7.0)) == 0
        table = METRICS["eye_tracking"].statistics(candidates, POLICY)
        counted = table[table["excluded"].isna()]
        assert math.isnan(METRICS["eye_tracking"].value(counted.head(8)))
        assert not math.isnan(METRICS["eye_tracking"].value(counted.head(9)))
        assert math.isnan(METRICS["eye_tracking"].value(counted.assign(RTgopast=200.0)))
        assert math.isnan(METRICS["self_paced"].value(counted.iloc[:0]))
        assert math.isnan(METRICS["eye_tracking"].value(counted.head(1)))

    def test_statistics_are_numbers_in_nats_and_say_why_a_word_does_not_count(self, candidates):
        table = candidates.copy()
        unscored = table["item"].isin(["reading_0", "reading_1"]) & (table["label"] == "word")
        table.loc[unscored, "logprob"] = math.nan
        table.loc[(table["item"] == "reading_3") & (table["label"] == "previous"), "logprob"] = math.nan
        eye, paced = (METRICS[name].statistics(table, POLICY).set_index("item") for name in TASK.metrics)
        logprobs = table.set_index(["item", "label"])["logprob"]
        assert eye.loc["reading_6", "surprisal"] == -logprobs["reading_6", "word"]
        assert eye.loc["reading_6", "prev_surprisal"] == -logprobs["reading_6", "previous"]
        assert eye.loc["reading_0", "RTfirstfix"] == 69.2
        assert eye.loc["reading_0", "excluded"] == "the word could not be scored"
        assert pd.isna(eye.loc["reading_3", "excluded"]) and eye["contrast"].nunique() == 12
        assert {"reading_2", "reading_3"} <= set(paced.index[paced["excluded"] == "no word before it was scored"])
        unknown = table.loc[table["Subtlex_log10"] == "", "item"].unique()
        assert len(unknown) == 2 and (eye.loc[unknown, "excluded"] == "its frequency is not known").all()
        other = candidate_table(TASKS["blimp"].read(ROOT / "data/samples/blimp"), lambda item, candidate: (-1.0, 1))
        with pytest.raises(InputError, match=r"not of reading data: there is no Subtlex_log10, length"):
            METRICS["eye_tracking"].statistics(other, POLICY)
        table = candidates.assign(logprob=candidates["logprob"].where(candidates["item"] != "reading_0", -math.inf))
        eye = METRICS["eye_tracking"].statistics(table, POLICY)
        assert eye["excluded"][0] == "the word could not be scored" and METRICS["eye_tracking"].value(eye) > 0


def reading_table(seed):
    """Candidates of the sample with surprisals, and with numbers missing here and there."""
    generator = np.random.default_rng(seed)
    table = candidate_table(TASK.read(SAMPLE), lambda item, candidate: (-float(generator.gamma(3, 3)), 1))
    for name in ("RTfirstfix", "RTgopast", "length", "self_paced_reading_time", "Subtlex_log10"):
        table.loc[table["item"].isin(generator.choice(table["item"], 3)), name] = ""
    table.loc[generator.choice(len(table), 3), "logprob"] = math.nan
    return table


class TestAnalysis:
    def test_with_too_few_words_there_is_no_number_and_correlations_are_over_those_that_have_both(self, candidates):
        few = candidates[candidates["item"].isin([f"reading_{number}" for number in range(8)])]
        found = reading.regressions(few)
        assert found.drop(columns=["measured", "n"]).isna().all(axis=None) and (found["n"] <= 8).all()
        table = candidates.copy()
        table.loc[table["item"] == "reading_0", "N400"] = ""
        found = reading.correlations(table).set_index("measured")
        words = table[(table["label"] == "word") & (table["N400"] != "")]
        expected = np.corrcoef(-words["logprob"].to_numpy(float), words["N400"].to_numpy(float))[0, 1]
        assert found.loc["N400", "r"] == pytest.approx(expected)
        assert found["n"].to_dict() == dict.fromkeys(MEASURED, 83) | {"N400": 82}

    @pytest.mark.slow
    def test_both_formats_of_predictions_give_the_scores_back_of_the_same_data(self, items, candidates, tmp_path):
        reading.write_reading(tmp_path / "a" / "reading", candidates, POLICY)
        for name in ("prediction.jsonl", "predictions.json"):
            back = reading.candidate_table(reading.read_predictions(tmp_path / "a" / "reading" / name), items)
            columns = ["item", "candidate", "label", "context", "text", "logprob"]
            pd.testing.assert_frame_equal(back[columns], candidates[columns])
        one = pd.DataFrame({"number": [0], "word": ["cup"], "surprisal": [1.0], "prev_surprisal": [2.0]})
        message = error_of(lambda: reading.candidate_table(one, items[:1]))
        assert message == "prediction 0: the prediction is for 'cup', the data has another word"
        message = error_of(lambda: reading.candidate_table(one, items))
        assert message.startswith("expected predictions numbered from 0 to 82")
        lines = "p.jsonl, line 1: expected the numbers Index, Logprob, Prev_L"
        single = "p.json, prediction 0: expected the numbers id, pred"
        whole = 'p.json: expected {"reading": {"predictions":'
        for content, message in {
            '{"Index": 0, "Logprob": 1}': lines, '{"Index": 0, "Logprob": "a", "Prev_Logprob": NaN}': lines,
            '{"Index": Infinity, "Logprob": 1, "Prev_Logprob": 1}': lines, '{"blimp": {}}': whole, "[1]": whole,
            '{"reading": {"predictions": [5]}}': single, '{"reading": {"predictions": 5}}': single,
        }.items():  # fmt: skip
            path = tmp_path / message.partition(",")[0].partition(":")[0]
            path.write_text(content + "\n")
            assert error_of(lambda path=path: reading.read_predictions(path)).startswith(message), content
