"""Logs as lm-evaluation-harness 0.4.13 and inspect-ai 0.3 write them, in small and in our own words."""

import json
import struct
import zipfile
from io import BytesIO

import pyarrow as pa

QUESTIONS = (
    ("The keys to the cabinet", ("are here.", "is here."), 0, (-7.0, -10.0)),
    ("The dog near the trees", ("bark.", "barks."), 1, (-9.0, -6.5)),
    ("Every child", ("have a hat.", "has hats.", "sees."), 1, (-12.0, -14.0, -13.0)),
    ("The pilots", ("laughs.", "laugh today."), 1, (-8.0, -10.0)),
)
"""Context, choices, the right one, log-probabilities: right 2 of 4, per character 3."""


def _first_best(values):
    return max(range(len(values)), key=lambda place: values[place])


def sample(number, question=QUESTIONS[0], **changes):
    """A line of `samples_TASK_TIME.jsonl`; `changes` replace its fields."""
    context, choices, gold, values = question
    norm = [value / len(choice) for value, choice in zip(values, choices, strict=True)]
    answers = [[str(value), "False"] for value in values]
    return {
        "doc_id": number, "target": str(gold),
        "doc": {"q": context, "choices": [*choices], "field": "agreement" if number % 2 else "order"},
        "arguments": {f"gen_args_{n}": {"arg_0": context, "arg_1": f" {one}"} for n, one in enumerate(choices)},
        "resps": [[answer] for answer in answers], "filtered_resps": answers, "filter": "none",
        "metrics": ["acc", "acc_norm"], "acc": float(_first_best(values) == gold),
        "acc_norm": float(_first_best(norm) == gold), **changes,
    }  # fmt: skip


def samples():
    return [sample(number, question) for number, question in enumerate(QUESTIONS)]


def results(task="own_mc", **changes):
    """`results_TIME.json` of these questions."""
    numbers = {
        "alias": task, "acc,none": 0.5, "acc_stderr,none": 0.28867513459481287, "acc_norm,none": 0.75,
        "acc_norm_stderr,none": 0.25,
    }  # fmt: skip
    config = {"task": task, "output_type": "multiple_choice", "target_delimiter": " "}
    return {
        "results": {task: numbers}, "group_subtasks": {}, "configs": {task: config}, "lm_eval_version": "0.4.13",
        "model_name": "some/model", "config": {"model_args": {"dtype": "float32"}}, **changes,
    }  # fmt: skip


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


VERDICTS = ("C", "I", "C", "P")


def inspect_log(**changes):
    """A log of inspect-ai as JSON: four samples of two choices, of which 2.5 are right."""
    metrics = {
        "accuracy": {"name": "accuracy", "value": 0.625, "params": {}},
        "stderr": {"name": "stderr", "value": 0.2393567769390846, "params": {}},
    }
    return {
        "version": 2, "status": "success",
        "eval": {"task": "colours", "model": "mockllm/model", "created": "2026-11-29T00:00:00+00:00",
                 "packages": {"inspect_ai": "0.3.285"}, "dataset": {"name": "own"}},
        "results": {"scores": [{"name": "choice", "scorer": "choice", "metrics": metrics}]},
        "samples": [
            {"id": f"q{number}", "epoch": 1, "input": f"Which is number {number}?", "choices": ["red", "green"],
             "target": "AB"[number % 2], "metadata": {"topic": "warm"},
             "scores": {"choice": {"value": value, "answer": "A"}}}
            for number, value in enumerate(VERDICTS)
        ], **changes,
    }  # fmt: skip


def inspect_archive(log=None):
    """The same as an `.eval` file: a ZIP archive whose members Zstandard compresses, as `zipfile` cannot write."""
    log = dict(log or inspect_log())
    samples = log.pop("samples")
    members = {"header.json": log, **{f"samples/{one['id']}_epoch_1.json": one for one in samples}}
    sizes, packed = {}, BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            plain = json.dumps(content).encode()
            sizes[name] = len(plain)
            archive.writestr(name, pa.compress(plain, codec="zstd", asbytes=True))
    raw = bytearray(packed.getvalue())
    with zipfile.ZipFile(BytesIO(bytes(raw))) as archive:
        central = archive.start_dir
        for member in archive.infolist():
            at = member.header_offset
            raw[at + 8 : at + 10], raw[at + 22 : at + 26] = (
                struct.pack("<H", 93),
                struct.pack("<I", sizes[member.filename]),
            )
            raw[central + 10 : central + 12] = struct.pack("<H", 93)
            raw[central + 24 : central + 28] = struct.pack("<I", sizes[member.filename])
            name, extra, comment = struct.unpack("<3H", raw[central + 28 : central + 34])
            central += 46 + name + extra + comment
    return bytes(raw)
