"""Runs to take away: the texts that were asked, the tables, the programs, and what is said where there is none."""

import io
import json
import runpy
import shutil
import subprocess
import sys
import types
import zipfile
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pairlens.analysis.items import deciding_metric
from pairlens.analysis.paired import paired
from pairlens.cli import main
from pairlens.errors import PolicyError, StoreError
from pairlens.evaluation.result import scored_texts
from pairlens.places import FOLDER as ROOT
from pairlens.reports.reproduction import FORMS, bundle, lm_eval, why_not, zipped
from pairlens.reports.reproduction.bundle import candidates_table, items_table, minicons_files
from pairlens.rules import RULES
from pairlens.tasks import TASKS
from pairlens.types import PLAIN, Candidate, Item, TokenScores
from tests.core.reports.conftest import SAMPLES

pytestmark = pytest.mark.slow

RECORD = json.loads((Path(__file__).parents[2] / "parity" / "reproduction.json").read_text("utf-8"))
"""What lm_eval knows, and said: written by `make oracle`."""
HOSTILE = (
    "say \"quit()\" \\ 'now'",
    "{{ item }} {% raw %} !function x.y",
    '"""\nimport os  # 🙂',
    "<script>alert(1)</script> & \u202eright to left\u202c שלום",
    "%s $x \\input{x} `date` #{1}",
)


