"""Stored runs beside each other, against statsmodels, plain bootstraps, counting by hand and the runs' own tables."""

import itertools
import math
import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from pairlens.analysis.summary import OVERALL
from pairlens.errors import InputError, StoreError
from pairlens.evaluation import result as runs
from pairlens.reports.run_comparison import wording
from pairlens.reports.run_comparison.comparison import compare_runs, thinned
from pairlens.reports.run_comparison.numbers import independent, paired_runs
from pairlens.reports.run_comparison.result import result
from pairlens.reports.run_comparison.runs import by_policy
from pairlens.statistics.paired import Discordant, exchanged
from pairlens.tasks import TASKS
from tests.core.reports.conftest import SAMPLES

pytestmark = pytest.mark.slow
P = "p\u00a0=\u00a00.021"
PART = SAMPLES / "blimp" / "agreement_simple.jsonl"


@pytest.fixture
def run(stored):
    """`run("blimp", model="unigram-english")`: the id of a finished run on a sample."""
    return lambda task="blimp", **options: stored(task, **options).manifest["run_id"]


@pytest.fixture
def two(run):
    """A tiny vocabulary and a large one on the same hundred pairs."""
    return run(), run(model="unigram-english")


@cache
def compared(store, *ids, **options):
    """The comparison of these runs, which tests only read."""
    return compare_runs(store, ids, **options)


def decisions(store, run_id):
    """Item by item, from the stored log-probabilities alone: paradigm, contrast, margin (bits), 1, 1/2 or 0."""
    table = store.candidates(run_id)
    wide = table.pivot(index="item", columns="label", values="logprob")
    margin = (wide["good"] - wide["bad"]) / math.log(2)
    about = table.drop_duplicates("item").set_index("item")[["UID", "contrast"]]
    return about.join(margin.rename("margin")).assign(correct=np.sign(margin) / 2 + 0.5)


# The exact test that exchanges clusters


@given(st.integers(0, 40), st.integers(0, 40))
def test_for_items_on_their_own_it_is_mcnemars(only_a, only_b):
    differences = pd.Series([1.0] * only_a + [-1.0] * only_b + [0.0] * 5)
    expected = mcnemar([[9, only_a], [only_b, 9]], exact=True).pvalue
    p = exchanged(differences, pd.Series(range(len(differences))))
    assert p == pytest.approx(min(1.0, expected)) == pytest.approx(Discordant(only_a, only_b).p)


@given(st.lists(st.tuples(st.sampled_from([-1, -0.5, 0, 1 / 3, 0.5, 1]), st.integers(0, 6)), min_size=1, max_size=40))
def test_it_is_every_way_of_exchanging_clusters(answers):
    differences, clusters = (pd.Series(column) for column in zip(*answers, strict=True))
    sums = differences.groupby(clusters).sum().to_numpy()
    totals = [abs(float(np.dot(sums, signs))) for signs in itertools.product((1, -1), repeat=len(sums))]
    expected = np.mean([total >= abs(sums.sum()) - 1e-9 for total in totals])
    assert exchanged(differences.astype(float), clusters) == pytest.approx(float(expected))


def test_beyond_exactness_it_is_close_to_exact():
    """The same clusters just below and far above the limit: as many standard errors from even, nearly the same p."""
    generator = np.random.default_rng(4)
    clusters = np.repeat(np.arange(400), generator.integers(1, 5, 400))
    few = pd.Series(generator.choice([-1.0, 0.0, 0.5, 1.0], len(clusters), p=[0.3, 0.4, 0.0, 0.3]))
    exact = exchanged(few, pd.Series(clusters))
    sums = few.groupby(clusters).sum()
    assert exact == pytest.approx(math.erfc(abs(sums.sum()) / math.sqrt((sums**2).sum() * 2)), abs=0.05)
    assert exchanged(few / 7, pd.Series(clusters)) == pytest.approx(exact, abs=0.05), "sevenths are not exact"


# Differences


