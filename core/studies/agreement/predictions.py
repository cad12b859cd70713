"""`.pred`: the number that a model chose for every item of an agreement set, one row per item.

Columns: `constr_id`, `form` (the right one), `pred` (`sing`, `plur`), `correct_number`, what each surface heuristic
predicts (`cls_noun_num`, `cls_token_num`, `fst_noun_num`, `com_num`, `que_n_num`), `que_id`, `n_attrs`, `len_prefix`,
`len_context`, `n_unk`, `inverted_subj` (`True`, `False`, `_` if undetermined) and `sent`. `pred` is `_` for an exact
tie and for an item that could not be scored.
"""

from __future__ import annotations

import pandas as pd

from core.analysis.forms import forms, is_right
from core.studies.agreement.raw_predictions import cells
from core.tasks._agreement_groups import HEURISTICS, SUBJECTS

_UNDECIDED = "_"
_OTHER = {"sing": "plur", "plur": "sing"}


def predictions(candidates: pd.DataFrame) -> pd.DataFrame:
    """The rows of a .pred file for a candidate table, to be written by `core.files.tables.write_table`."""
    right = is_right(candidates)
    correct, wrong = candidates[right].set_index("item"), candidates[~right].set_index("item")
    lead = correct["logprob"] - wrong["logprob"].loc[correct.index]
    number = cells(correct["number"])
    chosen = number.where(lead > 0, number.map(_OTHER))
    subjects = {name: cell for cell, name in SUBJECTS.items()}
    frame = {
        "constr_id": correct["constr_id"],
        "form": forms(candidates)["right"],
        "pred": chosen.mask((lead == 0) | lead.isna(), _UNDECIDED),
        "correct_number": number,
        **{column: cells(correct[name]) for name, column in HEURISTICS.items()},
        "que_id": cells(correct["que_id"]),
        "n_attrs": cells(correct["attractors"]),
        "len_prefix": cells(correct["prefix_length"]),
        "len_context": cells(correct["distance"]),
        "n_unk": cells(correct["unknown"]),
        "inverted_subj": cells(correct["inverted"].replace(subjects)),
        "sent": correct["context"] + correct["text"] + " <eos>",
    }
    return pd.DataFrame(frame).reset_index(drop=True)
