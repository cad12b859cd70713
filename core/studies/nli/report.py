"""An evaluation on all pairs and, beside it, without those that other sets hold too.

The headline is that of all pairs: pairs are shared for a reason, and what is left may be another question (without
the pairs of SICK-BR, 95 % of ASSIN 2's test part are entailments). It is that of the others where the user says that
the model was trained on the other set.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from core.messages import Message, either
from core.settings import program
from core.studies.nli.evaluated import Evaluation, evaluate
from core.studies.nli.related_sets import SHARED, Overlap, joined, overlap

if TYPE_CHECKING:
    import pandas as pd

    from core.files.nli.pairs import Corpus, Pair
    from core.statistics.paired import Comparison
    from core.studies.nli.evaluation import Baseline
    from core.studies.nli.matched import Matched


ALL = Message("all pairs")


@dataclass(frozen=True, slots=True, eq=False)
class NliReport:
    """`rows` are the evaluations by what they are about, all pairs first; `named` is the row of the headline.

    `overlaps` are the sets that share pairs with the data; `trained_on` are those, by name, that the model is said to
    have been trained on. `unchecked` says that a set should have been compared with and is not here; empty otherwise.
    """

    rows: Mapping[str, Evaluation]
    named: str
    overlaps: Sequence[Overlap] = ()
    trained_on: Collection[str] = ()
    unchecked: str = ""

    @property
    def everything(self) -> Evaluation:
        """The evaluation on all pairs."""
        return next(iter(self.rows.values()))

    @property
    def headline(self) -> Evaluation:
        """The evaluation whose numbers count."""
        return self.rows[self.named]

    @property
    def of_trained(self) -> NliReport:
        """The same for a model that was trained on every one of the other sets."""
        return replace(self, named=[*self.rows][-1], trained_on=[found.other for found in self.overlaps])

    def as_dict(self) -> dict[str, Any]:
        """For JSON: the headline's numbers, which pairs they are about, and all rows."""
        rows = self.rows
        return {
            **self.headline.as_dict(),
            "headline": self.named,
            "rows": {name: _short(row) for name, row in rows.items()},
            "contamination": {
                "compared_with": {
                    found.other: {"same_order": len(found.same), "swapped": len(found.turned)}
                    for found in self.overlaps
                },
                "trained_on": list(self.trained_on),
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
        "difference_interval": None if math.isnan(found.interval.low) else [found.interval.low, found.interval.high],
        "only_first_right": found.discordant.only_a,
        "only_second_right": found.discordant.only_b,
        "p": found.p,
        "mcnemar_p": found.discordant.p,
        "n_related_sets": found.interval.n_clusters,
    }


def _short(row: Evaluation) -> dict[str, Any]:
    names = (
        "n",
        "n_related_sets",
        "accuracy",
        "accuracy_interval",
        "macro_f1",
        "macro_f1_interval",
        "mcc",
        "majority_baseline",
    )
    whole = row.as_dict()
    return {name: whole[name] for name in names} | {"class_balance": row.balance}


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
        "related_sets": row.n_sets,
    }
    table = pd.concat([pd.DataFrame([overall]), row.per_class().assign(pairs=name)], ignore_index=True)
    return table.astype({"classes": "Int64", "n": "Int64", "related_sets": "Int64", "answered": "Int64"})


def report(
    matched: Matched,
    model_system: str,
    mode: str = "strict",
    others: Mapping[str, Sequence[Pair]] | None = None,
    *,
    missing_wrong: bool = False,
) -> NliReport:
    """Evaluate on all pairs and, beside it, without those that other sets hold in either order.

    `others` are the sets that the model was trained on, by what they are called: the headline leaves their pairs out.
    Where two public sets are known to hold the same pairs (SICK-BR and ASSIN 2), there is also a row without those of
    the other one, if it is on this machine. Errors as in `evaluate`.
    """
    trained_on = [overlap(matched.corpus, pairs, name) for name, pairs in (others or {}).items()]
    public, unchecked = _public(matched.corpus, model_system.lower(), joined(trained_on))
    rows: dict[str, Evaluation] = {ALL: evaluate(matched, model_system, mode, missing_wrong=missing_wrong)}
    for sets in (trained_on, [*trained_on, *public] if public else []):
        if sets:
            clean = matched.without(joined(sets))
            rows[_without(sets)] = evaluate(clean, model_system, mode, missing_wrong=missing_wrong)
    named = _without(trained_on) if trained_on else ALL
    return NliReport(rows, named, [*trained_on, *public], [found.other for found in trained_on], unchecked)


def _without(sets: Sequence[Overlap]) -> Message:
    return Message("without pairs that are in {others}", others=either(found.other for found in sets))


def _public(corpus: Corpus, model_system: str, known_shared: frozenset[str]) -> tuple[list[Overlap], str]:
    """The overlap with the public set known to hold the same pairs, unless these ids have all of it.

    Instead a sentence where such a set is not on this machine and none that was given can be it.
    """
    known = SHARED.get((corpus.system, model_system))
    if not known:
        return [], ""
    if pairs := known.pairs():
        shared = overlap(corpus, pairs, known.title)
        return ([] if shared.ids <= known_shared else [shared]), ""
    if known_shared:
        return [], ""
    return [], Message(
        "Pairs of this set may be in {other}, which is not on this machine, so this was not checked: "
        "`{command}`, or give the file.",
        other=known.title, command=f"{program()} data get {known.dataset}",
    )  # fmt: skip