def test_differences_and_tests_are_those_of_the_stored_scores(store, two):
    reference, other = (decisions(store, run_id) for run_id in two)
    found = compared(store, *two).differences.set_index("group")
    p_values = []
    for group, rows in other.groupby("UID", sort=False):
        a, b = rows["correct"], reference.loc[rows.index, "correct"]
        row = found.loc[group]
        assert row["difference"] == pytest.approx(a.mean() - b.mean())
        assert (row["value"], row["value_reference"], row["n"]) == (a.mean(), b.mean(), len(rows))
        only = int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum())
        assert (row["only_run"], row["only_reference"]) == only
        assert row["p_mcnemar"] == pytest.approx(min(1.0, mcnemar([[0, only[0]], [only[1], 0]], exact=True).pvalue))
        p_values.append(row["p"])
    by_group = found[found["group_by"] != OVERALL]
    assert by_group["p_holm"].tolist() == pytest.approx(list(multipletests(p_values, method="holm")[1]))
    assert found.loc["macro", "p_holm"] == found.loc["macro", "p"], "one comparison is one test"


def test_the_interval_holds_that_of_a_plain_bootstrap_over_clusters(store, two):
    """Five hundred draws of whole contrasts inside each paradigm, both runs' answers together, in plain loops."""
    reference, other = (decisions(store, run_id) for run_id in two)
    generator = np.random.default_rng(11)
    differences = (other["correct"] - reference["correct"]).rename("difference")
    paradigms = [
        [part["difference"].to_numpy() for _, part in rows.groupby("contrast")]
        for _, rows in pd.concat([other[["UID", "contrast"]], differences], axis=1).groupby("UID")
    ]
    draws = []
    for _ in range(500):
        drawn = [
            [clusters[one] for one in generator.integers(len(clusters), size=len(clusters))] for clusters in paradigms
        ]
        draws.append(np.mean([np.concatenate(chosen).mean() for chosen in drawn]))
    row = compared(store, *two).differences.iloc[0]
    low, high = np.quantile(draws, [0.025, 0.975])
    assert row["low"] <= low <= high <= row["high"], "clusters are few: Student's quantile is the larger"
    assert row["high"] - row["low"] < 1.4 * (high - low)


def test_every_number_is_the_runs_own_and_exchanging_the_runs_turns_every_sign(store, two):
    values = compared(store, *two).values
    for run_id in two:
        own = store.metrics(run_id)
        own = own[own["over"] == "items"].drop_duplicates(["group_by", "group"]).set_index(["group_by", "group"])
        for row in values[values["run_id"] == run_id].itertuples():
            assert (row.value, row.low, row.high, row.n) == tuple(
                own.loc[(row.group_by, row.group), ["value", "low", "high", "n"]]
            )
    forth, back = (compared(store, *ids).differences for ids in (two, two[::-1]))
    assert forth["difference"].tolist() == (-back["difference"]).tolist()
    assert forth["p"].tolist() == back["p"].tolist() and forth["only_run"].tolist() == back["only_reference"].tolist()
    assert forth["low"].to_numpy() == pytest.approx(-back["high"].to_numpy(), abs=0.06)
    chosen = compare_runs(store, two, reference=two[1]).differences
    pd.testing.assert_frame_equal(chosen, back)


def test_runs_that_answer_alike_differ_by_exactly_nothing_and_that_has_no_sign(store, run):
    """Units and word values play no part in a benchmark's numbers: another run, the same answers."""
    found = compare_runs(store, [run(), run(unit="nats")])
    assert (found.differences["difference"] == 0).all() and (found.differences["p"] == 1).all()
    assert found.flipped().empty and not found.differences["clear"].any()
    assert (found.margins(found.others[0])["right_in"].isin(["both", "neither", "part"])).all()
    same = found.pairwise().query("difference == 0")
    assert len(same) >= 2 and not np.signbit(same["difference"]).any()


