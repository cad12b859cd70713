"""A run for minicons (Misra 2022): the program, its settings, and the texts with their stored scores."""

from __future__ import annotations

from core.errors import StoreError
from core.reports.reproduction.facts import lines
from core.reports.reproduction.limits import why_not_minicons
from core.reports.reproduction.programs import program
from core.reports.reproduction.tables import items_table
from core.runs.requested import scored_texts
from core.runs.result import Result
from core.store import Store
from core.text.words import word_spans


def minicons_files(result: Result, store: Store) -> dict[str, str]:
    """`minicons_run.py` and `requests.jsonl`; the program also reads the run's `run.json`.

    By itself minicons goes by the tokenizer's words. Where the run's are those of the text, `words` says where they
    start, and the program hands them to minicons.
    StoreError, in one sentence, if minicons cannot give the run's numbers.
    """
    if reason := why_not_minicons(result):
        raise StoreError(reason)
    texts = scored_texts(result, store)
    items = items_table([result])
    weights = items.set_index("item")["weight"]
    texts = texts.drop(columns="n_straddling").assign(weight=texts["item"].map(weights))
    policy = result.policy
    if result.manifest["scorer"] == "masked" and policy.pll == "within_word_l2r" and not policy.by_tokenizer:
        whole = texts["context"] + texts["text"]
        texts["words"] = [[start for start, _ in word_spans(text, "separate")] for text in whole]
    rows = texts.astype(object).where(texts.notna(), None).itertuples(index=False, name=None)
    records = (dict(zip(texts.columns, row, strict=True)) for row in rows)
    return {"minicons_run.py": program("minicons_run.py"), "requests.jsonl": lines(records)}
