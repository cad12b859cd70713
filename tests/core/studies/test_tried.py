"""Readers whose objects are not handed over read large files twice: first in a process with limits."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.settings import ROOT
from core.studies import apart
from core.studies.apart.program import TRIED
from core.studies.experiment.columns import guess_columns

pytestmark = pytest.mark.slow
SAMPLES = ROOT / "data" / "samples"
HOW = {"delimiter": "", "encoding": ""}


def asked(reader: str) -> tuple[Path, dict[str, Any]]:
    from core.files.tables import read_table

    attraction = SAMPLES / "minimal_pairs" / "attraction.tsv"
    columns = asdict(guess_columns(read_table(attraction)))
    return {
        "table": (attraction, HOW),
        "experiment": (attraction, {"experiment": {"columns": columns, "layout": HOW}}),
        "corpus": (SAMPLES / "nli" / "assin2.xml", {"system": "", "columns": {}}),
        "answers": (SAMPLES / "nli" / "assin2.xml", {"columns": {}}),
        "examples": (SAMPLES / "stereoset", {}),
        "lesson": (ROOT / "data" / "lessons" / "agreement.toml", {}),
        "text": (SAMPLES / "train" / "english.txt.gz", {"column": "text"}),
        "guesses": (SAMPLES / "train" / "english.txt.gz", {}),
        "scores": (next((SAMPLES / "stereoset_predictions").glob("*.json")), {}),
    }[reader]


@pytest.mark.parametrize("reader", TRIED)
def test_what_can_be_read_is_read_and_nothing_said(reader: str) -> None:
    path, arguments = asked(reader)
    apart.tried(reader, path, lambda _: None, **arguments)


@pytest.mark.parametrize("reader", sorted({*TRIED} - {"guesses"}))
def test_what_cannot_be_read_is_said_in_one_sentence(reader: str, tmp_path: Path) -> None:
    _, arguments = asked(reader)
    path = tmp_path / "a.csv"
    path.write_bytes(b"\x00\x01\x02" * 100)
    with pytest.raises(InputError, match=r"^a\.csv[:,]"):
        apart.tried(reader, path, lambda _: None, **arguments)
