"""A benchmark from question to folder, through the command line: flags, checkpoints, both rules, what is refused."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

import pairlens
from pairlens.cli import main
from pairlens.evaluation import command
from pairlens.evaluation.requests import plan
from pairlens.evaluation.zero_shot import Benchmark, sample, unused
from pairlens.places import FOLDER as ROOT
from pairlens.policies import PRESETS, preset_for
from pairlens.store import Store
from pairlens.tasks import TASKS
from tests.records import write
from tests.refusals import refused
from tests.run_of_pairs import PAIRS

SAMPLES = ROOT / "data" / "samples"


@pytest.fixture
def zero_shot(home, cli):
    """`zero_shot("--task", "ewok", ...)`: exit status, output, errors; results go to `home/results`."""
    return lambda *arguments: cli("zero-shot", "--output_dir", home / "results", *arguments)


@pytest.fixture
def few(tmp_path):
    """`few("ewok")`: the first lines of the task's sample, as options."""

    def cut(task, lines=5):
        place, folder = sample(TASKS[task]), tmp_path / f"few_{task}"
        folder.mkdir()
        for file in sorted(place.iterdir())[:2] if place.is_dir() else [place]:
            text = file.read_text("utf-8").splitlines(keepends=True)
            (folder / file.name).write_text("".join(text[:lines]), "utf-8")
        return "--task", task, "--data_path", folder if place.is_dir() else folder / place.name

    return cut


@pytest.fixture
def pairs(tmp_path):
    """A benchmark of four pairs in the format of BLiMP, as options."""
    records = [{"sentence_good": good, "sentence_bad": bad, "UID": uid} for good, bad, uid in PAIRS]
    return "--data_path", write(tmp_path / "pairs.jsonl", *records)


def reported(output):
    (folder,) = (line.removeprefix("report: ") for line in output.splitlines() if line.startswith("report: "))
    return Path(folder)


def text_of(home, name):
    return next((home / "results").rglob(name)).read_text()


def table_of(home, name):
    return pd.read_csv(next((home / "results").rglob(name)))


OF_METRICS = {task.metrics: name for name, task in reversed([*TASKS.items()]) if not task.instead}
"""For each set of metrics the first task that has it: what is printed and written depends on these."""


@pytest.mark.parametrize(
    "task",
    [
        pytest.param(name, marks=() if name in OF_METRICS.values() else pytest.mark.soak)
        for name, task in TASKS.items()
        if not task.instead
    ],
)
def test_every_task_runs_on_its_sample(task, tiny, zero_shot):
    status, output, errors = zero_shot("--task", task, "--model", tiny("gpt2"))
    assert status == 0, errors
    lines = output.splitlines()
    assert lines[-1].startswith("scored ") and any(line.startswith("run: ") for line in lines)
    assert (reported(output) / ("report.txt" if task == "reading" else "numbers.csv")).is_file()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--task", "vqa"], "images are not covered"),
        (["--task", "glue"], "fine-tuning on GLUE is not covered"),
        (["--images_path", "somewhere"], "images are not covered"),
        (["--task", "reading", "--full_sentence_scores"], "conditional"),
        (["--max_temperature", "0.5"], "no grid"),
        (["--words", "chck"], "NAME=NUMBER"),
        (["--task", "comps", "--model", "unigram-english"], "Word counts know no context"),
        (["--revision_name", "chck_1M"], "one version only"),
        (["--task", "blimp", "--write-confidential"], "BLiMP is not confidential"),
        (["--task", "ewok", "--from_predictions", "p", "--write-confidential"], "--from_predictions writes no pred"),
    ],
)
def test_what_means_nothing_is_refused_in_one_sentence(arguments, sentence, zero_shot):
    refused(zero_shot(*arguments), sentence)


def test_whole_sentences_have_one_criterion_and_what_both_share_cancels(few, tiny, zero_shot, home):
    """For a causal model the flag changes nothing but rounding; predictions are the texts that were compared."""
    asked = few("ewok")
    known = [one for item in TASKS["ewok"].read(asked[-1]) for one in item.candidates]
    targets, wholes = {one.text for one in known}, {one.context + one.text for one in known}
    numbers = []
    for flags, texts in (((), targets), (("--full_sentence_scores",), wholes)):
        _, output, _ = zero_shot(*asked, "--model", tiny("gpt2"), "--write-confidential", *flags)
        content = json.loads(text_of(home, "predictions.json"))
        assert {one["pred"] for entry in content.values() for one in entry["predictions"]} <= texts
        table = table_of(home, "numbers.csv")
        numbers.append(table[table["name"] == "same_context"][["group", "value"]].to_numpy().tolist())
        assert "same context" in output
        assert ("same target" in output, "|rule:joint|" in output) == (not flags, bool(flags))
    assert numbers[0] == numbers[1]


