"""`compare-runs`, checkpoints as a curve, the charts, and runs of every shape of task."""

import gzip
import json
import math
import shutil

import pandas as pd
import pytest

import pairlens
from pairlens.charts.drawing import specification
from pairlens.charts.named_rows import Measure
from pairlens.charts.run_comparison import differences_by_group, every_pair, margin_against_margin
from pairlens.evaluation.evaluate import evaluate
from pairlens.evaluation.receipts.bibtex import papers
from pairlens.evaluation.sweep import sweep
from pairlens.files.tables import read_table, read_workbook, write_table
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import PRESETS
from pairlens.reports.run_comparison.comparison import compare_runs
from pairlens.reports.run_comparison.numbers import curve, moments, paired_runs
from pairlens.reports.run_comparison.result import result
from pairlens.reports.run_comparison.wording import exact_test
from pairlens.scoring.checkpoints import Checkpoint
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.tasks import TASKS
from tests.refusals import refused

SAMPLES = ROOT / "data" / "samples"
SHAPES = ("syntaxgym", "wug_adj", "aoa", "crows_pairs")
PART = "reflexive_number.jsonl"


def stored(model, task="blimp", part=""):
    """The id of a finished run on our sample, or on a part of it."""
    recipe = pairlens.recipe(str(model), policy=PRESETS["pairlens"])
    return [*evaluate(TASKS[task], SAMPLES / task / part, recipe, Store())][-1].run_id


def grown(home, name, n):
    """A unigram model that knows the first `n` words of a short list, in a folder of its own."""
    folder = home / "grown" / name
    folder.mkdir(parents=True)
    counts = {"the": 50, ".": 40, "are": 30, "is": 35, "horses": 9, "cat": 10, "have": 5, "has": 8}
    known = dict(list(counts.items())[:n])
    lines = "".join(f"{word}\t{count}\n" for word, count in known.items())
    (folder / "counts.tsv.gz").write_bytes(gzip.compress(lines.encode()))
    card = {"name": name, "kind": "unigram", "language": "en", "tokens": sum(known.values()), "types": n}
    (folder / "card.json").write_text(json.dumps(card))
    return folder


@pytest.fixture
def two(home, unigram, once, tmp_path_factory):
    """Runs of two models on our sample of BLiMP, in a store of this test."""
    if once:
        shutil.copytree(once["store"], settings().store)
    else:
        once["runs"] = stored(unigram), stored("unigram-english")
        once["store"] = shutil.copytree(settings().store, tmp_path_factory.mktemp("two") / "store")
    return once["runs"]


@pytest.mark.slow
def test_the_command_says_what_the_library_finds(two, tmp_path, cli):
    """`pairlens.paired(A, B)` is A minus B: the comparison with B as the reference."""
    book, flips, table, paired = (tmp_path / name for name in ("all.xlsx", "flips.csv", "table.csv", "paired.csv"))
    _, out, _ = cli("compare-runs", *two, "--output", book, "--flipped", flips)
    comparison = compare_runs(Store(), two)
    assert out.startswith(comparison.findings[0]) and "What differs in the recipe" in out
    sheets = {"findings", "differences", "values", "changed sides", "margins", "recipe", "same", "to cite"}
    assert set(read_workbook(book)) == sheets
    assert read_table(flips)["item"].tolist() == comparison.flipped()["item"].tolist()
    assert cli("compare-runs", *two, "--reference", two[1], "--output", table)[0] == 0
    back = read_table(table)["difference"].astype(float)
    assert back.tolist() == pytest.approx((-comparison.differences["difference"]).tolist())
    write_table(paired_runs(Store(), *two), paired)
    columns = ["group_by", "group", "difference", "low", "high", "n", "p", "p_holm"]
    pd.testing.assert_frame_equal(read_table(paired)[columns], read_table(table)[columns])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--metric", "acuracy"], "Did you mean 'accuracy'?"),
        (["--output", "nowhere/table.csv"], "there is no folder"),
        (["--output", "table.docx"], "cannot write a file of this kind"),
        (["--output", "same.csv", "--flipped", "same.csv"], "would be lost"),
    ],
)
def test_mistakes_end_in_one_sentence(two, options, words, cli):
    refused(cli("compare-runs", *two, *options), words)


