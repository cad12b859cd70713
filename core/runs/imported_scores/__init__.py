"""Another program's scores as a run, marked "as stated by the file".

    texts       a file's texts with their tokens and log-probabilities, in whichever format
    own_format  the format of `data/programs/score_anywhere.py`
    token_table any table with a row per token: recognised columns (NLPScholar, minicons), or named ones
    alignment   tokens of a file aligned with the characters of its texts
    run         `import_scores`: the run, whose scorer repeats the scores of the file

What such a file states of its model and policy cannot be checked. Its scores are therefore never mixed with ours:
they have a fingerprint of their own, and the run's signature says `scorer:stated-...`.
"""

from __future__ import annotations

from core.runs.imported_scores.run import import_scores
from core.runs.imported_scores.texts import Stated
from core.runs.imported_scores.token_table import Columns
from core.tasks._pair_columns import Roles

__all__ = ["Columns", "Roles", "Stated", "import_scores"]
