"""What is known about an item of an agreement set, from the cells of its rows."""

from collections.abc import Mapping
from types import MappingProxyType

from core.tasks._agreement_pairs import AgreementPair
from core.tasks._minimal_pair import contrast
from core.types import Candidate

HEURISTICS: Mapping[str, str] = MappingProxyType(
    {
        "cls_noun": "cls_noun_num",
        "cls_token": "cls_token_num",
        "fst_noun": "fst_noun_num",
        "com": "com_num",
        "que_n": "que_n_num",
    }
)
"""The surface heuristics, and the columns of the files that hold what each predicts."""
NUMBERS: Mapping[str, str] = MappingProxyType({"sing": "singular", "plur": "plural", "none": "none", "_": "none"})
SUBJECTS: Mapping[str, str] = MappingProxyType({"True": "yes", "False": "no", "_": "undetermined"})
UNKNOWN = "unknown"
_COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "attractors": ("n_attrs", "n_attr"),
        "distance": ("len_context",),
        "prefix_length": ("len_prefix",),
        "unknown": ("n_unk",),
        "que_id": ("que_id", "que_index"),
        "pattern": ("pattern",),
        "type": ("type",),
    }
)
"""Groups that are a cell as it is, and the columns that may hold it."""
GROUPS = ("number", "heuristics", *_COLUMNS, *HEURISTICS, "inverted", "frequency_correct", "frequency_wrong")
"""What can be known about an item, its ids aside."""


def groups(pair: AgreementPair, number: int) -> dict[str, str]:
    """All groups of an item, the `number`-th of its file; `unknown` where no file says anything."""
    row = pair.right
    found = {name: _cell(row, columns) for name, columns in _COLUMNS.items()}
    predicted = {name: _number(row, column) for name, column in HEURISTICS.items()}
    head = _number(row, "correct_number")
    inverted = _cell(row, ("inverted_subj", "rel_nsubj_inversed"))
    return {
        "number": head,
        "heuristics": count_right(head, predicted),
        **found,
        **predicted,
        "inverted": SUBJECTS.get(inverted, inverted),
        "frequency_correct": _cell(row, ("freq",)),
        "frequency_wrong": _cell(pair.wrong, ("freq",)),
        "constr_id": row.get("constr_id") or str(number),
        "contrast": contrast(*pair.forms),
    }


def count_right(number: str, predicted: Mapping[str, str]) -> str:
    """How many of the heuristics predict the right number; `unknown` unless all that is needed is known."""
    if UNKNOWN in (number, *predicted.values()):
        return UNKNOWN
    return str(sum(one == number for one in predicted.values()))


def _cell(row: Mapping[str, str], columns: tuple[str, ...]) -> str:
    return next((row[column] for column in columns if row.get(column)), UNKNOWN)


def _number(row: Mapping[str, str], column: str) -> str:
    cell = _cell(row, (column,))
    return NUMBERS.get(cell, cell)


LABELS = ("correct", "wrong")
"""Of the two candidates, the right one first; and the classes of rows."""


def form_candidates(pair: AgreementPair) -> tuple[Candidate, ...]:
    """Context: the prefix; text: the form and what follows it; the region `form` is the form."""
    return tuple(_candidate(pair, form, label) for form, label in zip(pair.forms, LABELS, strict=True))


def _candidate(pair: AgreementPair, form: str, label: str) -> Candidate:
    space = " " if pair.prefix else ""
    text = space + " ".join([form + pair.closing, *pair.rest])
    return Candidate(text, label, " ".join(pair.prefix), {"form": (len(space), len(space) + len(form))})