def test_of_three_runs_every_pair_is_corrected_together(store, two, run):
    ids = [*two, run(model="unigram-english", like="minicons")]
    found = compare_runs(store, ids, reference=ids[2])
    overall = found.differences[found.differences["group_by"] == OVERALL]
    assert overall["run_id"].tolist() == ids[:2]
    assert overall["p_holm"].tolist() == pytest.approx(list(multipletests(overall["p"], method="holm")[1]))
    pairs = found.pairwise()
    assert len(pairs) == 6
    cells = pairs.set_index(["run_id", "reference_id"])
    for one, other in itertools.combinations(ids, 2):
        forth, back = cells.loc[(one, other)], cells.loc[(other, one)]
        assert forth["difference"] == -back["difference"] and forth["low"] == -back["high"]
    alone, same = compared(store, *two[::-1]).differences.iloc[0], ["difference", "p", "low"]
    assert cells.loc[two, same].tolist() == alone[same].tolist()
    half = pairs.head(3)
    assert half["p_holm"].tolist() == pytest.approx(list(multipletests(half["p"], method="holm")[1]))
    assert "comparisons by group" in wording.beyond_chance(found.differences, 40)


def rows(difference, low, high, p=22 / 1024):
    overall = {
        "run": "a", "run_id": "a", "group_by": OVERALL, "group": "macro", "basis": "same", "difference": difference,
        "low": low, "high": high, "n": 60, "n_clusters": 60, "unscored": 0, "unscored_reference": 2, "p": p,
        "p_holm": p, "p_mcnemar": p, "only_run": 9, "only_reference": 1, "clear": low * high > 0,
    }  # fmt: skip
    groups = [{**overall, "group_by": "UID", "group": name, "p_holm": p} for name, p in (("x", 0.2), ("y", 0.02))]
    return pd.DataFrame([overall, *groups, {**groups[0], "group": "z", "n_clusters": 4}])


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ((0.1, 0.02, 0.2), f"a is 10.0 points better than b (2.0 to 20.0), {P}, on the same 60 pairs "),
        ((-0.1, -0.2, -0.02), "b is 10.0 points better than a (2.0 to 20.0), "),
        ((0.1, -0.1, 0.2), "No clear difference: a minus b is +10.0 points (\N{MINUS SIGN}10.0 to +20.0), "),
        ((0.0, math.nan, math.nan), f"a minus b is 0.0 points, {P}, on the same "),
    ],
)
def test_a_difference_is_in_words(numbers, sentence):
    finding = wording.finding(rows(*numbers).iloc[0], "b", "accuracy", TASKS["blimp"])
    assert finding.startswith(sentence) and "(2 that only one could score left out)" in finding


def test_differences_and_what_stands_behind_them_are_in_words(store, two):
    table = rows(0.1, 0.02, 0.2)
    text = wording.grounds(table, "accuracy", TASKS["blimp"])
    for part in ("60 items", "McNemar's exact test, mid-p\u00a0=\u00a00.012", "by group corrected for all 3 tests"):
        assert part in text
    assert "McNemar" not in wording.grounds(table.assign(p=math.nan), "accuracy", TASKS["blimp"])
    beyond = wording.beyond_chance(table, 2)
    assert beyond.startswith("Beyond chance in 1 of 3 groups after correction. In 1 it could not be, ")
    assert "The charts show the 2 of 3 groups" in beyond
    row = compared(store, *two).differences.iloc[0].copy()
    row["value"], row["difference"] = np.nan, np.nan
    said = wording.finding(row, "other", "accuracy", TASKS["blimp"])
    assert said == f"Accuracy has no value for {row['run']}: nothing to compare."
    assert wording.grounds(row.to_frame().T, "accuracy", TASKS["pairs"]) == ""


# Items


def test_flips_are_those_found_by_counting_and_thinned_items_keep_the_ends(store, two):
    reference, other = (decisions(store, run_id) for run_id in two)
    expected = {
        item: "run" if row["correct"] > reference.loc[item, "correct"] else "reference"
        for item, row in other.iterrows()
        if {row["correct"], reference.loc[item, "correct"]} == {0.0, 1.0}
    }
    found = compared(store, *two).flipped()
    assert dict(zip(found["item"], found["right_in"], strict=True)) == expected and expected
    for row in found.itertuples():
        assert row.margin == pytest.approx(other.loc[row.item, "margin"])
        assert row.margin_reference == pytest.approx(reference.loc[row.item, "margin"])
        assert row.change == pytest.approx(row.margin - row.margin_reference)
    assert found["change"].abs().is_monotonic_decreasing
    texts = store.candidates(two[0]).set_index(["item", "label"])["text"]
    assert found["right"].tolist() == [texts[item, "good"] for item in found["item"]]
    items = pd.DataFrame({"item": range(5_000), "right_in": ["run", "both"] * 2_500, "change": range(5_000)})
    few = thinned(items, 100)
    assert few["right_in"].value_counts().to_dict() == {"run": 100, "both": 100}
    assert {0, 1, 4_998, 4_999} <= set(few["item"])
    assert len(thinned(items.head(150), 100)) == 150