class ByLetters:
    """Scores that depend on a text's letters alone; equal for equal texts."""

    about = types.MappingProxyType({})

    def score(self, requests, extras=PLAIN):
        return [self._one(request) for request in requests]

    @staticmethod
    def _one(request):
        cut = len(request.context)
        spans = tuple(pairwise((cut, (cut + len(request.text)) // 2, len(request.text))))
        values = tuple(-1.0 - sum(map(ord, request.text[start:end])) % 97 / 8 for start, end in spans)
        ends = (-0.5, -0.5, -0.5)
        masses = dict.fromkeys(("boundary_logprobs", "eos_logprobs", "punctuation_logprobs"), ends)
        return TokenScores(("a", "b"), (0, 1), values, spans, **masses)


@pytest.fixture
def stored(stored):
    """A finished run as if of a bundled model, its texts scored by their letters."""
    return partial(stored, model="english-small", scorer=ByLetters)


@pytest.fixture
def bundled(store, tmp_path):
    """`bundled(run, "r")`: the folder in which its files of this form lie."""

    def make(*results, form="notebook", folder="."):
        for name, content in bundle(results, [form], store).items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return tmp_path / folder

    return make


def of_two(good, bad, name, **groups):
    return Item(name, (Candidate(good, "good"), Candidate(bad, "bad")), "good", groups)


PAIRS = [of_two(text, f"{text} x", f"{text[:9]} {n}", UID=text) for n, text in enumerate(HOSTILE)]
PAIRS.append(of_two("The same.", "The same.", "tie", UID=HOSTILE[0]))
"""Of several paradigms; the last one is a tie."""


def value_of(result):
    return result.metrics.iloc[0]["value"]


@pytest.mark.parametrize(("preset", "space"), [("pairlens", ""), ("lm-eval", " ")])
def test_what_was_asked_is_made_again_as_the_model_read_it(stored, store, preset, space):
    result = stored("pairs", PAIRS, like=preset)
    texts, asked = scored_texts(result, store), [f"{space}{one.text}" for item in PAIRS for one in item.candidates]
    assert texts["text"].tolist() == asked
    pd.testing.assert_series_equal(texts["logprob"], result.candidates["logprob"])
    files = lm_eval.lm_eval_files(result, store)
    rows = [json.loads(line) for name, text in files.items() if name.endswith(".jsonl") for line in text.splitlines()]
    assert {choice for row in rows for choice in row["choices"]} == {*asked}
    result = replace(result, manifest={**result.manifest, "fingerprint": "0" * 64})
    with pytest.raises(StoreError, match="cannot be made again"):
        scored_texts(result, store)


@pytest.mark.parametrize("task", ["blimp", "comps", "entity_tracking", "linzen", "syntaxgym"])
def test_weights_add_up_to_the_headline(stored, task):
    result = stored(task)
    items = items_table([result])
    counted = items[items["correct"].notna()]
    assert (counted["correct"] * counted["weight"]).sum() == pytest.approx(value_of(result))
    assert counted["weight"].sum() == pytest.approx(1)
    assert items.loc[items["correct"].isna(), "excluded"].notna().all()


# minicons


@pytest.mark.parametrize(("ties", "value"), [("half", "sum"), ("correct", "mean"), ("wrong", "sum")])
def test_the_minicons_program_makes_our_accuracy_of_our_scores(
    stored, store, bundled, monkeypatch, ties, value, capsys
):
    result = stored("pairs", PAIRS, ties=ties, sentence_value=value)
    folder = bundled(result, form="minicons") / result.manifest["run_id"]
    minicons = types.ModuleType("minicons")
    minicons.scorer = None
    monkeypatch.setitem(sys.modules, "minicons", minicons)
    program = runpy.run_path(str(folder / "minicons_run.py"))
    requests = [json.loads(line) for line in (folder / "requests.jsonl").read_text("utf-8").splitlines()]
    for request in requests:
        request |= {"minicons": request["logprob"], "minicons_n": request["n_scored"]}
    program["report"](json.loads((folder / "run.json").read_text("utf-8")), requests)
    share = f"{value_of(result):.4%}"
    assert f"minicons {share}, Pairlens {share}" in capsys.readouterr().out
    assert result.metrics.iloc[0]["ties"] == 1
    text = (folder / "minicons_run.py").read_text("utf-8")
    assert text == minicons_files(stored("blimp"), store)["minicons_run.py"], "the program of every run is the same"
    assert not any(hostile in text for hostile in HOSTILE)


# lm-evaluation-harness


def test_the_task_has_keys_that_lm_eval_knows_and_columns_that_its_documents_have(stored, store):
    files = lm_eval.lm_eval_files(stored("pairs", PAIRS), store)
    configs = [yaml.safe_load(text) for name, text in files.items() if name.endswith(".yaml")]
    (group,) = (config for config in configs if "group" in config)
    tasks = [config for config in configs if config is not group]
    assert set(group) <= set(RECORD["lm_eval_keys"]["group"])
    assert set(group["aggregate_metric_list"][0]) <= set(RECORD["lm_eval_keys"]["average"])
    assert group["task"] == [config["task"] for config in tasks]
    for config in tasks:
        assert set(config) <= set(RECORD["lm_eval_keys"]["task"]) and config["target_delimiter"] == ""
        for line in files[config["dataset_kwargs"]["data_files"]["test"]].splitlines():
            assert {config["doc_to_text"], config["doc_to_choice"], config["doc_to_target"]} <= set(json.loads(line))
    assert {config["task_alias"] for config in tasks} == set(HOSTILE)


@pytest.mark.parametrize(("ties", "gold"), [("correct", 0), ("half", 0), ("wrong", 1)])
def test_a_tie_counts_in_lm_eval_as_in_the_run(stored, store, ties, gold):
    result = stored("pairs", PAIRS, ties=ties)
    assert {row["gold"] for row in lm_eval.documents(scored_texts(result, store), ties=ties).rows} == {gold}
    if ties != "half":
        expected = json.loads(lm_eval.lm_eval_files(result, store)["expected.json"])
        assert expected["acc"] == pytest.approx(value_of(result))
    assert any("tie" in note for note in lm_eval.lm_eval_notes(result)) == (ties == "half")


def test_contexts_become_the_choices_where_they_differ_and_texts_without_a_right_one_log_likelihoods(stored, store):
    result = stored("comps", ties="correct")
    assert lm_eval.documents(scored_texts(result, store), ties="correct").columns["doc_to_text"] == "gold"
    assert lm_eval.model_arguments(result) == "dtype=float32,add_bos_token=True"
    assert json.loads(lm_eval.lm_eval_files(result, store)["expected.json"])["acc"] == pytest.approx(value_of(result))
    result = stored("aoa")
    files = lm_eval.lm_eval_files(result, store)
    assert yaml.safe_load(files[f"{lm_eval.task_name(result)}.yaml"])["output_type"] == "loglikelihood"
    rows = [json.loads(line) for line in files[f"{lm_eval.task_name(result)}.jsonl"].splitlines()]
    assert [row["logprobs"][0] for row in rows] == result.candidates["logprob"].tolist()
    assert json.loads(files["expected.json"]) == {}


def test_a_policy_that_lm_eval_does_not_have_is_said(stored):
    notes = " ".join(lm_eval.lm_eval_notes(stored("blimp", like="minicons")))
    assert "start symbol" in notes and "means per token" in notes
    assert not lm_eval.lm_eval_notes(stored("blimp", like="lm-eval"))


# Notebooks and R


@pytest.fixture
def ran(monkeypatch):
    """`ran(folder, "analysis.ipynb")`: the variables of a notebook that was run there."""

    def run(folder, name="analysis.ipynb"):
        monkeypatch.chdir(folder)
        namespace = {}
        for cell in json.loads((folder / name).read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), "cell", "exec"), namespace)
        return namespace

    return run


def test_notebooks_are_of_the_format_and_make_the_headline_of_the_tables(stored, bundled, ran):
    result = stored("blimp")
    folder = bundled(result)
    for name in ("analysis.ipynb", "pairlens.ipynb"):
        book = json.loads((folder / name).read_text("utf-8"))
        assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
        assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
        nbformat.validate(book)
    headline = ran(folder)["by_run"].agg(share=("part", "sum"))["share"].iloc[0]
    assert headline == pytest.approx(value_of(result))


def chosen(right, uids, contrasts):
    """Items that the scores by letters get right, wrong or as a tie (None)."""
    endings = {True: ("", " z"), False: (" z", ""), None: ("", "")}
    rows = enumerate(zip(right, uids, contrasts, strict=True), 1)
    return [
        of_two(*("a" * n + ending for ending in endings[one]), str(n), UID=uid, contrast=contrast)
        for n, (one, uid, contrast) in rows
    ]


def several(seed=1, n_contrasts=25):
    """Three paradigms of unlike sizes that share contrasts, and one in which everything is right.

    What is right depends on the seed, the rest does not.
    """
    rng = np.random.default_rng(0)
    contrasts = rng.integers(0, n_contrasts, 150)
    uids = rng.choice(["a", "b", "c"], 150, p=[0.6, 0.3, 0.1])
    rng = np.random.default_rng(seed)
    hard = rng.random(n_contrasts)[contrasts]
    right = [None if chance > 0.97 else bool(chance > by) for chance, by in zip(rng.random(150), hard, strict=True)]
    return chosen([*right, *[True] * 30], [*uids, *["d"] * 30], [*map(str, contrasts), *map("d{}".format, range(30))])


ALL_RIGHT = chosen([True] * 12, ["x"] * 12, ["1", "2", "3"] * 4)
APART = chosen([True] * 20 + [False] * 8, ["x"] * 20 + ["y"] * 8, [*map(str, range(28))])
"""Every item has a contrast of its own."""


@pytest.mark.parametrize(
    ("task", "items"),
    [
        ("blimp", several()), ("blimp", several(1, 3)), ("blimp", APART), ("blimp", ALL_RIGHT), ("blimp", []),
        ("clams", []), ("qfrblimp", []),
    ],
    ids=["several", "few", "apart", "right", "blimp", "clams", "qfrblimp"],
)  # fmt: skip
def test_the_notebook_has_the_bounds_of_the_run(stored, bundled, ran, task, items):
    """Paradigms that share contrasts, contrasts of one item each, everything right, and a mean over other groups."""
    of_blimp = {"linguistics_term": "term", "field": "field"}
    result = stored(task, [replace(item, groups={**item.groups, **of_blimp}) for item in items])
    by_group = ran(bundled(result))["by_group"]
    name = deciding_metric(result.task, result.rule).name
    for column in result.task.groups:
        rows = result.metrics[(result.metrics["name"] == name) & (result.metrics["group_by"] == column)]
        ours, groups = rows.set_index("group"), by_group(f"group:{column}").set_index("group")
        assert len(groups) == len(ours) > 0
        for theirs, of_run in (("share", "value"), ("low", "low"), ("high", "high")):
            np.testing.assert_allclose(groups[theirs], ours.loc[groups.index, of_run], rtol=0, atol=1e-7)


def test_the_notebook_over_the_library_finds_the_stored_scores_or_says_what_it_does_not_compare(
    stored, own, bundled, ran, capsys
):
    folder = bundled(stored("blimp"))
    own()
    ran(folder, "pairlens.ipynb")
    assert "largest difference: 0.0 nats, 200 texts" in capsys.readouterr().out
    (file,) = folder.glob("*/run.json")
    for rule in ("shared", "gap", "pmi"):
        file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), "rule": rule, "scorer": "stereoset"}))
        ran(folder, "pairlens.ipynb")
        assert f"What was asked is {RULES[rule].about}" in capsys.readouterr().out