def test_the_flag_for_whole_sentences_is_that_of_the_pipeline(few, tiny, zero_shot):
    """Which has it for EWoK only."""
    comps, entities = few("comps"), few("entity_tracking")
    for asked, like in ((comps, "babylm-2025"), (entities, "babylm-2025-05")):
        _, output, errors = zero_shot(*asked, "--model", tiny("gpt2"), "--as", like, "--full_sentence_scores")
        assert output and "|rule:" not in output and "the pipeline has it for ewok only" in errors
    _, output, _ = zero_shot(*comps, "--model", tiny("gpt2"), "--full_sentence_scores", "--both")
    signatures = [line for line in output.splitlines() if "|scorer:" in line]
    assert ["|rule:joint|" in line for line in signatures] == [True, False]


def test_a_plain_folder_has_any_revision_under_the_published_rules(pairs, tiny, zero_shot):
    """As in transformers, which does not look at the revision of a folder."""
    asked = (*pairs, "--model", tiny("gpt2"), "--revision_name")
    assert zero_shot(*asked, "chck_1M")[0] == 2
    _, output, errors = zero_shot(*asked, "chck_1M", "--compatible")
    assert "chck_1M only names the folder of results" in errors
    assert f"{tiny('gpt2').name}/chck_1M/zero_shot" in output
    assert zero_shot(*asked, "chck_*", "--compatible")[0] == 2, "a pattern of nothing"


def test_temperatures_are_printed_written_and_called_what_they_are(pairs, tiny, zero_shot, home):
    grid = ("--min_temperature", 0.5, "--max_temperature", 1.5, "--temperature_interval", 0.5)
    _, output, _ = zero_shot(*pairs, "--model", tiny("gpt2"), *grid)
    curve = table_of(home, "temperatures.csv")
    assert curve["temperature"].tolist() == [0.5, 1.0, 1.5]
    (line,) = (line for line in output.splitlines() if line.startswith("highest at temperature"))
    assert line.endswith("chosen on the evaluation data itself")
    report = text_of(home, "best_temperature_report.txt")
    chosen = curve[curve["best"]].iloc[0]
    assert report.startswith(f"TEMPERATURE: {chosen['temperature']:.2f}\n")
    assert f"### AVERAGE ACCURACY\n{100 * chosen['value']:.2f}\n" in report


@pytest.mark.parametrize("how", [("--compatible",), ("--as", "babylm-2025-05")])
def test_the_published_grid_belongs_to_the_published_presets(how, pairs, tiny, zero_shot, home):
    grid = ("--max_temperature", 1.2, "--temperature_interval", 0.1)
    zero_shot(*pairs, "--model", tiny("gpt2"), *how, *grid)
    assert table_of(home, "temperatures.csv")["temperature"].tolist() == pytest.approx([1.0, 1.1, 1.2, 1.3])


def test_both_rules_stand_side_by_side_and_a_group_without_counted_items_is_no_number(pairs, tiny, zero_shot, home):
    status, output, errors = zero_shot(*pairs, "--model", tiny("gpt2"), "--both")
    assert status == 0, errors
    table = table_of(home, "both.csv")
    for column, name in (("value", "pairlens"), ("value_published", "babylm-2025")):
        report = next((home / "results" / name).rglob("best_temperature_report.txt")).read_text()
        assert f"### AVERAGE ACCURACY\n{100 * table[column].iloc[0]:.2f}\n" in report
    assert "accuracy\toverall\tmacro" in output
    status, output, errors = zero_shot("--task", "syntaxgym", "--model", tiny("gpt2"), "--both")
    assert status == 0, errors
    assert "first_formula\tprediction\tobject_or_subject 1" in output and "nan" not in output


@pytest.fixture
def trained(tmp_path, tiny):
    """A folder of three checkpoints, the last of which repeats the weights of the second."""
    folder = tmp_path / "my-model-v1.5"
    for name, source in (("chck_1M", "gpt2"), ("chck_2M", "llama"), ("chck_10M", "llama")):
        shutil.copytree(tiny(source), folder / name)
    return folder


