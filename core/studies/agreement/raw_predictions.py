"""`.raw-pred`: the log-probability of every form of an agreement set, one row per form.

Columns: `constr_id`, `class` (`correct`, `wrong`), `form`, `correct_number` (`sing`, `plur`), `freq` (of the form in
the training text), `sent`, and `probs`, which holds ln p of the form, in nats, whatever its name says.
"""

from __future__ import annotations

import pandas as pd

from core.analysis.forms import forms, is_right
from core.tasks._agreement_groups import UNKNOWN

_CELLS = {"singular": "sing", "plural": "plur", UNKNOWN: ""}


def raw_predictions(candidates: pd.DataFrame) -> pd.DataFrame:
    """The rows of a .raw-pred file for a candidate table, to be written by `core.files.tables.write_table`.

    Sentences end in ` <eos>`, as in published files. What is not known is an empty cell.
    """
    right, pairs = is_right(candidates), forms(candidates)
    frequency = candidates["frequency_correct"].where(right, candidates["frequency_wrong"])
    form = candidates["item"].map(pairs["right"]).where(right, candidates["item"].map(pairs["wrong"]))
    return pd.DataFrame(
        {
            "constr_id": candidates["constr_id"],
            "class": candidates["label"],
            "form": form,
            "correct_number": cells(candidates["number"]),
            "freq": cells(frequency),
            "sent": candidates["context"] + candidates["text"] + " <eos>",
            "probs": candidates["logprob"],
        }
    )


def cells(groups: pd.Series) -> pd.Series:
    """Groups as the files write them: `sing`, `plur`; empty if unknown."""
    return groups.replace(_CELLS)
