"""Scores that another program made become a run like any other, marked "as stated by the file".

    texts       one text with its tokens and log-probabilities, whichever file it comes from
    own_format  what `data/programs/score_anywhere.py` writes
    token_table any table with a row per token: recognised columns (NLPScholar, minicons), or named ones
    alignment   tokens of a file to characters of its texts
    run         `import_scores`: the run, whose scorer repeats what the file states

What such a file says of its model and policy cannot be checked. Its scores therefore never count as our own: they
have a fingerprint of their own, and the run's signature says `scorer:stated-...`.
"""

from __future__ import annotations

from core.runs.imported_scores.run import import_scores
from core.runs.imported_scores.texts import Stated
from core.runs.imported_scores.token_table import Columns
from core.tasks._pair_columns import Roles

__all__ = ["Columns", "Roles", "Stated", "import_scores"]
