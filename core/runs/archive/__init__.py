"""A run as one file that travels to another machine.

    <run id>.pairlens.zip
        export.json            the format's version, the run's id, and the sha256 of every other file
        manifest.json          recipe, state, headline, as in the store
        items.parquet          what was asked
        metrics.parquet        what came out
        remarks.json           tags and a note
        scores/<nnnn>.json     which model and policy (fingerprint) the rows are of, and where they were made
        scores/<nnnn>.scores.parquet, scores/<nnnn>.tokens.parquet
                               exactly the rows that the run names, part by part in the order in which they count

A task that is confidential travels without texts and tokens, whatever a store or a file may hold of them.
"""

from __future__ import annotations

from core.runs.archive.packing import FORMAT, SUFFIX, pack, packed
from core.runs.archive.unpacking import Unpacked, unpack

__all__ = ["FORMAT", "SUFFIX", "Unpacked", "pack", "packed", "unpack"]
