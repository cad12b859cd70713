"""What the BabyLM 2025 pipeline and Pairlens are both asked: tiny models, and beginnings of our samples.

The pipeline is run in two states: that of August 2025, and that of 20 May 2025.
"""

import json
from pathlib import Path

from tiny import tiny_model

RECORD = Path(__file__).with_name("babylm.json")
AUGUST, MAY = "babylm-2025", "babylm-2025-05"
"""The presets that follow them."""
_DECODERS, _MASKED = ("enc_dec_mask", "enc_dec_prefix"), ("mlm", "mntp")
_LONG = {"max_position_embeddings": 512}
MODELS = {
    "t5": (_DECODERS, {}),
    "bart": (_DECODERS, _LONG),
    "mbart": (_DECODERS, _LONG),
    "gpt2": (("causal",), {"n_positions": 512}),
    "llama": (("causal",), _LONG),
    "qwen2": (("causal",), _LONG),
    "bert": (_MASKED, _LONG),
    "roberta": (_MASKED, _LONG),
}
"""By architecture, its backends, and sizes with which the longest text fits."""
_SAMPLES = Path(__file__).resolve().parents[3] / "data" / "samples"
WORDS = _SAMPLES / "aoa" / "aoa.json"
_PARADIGM = ("field", "linguistics_term", "UID")


TASKS = {"blimp": 3, "supplement": 3, "ewok": 4, "entity_tracking": 2, "comps": 3, "wug_adj": 6, "wug_past": 6}
"""How many records of each file of a sample are taken."""
CASES = [
    (state, architecture, backend, name)
    for state in (AUGUST, MAY)
    for architecture, (backends, _) in MODELS.items()
    for backend in backends
    for name in TASKS
    if state == AUGUST or name not in ("comps", "wug_past")  # which came in August
    if state == AUGUST or (backend, name) != ("enc_dec_prefix", "wug_adj")  # one form alone: always right
]


def task_of(name):
    return "blimp" if name == "supplement" else name


def model(folder, architecture):
    """The tiny model of this architecture."""
    return tiny_model(folder, architecture, **MODELS[architecture][1])


def data(folder, name):
    """The data of a task, written below a folder; those of the supplement do not say what they test."""
    into = folder / name
    into.mkdir(parents=True)
    for file in sorted((_SAMPLES / task_of(name)).glob("*.jsonl")):
        records = [json.loads(line) for line in file.read_text("utf-8").splitlines()[: TASKS[name]]]
        if name == "supplement":
            records = [{key: value for key, value in one.items() if key not in _PARADIGM} for one in records]
        (into / file.name).write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")
    return into


def numbers(report):
    """A report's numbers, by section and name; the average has no name."""
    found = {}
    for line in report.splitlines()[2:]:
        if line.startswith("### "):
            section = found.setdefault(line.removeprefix("### ").rpartition(" ")[0], {})
        elif line:
            name, _, value = line.rpartition(": ")
            section[name] = float(value)
    return found