def test_the_notebook_says_which_number_its_items_decide_or_makes_a_mean_surprisal_and_leaves_ids_as_they_are(
    stored, bundled, ran
):
    result = stored("aoa")
    variables = ran(bundled(result))
    (mean, n) = variables["surprisal"].loc[(result.manifest["run_id"], "0")]
    assert (mean, n) == (pytest.approx(value_of(result), abs=1e-12), len(result.candidates))
    assert variables["runs"][0]["decides"] is None and variables["items"].empty
    result = stored("wug_adj")
    folder = bundled(result, folder="decided")
    variables = ran(folder)
    assert "accuracy: Agreement with most people" in (folder / "README.txt").read_text("utf-8")
    decided = variables["runs"][0]["decides"]
    assert decided == "majority" != result.metrics.iloc[0]["name"]
    row = result.metrics[result.metrics["name"] == decided].iloc[0]
    assert variables["by_run"].agg(share=("part", "sum"))["share"].iloc[0] == pytest.approx(row["value"])
    result = stored("pairs", [of_two("A b.", "A.", name, UID="NA") for name in ("007", "NA")])
    variables = ran(bundled(result, folder="ids"))
    assert variables["candidates"]["item"].tolist() == ["007", "007", "NA", "NA"]
    assert variables["items"]["item"].tolist() == ["007", "NA"] == variables["worst"]["item"].tolist()


