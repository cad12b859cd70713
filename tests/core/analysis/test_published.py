"""Published figures: read from the files they were published in, and drawn beside runs they may be held against."""

import csv
import json

import pandas as pd
import pytest

from pairlens.analysis import published
from pairlens.analysis.published import OTHER, PEOPLE, SAME, Run, beside, difference, figures, sources
from pairlens.evaluation.requests import plan
from pairlens.metrics import METRICS
from pairlens.policies import PRESETS
from pairlens.rules import RULES
from pairlens.scoring.recipe import recipe_of
from pairlens.tasks import TASKS

HALF, CORRECT = Run(PRESETS["pairlens"], "joint"), Run(PRESETS["babylm-2025"], "joint")
FULL = "babylm/evaluation_data/full_eval"
BLIMP = "21006437d3b4c4944c705d12f5720f3c041c006496c6c5a54d4248f88e6c426d"
"""The hash of its 67,000 pairs."""


def overall(n, ties=0):
    return pd.DataFrame([{"group_by": "overall", "group": "macro", "n": n, "ties": ties}] * 2)


def test_every_figure_is_of_a_task_metric_and_rule_that_exist_and_of_a_source():
    table = pd.concat(figures(task) for task in TASKS)
    assert len(table) == sum(len(figures(task, metric)) for task in TASKS for metric in TASKS[task].metrics)
    assert set(table["source"]) == set(sources())
    assert table["value"].between(0, 1).all()
    assert not table.duplicated(["task", "metric", "group_by", "group", "n", "system"]).any()
    for row in table[["task", "metric", "group_by"]].drop_duplicates().itertuples():
        assert METRICS[row.metric].scale in ("share", "correlation")
        assert row.group_by in ("overall", TASKS[row.task].groups[0])
    for row in table[["task", "rule", "source"]].drop_duplicates().itertuples():
        assert row.rule in TASKS[row.task].rules or (row.rule == PEOPLE and row.source == "blimp-human")
    for source in sources().values():
        assert source.address.startswith("https://") and source.ties in ("half", "correct", "wrong") and source.about
        assert source.title and source.of and source.mean in ("items", "paradigms")
    files = {path.stem for path in published.FOLDER.glob("*.csv")}
    assert files == set(sources())


def test_figures_of_blimp_are_those_of_its_authors(shared_data):
    lines = shared_data("blimp/raw_results/summary/models_summary.jsonl").read_text().splitlines()
    rows = [row for row in map(json.loads, lines) if row["UID"] != "overall"]
    total = next(row for row in map(json.loads, lines) if row["linguistics_term"] == "overall")
    ours = figures("blimp", "accuracy").query("source == 'blimp'").set_index(["group", "system"])["value"]
    names = {"ngram": "5-gram", "lstm": "LSTM", "txl": "Transformer-XL", "gpt2": "GPT-2"}
    assert len(rows) == 67 and len(ours) == 68 * 4
    for key, system in names.items():
        assert [ours[row["UID"], system] for row in rows] == [row[key] for row in rows]
        assert ours["all", system] == pytest.approx(total[key], abs=5e-5)
        assert ours["all", system] == pytest.approx(sum(row[key] for row in rows) / 67, abs=5e-5)
    text = shared_data("blimp/raw_results/summary/human_validation_summary.csv").read_text()
    means = {row["Condition"]: float(row["total_mean"]) for row in csv.DictReader(text.splitlines())}
    ours = figures("blimp", "accuracy").query("system == 'human'").set_index("group")["value"]
    assert len(ours) == 68
    assert all(ours[name] == pytest.approx(means[name], abs=5e-5) for name in ours.index if name != "all")
    assert ours["all"] == pytest.approx(ours.drop("all").mean(), abs=5e-5)


