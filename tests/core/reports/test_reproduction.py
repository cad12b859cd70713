"""Runs to take away: the texts that were asked, the tables, the programs, and what is said where there is none."""

from __future__ import annotations

import io
import json
import runpy
import shutil
import subprocess
import sys
import types
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core import api
from core.analysis.items import deciding_metric
from core.analysis.paired import paired
from core.cli import main
from core.errors import PolicyError, StoreError
from core.policies import preset_for
from core.reports.reproduction import FORMS, bundle, why_not, zipped
from core.reports.reproduction.bundle import candidates_table, items_table, minicons_files
from core.reports.reproduction.lm_eval import (
    documents,
    lines,
    lm_eval_files,
    lm_eval_notes,
    model_arguments,
    task_name,
)
from core.rules import RULES
from core.runs.evaluate import Context, run
from core.runs.requests import plan
from core.runs.result import Run, read, scored_texts
from core.settings import ROOT
from core.store import Store
from core.tasks import TASKS
from core.types import PLAIN, Candidate, Extras, Item, Request, TokenScores

pytestmark = pytest.mark.slow

RECORD = json.loads((ROOT / "tests" / "parity" / "reproduction.json").read_text("utf-8"))
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

    about: Mapping[str, object] = MappingProxyType({})

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        return [self._one(request) for request in requests]

    @staticmethod
    def _one(request: Request) -> TokenScores:
        cut = len(request.context)
        spans = tuple(pairwise((cut, (cut + len(request.text)) // 2, len(request.text))))
        values = tuple(-1.0 - sum(map(ord, request.text[start:end])) % 97 / 8 for start, end in spans)
        ends = (-0.5, -0.5, -0.5)
        masses = dict.fromkeys(("boundary_logprobs", "eos_logprobs", "punctuation_logprobs"), ends)
        return TokenScores(("a", "b"), (0, 1), values, spans, **masses)


@pytest.fixture
def store(home):
    return Store(shipped=None)


@pytest.fixture
def stored(store):
    """`stored("blimp")`, `stored("pairs", items)`: a finished run, its texts scored by their letters."""

    def make(
        task: str, items: Sequence[Item] = (), preset: str = "pairlens", model: str = "english-small", **choices
    ):
        chosen = TASKS[task]
        given = items or list(chosen.read(ROOT / "data" / "samples" / task))
        recipe = api.recipe("english-small", policy=preset_for(preset, chosen.sets).but(**choices))
        *_, last = run(plan(chosen, given, recipe), Context(store, data="sample", scorer=ByLetters))
        return read(store, last.run_id)

    return make


def pairs(texts: Sequence[str] = HOSTILE) -> list[Item]:
    """A pair per text, in two paradigms; the last one is a tie."""
    found = [
        Item(f"{text[:9]} {number}", (Candidate(text, "good"), Candidate(f"{text} x", "bad")), "good", {"UID": text})
        for number, text in enumerate(texts)
    ]
    same = Candidate("The same.", "good"), Candidate("The same.", "bad")
    return [*found, Item("tie", same, "good", {"UID": HOSTILE[0]})]


@pytest.mark.parametrize("preset", ["pairlens", "lm-eval"])
def test_what_was_asked_is_made_again_as_the_model_read_it(stored, store, preset):
    result = stored("pairs", pairs(), preset)
    space = " " if preset == "lm-eval" else ""
    found = scored_texts(result, store)
    assert found["text"].tolist() == [f"{space}{one.text}" for item in pairs() for one in item.candidates]
    pd.testing.assert_series_equal(found["logprob"], result.candidates["logprob"])


def test_texts_that_lead_to_other_keys_are_refused(stored, store):
    result = stored("pairs", pairs())
    result.manifest["fingerprint"] = "0" * 64
    with pytest.raises(StoreError, match="cannot be made again"):
        scored_texts(result, store)


@pytest.mark.parametrize("task", ["blimp", "comps", "entity_tracking", "linzen", "syntaxgym"])
def test_weights_add_up_to_the_headline(stored, task):
    result = stored(task)
    items = items_table([result])
    counted = items[items["correct"].notna()]
    assert (counted["correct"] * counted["weight"]).sum() == pytest.approx(result.metrics.iloc[0]["value"])
    assert counted["weight"].sum() == pytest.approx(1)
    assert items.loc[items["correct"].isna(), "excluded"].notna().all()


def test_columns_of_groups_cannot_be_mistaken_for_numbers(stored):
    hostile = Item("a", pairs()[0].candidates, "good", {"UID": "u", "run": "other", "model": "7"})
    items = items_table([stored("pairs", [hostile])])
    assert items["model"].tolist() == ["english-small"]
    assert items["group:model"].tolist() == ["7"]
    assert items["group:run"].tolist() == ["other"]


# minicons


def program(name: str, folder: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> dict:
    """The program's functions, beside its files, as if minicons were here."""
    for path, text in files.items():
        (folder / path).write_text(text, "utf-8")
    fake = types.ModuleType("minicons")
    fake.scorer = None
    monkeypatch.setitem(sys.modules, "minicons", fake)
    return runpy.run_path(str(folder / name))


@pytest.mark.parametrize("ties", ["half", "correct", "wrong"])
@pytest.mark.parametrize("value", ["sum", "mean"])
def test_the_minicons_program_makes_our_accuracy_of_our_scores(
    stored, store, tmp_path, monkeypatch, ties, value, capsys
):
    result = stored("pairs", pairs(), ties=ties, sentence_value=value)
    files = bundle([result], ["minicons"], store)
    folder = result.manifest["run_id"]
    own = {Path(name).name: content for name, content in files.items() if name.startswith(folder)}
    namespace = program("minicons_run.py", tmp_path, own, monkeypatch)
    requests = [json.loads(line) for line in own["requests.jsonl"].splitlines()]
    for request in requests:
        request |= {"minicons": request["logprob"], "minicons_n": request["n_scored"]}
    namespace["report"](json.loads(own["run.json"]), requests)
    told = f"{result.metrics.iloc[0]['value']:.4%}"
    assert f"minicons {told}, Pairlens {told}" in capsys.readouterr().out
    assert result.metrics.iloc[0]["ties"] == 1


def test_programs_are_the_same_for_every_run(stored, store):
    one = minicons_files(stored("pairs", pairs()), store)["minicons_run.py"]
    assert one == minicons_files(stored("blimp"), store)["minicons_run.py"]
    compile(one, "minicons_run.py", "exec")
    for text in HOSTILE:
        assert text not in one


# lm-evaluation-harness


def test_the_task_has_keys_that_lm_eval_knows_and_columns_that_its_documents_have(stored, store):
    files = lm_eval_files(stored("pairs", pairs()), store)
    configs = {name: yaml.safe_load(text) for name, text in files.items() if name.endswith(".yaml")}
    (group,) = (config for config in configs.values() if "group" in config)
    assert set(group) <= set(RECORD["lm_eval_keys"]["group"])
    assert set(group["aggregate_metric_list"][0]) <= set(RECORD["lm_eval_keys"]["average"])
    assert group["task"] == [config["task"] for config in configs.values() if "task_alias" in config]
    for config in configs.values():
        if config is group:
            continue
        assert set(config) <= set(RECORD["lm_eval_keys"]["task"])
        rows = [json.loads(line) for line in files[config["dataset_kwargs"]["data_files"]["test"]].splitlines()]
        for row in rows:
            assert {config["doc_to_text"], config["doc_to_choice"], config["doc_to_target"]} <= set(row)
    assert {config["task_alias"] for config in configs.values() if config is not group} == set(HOSTILE)
    assert all(config["target_delimiter"] == "" for config in configs.values() if config is not group)


def test_texts_reach_lm_eval_as_they_were_asked(stored, store):
    files = lm_eval_files(stored("pairs", pairs(), "lm-eval"), store)
    rows = [json.loads(line) for name, text in files.items() if name.endswith(".jsonl") for line in text.splitlines()]
    texts = {choice for row in rows for choice in row["choices"]}
    assert texts == {f" {one.text}" for item in pairs() for one in item.candidates}


@pytest.mark.parametrize(("ties", "gold"), [("correct", 0), ("half", 0), ("wrong", 1)])
def test_a_tie_counts_in_lm_eval_as_in_the_run(stored, store, ties, gold):
    result = stored("pairs", pairs(), ties=ties)
    found = documents(scored_texts(result, store), ties=ties)
    assert {row["gold"] for row in found.rows} == {gold}
    files = lm_eval_files(result, store)
    correct = result.metrics.iloc[0]["value"]
    if ties != "half":
        assert json.loads(files["expected.json"])["acc"] == pytest.approx(correct)
    assert any("tie" in note for note in lm_eval_notes(result)) == (ties == "half")


def test_contexts_become_the_choices_where_they_differ(stored, store):
    result = stored("comps", ties="correct")
    found = documents(scored_texts(result, store), ties="correct")
    assert found.columns["doc_to_text"] == "gold"
    assert model_arguments(result) == "dtype=float32,add_bos_token=True"
    assert json.loads(lm_eval_files(result, store)["expected.json"])["acc"] == pytest.approx(
        result.metrics.iloc[0]["value"]
    )


def test_texts_without_a_right_one_become_log_likelihoods(stored, store):
    result = stored("aoa")
    files = lm_eval_files(result, store)
    config = yaml.safe_load(files[f"{task_name(result)}.yaml"])
    assert config["output_type"] == "loglikelihood"
    rows = [json.loads(line) for line in files[f"{task_name(result)}.jsonl"].splitlines()]
    assert [row["logprobs"][0] for row in rows] == result.candidates["logprob"].tolist()
    assert json.loads(files["expected.json"]) == {}


def test_a_policy_that_lm_eval_does_not_have_is_said(stored):
    notes = " ".join(lm_eval_notes(stored("blimp", preset="minicons")))
    assert "start symbol" in notes
    assert "means per token" in notes
    assert not lm_eval_notes(stored("blimp", preset="lm-eval"))


# Notebooks and R


def runnable(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> dict:
    monkeypatch.chdir(folder)
    namespace: dict = {}
    for cell in json.loads((folder / name).read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "cell", "exec"), namespace)
    return namespace


def unpacked(folder: Path, files: dict[str, bytes | str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def test_notebooks_are_of_the_format(stored, store):
    files = bundle([stored("blimp")], ["notebook"], store)
    for name in ("analysis.ipynb", "pairlens.ipynb"):
        book = json.loads(files[name])
        assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
        assert set(book) == {"cells", "metadata", "nbformat", "nbformat_minor"}
        assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
        for cell in book["cells"]:
            code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
            assert set(cell) == {"cell_type", "id", "metadata", "source"} | code
            assert cell["cell_type"] in ("code", "markdown")
            if code:
                compile("".join(cell["source"]), name, "exec")


def test_the_notebook_makes_the_headline_of_the_tables(stored, store, tmp_path, monkeypatch):
    result = stored("blimp")
    variables = runnable(unpacked(tmp_path, bundle([result], ["notebook"], store)), "analysis.ipynb", monkeypatch)
    headline = variables["by_run"].agg(share=("part", "sum"))["share"].iloc[0]
    assert headline == pytest.approx(result.metrics.iloc[0]["value"])
    notebook_has_bounds_of(result, variables["by_group"])


def notebook_has_bounds_of(result: Run, by_group: Callable[[str], pd.DataFrame]) -> None:
    """Numbers and bounds of every group of the run are those of the notebook."""
    name = deciding_metric(result.task, result.rule).name
    for column in result.task.groups:
        rows = result.metrics[(result.metrics["name"] == name) & (result.metrics["group_by"] == column)]
        ours, groups = rows.set_index("group"), by_group(f"group:{column}").set_index("group")
        assert len(groups) == len(ours) > 0
        for theirs, of_run in (("share", "value"), ("low", "low"), ("high", "high")):
            np.testing.assert_allclose(groups[theirs], ours.loc[groups.index, of_run], rtol=0, atol=1e-7)


@pytest.mark.parametrize("kind", ["several", "few", "apart", "right", "clams", "qfrblimp"])
def test_the_notebook_has_the_bounds_of_the_run(stored, store, tmp_path, monkeypatch, kind):
    """Paradigms that share contrasts, contrasts of one item each, everything right, and a mean over other groups."""
    items = {
        "several": several(),
        "few": several(1, 3),
        "apart": chosen([True] * 20 + [False] * 8, ["x"] * 20 + ["y"] * 8, [*map(str, range(28))]),
        "right": chosen([True] * 12, ["x"] * 12, ["1", "2", "3"] * 4),
    }.get(kind, [])
    of_blimp = {"linguistics_term": "term", "field": "field"}
    items = [replace(item, groups={**item.groups, **of_blimp}) for item in items]
    result = stored("blimp" if items else kind, items)
    files = unpacked(tmp_path, bundle([result], ["notebook"], store))
    notebook_has_bounds_of(result, runnable(files, "analysis.ipynb", monkeypatch)["by_group"])


def test_the_notebook_over_the_library_finds_the_stored_scores(stored, store, tmp_path, monkeypatch, capsys):
    files = bundle([stored("blimp")], ["notebook"], store)
    runnable(unpacked(tmp_path, files), "pairlens.ipynb", monkeypatch)
    assert "largest difference: 0.0 nats, 200 texts" in capsys.readouterr().out


@pytest.mark.parametrize("rule", ["shared", "gap", "pmi"])
def test_the_notebook_over_the_library_says_what_it_does_not_compare(
    stored, store, tmp_path, monkeypatch, capsys, rule
):
    files = bundle([stored("blimp")], ["notebook"], store)
    (name,) = (name for name in files if name.endswith("run.json"))
    asked_otherwise = json.dumps({**json.loads(files[name]), "rule": rule, "scorer": "stereoset"})
    runnable(unpacked(tmp_path, {**files, name: asked_otherwise}), "pairlens.ipynb", monkeypatch)
    assert f"What was asked is {RULES[rule].about}" in capsys.readouterr().out


def test_the_notebook_of_a_run_that_decides_nothing_makes_its_mean_surprisal(stored, store, tmp_path, monkeypatch):
    result = stored("aoa")
    found = runnable(unpacked(tmp_path, bundle([result], ["notebook"], store)), "analysis.ipynb", monkeypatch)
    (mean, n) = found["surprisal"].loc[(result.manifest["run_id"], "0")]
    assert (mean, n) == (pytest.approx(result.metrics.iloc[0]["value"], abs=1e-12), len(result.candidates))
    assert found["runs"][0]["decides"] is None and found["items"].empty


def test_the_notebook_leaves_ids_as_they_are(stored, store, tmp_path, monkeypatch):
    items = [
        Item(name, (Candidate("A b.", "good"), Candidate("A.", "bad")), "good", {"UID": "NA"})
        for name in ("007", "NA")
    ]
    found = runnable(
        unpacked(tmp_path, bundle([stored("pairs", items)], ["notebook"], store)), "analysis.ipynb", monkeypatch
    )
    assert found["candidates"]["item"].tolist() == ["007", "007", "NA", "NA"]
    assert found["items"]["item"].tolist() == ["007", "NA"] == found["worst"]["item"].tolist()


def test_the_notebook_says_which_number_its_items_decide(stored, store, tmp_path, monkeypatch):
    result = stored("wug_adj")
    found = runnable(unpacked(tmp_path, bundle([result], ["notebook"], store)), "analysis.ipynb", monkeypatch)
    assert "accuracy: Agreement with most people" in (tmp_path / "README.txt").read_text("utf-8")
    decided = found["runs"][0]["decides"]
    assert decided == "majority" != result.metrics.iloc[0]["name"]
    row = result.metrics[result.metrics["name"] == decided].iloc[0]
    assert found["by_run"].agg(share=("part", "sum"))["share"].iloc[0] == pytest.approx(row["value"])


def test_brackets_and_quotes_of_the_r_program_are_closed():
    source = (ROOT / "data" / "programs" / "analysis.R").read_text("utf-8")
    code = "\n".join(line.partition("# ")[0] for line in source.splitlines())
    assert code.count('"') % 2 == 0
    outside = "".join(part for place, part in enumerate(code.split('"')) if place % 2 == 0)
    for opened, closed in ("()", "[]", "{}"):
        assert outside.count(opened) == outside.count(closed)


def r_tables(folder: Path, files: dict[str, bytes | str], run: Callable[..., str]) -> list[pd.DataFrame]:
    """The tables that the R program prints of these files, with every digit; no mixed model."""
    unpacked(folder, files)
    written = "print <- function(x, ...) write.csv(x, row.names = FALSE); requireNamespace <- function(...) FALSE"
    said = run("-e", f'{written}; source("analysis.R")')
    blocks = (block.partition("\n")[2] for block in said.split("\n\n"))
    return [pd.read_csv(io.StringIO(block), dtype={"group": str}) for block in blocks if block.startswith('"')]


@pytest.fixture
def rscript(tmp_path):
    def run(*arguments: str) -> str:
        if not shutil.which("Rscript"):
            pytest.skip("R is not installed")
        done = subprocess.run(["Rscript", *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def chosen(right: Sequence[bool | None], uids: Sequence[str], contrasts: Sequence[str]) -> list[Item]:
    """Items that the scores by letters get right, wrong or as a tie (None)."""
    endings = {True: ("", " z"), False: (" z", ""), None: ("", "")}
    found = []
    for n, (one, uid, contrast) in enumerate(zip(right, uids, contrasts, strict=True), 1):
        good, bad = ("a" * n + ending for ending in endings[one])
        candidates = Candidate(good, "good"), Candidate(bad, "bad")
        found.append(Item(str(n), candidates, "good", {"UID": uid, "contrast": contrast}))
    return found


def several(seed: int = 1, n_contrasts: int = 25) -> list[Item]:
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


def as_in_the_run(table: pd.DataFrame, rows: pd.DataFrame, value: str) -> None:
    """Numbers of R's table and of ours, matched by group."""
    if "group" in table:
        rows = rows.set_index("group").loc[table["group"]]
    for name, ours in ((value, value.replace("accuracy", "value")), ("low", "low"), ("high", "high")):
        np.testing.assert_allclose(table[name], rows[ours].to_numpy(np.float64), rtol=0, atol=1e-6)


def test_the_r_program_prints_the_accuracy(stored, store, tmp_path, rscript):
    result = stored("blimp")
    unpacked(tmp_path, bundle([result], ["r"], store))
    assert f"{result.metrics.iloc[0]['value']:.2f}" in rscript("analysis.R")


def test_the_r_program_has_bounds_where_every_item_is_right(stored, store, tmp_path, rscript):
    result = stored("pairs", chosen([True] * 12, ["x"] * 12, ["1", "2", "3"] * 4))
    assert result.metrics.iloc[0]["value"] == 1
    overall, *_ = r_tables(tmp_path, bundle([result], ["r"], store), rscript)
    as_in_the_run(overall, result.metrics.head(1), "accuracy")
    assert overall["low"].item() > 0 and overall["high"].item() == 1


@pytest.mark.parametrize(
    ("task", "items"),
    [
        ("pairs", several()),
        ("pairs", chosen([True, True, False] * 9, ["x"] * 9 + ["y"] * 18, [*"123456789"] * 3)),
        ("pairs", chosen([True] * 20 + [False] * 8, ["x"] * 20 + ["y"] * 8, [*map(str, range(28))])),
        ("pairs", chosen([True, False, True], ["x", "y", "y"], ["1", "2", "3"])),
        ("blimp", ()), ("clams", ()), ("entity_tracking", ()), ("linzen", ()), ("stereoset", ()), ("syntaxgym", ()),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)  # fmt: skip
def test_the_r_program_has_the_bounds_of_the_run(stored, store, tmp_path, rscript, task, items):
    result = stored(task, items)
    overall, *of_groups = r_tables(tmp_path, bundle([result], ["r"], store), rscript)
    name = deciding_metric(result.task, result.rule).name
    rows = result.metrics[result.metrics["name"] == name]
    as_in_the_run(overall, rows.head(1), "accuracy")
    columns = [column for column in result.task.groups if f"group:{column}" in items_table([result])]
    shown = [rows[rows["group_by"] == column] for column in columns]
    shown = [part for part in shown if len(part) and len(part) <= rows.iloc[0]["n"] / 10]
    for table, part in zip(of_groups, shown, strict=False):
        as_in_the_run(table, part, "accuracy")
    assert len(of_groups) >= len(shown)


@pytest.mark.parametrize(
    ("task", "items", "others", "choices"),
    [
        ("pairs", several(), several(2), {}),
        ("pairs", several(), several(), {"ties": "correct"}),
        ("pairs", several(1, 1000), several(2, 1000), {"ties": "correct"}),
        ("blimp", (), (), {"preset": "lm-eval"}),
        ("clams", (), (), {"preset": "lm-eval"}),
        ("stereoset", (), (), {"preset": "lm-eval"}),
    ],
)
def test_the_r_program_compares_two_runs_as_the_library(
    stored, store, tmp_path, rscript, task, items, others, choices
):
    results = [stored(task, items), stored(task, others, **choices)]
    files = bundle(results, ["r"], store)
    first, second = results
    name = deciding_metric(first.task, first.rule).name
    ours = paired(first.candidates, second.candidates, first.task, (first.policy, second.policy), name)
    overall, by_group = [table for table in r_tables(tmp_path, files, rscript) if "difference" in table]
    assert (ours["p"] < 1).any()
    for table, part in ((overall, ours.head(1)), (by_group, ours.iloc[1:])):
        as_in_the_run(table, part, "difference")
        expected = part.set_index("group").loc[table["group"]] if "group" in table else part
        for column in table.columns.intersection(["p", "p_holm", "p_mcnemar"]):
            np.testing.assert_allclose(table[column], expected[column], rtol=0, atol=1e-6)


# All of it


def test_texts_of_confidential_tasks_are_in_no_file(stored, store):
    result = stored("ewok")
    items = list(TASKS["ewok"].read(ROOT / "data" / "samples" / "ewok"))
    files = bundle([result], list(FORMS), store)
    whole = "\n".join(content.decode() if isinstance(content, bytes) else content for content in files.values())
    for item in items:
        for one in item.candidates:
            assert one.text.strip() not in whole
    assert "are not written to files" in str(files["README.txt"])
    assert list(candidates_table([result]).columns[2:6]) == ["item", "candidate", "label", "gold"]


def test_what_cannot_be_made_is_said(stored, store):
    linzen = stored("linzen")
    assert "which other programs do not offer" in why_not(linzen, "minicons")
    assert not why_not(linzen, "r")
    assert "decided item by item" in why_not(stored("aoa"), "r")
    with pytest.raises(StoreError, match="do not offer"):
        bundle([linzen], ["minicons", "lm-eval"], store)
    with pytest.raises(PolicyError, match="Did you mean 'minicons'"):
        bundle([linzen], ["minicon"], store)


def test_two_runs_share_the_tables_and_have_folders_of_their_own(stored, store):
    results = [stored("blimp"), stored("blimp", preset="minicons")]
    with zipfile.ZipFile(io.BytesIO(zipped(results, list(FORMS), store))) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
        items = pd.read_csv(packed.open("items.csv"))
    for result in results:
        assert f"{result.manifest['run_id']}/requests.jsonl" in names
    assert items["run"].unique().tolist() == [result.manifest["run_id"] for result in results]
    assert not any(Path(name).is_absolute() or ".." in Path(name).parts for name in names)


@given(st.text(), st.text())
def test_any_text_survives_json_lines(key, text):
    written = lines([{"item": key, "text": text, "logprob": None}])
    written.encode()
    assert [json.loads(line) for line in written.split("\n")[:-1]] == [{"item": key, "text": text, "logprob": None}]


def test_many_items_take_seconds(store):
    """200,000 items: tables and documents are made of whole columns."""
    n = 200_000
    texts = pd.DataFrame(
        {
            "item": np.repeat([f"i{number}" for number in range(n)], 2),
            "candidate": np.tile([0, 1], n),
            "label": np.tile(["good", "bad"], n),
            "gold": "good",
            "context": "",
            "text": "a text",
            "logprob": np.tile([-1.0, -2.0], n),
        }
    )
    assert len(documents(texts, ties="half").rows) == n


# The command line


def test_reproduce_writes_a_folder_or_a_file(stored, tmp_path, capsys):
    run_id = stored("blimp").manifest["run_id"]
    assert main(["reproduce", run_id, "--as", "r", "--as", "minicons", "--output", str(tmp_path / "all")]) == 0
    assert (tmp_path / "all" / "analysis.R").exists()
    assert (tmp_path / "all" / run_id / "minicons_run.py").exists()
    assert main(["reproduce", run_id, "--output", str(tmp_path / "all.zip")]) == 0
    with zipfile.ZipFile(tmp_path / "all.zip") as packed:
        assert "analysis.ipynb" in packed.namelist()
    assert "lm_eval run --include_path ." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "There is no run 'nothing'"),
        (["RUN", "RUN"], "named twice"),
        (["RUN", "--as", "python"], "There is no form 'python'"),
        (["RUN", "--output", "/proc/nothing/here"], "cannot be written"),
    ],
)
def test_reproduce_says_what_is_wrong(stored, tmp_path, capsys, arguments, said):
    run_id = stored("pairs", pairs()).manifest["run_id"]
    given_ = [run_id if one == "RUN" else one for one in arguments]
    output = [] if "--output" in given_ else ["--output", str(tmp_path / "out")]
    assert main(["reproduce", *given_, *output]) == 2
    assert said in capsys.readouterr().err
