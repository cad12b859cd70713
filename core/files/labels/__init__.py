"""Label systems of natural language inference, and how answers in one are judged by gold labels of another.

A system is data: which of the five possible situations of two sentences a (premise) and b (hypothesis) each label
covers. From that follows which gold labels an answer stands for, whether the model must also answer for (b, a), and
which labels cannot be told apart and count as one. `cell` derives these rules for two systems, as symbols and as
text. A new system is a new entry in `SYSTEMS`.

Three modes where the data also have paraphrases: `strict`, entailment is one-way, and a model that entails both ways
has answered paraphrase; `lenient`, that model is also right where the gold label is entailment; `forward`, the model
answers in one direction only, and entailment and paraphrase count as one.
"""

from __future__ import annotations

from core.files.labels.cells import MODES, Cell, Rule, cell, decode, label_of, translate
from core.files.labels.systems import (
    CODES,
    LABELS,
    PORTUGUESE,
    SYSTEMS,
    System,
    code,
    spellings,
    system_of,
    unknown_label,
)

__all__ = [
    "CODES", "LABELS", "MODES", "PORTUGUESE", "SYSTEMS", "Cell", "Rule", "System", "cell", "code", "decode",
    "label_of", "spellings", "system_of", "translate", "unknown_label",
]  # fmt: skip
