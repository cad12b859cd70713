"""An evaluation twice where it has to be: on all pairs, and without those that the model may have been trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from core.messages import Message, either
from core.settings import program
from core.studies.nli.contamination import Overlap, joined, overlap
from core.studies.nli.evaluated import Evaluation, evaluate
from core.studies.nli.related_sets import SHARED

if TYPE_CHECKING:
    import pandas as pd

    from core.files.nli.pairs import Corpus, Pair
    from core.statistics.paired import Comparison
    from core.studies.nli.evaluation import Baseline
    from core.studies.nli.matched import Matched


@dataclass(frozen=True, slots=True, eq=False)
class NliReport:
    """`clean` is the evaluation without the pairs in `overlaps`, None if there was no set to compare with.

    `unchecked` says that a set should have been compared with and is not here; empty otherwise.
    """

    everything: Evaluation
    clean: Evaluation | None
    overlaps: Sequence[Overlap]
    unchecked: str = ""

    @property
    def headline(self) -> Evaluation:
        """The evaluation whose numbers count: the clean one, if there is one."""
        return self.clean or self.everything

    @property
    def rows(self) -> Mapping[str, Evaluation]:
        """Each evaluation by what it is about."""
        rows = {"all pairs": self.everything}
        if self.clean:
            others = either(found.other for found in self.overlaps)
            rows[Message("without pairs that are in {others}", others=others)] = self.clean
        return rows

    def as_dict(self) -> dict[str, Any]:
        """For JSON: the headline's numbers, which pairs they are about, and all rows."""
        rows = self.rows
        return {
            **self.headline.as_dict(),
            "headline": [*rows][-1],
            "rows": {name: _short(row) for name, row in rows.items()},
            "contamination": {
                "compared_with": {
                    found.other: {"same_order": len(found.same), "swapped": len(found.turned)}
                    for found in self.overlaps
                },
                "not_checked": self.unchecked or None,
            },
        }

    def table(self) -> pd.DataFrame:
        """One row per evaluation and class, and one for all classes (`class` is then `all`)."""

        return pd.concat([_numbers(name, row) for name, row in self.rows.items()], ignore_index=True)


def as_json(
    found: NliReport, corpus: Corpus, beside: Sequence[Baseline] = (), compared: Comparison | None = None
) -> dict[str, Any]:
    """Everything about an evaluation but the single answers: numbers, baselines, a second model, what was read."""
    content = {
        **found.as_dict(),
        "baselines": [asdict(baseline) for baseline in beside],
        "data": corpus.name,
        "notes": list(corpus.notes),
        "left_out": {where: reason for where, reason in corpus.left_out},
    }
    return content | ({"compared": _comparison(compared)} if compared else {})


def _comparison(found: Comparison) -> dict[str, Any]:
    return {
        "n": found.n,
        "accuracy": found.value_a,
        "accuracy_of_second": found.value_b,
        "difference": found.difference,
        "difference_interval": [found.interval.low, found.interval.high],
        "only_first_right": found.discordant.only_a,
        "only_second_right": found.discordant.only_b,
        "mcnemar_p": found.discordant.p,
    }


def _short(row: Evaluation) -> dict[str, Any]:
    names = ("n", "accuracy", "accuracy_interval", "macro_f1", "macro_f1_interval", "mcc", "majority_baseline")
    whole = row.as_dict()
    return {name: whole[name] for name in names}


def _numbers(name: str, row: Evaluation) -> pd.DataFrame:

    (low, high), (f1_low, f1_high) = row.accuracy_interval, row.macro_f1_interval
    overall = {
        "pairs": name,
        "class": "all",
        "classes": len(row.classes),
        "n": row.n,
        "accuracy": row.accuracy,
        "accuracy_low": low,
        "accuracy_high": high,
        "macro_f1": row.macro_f1,
        "macro_f1_low": f1_low,
        "macro_f1_high": f1_high,
        "mcc": row.mcc,
        "majority_accuracy": row.majority.accuracy,
        "majority_macro_f1": row.majority.macro_f1,
    }
    table = pd.concat([pd.DataFrame([overall]), row.per_class().assign(pairs=name)], ignore_index=True)
    return table.astype({"classes": "Int64", "n": "Int64", "answered": "Int64"})


def report(
    matched: Matched,
    model_system: str,
    mode: str = "strict",
    others: Mapping[str, Sequence[Pair]] | None = None,
    *,
    missing_wrong: bool = False,
) -> NliReport:
    """Evaluate on all pairs and, if there is a set to compare with, without the pairs it holds in either order.

    `others` are sets by what they are called. Where two public sets are known to hold the same pairs (SICK-BR and
    ASSIN 2), the other one is compared with too, if it is on this machine. Errors as in `evaluate`.
    """
    overlaps = [overlap(matched.corpus, pairs, name) for name, pairs in (others or {}).items()]
    unchecked = _with_public(matched.corpus, model_system.lower(), overlaps)
    everything = evaluate(matched, model_system, mode, missing_wrong=missing_wrong)
    if not overlaps:
        return NliReport(everything, None, (), unchecked)
    clean = evaluate(matched.without(joined(overlaps)), model_system, mode, missing_wrong=missing_wrong)
    return NliReport(everything, clean, overlaps, unchecked)


def _with_public(corpus: Corpus, model_system: str, overlaps: list[Overlap]) -> str:
    """Add the overlap with the public set known to hold the same pairs, unless a given set was that one.

    Returns a sentence where such a set is not on this machine and none that was given can be it.
    """
    known = SHARED.get((corpus.system, model_system))
    if not known:
        return ""
    if pairs := known.pairs():
        shared = overlap(corpus, pairs, known.title)
        if not overlaps or not shared.ids <= joined(overlaps):
            overlaps.append(shared)
        return ""
    if joined(overlaps):
        return ""
    return Message(
        "Pairs of this set may be in {other}, which is not on this machine, so this was not checked: "
        "`{command}`, or give the file.",
        other=known.title, command=f"{program()} data get {known.name}",
    )  # fmt: skip
