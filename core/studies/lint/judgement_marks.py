"""Acceptability marks that belong to a paper, not to the sentence: `*`, `??`, `#`, `(good)`."""

from __future__ import annotations

import re

from core.studies.lint._characters import containing
from core.studies.lint._check import Check, Found
from core.studies.lint._stimuli import Stimuli

_WORDS = "good|bad|ok|okay|acceptable|unacceptable|grammatical|ungrammatical|correct|incorrect|[*?#%]+"
_MARK = re.compile(
    rf"^\s*(?:\*(?![^*]*\*)|[?%]+|#(?!\w+\W*$|\w+[/!?])[*?#]*|[*?#]{{2,}})\s?(?=\w)|^\s*\((?:{_WORDS})\)|\((?:{_WORDS})\)\W*$",
    re.IGNORECASE,
)
"""No pair of stars around words (*laughs*), which is emphasis, and no hashtag alone."""


def _find(stimuli: Stimuli) -> Found:
    return containing(stimuli, _MARK, "an acceptability mark, as printed before or after examples in papers")


CHECK = Check(
    name="judgement_marks",
    title="Acceptability marks",
    severity="error",
    meaning="The mark is scored as part of the sentence and gives the bad one away: remove it.",
    find=_find,
)
