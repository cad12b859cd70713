"""`python -m core.bundled.gallery --score`: score all examples with the bundled models, from nothing."""

from __future__ import annotations

import argparse

from core.studies.gallery.measuring import bundled_readers, score

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--score", action="store_true", required=True, help="score all examples with the bundled models"
    )
    parser.parse_args()
    score(bundled_readers())
