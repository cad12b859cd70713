"""Whole jobs, from the command to what it is run for, beside the programs that people use for them.

Each command is a process of its own in an empty folder. The time is that of all commands of a job, with the start of
Python and of torch; each job is done once.
"""

import csv
import gzip
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd

from pairlens.places import FOLDER as ROOT
from tests.benchmarks.cases import OURS
from tests.benchmarks.results import Line
from tests.benchmarks.shapes import SHAPES, checkpoint

MODEL = ROOT / "data" / "models" / "english-small"
POSITIONS = 1024
"""Texts of entity tracking are longer than the model's 128 tokens: other programs read on, and so does it here."""
PARADIGM = "determiner_noun_agreement_1"
"""The pairs of NLPScholar's job; their region is the first word that differs."""
TASKS = {"blimp_filtered": "blimp", "supplement_filtered": "blimp", "entity_tracking": "entity_tracking",
         "wug_adj_nominalization": "wug_adj"}  # fmt: skip
"""The pipeline's names of the tasks whose texts are public, by the folder of the texts."""
_ZERO_SHOT = (
    "evaluation_pipeline.sentence_zero_shot.run --model_path_or_name model --backend causal --save_predictions"
)
_READING = "evaluation_pipeline.reading.run --model_path_or_name model --backend causal --data_path full_eval/reading"
_CONFIGURATION = """exp: MinimalPair
mode: [evaluate, analyze]
models: {hf_causal_model: [model]}
datafpath: pairs.tsv
predfpath: predictions.tsv
resultsfpath: results.tsv
save: by_word, by_pair, by_cond
conditions: condition
"""


@dataclass(frozen=True)
class Program:
    """Modules and their arguments, a pattern for one figure in what they print and tabulate, what they do not do."""

    commands: tuple[str, ...]
    figure: str
    remark: str = ""


@dataclass(frozen=True)
class Job:
    """What several programs do; `prepare` lays out what they read and returns the number of sentences, or 0."""

    name: str
    prepare: Callable[[Path], int]
    programs: dict[str, Program]


def jobs(texts, data, peers):
    """The jobs in their order."""
    others = "tests.benchmarks.others"
    yield Job("whole BLiMP to the report", partial(_blimp, texts), {
        OURS: Program(
            ("pairlens zero-shot --model ./model --task blimp --data_path blimp --save_predictions --compatible",),
            r"accuracy (\S+) %",
        ),
        "BabyLM pipeline 2025": Program(
            (f"{_ZERO_SHOT} --task blimp --data_path blimp",), r"AVERAGE ACCURACY\n(\S+)"
        ),
        "minicons": Program((f"{others} minicons .",), r"average (\S+)", "accuracies only"),
    })  # fmt: skip
    yield Job("BabyLM's public tasks, collated", partial(_babylm, texts, data / "babylm" / "evaluation_data"), {
        OURS: Program(
            (
                "pairlens suite run babylm-2025 --data_path . --model ./model --backend causal --compatible",
                "pairlens suite collate babylm-2025 --model ./model --backend causal",
            ),
            r"eye tracking (\S+) %",
        ),
        "BabyLM pipeline 2025": Program(
            (*(f"{_ZERO_SHOT} --task {task} --data_path full_eval/{name}" for name, task in TASKS.items()),
             f"{_READING}/reading_data.csv"),
            r"EYE TRACKING SCORE: (\S+)", "it collates all tasks or none",
        ),
    })  # fmt: skip
    yield Job("StereoSet to its scores", partial(_stereoset, texts, data / "stereoset"), {
        OURS: Program(
            (
                "pairlens stereoset predict --gold-file dev.json --model ./gpt2 --as stereoset -o predictions",
                "pairlens stereoset evaluate --gold-file dev.json --predictions-dir predictions -o scores.json",
            ),
            r"mean over terms +\d+ +\d+ +(\S+)", "all six cases",
        ),
        "StereoSet, multilingual": Program(
            (f"{others} stereoset {peers / 'stereoset' / 'code'}",), r".*Multi Class SS Score: (\S+)", "case d"
        ),
    })  # fmt: skip
    yield Job("NLPScholar, evaluate and analyze", partial(_nlpscholar, texts), {
        OURS: Program(("pairlens minimal-pair --config config.yaml --as nlpscholar",), r"nouns\t\S+\t(\S+)"),
        "NLPScholar": Program((f"{others} nlpscholar {peers / 'nlpscholar'}",), r"nouns\t\S+\t(\S+)"),
    })  # fmt: skip