def test_a_run_of_the_same_items_ties_and_mean_shares_the_line():
    marks = beside("blimp", "accuracy", overall(67_000, 7), HALF).set_index("system")["mark"]
    assert {"5-gram", "LSTM", "Transformer-XL", "GPT-2", "human", "GPT-2 · English · 10M words"} < set(marks.index)
    assert marks["GPT-2 · English · 10M words"] == OTHER, "there, ties count as correct"
    assert marks["GPT-2"] == SAME
    assert marks["human"] == OTHER, "people judged five pairs per paradigm"
    notes = beside("ewok", "same_target", overall(4_374), Run(PRESETS["pairlens"], "conditional"))["note"]
    assert set(notes) == {"mean over items, not over groups"}
    assert beside("pairs", "accuracy", overall(10), HALF).empty


def test_another_set_or_rule_is_said():
    whole_set = "BLiMP's 67,000 pairs, whole sentences"
    for n, ties, note in (
        (67_000, 8, "ties count wrong"),
        (66_999, 0, whole_set),
        (100, 50, f"{whole_set}, ties count wrong"),
    ):
        gpt2 = beside("blimp", "accuracy", overall(n, ties), HALF).set_index("system").loc["GPT-2"]
        assert (gpt2["mark"], gpt2["note"]) == (OTHER, note)
    policy, whole = HALF.policy, figures("blimp", "accuracy").query("group == 'all'").set_index("system")
    gpt2 = whole.loc["GPT-2"]
    assert difference(gpt2, 67_000, 0, Run(policy, "joint", BLIMP)) == ""
    other = difference(gpt2, 67_000, 0, Run(policy, "joint", "0" * 64))
    assert other == f"{whole_set}; here as many others"
    assert difference(gpt2, 67_000, 0, Run(policy, "pmi", BLIMP)) == f"scored as {RULES['joint'].about}"
    assert difference(whole.loc["human"], 335, 0, Run(policy, "joint", BLIMP)) == "people were asked"
    wrong = Run(policy.but(ties="wrong"), "joint", BLIMP)
    assert difference(gpt2, 67_000, 500, wrong) == "", "the same tie rule makes ties harmless"


@pytest.mark.parametrize(
    ("task", "path", "n"),
    [
        pytest.param("blimp", "blimp/data", 67_000, marks=pytest.mark.soak),
        ("blimp", f"{FULL}/supplement_filtered", 5_218),
        pytest.param("entity_tracking", f"{FULL}/entity_tracking", 9_483, marks=pytest.mark.soak),
        ("reading", f"{FULL}/reading", 1_726),
        ("wug_adj", f"{FULL}/wug_adj_nominalization", 200),
    ],
)
def test_the_hash_beside_a_figure_is_that_of_its_data(task, path, n, shared_data):
    recipe = recipe_of("unigram-english", policy=PRESETS["pairlens"])
    planned = plan(TASKS[task], TASKS[task].read(shared_data(path)), recipe)
    known = figures(task).query("group_by == 'overall' and n == @n")
    assert planned.n_items == n and len(known) and set(known["data"]) <= {planned.data}


def test_baselines_are_drawn_for_as_many_items_only_and_marks_by_paradigm():
    full = beside("blimp", "accuracy", overall(59_875, 40), CORRECT)
    baselines = full[full["source"] == "babylm-2025"]
    assert len(baselines) == 11 and set(baselines["mark"]) == {SAME}
    assert baselines["value"].max() == pytest.approx(0.7929)
    ours = beside("blimp", "accuracy", overall(59_875, 40), HALF)
    assert set(ours[ours["source"] == "babylm-2025"]["note"]) == {"ties count correct"}
    assert "babylm-2025" not in set(beside("blimp", "accuracy", overall(67_000), CORRECT)["source"])
    supplement = beside("blimp", "accuracy", overall(5_218), CORRECT).query("source == 'babylm-2025'")
    assert supplement["value"].max() == pytest.approx(0.7042)
    rows = pd.DataFrame({"group_by": "UID", "group": ["adjunct_island", "mine"], "n": [1000, 1000], "ties": [0, 0]})
    table = beside("blimp", "accuracy", rows, HALF)
    assert set(table["group"]) == {"adjunct_island"}
    assert table.set_index("system").loc["GPT-2", ["value", "mark"]].tolist() == [0.894, SAME]
