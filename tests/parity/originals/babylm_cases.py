"""What the BabyLM 2025 pipeline and Pairlens are both asked: tiny models, and beginnings of our samples.

The pipeline is run in two states: that of August 2025, and that of 20 May 2025.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tiny import tiny_model

RECORD = Path(__file__).with_name("babylm.json")
AUGUST, MAY = "babylm-2025", "babylm-2025-05"
"""The presets that follow them."""
_DECODERS, _MASKED = ("enc_dec_mask", "enc_dec_prefix"), ("mlm", "mntp")
_LONG = {"max_position_embeddings": 512}
MODELS: Mapping[str, tuple[Sequence[str], Mapping[str, int]]] = MappingProxyType(
    {
        "t5": (_DECODERS, {}),
        "bart": (_DECODERS, _LONG),
        "mbart": (_DECODERS, _LONG),
        "gpt2": (("causal",), {"n_positions": 512}),
        "llama": (("causal",), _LONG),
        "qwen2": (("causal",), _LONG),
        "bert": (_MASKED, _LONG),
        "roberta": (_MASKED, _LONG),
    }
)
"""By architecture, its backends, and sizes with which the longest text fits."""
_SAMPLES = Path(__file__).resolve().parents[3] / "data" / "samples"
WORDS = _SAMPLES / "aoa" / "aoa.json"
_PARADIGM = ("field", "linguistics_term", "UID")


@dataclass(frozen=True)
class Asked:
    """A task and how many records of each file of a sample are taken."""

    task: str
    sample: str
    records: int


TASKS = {
    "blimp": Asked("blimp", "blimp", 3),
    "supplement": Asked("blimp", "blimp", 3),
    "ewok": Asked("ewok", "ewok", 4),
    "entity_tracking": Asked("entity_tracking", "entity_tracking", 2),
    "comps": Asked("comps", "comps", 3),
    "wug_adj": Asked("wug_adj", "wug_adj", 6),
    "wug_past": Asked("wug_past", "wug_past", 6),
}


CASES = [
    (state, architecture, backend, name)
    for state in (AUGUST, MAY)
    for architecture, (backends, _) in MODELS.items()
    for backend in backends
    for name in TASKS
    if state == AUGUST or name not in ("comps", "wug_past")  # which came in August
    if state == AUGUST or (backend, name) != ("enc_dec_prefix", "wug_adj")  # one form alone: always right
]


def model(folder: Path, architecture: str) -> Path:
    """The tiny model of this architecture."""
    return tiny_model(folder, architecture, **MODELS[architecture][1])


def data(folder: Path, name: str) -> Path:
    """The data of a task, written below a folder; those of the supplement do not say what they test."""
    asked = TASKS[name]
    into = folder / name
    into.mkdir(parents=True)
    for file in sorted((_SAMPLES / asked.sample).glob("*.jsonl")):
        records = [json.loads(line) for line in file.read_text("utf-8").splitlines()[: asked.records]]
        if name == "supplement":
            records = [{key: value for key, value in one.items() if key not in _PARADIGM} for one in records]
        (into / file.name).write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")
    return into


def numbers(report: str) -> dict[str, dict[str, float]]:
    """A report's numbers, by section and name; the average has no name."""
    found: dict[str, dict[str, float]] = {}
    for line in report.splitlines()[2:]:
        if line.startswith("### "):
            section = found.setdefault(line.removeprefix("### ").rpartition(" ")[0], {})
        elif line:
            name, _, value = line.rpartition(": ")
            section[name] = float(value)
    return found
