"""The numbers of models as the bytes of a download, in the formats of `core.studies.stereoset.outputs`."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from core.files.stereoset.examples import Examples
from core.studies.stereoset.measured import Measured, measure
from core.studies.stereoset.outputs import write_numbers
from core.studies.stereoset.predictions import Predictions


def numbers_file(
    scored: Sequence[tuple[Examples, Predictions]], ours: Sequence[Measured], ending: str, names: str = "successor"
) -> bytes:
    """What `write_numbers` writes under this ending; ties as published in the originals' formats.

    `scored` is what each of `ours` was measured from. Models of the same name would replace each other in the
    originals' formats: give them different ones.
    """
    published = [measure(examples, predictions, "legacy") for examples, predictions in scored]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"numbers{ending}"
        write_numbers(ours, published, path, names)
        return path.read_bytes()
