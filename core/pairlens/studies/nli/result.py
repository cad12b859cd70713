"""What an evaluation comes to: headlines, notices, provenance; its tables are `pairlens.studies.nli.tables`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from textwrap import shorten
from typing import TYPE_CHECKING

from pairlens import __version__
from pairlens.evaluation.receipts.bibtex import LABELS, STATISTICS, bibtex
from pairlens.evaluation.receipts.scored_by import by_manifest
from pairlens.evaluation.receipts.sentences import computed, of_interval, sentence
from pairlens.files.labels import code, in_words, system_of
from pairlens.files.nli.assin import assin_xml
from pairlens.messages import Message, counted, joined, one_or_more
from pairlens.results.files import printed
from pairlens.results.result import Export, Headline, Notice, Provenance, Result
from pairlens.statistics.few import CLUSTERED, EFFECTIVE, FEW_OF_A_CLASS, few, method, p_value
from pairlens.studies.nli.tables import figures, tables
from pairlens.studies.nli.translated import doubt

if TYPE_CHECKING:
    from pairlens.files.nli.pairs import Corpus
    from pairlens.statistics.paired import Comparison
    from pairlens.studies.nli.evaluation import Evaluation
    from pairlens.studies.nli.metrics import Bounds
    from pairlens.studies.nli.report import Judged

_NAMED = 60
"""So many characters of ids stand in a sentence; the table `left_out` has all of them."""
_NO_INTERVAL = math.nan, math.nan


def result(judged: Judged, translate: Callable[[str], str] = str) -> Result:
    """Everything that is shown of an evaluation; `translate` puts what is written in charts into another language."""
    answers = judged.report.everything.answers
    by_id = dict(zip(answers["id"], answers["answer"], strict=True))
    return Result(
        study="nli evaluate",
        question="How well does a model see what follows from a sentence, whatever labels the data and it have?",
        title=f"{judged.name} · {judged.data}",
        file=f"{judged.data}-{judged.name}".replace(" ", "_").replace("/", "_"),
        headlines=[*_headlines(judged)],
        tables=[*tables(judged)],
        figures=figures(judged, translate),
        notices=[*_notices(judged)],
        trace=partial(_provenance, judged),
        exports=[
            Export(Message("All numbers (JSON)"), ".json", lambda: printed(result(judged), "json")),
            Export(Message("Answers (ASSIN XML)"), ".xml", lambda: assin_xml(judged.corpus, by_id)),
        ],
    )


def _headlines(judged: Judged) -> Iterator[Headline]:
    row, name, about = judged.report.headline, judged.name, judged.about or judged.data

    def number(
        kind: str, value: float, sentence: str = "", bounds: Bounds = _NO_INTERVAL, n: int = row.n, **more: float
    ) -> Headline:
        return Headline(kind, name, value, "", sentence, n, "pairs", None if math.isnan(bounds[0]) else bounds, more)

    if not row.n:
        others = " / ".join(overlap.other for overlap in judged.report.overlaps)
        covered = Message(
            "no number of its own on {data}, because each of its pairs is in {other} too", data=about, other=others
        )
        nothing = covered if judged.report.everything.n else Message("no label to judge on {data}", data=about)
        yield number("macro_f1", math.nan, joined((name, ": ", nothing), ""))
    else:
        f1 = Message("macro-F1 {f1:.3f} on {data}", f1=row.macro_f1, data=about)
        yield number("macro_f1", row.macro_f1, joined((name, ": ", f1), ""), row.macro_f1_interval)
        of_macro = Message(
            "Over {classes}, {pairs}; {interval}, over {units}. Always the commonest class: {majority:.3f}.",
            interval=_interval(row.macro_f1_interval), units=units(row), classes=_balance(row), pairs=_pairs(row.n),
            majority=row.majority.macro_f1,
        )  # fmt: skip
        yield number("majority_macro_f1", row.majority.macro_f1, of_macro)
        majority = row.majority.accuracy
        of_accuracy = Message(
            "Accuracy {accuracy:.1%} ({interval}); always the commonest class: {majority:.1%}. Matthews' correlation "
            "{mcc:.3f}.",
            accuracy=row.accuracy, interval=_interval(row.accuracy_interval, percent=True), majority=majority,
            mcc=row.mcc,
        )  # fmt: skip
        yield number("accuracy", row.accuracy, of_accuracy, row.accuracy_interval, majority_accuracy=majority)
        yield number("mcc", row.mcc, bounds=row.mcc_interval)
    if (near := row.relatedness).n:
        error, pairs = near.mse, _pairs(near.n)
        relatedness = Message(
            "Relatedness: Pearson {pearson:.3f}, mean squared error {mse:.2f}, over {pairs}.",
            pearson=near.pearson, mse=error, pairs=pairs,
        )  # fmt: skip
        if math.isnan(near.pearson):
            relatedness = Message(
                "Relatedness: no correlation, because all answers, or all gold values, are the same; mean squared "
                "error {mse:.2f}, over {pairs}.",
                mse=error, pairs=pairs,
            )  # fmt: skip
        missing = Message("Without an answer, and counted as 0: {n:,}.", n=near.n_missing) if near.n_missing else ""
        sentences = joined(filter(None, (relatedness, missing)))
        yield number("pearson", near.pearson, sentences, n=near.n, mse=near.mse, n_missing=near.n_missing)
    if comparison := judged.second:
        interval, discordant = comparison.interval, comparison.discordant
        yield number(
            "difference", comparison.difference, _difference(comparison), (interval.low, interval.high), comparison.n,
            accuracy_of_first=comparison.value_a, accuracy_of_second=comparison.value_b, p=comparison.p,
            only_first_right=discordant.only_a, only_second_right=discordant.only_b, mcnemar_p=discordant.p,
            n_related_sets=interval.n_clusters,
        )  # fmt: skip


def _difference(comparison: Comparison) -> str:
    interval, discordant, tested = comparison.interval, comparison.discordant, "McNemar"
    between = f"95 % interval {100 * interval.low:+.2f} to {100 * interval.high:+.2f}"
    if interval.n_clusters < comparison.n:
        tested = f"answers to {interval.n_clusters:,} related sets of sentences exchanged"
    return (
        f"First minus second: {100 * comparison.difference:+.2f} points "
        f"({'no interval' if math.isnan(interval.low) else between}); only the first is right on "
        f"{counted(discordant.only_a, 'pair')}, only the second on {discordant.only_b:,}; {tested}: "
        f"{p_value(comparison.p)}, n {comparison.n:,}."
    )


def _notices(judged: Judged) -> Iterator[Notice]:
    row = judged.report.headline
    if judged.unread:
        yield Notice("unreadable", "instead", judged.unread, judged.name)
        return
    for kind, warning in _warnings(judged):
        yield Notice(kind, "warning", warning, judged.name)
    rules = Message(
        "Labels of the data: {data}; labels of the model: {model}; {mode}. Gold: {gold}; answers: {answers}.",
        data=system_of(row.cell.data).title, model=system_of(row.cell.model).title, mode=Message(row.cell.mode),
        gold=row.cell.gold_rule, answers=row.cell.prediction_rule,
    )  # fmt: skip
    merged = Message(
        "The data's own labels cannot all be told apart by such a model: what is evaluated is {classes}.",
        classes=joined(map(code, row.classes), ", "),
    )
    if row.cell.collapses:
        yield Notice("merged", "remark", merged, judged.name)
    yield Notice("rules", "detail", rules, judged.name)
    for contradiction in row.contradictions:
        yield Notice("contradictions", "detail", contradiction.sentence, judged.name)


def _warnings(judged: Judged) -> Iterator[tuple[str, str]]:
    whole, row = judged.report, judged.report.headline
    answered = row.answers[row.answers["forward"] != ""]
    if not judged.sure and (
        doubts := doubt([*answered["gold"]], [*answered["forward"]], row.cell.data, row.cell.model)
    ):
        yield "mapping", doubts
    if warning := few_sets(row):
        yield "few", warning
    if unmatched := whole.everything.unmatched:
        number = Message(
            "Pairs or answers that are not in these numbers: {n:,}.", n=sum(map(len, unmatched.values()))
        )
        named = (
            Message("{reason}: {n:,} ({ids})", reason=reason, n=len(ids), ids=shorten(", ".join(ids), _NAMED))
            for reason, ids in unmatched.items()
        )
        yield "left_out", joined((number, joined(named, "; ")))
    for overlap in whole.overlaps:
        if overlap.ids:
            yield "shared", Message(
                "Pairs that are in {other} too, in one order or the other: {n:,}. Whoever was trained on it has seen "
                "them.",
                n=len(overlap.ids), other=overlap.other,
            )  # fmt: skip
        else:
            yield "shared", Message("None of the {n:,} pairs is in {other}.", n=overlap.n, other=overlap.other)
    for name, other in whole.rows.items():
        if name != whole.named and other.n:
            yield "beside", Message(
                "Beside the headline, {name}: macro-F1 {f1:.3f} and accuracy {accuracy:.1%} over {classes}, "
                "{pairs}.",
                name=name, f1=other.macro_f1, accuracy=other.accuracy, classes=_balance(other), pairs=_pairs(other.n),
            )  # fmt: skip
    if whole.unchecked:
        yield "unchecked", whole.unchecked


def _pairs(n: int) -> Message:
    return one_or_more("{n:,} pair", "{n:,} pairs", n=n)


def units(row: Evaluation) -> Message:
    """What intervals are over: `633 related sets of sentences`, or pairs where no two share a sentence."""
    if row.n_sets == row.n:
        return _pairs(row.n)
    if row.n_sets == 1:
        return Message("one related set of sentences, which says nothing about others")
    return Message("{n:,} related sets of sentences", n=row.n_sets)


def few_sets(row: Evaluation) -> str:
    """Warnings if intervals are over few related sets, or a class is rare; empty otherwise."""
    kind = Message("pairs") if row.n_sets == row.n else Message("related sets of sentences")
    listed = (Message("{label} ({n})", label=in_words(name), n=n) for name, n in row.rare_classes.items())
    named = joined(listed, ", ")
    rare = Message(
        "Too few pairs of {classes} for an interval of macro-F1: at least {n}.", classes=named, n=FEW_OF_A_CLASS
    )
    return joined(filter(None, (few(row.n_sets, kind, row.freedom), named and rare)))


def _balance(row: Evaluation) -> Message:
    shares = row.balance.items()
    return joined((Message("{label} {share:.1%}", label=in_words(name), share=share) for name, share in shares), ", ")


def _interval(bounds: Bounds, *, percent: bool = False) -> Message:
    low, high = bounds
    if math.isnan(low):
        return Message("no interval")
    if percent:
        return Message("{low:.1%} to {high:.1%}", low=low, high=high)
    return Message("95 % interval {low:.3f} to {high:.3f}", low=low, high=high)


def _provenance(judged: Judged) -> Provenance:
    whole, row = judged.report, judged.report.headline
    run_id, cited = judged.made.get("run_id", ""), bibtex(keys(judged.corpus), judged.model)
    receipt = {
        **judged.made,
        "data": judged.data,
        "pairlens": __version__,
        "model_classes": dict(judged.classes),
        "settings": {
            "gold_system": row.cell.data,
            "model_system": row.cell.model,
            "mode": row.cell.mode,
            "gold_rule": row.cell.gold_rule,
            "prediction_rule": row.cell.prediction_rule,
            "rules_in_words": row.cell.words,
            "original_classes": row.cell.reason or "evaluated",
            "matched": "by position" if row.by_position else "by id",
        },
        "headline": whole.named,
        "compared_with": {
            shared.other: {"same_order": len(shared.same), "swapped": len(shared.turned)} for shared in whole.overlaps
        },
        "trained_on": list(whole.trained_on),
        "not_compared": whole.unchecked or None,
        "notes": list(judged.corpus.notes),
    }
    return Provenance(receipt, methods(judged), cited, (run_id,) * bool(run_id))


def methods(judged: Judged) -> str:
    whole, row = judged.report, judged.report.headline
    of_data, of_model = (system_of(system).title for system in (row.cell.data, row.cell.model))
    directions = "in both directions" if row.cell.needs_reverse else "in one direction"
    of_pairs = f", {whole.named}" if row is not whole.everything else ""
    scored = [computed(by_manifest(judged.made))] if "scorer" in judged.made else []
    clauses = []
    if row.n:
        majority, of_accuracy = row.majority, method(row.n, row.n_sets, 1, row.accuracy)
        clauses = [
            f"majority baseline: accuracy {100 * majority.accuracy:.2f} %, macro-F1 {majority.macro_f1:.3f}",
            of_interval(f"{of_accuracy} for accuracy, {EFFECTIVE} for macro-F1 and MCC", units(row)),
        ]
    return sentence(
        *scored,
        f"{judged.name}, whose labels are those of {of_model}, was evaluated on {judged.data}, whose labels are "
        f"those of {of_data}{of_pairs}, in Pairlens {__version__} ({row.cell.mode}; asked {directions}): "
        f"{row.cell.words.rstrip('.')}",
        numbers(row).rstrip("."),
        *clauses,
    )


def numbers(row: Evaluation) -> str:
    """Accuracy with its interval, macro-F1, Matthews' correlation, the number of pairs and the shares of classes."""
    if not row.n:
        return "no pair with an answer to judge"
    low, high = row.accuracy_interval
    between = "no interval" if math.isnan(low) else f"95 % interval {100 * low:.1f} to {100 * high:.1f}"
    balance = ", ".join(f"{name} {100 * share:.1f} %" for name, share in row.balance.items())
    mcc = "-" if math.isnan(row.mcc) else f"{row.mcc:.3f}"
    return (
        f"accuracy {100 * row.accuracy:.2f} % ({between}, over {units(row)}), macro-F1 {row.macro_f1:.3f} "
        f"over {len(row.classes)} classes, MCC {mcc}, n {row.n:,} ({balance})"
    )


def keys(corpus: Corpus) -> list[str]:
    """What to cite for an evaluation on these data, whose label system may have no paper there."""
    papers = [LABELS[corpus.system]] if corpus.system in LABELS else []
    return [*papers, *STATISTICS[CLUSTERED]]
