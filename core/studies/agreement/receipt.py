"""How the numbers of an agreement set in another program's file were computed."""

from __future__ import annotations

from typing import Any

from core import __version__
from core.analysis import agreement_wording as wording
from core.analysis.agreement import as_json
from core.runs.receipts import sentences
from core.runs.receipts.bibtex import STATISTICS
from core.statistics.few import CLUSTERED, method
from core.studies.agreement.answers import Answers
from core.tasks import TASKS


def receipt(answers: Answers, file: str) -> dict[str, Any]:
    """The file's name, its numbers, and the rules they follow."""
    return {"file": file, "pairlens": __version__, "ties_counted": answers.policy.ties, **as_json(answers.numbers)}


def methods(answers: Answers, file: str) -> str:
    """A sentence that a paper can print."""
    row = answers.numbers.overall
    return sentences.sentence(
        f"the log-probabilities in {file} were evaluated in Pairlens {__version__}",
        wording.answer(answers.numbers).rstrip("."),
        wording.beside(answers.numbers).rstrip("."),
        f"exact ties count {answers.policy.ties}",
        sentences.of_interval(method(row["n"], row["contrasts"], 1, row["share"]), "independent contrasts"),
    )


def keys() -> list[str]:
    """What to cite (`core.runs.receipts.bibtex`)."""
    return [*TASKS["agreement"].cites, *STATISTICS[CLUSTERED]]
