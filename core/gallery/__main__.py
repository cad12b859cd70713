"""`python -m core.gallery --score`: score all examples with the bundled models, from nothing."""

from __future__ import annotations

import argparse

from core import models
from core.gallery.measuring import score

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--score", action="store_true", required=True, help="score all examples with the bundled models")
parser.parse_args()
KINDS = ("causal", "masked", "classifier")
score([model for model in models.catalogue() if model.bundled and model.kind in KINDS])