def test_flips_of_a_metric_without_right_and_wrong_show_all_texts(store, run):
    ids = [run("stereoset"), run("stereoset", model="unigram-english")]
    found = compare_runs(store, ids, metric="ss", group_by="bias_type").flipped()
    table = store.candidates(ids[1]).pivot(index="item", columns="label", values=["logprob", "n_scored", "text"])
    for row in found.itertuples():
        mean = {label: table.loc[row.item, ("logprob", label)] / table.loc[row.item, ("n_scored", label)]
                for label in ("stereotype", "anti-stereotype")}  # fmt: skip
        assert row.margin == pytest.approx((mean["stereotype"] - mean["anti-stereotype"]) / math.log(2))
        assert str(table.loc[row.item, ("text", "stereotype")]).strip() in row.texts
    assert len(found) and compare_runs(store, ids, metric="icat").flipped().empty


# What runs share


def test_only_items_with_the_same_id_and_texts_are_compared(store, run, tmp_path):
    lines = PART.read_text("utf-8").splitlines()
    changed = tmp_path / "agreement_simple.jsonl"
    changed.write_text("\n".join([lines[0].replace("The", "A"), *lines[1:]]) + "\n", encoding="utf-8")
    assert lines[0] != lines[0].replace("The", "A")
    ids = run(), run(model="unigram-english", data=changed)
    found = compare_runs(store, ids)
    basis = found.bases[ids[1]]
    assert (basis.kind, basis.n, basis.others) == ("shared", len(lines) - 1, ("data set",))
    row = found.differences.iloc[0]
    reference, other = (decisions(store, run_id) for run_id in ids)
    kept = other.index.difference([store.candidates(ids[1])["item"].iloc[0]])
    assert row["n"] == len(kept)
    expected = other.loc[kept, "correct"].mean() - reference.loc[kept, "correct"].mean()
    assert row["difference"] == pytest.approx(expected)
    assert f"only the {len(kept)} pairs with the same id and the same texts" in " ".join(found.cautions)


def test_runs_without_common_items_are_two_independent_numbers_and_confidential_texts_are_not_there(store, run):
    other = PART.with_name("determiner_noun.jsonl")
    found = compare_runs(store, [run(data=PART), run(model="unigram-english", data=other)])
    row = found.differences.iloc[0]
    own = [found.values.iloc[0], found.values[found.values["run"] == found.others[0].name].iloc[0]]
    assert row["basis"] == "apart" and row["difference"] == own[1]["value"] - own[0]["value"]
    assert math.isnan(row["p"]) and math.isnan(row["n"]) and found.flipped().empty
    assert "not compared pair by pair" in found.findings[0] and "no paired test" in found.cautions[0]
    file = sorted(path for path in (SAMPLES / "ewok").iterdir() if path.is_file())[0]
    found = compare_runs(store, [run("ewok"), run("ewok", model="unigram-english", data=file)])
    assert found.differences.iloc[0]["basis"] == "apart" and "no texts of EWoK are stored" in found.cautions[0]
    confidential = compare_runs(store, [run("ewok"), run("ewok", model="unigram-english")])
    for table in result(confidential).tables:
        for column in {"context", "right", "rival", "texts"} & set(table.frame):
            assert table.frame[column].isna().all(), table.name


def test_the_interval_of_independent_numbers_by_hand():
    """Newcombe 1998, method 10, example (a): 56/70 against 48/80 gives 0.2000 (0.0524 to 0.3339)."""
    first = pd.DataFrame({"value": [0.8], "low": [0.6918], "high": [0.8769]})
    second = pd.DataFrame({"value": [0.6], "low": [0.4904], "high": [0.7004]})
    row = independent(first, second).iloc[0]
    assert (row["difference"], row["low"], row["high"]) == pytest.approx((0.2, 0.0524, 0.3339), abs=2e-4)


