"""Predictions of a model on an agreement set, as the rows of its published files.

`.raw-pred` has one row per form: `constr_id`, `class` (`correct`, `wrong`), `form`, `correct_number` (`sing`,
`plur`), `freq` (of the form in the training text), `sent`, and `probs`, which holds ln p of the form, in nats,
whatever its name says.

`.pred` has one row per item, with the number that the model chose: `constr_id`, `form` (the right one), `pred`
(`sing`, `plur`), `correct_number`, the prediction of each surface heuristic (`cls_noun_num`, `cls_token_num`,
`fst_noun_num`, `com_num`, `que_n_num`), `que_id`, `n_attrs`, `len_prefix`, `len_context`, `n_unk`, `inverted_subj`
(`True`, `False`, `_` if undetermined) and `sent`. `pred` is `_` for an exact tie and for an item that could not be
scored.

Sentences end in ` <eos>`, as in published files. `pairlens.files.tables.write_table` writes the rows.
"""

import pandas as pd

from pairlens.analysis.items import forms, is_right
from pairlens.tasks._agreement_pairs import HEURISTICS, SUBJECTS, UNKNOWN

_CELLS = {"singular": "sing", "plural": "plur", UNKNOWN: ""}
"""Groups as the files write them."""
_COLUMNS = {
    "que_id": "que_id",
    "n_attrs": "attractors",
    "len_prefix": "prefix_length",
    "len_context": "distance",
    "n_unk": "unknown",
}
_UNDECIDED = "_"
_OTHER = {"sing": "plur", "plur": "sing"}


def raw_predictions(candidates: pd.DataFrame) -> pd.DataFrame:
    """The rows of a .raw-pred file for a candidate table. Unknown values are empty cells."""
    right, pairs = is_right(candidates), forms(candidates)
    return pd.DataFrame(
        {
            "constr_id": candidates["constr_id"],
            "class": candidates["label"],
            "form": candidates["item"].map(pairs["right"]).where(right, candidates["item"].map(pairs["wrong"])),
            "correct_number": candidates["number"].replace(_CELLS),
            "freq": candidates["frequency_correct"].where(right, candidates["frequency_wrong"]).replace(_CELLS),
            "sent": candidates["context"] + candidates["text"] + " <eos>",
            "probs": candidates["logprob"],
        }
    )


def predictions(candidates: pd.DataFrame) -> pd.DataFrame:
    """The rows of a .pred file for a candidate table."""
    right = is_right(candidates)
    correct, wrong = candidates[right].set_index("item"), candidates[~right].set_index("item")
    lead = correct["logprob"] - wrong["logprob"].loc[correct.index]
    cells = correct.replace(_CELLS)
    number = cells["number"]
    frame = {
        "constr_id": correct["constr_id"],
        "form": forms(candidates)["right"],
        "pred": number.where(lead > 0, number.map(_OTHER)).mask((lead == 0) | lead.isna(), _UNDECIDED),
        "correct_number": number,
        **{column: cells[name] for name, column in HEURISTICS.items()},
        **{column: cells[name] for column, name in _COLUMNS.items()},
        "inverted_subj": cells["inverted"].replace({name: cell for cell, name in SUBJECTS.items()}),
        "sent": correct["context"] + correct["text"] + " <eos>",
    }
    return pd.DataFrame(frame).reset_index(drop=True)
