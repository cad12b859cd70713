"""Age of acquisition: the task, mean surprisal, learning curves, and how ages of models and children agree."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from pairlens.analysis import acquisition
from pairlens.places import FOLDER as ROOT
from pairlens.tasks import TASKS
from pairlens.types import Item
from tests.candidate_table import candidate_table
from tests.refusals import error_of

SAMPLE = ROOT / "data" / "samples" / "aoa"
TASK = TASKS["aoa"]
CHANCE = math.log2(300_000)
EXPECTED = "cdi.csv: expected a column 'word' and months of age (16 to 30), with rows; found"
SEEN = np.array([10.0**power for power in (2, 3, 4, 5, 6, 7, 8, 9)])


def words(content, folder):
    path = folder / "words.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


class TestTask:
    def test_each_context_of_a_word_is_an_item_and_the_sample_has_a_row_of_children_for_each(self, tmp_path):
        path = words({"dog": [{"context": " I raised a "}, {"context": ""}], "cat": [{"context": "The"}]}, tmp_path)
        found = [(item.id, item.groups, item.candidates[0]) for item in TASK.read(path)]
        found = [(name, groups, one.context, one.text) for name, groups, one in found]
        assert found == [
            ("dog_0", {"UID": "dog"}, "I raised a", " dog"),
            ("dog_1", {"UID": "dog"}, "", "dog"),
            ("cat_0", {"UID": "cat"}, "The", " cat"),
        ]
        known = acquisition.read_children(SAMPLE / "children.csv")
        assert set(known["word"]) == {item.groups["UID"] for item in TASK.read(SAMPLE)}
        assert tuple(known.columns[1:]) == acquisition.MONTHS

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ({}, 'words.json: expected a JSON object {"word": [{"context": "..."}, ...], ...}.'),
            ({"dog": []}, 'words.json, word \'dog\': expected a list of contexts [{"context": "..."}, ...].'),
            ({"dog": [{"text": "a"}]}, 'words.json, word \'dog\', entry 0: expected {"context": "..."}, found'),
            ({" ": [{"context": "a"}]}, "words.json, word '': it is empty or there already."),
            ({"a": [{"context": "a"}], "a ": [{"context": "b"}]}, "words.json, word 'a': it is empty or there al"),
        ],
    )
    def test_another_format_is_one_sentence(self, content, message, tmp_path):
        assert error_of(lambda: list(TASK.read(words(content, tmp_path)))).startswith(message)


def sigmoid(x, a, b, c, d):
    return a / (1 + np.exp(-b * (np.asarray(x) - c))) + d


def curve(word="ball", a=12.0, b=2.0, c=5.0, d=-18.0):
    """Surprisals in bits at SEEN, from -d down to -(a + d); two contexts whose mean lies on the curve."""
    means = -sigmoid(np.log10(SEEN + 1), a, b, c, d)
    rows = pd.DataFrame({"words_seen": SEEN, "mean": means, "word": word, "context": "after"})
    rows = rows.assign(step=[f"chck_{seen:.0f}" for seen in SEEN])
    rows = rows.merge(pd.DataFrame({"context_id": [0, 1], "shift": [-1.5, 1.5]}), how="cross")
    rows = rows.assign(surprisal=rows["mean"] + rows["shift"])
    return rows[["step", "words_seen", "word", "context_id", "context", "surprisal"]]


class TestModelAges:
    def test_a_word_is_acquired_halfway_between_chance_and_its_best_in_bits_or_as_published_from_nats(self):
        """The root of the generating curve at that height, found without any fit."""
        best = -sigmoid(np.log10(SEEN[-1] + 1), 12, 2, 5, -18)
        expected = optimize.brentq(lambda x: -sigmoid(x, 12, 2, 5, -18) - (CHANCE + best) / 2, 2, 9)
        found = acquisition.model_ages(curve()).iloc[0]
        assert found["age"] == pytest.approx(expected, abs=1e-6) and pd.isna(found["excluded"])
        assert 4.9 < expected < 5.1
        ages = [acquisition.model_ages(curve(), vocabulary=size)["age"][0] for size in (30_000, 300_000)]
        assert ages[1] < ages[0]
        single = curve()[lambda table: table["context_id"] == 0]
        nats = single["surprisal"].to_numpy() * math.log(2)
        halfway = (CHANCE + nats.min()) / 2
        expected = optimize.brentq(lambda x: (-sigmoid(x, 12, 2, 5, -18) - 1.5) * math.log(2) - halfway, 2, 9)
        assert acquisition.model_ages(single, published=True)["age"][0] == pytest.approx(expected, abs=1e-6)
        assert acquisition.model_ages(single)["age"][0] > expected + 0.3, "too low a bar is reached too early"

    @pytest.mark.parametrize(
        ("surprisals", "reason"),
        [
            (curve().head(6), "it was scored at fewer than 4 checkpoints"),
            (curve().assign(surprisal=math.inf), "it was scored at fewer than 4 checkpoints"),
            (curve(a=-12.0, d=-6.0), "no rising sigmoid fits it"),
            (curve(a=2.0, d=-9.0), "its sigmoid does not reach the threshold"),
            (curve(c=1.0), "its sigmoid reaches the threshold before the first or after the last point"),
            (curve().iloc[::2].assign(surprisal=range(9, 1, -1)), "no sigmoid was found in 1,000 steps"),
        ],
    )
    def test_a_word_without_an_age_says_why(self, surprisals, reason):
        found = acquisition.model_ages(surprisals).iloc[0]
        assert math.isnan(found["age"]) and found["excluded"] == reason

    def test_words_keep_their_order_and_curves_are_means_over_contexts(self):
        both = pd.concat([curve("shoe", c=6.0), curve("ball").head(4), curve("moon", c=4.0)])
        found = acquisition.model_ages(both.sample(frac=1, random_state=1).sort_values("word", ascending=False))
        assert found["word"].tolist() == ["shoe", "moon", "ball"]
        assert found["age"].tolist()[0] - found["age"].tolist()[1] == pytest.approx(2, abs=0.01)
        assert found["excluded"].notna().tolist() == [False, False, True]
        found = acquisition.learning_curves(curve())
        assert found["surprisal"].to_numpy() == pytest.approx(-sigmoid(np.log10(SEEN + 1), 12, 2, 5, -18))
        assert found["n"].tolist() == [2] * 8

    def test_scores_of_a_checkpoint_become_surprisals_in_bits(self):
        items: list[Item] = list(TASK.read(SAMPLE))[:4]
        table = candidate_table(items, lambda item, candidate: (-7 * math.log(2), 1))
        found = acquisition.surprisal_table("chck_1M", 1e6, table)
        assert found["surprisal"].to_numpy() == pytest.approx(7)
        assert found["word"].tolist() == ["ball"] * 3 + ["milk"]
        assert found["context_id"].tolist() == [0, 1, 2, 0] and found["context"][1] == "The puppy chased the"
        assert set(found["words_seen"]) == {1e6} and set(found["step"]) == {"chck_1M"}


def children(**shares):
    return pd.DataFrame(
        {"word": list(shares), **dict(zip(acquisition.MONTHS, zip(*shares.values(), strict=True), strict=True))}
    )


def logistic(age, slope=0.5):
    return [1 / (1 + math.exp(-slope * (month - age))) for month in acquisition.MONTHS]


class TestChildAges:
    @pytest.mark.slow
    @given(st.floats(18, 28), st.floats(0.2, 0.9))
    def test_half_of_the_children_say_a_word_where_its_curve_crosses_one_half(self, age, slope):
        found = acquisition.child_ages(children(ball=logistic(age, slope)))
        assert found["age"][0] == pytest.approx(age, abs=0.01)

    def test_another_threshold_is_another_month_missing_months_are_left_out_and_no_age_has_a_reason(self):
        found = acquisition.child_ages(children(ball=logistic(22)), threshold=0.75)
        assert found["age"][0] == pytest.approx(22 + math.log(3) / 0.5, abs=0.01)
        shares = logistic(22)
        shares[3] = shares[9] = math.nan
        assert acquisition.child_ages(children(ball=shares))["age"][0] == pytest.approx(22, abs=0.01)
        few = [0.2, 0.4] + [math.nan] * 13
        never = [share / 4 for share in logistic(22)]
        found = acquisition.child_ages(children(few=few, never=never, flat=[0.3] * 15))
        assert found["age"].isna().all()
        reasons = [
            "children's shares are known for fewer than 3 months",
            "children: its sigmoid does not reach the threshold",
        ]
        assert found["excluded"].tolist()[:2] == reasons and found["excluded"][2].startswith("children: ")


def ages(**known):
    table = pd.DataFrame({"word": list(known), "age": list(known.values())})
    return table.assign(excluded=pd.Series("no age", table.index, dtype="str").where(table["age"].isna()))


class TestAgreement:
    def test_correlations_by_hand_and_words_that_do_not_count_say_why(self):
        """Ranks 1 2 3 4 and 2 1 4 3: r = 3 / 5, and atanh(r) has the standard error 1 / sqrt(4 - 3)."""
        found = acquisition.compare(ages(a=1.0, b=2.0, c=3.0, d=4.0), ages(d=19.0, c=20.0, b=17.0, a=18.0))
        assert (found.r, found.n) == (pytest.approx(0.6), 4)
        z = stats.norm.ppf(0.975)
        bounds = [math.tanh(math.atanh(0.6) + side) for side in (-z, z)]
        assert [found.low, found.high] == pytest.approx(bounds)
        t = 0.6 * math.sqrt(2 / (1 - 0.36))
        assert found.p == pytest.approx(2 * stats.t.sf(t, 2))
        model = ages(a=1.0, b=2.0, c=4.0, lost=math.nan, alien=5.0, late=3.0)
        found = acquisition.compare(model, ages(a=17, b=18, c=19, lost=20, late=math.nan))
        assert found.n == 3 and found.words["word"].tolist() == ["a", "b", "c", "lost", "alien", "late"]
        reasons = {"lost": "no age", "alien": "it is not among the children's words", "late": "no age"}
        assert found.words.set_index("word")["excluded"].dropna().to_dict() == reasons

    @pytest.mark.parametrize("model", [ages(a=1.0, b=2.0), ages(a=1.0, b=1.0, c=1.0), ages()])
    def test_too_few_words_or_equal_ages_give_no_number(self, model):
        found = acquisition.compare(model, ages(a=17.0, b=18.0, c=19.0))
        assert all(math.isnan(number) for number in (found.r, found.low, found.high, found.p))


class TestFiles:
    def test_surprisals_lie_there_in_nats(self, tmp_path):
        table = curve()
        table.loc[3, "surprisal"] = math.nan
        acquisition.write_surprisals(tmp_path / "surprisal.json", table, "tiny")
        document = json.loads((tmp_path / "surprisal.json").read_text())
        assert document["metadata"] == {
            "model_name": "tiny", "use_bos_only": False, "total_steps": 8, "completed_steps": 8,
        }  # fmt: skip
        first = document["results"][0]
        assert list(first) == ["step", "word_count", "target_word", "context_id", "context", "surprisal"]
        assert first["surprisal"] == pytest.approx(table["surprisal"][0] * math.log(2))
        back = pd.DataFrame(document["results"])
        bits = (back["surprisal"] / math.log(2)).to_numpy()
        assert bits == pytest.approx(table["surprisal"].to_numpy(), nan_ok=True)
        assert back["word_count"].tolist() == table["words_seen"].tolist()
        same = ["step", "context_id", "context"]
        pd.testing.assert_frame_equal(back[same], table[same])

    def test_a_table_of_children_may_lack_months_cells_and_have_more_columns(self, tmp_path):
        path = tmp_path / "cdi.csv"
        path.write_text("item,word,category,17,16\n1,ball,toys,0.5,NA\n2,milk,food,,0.25\n3,ball,again,1,1\n")
        found = acquisition.read_children(path)
        assert found["word"].tolist() == ["ball", "milk"] and found.columns.tolist() == ["word", 16, 17]
        assert found[[16, 17]].to_numpy().ravel() == pytest.approx([math.nan, 0.5, 0.25, math.nan], nan_ok=True)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("word,age\nball,3\n", EXPECTED),
            ("name,16\nball,1\n", EXPECTED),
            ("word,16\n", EXPECTED),
            ("word,16\nball,40\n", "cdi.csv, column 16: expected a share from 0 to 1, found '40'."),
            ("word,16,17\nball,0.4,most\n", "cdi.csv, column 17: expected a share from 0 to 1, found 'most'."),
        ],
    )
    def test_other_tables_are_refused(self, content, message, tmp_path):
        path = tmp_path / "cdi.csv"
        path.write_text(content)
        assert error_of(lambda: acquisition.read_children(path)).startswith(message)
