"""Label systems of natural language inference, and how the answers of one are judged by the gold labels of another.

A system is data: it says how its labels cut up the five situations two sentences a (premise) and b (hypothesis) can
be in. What a model's answer says about the labels of a data set, whether it must also be asked for (b, a), and which
labels cannot be told apart and are counted as one, follows from that; `cell` gives the rules for one pair of systems
in symbols and in words. A further system is a further entry in `SYSTEMS`.

Two readings of "a entails b" where the data also have paraphrases: `strict`, entailment is one-way, so that a model
that entails both ways has said paraphrase; `lenient`, that model is also right where the data say entailment.
`forward` asks in one direction only and counts entailment and paraphrase as one.
"""

from __future__ import annotations

from core.files.labels.answers import decode, label_of, translate
from core.files.labels.cells import Cell, Rule
from core.files.labels.derivation import MODES, cell
from core.files.labels.systems import (
    CODES,
    LABELS,
    SYSTEMS,
    TITLES,
    System,
    code,
    spellings,
    system_of,
    unknown_label,
)

__all__ = [
    "CODES",
    "LABELS",
    "MODES",
    "SYSTEMS",
    "TITLES",
    "Cell",
    "Rule",
    "System",
    "cell",
    "code",
    "decode",
    "label_of",
    "spellings",
    "system_of",
    "translate",
    "unknown_label",
]
