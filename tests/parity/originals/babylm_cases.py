"""What the BabyLM 2025 pipeline and Pairlens are both asked: tiny encoder-decoders, and beginnings of our samples."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tiny import tiny_model

RECORD = Path(__file__).with_name("babylm.json")
BACKENDS = ("enc_dec_mask", "enc_dec_prefix")
MODELS: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {"t5": {}, "bart": {"max_position_embeddings": 512}, "mbart": {"max_position_embeddings": 512}}
)
"""By architecture, sizes with which the longest text fits."""
_SAMPLES = Path(__file__).resolve().parents[3] / "data" / "samples"
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


def model(folder: Path, architecture: str) -> Path:
    """The tiny model of this architecture."""
    return tiny_model(folder, architecture, **MODELS[architecture])


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