def lines(texts, data, scratch, peers, threads):
    """Every job by each program; none without the other programs."""
    chosen = jobs(texts, data, peers.resolve()) if peers else ()
    return [line for job in chosen for line in _lines(job, scratch, peers.resolve(), threads)]


def _lines(job, scratch, peers, threads):
    prepared = scratch / "prepared"
    prepared.mkdir()
    number, own = job.prepare(prepared), math.nan
    for name, program in job.programs.items():
        folder = scratch / "job"
        shutil.copytree(prepared, folder)
        seconds, output = _run(program.commands, folder, peers, threads)
        own = seconds if name == OURS else own
        figure = float(re.search(program.figure, output, re.DOTALL)[1])
        status = "; ".join(filter(None, (f"says {figure:.4g}", program.remark, "once")))
        yield Line(job.name, name, number, seconds, seconds / own, math.nan, math.nan, status)
        shutil.rmtree(folder)
    shutil.rmtree(prepared)


def _run(commands, folder, peers, threads):
    """The seconds of all commands, and what the last ones printed and tabulated."""
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "core", peers / "babylm")))
    more = {"PAIRLENS_HOME": str(folder / "home"), "PYTHONPATH": paths, "OMP_NUM_THREADS": str(threads)}
    seconds, output = 0.0, ""
    for command in commands:
        start = time.perf_counter()
        ended = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", *command.split()],
            cwd=folder, env={**os.environ, **more}, capture_output=True, text=True, encoding="utf-8",
        )  # fmt: skip
        seconds += time.perf_counter() - start
        if ended.returncode:
            raise RuntimeError(f"{command} ended with {ended.returncode}: {ended.stderr[-2000:]}")
        output += ended.stdout
    table = folder / "results.tsv"
    return seconds, output + (table.read_text("utf-8") if table.exists() else "")


def _blimp(texts, folder):
    shutil.copytree(MODEL, folder / "model")
    return _paradigms(texts, folder / "blimp")


def _babylm(texts, data, folder):
    """All tasks with texts, and the model with room for long ones."""
    shutil.copytree(MODEL, folder / "model")
    config = json.loads((MODEL / "config.json").read_text("utf-8")) | {"max_position_embeddings": POSITIONS}
    (folder / "model" / "config.json").write_text(json.dumps(config), "utf-8")
    for file in (file for file in data.glob("full_eval/*/*") if file.is_file()):
        _unpack(file, folder / file.parent.relative_to(data))
    _paradigms(texts, folder / "full_eval" / "blimp_filtered")
    return 0


def _stereoset(texts, data, folder):
    """The development set as both programs read it."""
    checkpoint(SHAPES["causal-small"], texts.all(20_000), folder).rename(folder / "gpt2")
    (folder / "dev.json").write_bytes(gzip.decompress((data / "dev_en_reconstructed.json.gz").read_bytes()))
    number = 0
    for task, other in (("intrasentence", "intersentence"), ("intersentence", "intrasentence")):
        table = folder / f"df_{task}_en.parquet"
        _run((f"pairlens stereoset convert -i dev.json --skip-{other} -o {table.name}",), folder, folder, 1)
        frame = pd.read_parquet(table)
        frame.to_pickle(table.with_suffix(".pkl"))
        number += 3 * len(frame)
    return number


def _nlpscholar(texts, folder):
    checkpoint(SHAPES["causal-small"], texts.all(20_000), folder).rename(folder / "model")
    (folder / "config.yaml").write_text(_CONFIGURATION, "utf-8")
    with (folder / "pairs.tsv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t")
        rows.writerow(("sentid", "pairid", "condition", "comparison", "sentence", "ROI"))
        for place, pair in enumerate(texts.pairs[PARADIGM]):
            differs = [one != other for one, other in zip(*(text.split() for text in pair), strict=False)].index(True)
            for label, text in zip(("expected", "unexpected"), pair, strict=True):
                rows.writerow((2 * place + (label == "unexpected"), place, "nouns", label, text, differs))
    return 2 * len(texts.pairs[PARADIGM])


def _paradigms(texts, folder):
    """BLiMP's files, as the pipeline reads them."""
    folder.mkdir(parents=True)
    for name, pairs in texts.pairs.items():
        rows = ({"sentence_good": good, "sentence_bad": bad, "UID": name, "field": "all", "linguistics_term": "all"}
                for good, bad in pairs)  # fmt: skip
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return 2 * sum(map(len, texts.pairs.values()))


def _unpack(file, folder):
    folder.mkdir(parents=True, exist_ok=True)
    content = file.read_bytes()
    (folder / file.name.removesuffix(".gz")).write_bytes(
        gzip.decompress(content) if file.suffix == ".gz" else content
    )