def test_ages_of_acquisition_come_from_a_sweep(trained, zero_shot, home):
    children = next((SAMPLES / "aoa").rglob("*.csv"))
    status, output, errors = zero_shot("--task", "aoa", "--model", trained, "--children", children)
    assert status == 0, errors
    written = home / "results/my-model-v1.5/main/zero_shot/causal/AoA_word/surprisal.json"
    n_contexts = sum(1 for _ in TASKS["aoa"].read(sample(TASKS["aoa"])))
    assert len(json.loads(written.read_text())["results"]) == 3 * n_contexts
    for named in ("ages of acquisition", "by the pipeline's arithmetic"):  # three checkpoints are too few for a curve
        assert f"{named}: no number, 0 words" in output


def test_a_confidential_task_leaves_no_text_anywhere(published, tiny, zero_shot, home, tmp_path):
    marker = "zorblax"
    data = tmp_path / "data"
    data.mkdir()
    for file in sorted((SAMPLES / "ewok").iterdir()):
        lines = [json.loads(line) for line in file.read_text().splitlines()[:2]]
        for line in lines:
            line |= {field: f"{line[field]} {marker}" for field in ("Context1", "Context2", "Target1", "Target2")}
        write(data / file.name, *lines)
    status, output, errors = zero_shot("--task", "ewok", "--data_path", data, "--model", tiny("gpt2"))
    assert status == 0, errors
    files = [path for path in home.rglob("*") if path.is_file()]
    assert len(files) > 5 and marker not in output + errors
    assert [path for path in files if marker.encode() in path.read_bytes()] == []
    tables = [path for path in files if path.suffix == ".parquet"]
    assert not any(marker in pd.read_parquet(path).to_string() for path in tables)
    assert not any(path.name == "predictions.json" for path in files)


def test_predictions_of_a_confidential_task_are_written_on_request(few, tiny, zero_shot, home):
    asked = (*few("ewok"), "--model", tiny("gpt2"), "--compatible")
    report = reported(zero_shot(*asked)[1])
    before = {path.name for path in report.iterdir()}
    status, output, _ = zero_shot(*asked, "--write-confidential")
    assert status == 0 and "do not put it online" in output
    assert {path.name for path in report.iterdir()} - before == {"predictions.json"}
    again = zero_shot(*asked, "--from_predictions", report / "predictions.json", "--output_dir", home / "again")
    published = (reported(again[1]) / "best_temperature_report.txt").read_text()
    assert published == (report / "best_temperature_report.txt").read_text()
    target = json.loads(next(asked[3].iterdir()).read_text().splitlines()[0])["Target1"]
    files = (path for path in home.rglob("*") if path.is_file())
    assert [path.name for path in files if target.encode() in path.read_bytes()] == ["predictions.json"]


def test_texts_longer_than_the_window_are_named(pairs, tiny, zero_shot):
    asked = (*pairs, "--task", "blimp", "--model", tiny("bert"), "--as", "nlpscholar")
    assert "were read in strides of" not in zero_shot(*asked)[2]
    errors = zero_shot(*asked, "--set", "window=24", "--set", "stride=2")[2]
    assert "longer than a window of 4 tokens were read in strides of 2, the last window short" in errors


def test_what_the_pipeline_compares_otherwise_is_named_and_an_encoder_without_a_text_refused(few, tiny, zero_shot):
    asked = (*few("ewok"), "--model", tiny("t5"), "--backend", "enc_dec_prefix")
    assert "compares T1|C1 with T2|C2, as the pipeline does" in zero_shot(*asked, "--compatible")[1]
    assert "as the pipeline does" not in zero_shot(*asked)[1]
    refused(zero_shot(*asked, "--full_sentence_scores"), "show the encoder nothing")


def test_a_copy_of_a_model_finds_its_run_and_leaves_it_its_name(pairs, tiny, zero_shot, home):
    copy = home / "a-copy"
    shutil.copytree(tiny("gpt2"), copy)
    first, again = (zero_shot(*pairs, "--model", model)[1] for model in (tiny("gpt2"), copy))
    runs = [next(line for line in output.splitlines() if line.startswith("run: ")) for output in (first, again)]
    assert runs[0] == runs[1] and "scored 0, reused 8" in again
    assert Store().manifest(runs[0].removeprefix("run: "))["model"] == str(tiny("gpt2"))


