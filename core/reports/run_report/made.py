"""How the numbers of a run were made, for its report."""

from __future__ import annotations

from dataclasses import dataclass

from core.runs.receipts.bibtex import bibtex, keys_of, model_of
from core.runs.receipts.methods import methods
from core.runs.receipts.numbers import number_of, stored_run
from core.runs.receipts.run import as_json, summary
from core.store import Store


@dataclass(frozen=True, slots=True)
class Made:
    """A Methods sentence, what to cite, and the receipt of the headline without its tokens."""

    methods: str
    bibtex: str
    receipt: str


def made(store: Store, run_id: str) -> Made:
    """StoreError for a run that is not there."""
    run = stored_run(store, run_id)
    receipt = summary(run, number_of(run))
    return Made(methods(receipt), bibtex(keys_of(receipt), model_of(receipt)), as_json(receipt))
