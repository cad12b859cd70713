"""The gallery: worked examples in our own words, what is expected of each, and what the bundled models did.

examples    `data/gallery/gallery.toml`, written by hand, with `measured.json`
measuring   `python -m core.bundled.gallery --score` writes `measured.json` and `scores/`, an ordinary store that
            ships with
            Pairlens: the first page is answered from it, without loading a model
wording     how a model did, in words
"""

from __future__ import annotations

from core.studies.gallery.examples import Measured, WorkedExample, examples, find, verdict
from core.studies.gallery.measuring import bundled_readers, margins, measure, score

__all__ = [
    "Measured",
    "WorkedExample",
    "bundled_readers",
    "examples",
    "find",
    "margins",
    "measure",
    "score",
    "verdict",
]
