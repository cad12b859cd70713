"""The gallery: worked examples, what is expected of each, and the results of the bundled models.

examples    `data/gallery/gallery.toml`, written by hand, with `measured.json`
measuring   `python -m core.bundled.gallery --score` writes `measured.json` and `scores/`, an ordinary store that
            ships with Pairlens, so that the first page needs no model
wording     the result of a model as a sentence
"""

from __future__ import annotations

from core.studies.gallery.examples import WorkedExample, examples, find, first_in, languages_of, verdict
from core.studies.gallery.measuring import bundled_readers, margins, measure, store_pairs

__all__ = [
    "WorkedExample",
    "bundled_readers",
    "examples",
    "find",
    "first_in",
    "languages_of",
    "margins",
    "measure",
    "store_pairs",
    "verdict",
]