@pytest.mark.slow
@pytest.mark.parametrize(
    "task", [*(pytest.param(name, marks=pytest.mark.soak) for name in ("linzen", "clams")), *SHAPES]
)
def test_runs_of_every_shape(task, home, unigram):
    found = compare_runs(Store(), [stored(unigram, task), stored("unigram-english", task)])
    row = found.differences.iloc[0]
    if task == "wug_adj":  # the tiny vocabulary has no word of it, so that its preferences are all alike
        said = f"There is no item that counts in both {row['run']} and {unigram}: nothing to compare."
        assert found.findings == [said]
    else:
        assert row["difference"] == row["value"] - row["value_reference"]
        assert f"on the same {row['n']:,} {found.reference.task.noun}s." in found.findings[0]
    cited = result(found).provenance.bibtex
    assert all(papers()[key] in cited for key in found.reference.task.cites)
    compared = METRICS[found.metric].averages and bool(found.differences["low"].notna().any())
    assert ("@article{bonett2012adjusted," in cited) == compared
    tests = {exact_test(one) for _, one in found.differences.iterrows() if not math.isnan(one["p"])}
    assert ("{mcnemar1947note," in cited) == ("McNemar's exact test" in tests)
    assert ("{pagano1983obtaining," in cited) == bool(tests - {"McNemar's exact test"})
    for figure in result(found).figures:
        drawn = figure.draw(result(found).table(figure.table).frame)
        assert json.loads(specification(drawn))["description"] == figure.finding
    for one in result(found).tables:
        assert [column.name for column in one.columns] == [*one.frame.columns]


@pytest.mark.slow
def test_checkpoints_become_a_curve_and_are_known_by_their_names_or_their_sweep(home, unigram):
    folders, store = [grown(home, f"chck_{n}M", n) for n in (2, 4, 8)], Store()
    points = [Checkpoint(folder.name, str(folder), n * 10**6) for folder, n in zip(folders, (2, 4, 8), strict=True)]
    steps = list(sweep(TASKS["blimp"], SAMPLES / "blimp" / PART, points, pairlens.recipe, store, model="grown"))
    ids = list(dict.fromkeys(step.run_id for step in steps if step.run_id))
    found = compare_runs(store, ids[::-1])
    known = moments(found.runs, store)
    assert {known[run].words for run in ids} == {2_000_000, 4_000_000, 8_000_000}
    line = curve(found.values, found.runs, known)
    overall = line[line["line"] == "all items"]
    assert overall["words"].tolist() == [2_000_000, 4_000_000, 8_000_000], "in the order of training"
    assert overall["value"].tolist() == [store.manifest(run)["value"] for run in ids]
    assert (overall["same_as"] == "").all() and overall["unit"].eq("words").all()

    names = (("chck_10M", 5), ("chck_100M", 6), ("main", 7))
    named = [stored(grown(home, name, n), part=PART) for name, n in names]
    found = compare_runs(store, named)
    known = moments(found.runs, store)
    assert [known[run].words for run in named] == [10**7, 10**8, None]
    assert set(curve(found.values, found.runs, known)["checkpoint"]) == {"chck_10M", "chck_100M"}
    others = compare_runs(store, [named[0], stored(unigram, part=PART)])
    assert moments(others.runs, store) == {}, "another model is no checkpoint"


@pytest.mark.slow
def test_charts_tell_runs_apart_by_place_and_mark(two, home):
    found = compare_runs(Store(), two)
    layers = differences_by_group(found.differences, "finding", Measure("Accuracy"), "B", ["A"]).to_dict()["layer"]
    assert [layer["mark"]["filled"] for layer in layers if layer.get("transform")] == [True, False], "hollow: unclear"
    assert layers[0]["encoding"]["x"]["field"] == "zero"
    assert layers[1]["encoding"]["x"]["title"] == "Difference from B (points)"
    cells = every_pair(found.pairwise(), "finding", Measure("Accuracy")).to_dict()["layer"]
    assert cells[0]["encoding"]["color"]["scale"]["domain"][1] == 0, "differences are centred at zero"
    margins = margin_against_margin(found.margins(found.others[0]), "finding", ("A", "B")).to_dict()
    marks = margins["layer"][-1]["encoding"]["shape"]["scale"]
    assert dict(zip(marks["domain"], marks["range"], strict=True))["only A"] == "circle"