# How they were made


def test_the_recipe_says_what_differs_and_what_that_can_do(store, run):
    found = compare_runs(store, [run(), run(like="minicons")])
    table = found.recipe.set_index("field")
    one, other = (item.name for item in found.runs)
    differing = set(table.index[table["differs"]])
    assert {"Sentence score", "Unit", "First token", "Policy"} <= differing
    assert not {"Task", "Data set", "Weights (sha256)", "Model", "Scorer", "Number of items"} & differing
    assert table.loc["Sentence score", [one, other]].tolist() == [
        "summed log-probability", "mean log-probability per token",
    ]  # fmt: skip
    assert table.loc["First token", "effect"] == "none: this scorer ignores it"
    assert table.loc["Sentence score", "effect"] == "can change the numbers" and table.loc["Unit", "effect"] == "none"
    assert table.loc["Number of items", one] == "100"


def test_one_model_under_two_names_is_noticed(own, run):
    ids = run(), run(like="babylm-2025")
    store = own()
    manifest = store.manifest(ids[1])
    store.update({**manifest, "model": "another-name"})
    assert "with the same scores, but they were" in " ".join(compare_runs(store, ids).cautions)
    store.update({**manifest, "model": "another-name", "fingerprint": "f" * 64})
    found = compare_runs(store, ids)
    assert "the same weights under two names; they are scored differently." in " ".join(found.cautions)


@pytest.mark.parametrize("changed", [False, True])
def test_equal_scores_must_give_equal_numbers(run, own, changed):
    """A run that came from elsewhere may have another id for what is here already."""
    one, store = run(), own()
    copy = {**store.manifest(one), "run_id": "blimp-fromelsewhere", "model": "another-name"}
    metrics = store.metrics(one)
    numbers = metrics.assign(value=metrics["value"] + 0.25) if changed else metrics
    store.update(copy, numbers, store.table(one, "items"))
    found = compare_runs(store, [one, copy["run_id"]])
    assert ("they are not" if changed else "and they are.") in " ".join(found.cautions)
    assert (found.differences["difference"] == 0).all()


# What cannot be compared


def test_bad_input_is_refused_in_one_sentence(two, run, own):
    (one, other), ewok = two, run("ewok")
    store = own()
    cases = [
        (InputError, [one], "two or more runs"),
        (InputError, [one, one], "twice"),
        (InputError, [one] * 30, "At most"),
        (InputError, [one, ewok], "answer different questions"),
        (StoreError, [one, f"{one[:-1]}z"], f"Did you mean '{one}'?"),
        (StoreError, [one, "../secrets"], "not the id of a run"),
    ]
    for kind, ids, words in cases:
        with pytest.raises(kind, match=re.escape(words)):
            compare_runs(store, ids)
    store.update({**store.manifest(other), "state": "failed", "error": "The disk was full."})
    with pytest.raises(StoreError, match=r"is failed, so it has no numbers yet\. The disk was full."):
        compare_runs(store, two)


# What stands beside a run


def test_runs_are_told_apart_by_their_policies_and_stand_among_those_of_their_model(stored, unigram, store, run):
    ours, published = stored("blimp"), stored("blimp", like="babylm-2025")
    assert runs.labels([ours, published]) == [f"{unigram} · pairlens", f"{unigram} · babylm-2025"]
    assert runs.labels([ours]) == [unigram]
    table = runs.compared([ours, published], "accuracy")
    assert list(table["mark"][:2]) == ["run", "run"] and table["name"].is_unique
    assert table["chance"].iloc[0] == 0.5
    ours, published = run(), stored("blimp", like="babylm-2025").manifest
    run("pairs", data=SAMPLES / "pairs" / "agreement.csv")
    run(data=PART)
    presets = by_policy(published, store)
    assert presets.index[0] == published["run_id"] and presets[ours] == "pairlens", "this one first"
    assert {store.manifest(one)["data_hash"] for one in presets.index} == {published["data_hash"]}
    with pytest.raises(StoreError, match="another data set"):
        paired_runs(store, run(), run(data=PART))
