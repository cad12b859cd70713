"""`python -m workshop.gallery --score [TASK]`: the scores that ship, so that pages open with results.

Without a task all worked examples, lessons and samples are scored from scratch; with one, only what its sample lacks,
with `gallery` what the worked examples lack, with `lessons` what the lessons lack.
"""

from __future__ import annotations

import argparse

from pairlens.store import Store
from pairlens.studies.gallery import FOLDER
from pairlens.tasks import TASKS
from workshop.gallery.lessons import score_lessons
from workshop.gallery.scoring import bundled_readers, score, score_examples, score_sample

_EXAMPLES, _LESSONS = "gallery", "lessons"

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--score", nargs="?", const="", required=True, choices=["", _EXAMPLES, _LESSONS, *TASKS], metavar="TASK"
    )
    named = parser.parse_args().score
    if named == _EXAMPLES:
        score_examples()
    elif named in TASKS:
        score_sample(TASKS[named], bundled_readers())
    elif not named:
        score(bundled_readers())
    if named in ("", _LESSONS):
        score_lessons(Store(FOLDER, shipped=None))