# What users hand in by mistake

MARKER = "ZQXMARKER"


@pytest.mark.parametrize(
    "line",
    [
        f'["{MARKER}"]',
        f'"{MARKER}"',
        f'{{"Context1 {MARKER}": 1, "Context1 {MARKER}": 2}}',
        f'{{"Context1": "{MARKER}',
        f'{{"Context1": ["{MARKER}"]}}',
        f'{{"Context1": "{MARKER}"}} {MARKER}',
    ],
)
def test_a_confidential_line_is_never_quoted(line, save, zero_shot):
    file = save("ewok.jsonl", line + "\n")
    outcome = zero_shot("--task", "ewok", "--data_path", file, "--model", "unigram-english")
    refused(outcome, "ewok.jsonl, line 1: ")
    assert MARKER not in outcome[2]


@pytest.mark.parametrize("task", ["blimp", "aoa"])
def test_childrens_words_are_not_ignored(task, home, unigram, zero_shot):
    outcome = zero_shot("--task", task, "--model", unigram, "--children", "nowhere.csv")
    refused(outcome, "--children needs --task aoa and several checkpoints")
    assert not (home / "store" / "runs").exists()


@pytest.mark.slow
def test_a_single_temperature_is_shown_with_its_number(unigram, zero_shot):
    status, out, _ = zero_shot("--model", unigram, "--min_temperature", 2)
    assert status == 0 and "\n2.00\t" in out and "\nhighest at temperature" not in out


def test_nothing_is_recomputed_or_collated_under_a_backend_that_is_none(tmp_path, cli):
    (tmp_path / "m").mkdir()
    collate = ("suite", "collate", "babylm-2025", "--model", "m", "--results_dir", tmp_path)
    for asked in (collate, ("zero-shot", "--from_predictions", tmp_path / "p.json")):
        refused(cli(*asked, "--backend", "../../x"), "There is no backend '../../x'")


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_words_that_are_all_alike_give_no_regression_and_no_warning(unigram, save, zero_shot):
    header, first, *_ = sample(TASKS["reading"]).read_text(encoding="utf-8").splitlines()
    path = save("reading.csv", "\n".join([header, *[first] * 30]) + "\n")
    status, output, errors = zero_shot("--task", "reading", "--data_path", path, "--model", unigram)
    assert status == 0 and not errors and "eye tracking: no number" in output


# A page's choices


@pytest.mark.parametrize(
    ("task", "field", "words"),
    [
        ("reading", "leading_space", "every text of Reading times has a context"),
        ("reading", "ties", "neither scores nor metrics use it"),
        ("blimp", "unit", "neither scores nor metrics use it"),
        ("blimp", "pll", "with the scorer unigram"),
        ("blimp", "leading_space", ""),
        ("blimp", "ties", ""),
        ("blimp", "detokenise", ""),
        ("reading", "first_token", ""),  # the task makes this choice itself
    ],
)
def test_what_nothing_reads_is_named(task, field, words):
    chosen = TASKS[task]
    recipe = pairlens.recipe("unigram-english", policy=preset_for("pairlens", chosen.sets))
    reason = unused(Benchmark(chosen, sample(chosen), chosen_fields=(field,)), recipe, "")
    assert (words in reason and reason.startswith(f"--set {field} ")) if words else not reason


@pytest.mark.parametrize(
    ("task", "choice", "words"),
    [
        ("reading", "leading_space=false", "has no effect"),
        ("blimp", "tokens=rewritten", "for reading times only, not for BLiMP"),
    ],
)
def test_the_command_refuses_it_before_anything_is_scored(zero_shot, task, choice, words):
    refused(zero_shot("--task", task, "--model", "unigram-english", "--set", choice), words)


@pytest.mark.slow
@pytest.mark.parametrize(
    "policy", [PRESETS["pairlens"], PRESETS["babylm-2025"], PRESETS["lm-eval"].but(ties="half", text="typographic")]
)
def test_the_command_line_makes_the_run_that_the_page_asks_for(unigram, home, policy):
    recipe, place = pairlens.recipe(unigram, policy=policy), sample(TASKS["blimp"])
    arguments = command.zero_shot("blimp", place, recipe, home / "reports")
    assert main(arguments) == 0
    wanted = plan(TASKS["blimp"], TASKS["blimp"].read(place), recipe)
    assert list(Store().runs()["run_id"]) == [wanted.run_id]