def test_brackets_and_quotes_of_the_r_program_are_closed():
    source = (ROOT / "data" / "programs" / "analysis.R").read_text("utf-8")
    code = "\n".join(line.partition("# ")[0] for line in source.splitlines())
    assert code.count('"') % 2 == 0
    outside = "".join(part for place, part in enumerate(code.split('"')) if place % 2 == 0)
    for opened, closed in ("()", "[]", "{}"):
        assert outside.count(opened) == outside.count(closed)


EVERY_DIGIT = "print <- function(x, ...) write.csv(x, row.names = FALSE); requireNamespace <- function(...) FALSE"
"""Of the tables that the program prints; and no mixed model."""
in_r = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")


def of_r(folder, code):
    done = subprocess.run(["Rscript", "-e", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def r_tables(folder, cases):
    """What the R program prints of each case's files, one after the other in one process."""
    code = 'cat("\\n\\nCASE", case, "\\n\\n"); setwd(case); source("analysis.R"); setwd("..")'
    tables = {}
    for part in of_r(folder, f"{EVERY_DIGIT}; for (case in list.files()) {{ {code} }}").split("\n\nCASE ")[1:]:
        name, *blocks = part.split("\n\n")
        printed = (block.partition("\n")[2] for block in blocks)
        tables[name.strip()] = [
            pd.read_csv(io.StringIO(block), dtype={"group": str}) for block in printed if block.startswith('"')
        ]
    assert tables.keys() == cases.keys()
    return tables


def as_in_the_run(table, rows, value):
    """Numbers of R's table and of ours, matched by group."""
    if "group" in table:
        rows = rows.set_index("group").loc[table["group"]]
    for name, ours in ((value, value.replace("accuracy", "value")), ("low", "low"), ("high", "high")):
        np.testing.assert_allclose(table[name], rows[ours].to_numpy(np.float64), rtol=0, atol=1e-6)


@in_r
def test_the_r_program_has_the_bounds_of_the_run(stored, bundled, tmp_path):
    repeated = chosen([True, True, False] * 9, ["x"] * 9 + ["y"] * 18, [*"123456789"] * 3)
    few = chosen([True, False, True], ["x", "y", "y"], ["1", "2", "3"])
    cases = {
        f"pairs {n}": stored("pairs", items) for n, items in enumerate((several(), repeated, APART, few, ALL_RIGHT))
    }
    cases |= {
        name: stored(name) for name in ("blimp", "clams", "entity_tracking", "linzen", "stereoset", "syntaxgym")
    }
    for name, result in cases.items():
        bundled(result, form="r", folder=f"r/{name}")
    for name, (overall, *of_groups) in r_tables(tmp_path / "r", cases).items():
        result = cases[name]
        metric = deciding_metric(result.task, result.rule).name
        rows = result.metrics[result.metrics["name"] == metric]
        as_in_the_run(overall, rows.head(1), "accuracy")
        columns = [column for column in result.task.groups if f"group:{column}" in items_table([result])]
        shown = [rows[rows["group_by"] == column] for column in columns]
        shown = [part for part in shown if len(part) and len(part) <= rows.iloc[0]["n"] / 10]
        for table, part in zip(of_groups, shown, strict=False):
            as_in_the_run(table, part, "accuracy")
        assert len(of_groups) >= len(shown)
        if name == "pairs 4":
            assert value_of(result) == 1 == overall["high"].item() and overall["low"].item() > 0


@in_r
def test_the_r_program_compares_two_runs_as_the_library(stored, bundled, tmp_path):
    cases = {
        "others": (stored("pairs", several()), stored("pairs", several(2))),
        "ties": (stored("pairs", several()), stored("pairs", several(), ties="correct")),
        "small": (stored("pairs", several(1, 1000)), stored("pairs", several(2, 1000), ties="correct")),
    } | {name: (stored(name), stored(name, like="lm-eval")) for name in ("blimp", "clams", "stereoset")}
    for name, results in cases.items():
        bundled(*results, form="r", folder=f"r/{name}")
    for name, printed in r_tables(tmp_path / "r", cases).items():
        first, second = cases[name]
        metric = deciding_metric(first.task, first.rule).name
        ours = paired(first.candidates, second.candidates, first.task, (first.policy, second.policy), metric)
        overall, by_group = [table for table in printed if "difference" in table]
        assert (ours["p"] < 1).any()
        for table, part in ((overall, ours.head(1)), (by_group, ours.iloc[1:])):
            as_in_the_run(table, part, "difference")
            expected = part.set_index("group").loc[table["group"]] if "group" in table else part
            for column in table.columns.intersection(["p", "p_holm", "p_mcnemar"]):
                np.testing.assert_allclose(table[column], expected[column], rtol=0, atol=1e-6)


# All of it


def test_texts_of_confidential_tasks_are_in_no_file_and_what_cannot_be_made_is_said(stored, store):
    result = stored("ewok")
    files = bundle([result], list(FORMS), store)
    whole = "\n".join(content.decode() if isinstance(content, bytes) else content for content in files.values())
    for item in TASKS["ewok"].read(SAMPLES / "ewok"):
        assert not [one.text for one in item.candidates if one.text.strip() in whole]
    assert "are not written to files" in str(files["README.txt"])
    assert list(candidates_table([result]).columns[2:6]) == ["item", "candidate", "label", "gold"]
    linzen = stored("linzen")
    assert "which other programs do not offer" in why_not(linzen, "minicons") and not why_not(linzen, "r")
    assert "decided item by item" in why_not(stored("aoa"), "r")
    with pytest.raises(StoreError, match="do not offer"):
        bundle([linzen], ["minicons", "lm-eval"], store)
    with pytest.raises(PolicyError, match="Did you mean 'minicons'"):
        bundle([linzen], ["minicon"], store)


def test_two_runs_share_the_tables_and_have_folders_of_their_own_and_columns_of_groups_are_no_numbers(stored, store):
    results = [stored("blimp"), stored("blimp", like="minicons")]
    with zipfile.ZipFile(io.BytesIO(zipped(results, list(FORMS), store))) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
        items = pd.read_csv(packed.open("items.csv"))
    ids = [result.manifest["run_id"] for result in results]
    assert {f"{run_id}/requests.jsonl" for run_id in ids} <= {*names}
    assert items["run"].unique().tolist() == ids
    assert not any(Path(name).is_absolute() or ".." in Path(name).parts for name in names)
    items = items_table([stored("pairs", [of_two("A b.", "A.", "a", UID="u", run="other", model="7")])])
    assert items[["model", "group:model", "group:run"]].to_numpy().tolist() == [["english-small", "7", "other"]]


@given(st.text(), st.text())
def test_any_text_survives_json_lines(key, text):
    written = lm_eval.lines([{"item": key, "text": text, "logprob": None}])
    written.encode()
    assert [json.loads(line) for line in written.split("\n")[:-1]] == [{"item": key, "text": text, "logprob": None}]


# The command line


def test_reproduce_writes_a_folder_or_a_file_and_says_what_is_wrong(stored, own, tmp_path, capsys):
    run_id = stored("blimp").manifest["run_id"]
    own()
    assert main(["reproduce", run_id, "--as", "r", "--as", "minicons", "--output", str(tmp_path / "all")]) == 0
    assert (tmp_path / "all" / "analysis.R").exists()
    assert (tmp_path / "all" / run_id / "minicons_run.py").exists()
    assert main(["reproduce", run_id, "--output", str(tmp_path / "all.zip")]) == 0
    with zipfile.ZipFile(tmp_path / "all.zip") as packed:
        assert "analysis.ipynb" in packed.namelist()
    assert "lm_eval run --include_path ." in capsys.readouterr().out
    output = str(tmp_path / "out")
    for message, *arguments in (
        ("There is no run 'nothing'", "nothing", "-o", output),
        ("named twice", run_id, run_id, "-o", output),
        ("There is no form 'python'", run_id, "--as", "python", "-o", output),
        ("cannot be written", run_id, "-o", "/proc/nothing/here"),
    ):
        assert main(["reproduce", *arguments]) == 2
        assert message in capsys.readouterr().err
