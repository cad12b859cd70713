"""Predictions of a model on an agreement set, as the rows of its published files.

`.raw-pred` has one row per form: `constr_id`, `class` (`correct`, `wrong`), `form`, `correct_number` (`sing`,
`plur`), `freq` (of the form in the training text), `sent`, and `probs`, which holds ln p of the form, in nats,
whatever its name says.

`.pred` has one row per item, with the number that the model chose: `constr_id`, `form` (the right one), `pred`
(`sing`, `plur`), `correct_number`, the prediction of each surface heuristic (`cls_noun_num`, `cls_token_num`,
`fst_noun_num`, `com_num`, `que_n_num`), `que_id`, `n_attrs`, `len_prefix`, `len_context`, `n_unk`, `inverted_subj`
(`True`, `False`, `_` if undetermined) and `sent`. `pred` is `_` for an exact tie and for an item that could not be
scored.

Sentences end in ` <eos>`, as in published files. `core.files.tables.write_table` writes the rows.
"""

import pandas as pd

from core.analysis.items import forms, is_right
from core.tasks._agreement_pairs import HEURISTICS, SUBJECTS, UNKNOWN

_CELLS = {"singular": "sing", "plural": "plur", UNKNOWN: ""}
_UNDECIDED = "_"
_OTHER = {"sing": "plur", "plur": "sing"}


def raw_predictions(candidates: pd.DataFrame) -> pd.DataFrame:
    """The rows of a .raw-pred file for a candidate table. Unknown values are empty cells."""
    right, pairs = is_right(candidates), forms(candidates)
    frequency = candidates["frequency_correct"].where(right, candidates["frequency_wrong"])
    form = candidates["item"].map(pairs["right"]).where(right, candidates["item"].map(pairs["wrong"]))
    return pd.DataFrame(
        {
            "constr_id": candidates["constr_id"],
            "class": candidates["label"],
            "form": form,
            "correct_number": _cells(candidates["number"]),
            "freq": _cells(frequency),
            "sent": candidates["context"] + candidates["text"] + " <eos>",
            "probs": candidates["logprob"],
        }
    )


def predictions(candidates: pd.DataFrame) -> pd.DataFrame:
    """The rows of a .pred file for a candidate table."""
    right = is_right(candidates)
    correct, wrong = candidates[right].set_index("item"), candidates[~right].set_index("item")
    lead = correct["logprob"] - wrong["logprob"].loc[correct.index]
    number = _cells(correct["number"])
    chosen = number.where(lead > 0, number.map(_OTHER))
    subjects = {name: cell for cell, name in SUBJECTS.items()}
    frame = {
        "constr_id": correct["constr_id"],
        "form": forms(candidates)["right"],
        "pred": chosen.mask((lead == 0) | lead.isna(), _UNDECIDED),
        "correct_number": number,
        **{column: _cells(correct[name]) for name, column in HEURISTICS.items()},
        "que_id": _cells(correct["que_id"]),
        "n_attrs": _cells(correct["attractors"]),
        "len_prefix": _cells(correct["prefix_length"]),
        "len_context": _cells(correct["distance"]),
        "n_unk": _cells(correct["unknown"]),
        "inverted_subj": _cells(correct["inverted"].replace(subjects)),
        "sent": correct["context"] + correct["text"] + " <eos>",
    }
    return pd.DataFrame(frame).reset_index(drop=True)


def _cells(groups: pd.Series) -> pd.Series:
    """Groups as the files write them: `sing`, `plur`; empty if unknown."""
    return groups.replace(_CELLS)
