"""The two candidates of an agreement item: what follows the prefix, with the right form and with the wrong one."""

from __future__ import annotations

from core.tasks._agreement_pairs import AgreementPair
from core.types import Candidate

LABELS = ("correct", "wrong")
"""Of the two candidates, the right one first; and the classes of rows."""


def form_candidates(pair: AgreementPair) -> tuple[Candidate, ...]:
    """Context: the prefix; text: the form and what follows it; the region `form` is the form."""
    return tuple(_candidate(pair, form, label) for form, label in zip(pair.forms, LABELS, strict=True))


def _candidate(pair: AgreementPair, form: str, label: str) -> Candidate:
    space = " " if pair.prefix else ""
    text = space + " ".join([form + pair.closing, *pair.rest])
    return Candidate(text, label, " ".join(pair.prefix), {"form": (len(space), len(space) + len(form))})
