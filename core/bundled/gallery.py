"""`python -m core.bundled.gallery --score [TASK]`: the scores that ship, so that pages open with results.

Without a task all worked examples and samples are scored from scratch; with one, only what its sample lacks, with
`gallery` what the worked examples lack.
"""

from __future__ import annotations

import argparse

from core.studies.gallery.measuring import bundled_readers, score, score_examples, score_sample
from core.tasks import TASKS

_EXAMPLES = "gallery"

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--score", nargs="?", const="", required=True, choices=["", _EXAMPLES, *TASKS], metavar="TASK"
    )
    named = parser.parse_args().score
    if named == _EXAMPLES:
        score_examples()
    elif named:
        score_sample(TASKS[named], bundled_readers())
    else:
        score(bundled_readers())
