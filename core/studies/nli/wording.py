"""An evaluation in sentences, also for a Methods section, and what is behind its numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core import __version__
from core.files.labels import system_of
from core.files.nli.label_map import LabelMap
from core.files.nli.pairs import Corpus
from core.messages import Message, counted, joined
from core.runs.receipts.bibtex import LABELS, STATISTICS
from core.runs.receipts.scored_by import by_manifest
from core.runs.receipts.sentences import computed, of_interval, sentence
from core.statistics.few import CLUSTERED, EFFECTIVE, FEW_OF_A_CLASS, few, method, p_value
from core.studies.nli.evaluation import Evaluation
from core.studies.nli.report import NliReport, as_json

if TYPE_CHECKING:
    from core.statistics.paired import Comparison
    from core.studies.nli.evaluation import Baseline
    from core.studies.nli.metrics import Relatedness


_NAMED = 5
"""So many ids stand in a sentence; all of them are in the file."""


def sentences(
    report: NliReport, beside: Sequence[Baseline] = (), compared: Comparison | None = None
) -> Iterator[str]:
    """The rules, each row, what lies beside the headline, what was left over, and what contradicts itself."""
    yield from _rules(report.everything)
    for name, row in report.rows.items():
        mark = " (headline)" if len(report.rows) > 1 and name == report.named else ""
        yield f"{name}{mark}: {numbers(row)}"
    for other in report.overlaps:
        if not other.ids:
            yield f"None of the {other.n:,} pairs is in {other.other}."
            continue
        are = "is" if len(other.ids) == 1 else "are"
        counted = (
            "the model was trained on it, so the headline leaves them out"
            if other.other in report.trained_on
            else "a model that was trained on it has seen them; say so with --other, and the headline leaves them out"
        )
        yield (
            f"{len(other.ids):,} of {other.n:,} pairs {are} also in {other.other} ({len(other.same):,} in the same "
            f"order, {len(other.turned):,} swapped): {counted}."
        )
    if report.everything.n and not report.headline.n:
        yield "No pair is left, so there is no clean number."
    if report.unchecked:
        yield report.unchecked
    headline = report.headline
    if warning := few_sets(headline):
        yield f"  {warning}"
    if headline.n:
        yield from _beside(headline, beside)
    if headline.relatedness.n:
        yield f"  {related(headline.relatedness)}"
    if compared:
        yield _compared(compared)
    yield from left_over(report.everything)
    yield from contradictions(report.headline)


def _beside(headline: Evaluation, beside: Sequence[Baseline]) -> Iterator[str]:
    """The baselines, and the numbers of each class."""
    for baseline in (headline.majority, *beside):
        yield f"  {baseline.name} {_baseline(baseline)}"
    for _, of_class in headline.per_class().iterrows():
        shares = ", ".join(f"{name} {_share(of_class[name])}" for name in ("precision", "recall", "f1"))
        yield f"  {of_class['class']}: {shares} (n {of_class['n']:,})"


def related(row: Relatedness) -> str:
    """Pearson's correlation and the mean squared error of relatedness."""
    missing = f", of which {row.n_missing:,} without an answer count as 0" if row.n_missing else ""
    return f"relatedness: Pearson {_share(row.pearson)}, mean squared error {row.mse:.2f} (n {row.n:,}{missing})"


def numbers(row: Evaluation) -> str:
    """Accuracy with its interval, macro-F1, Matthews' correlation, the number of pairs and the shares of classes."""
    if not row.n:
        return "no pair with an answer to judge"
    low, high = row.accuracy_interval
    between = "no interval" if math.isnan(low) else f"95 % interval {100 * low:.1f} to {100 * high:.1f}"
    balance = ", ".join(f"{name} {100 * share:.1f} %" for name, share in row.balance.items())
    return (
        f"accuracy {100 * row.accuracy:.2f} % ({between}, over {units(row)}), macro-F1 {row.macro_f1:.3f} "
        f"over {len(row.classes)} classes, MCC {_share(row.mcc)}, n {row.n:,} ({balance})"
    )


def units(row: Evaluation) -> Message:
    """What intervals are over: `633 related sets of sentences`, or pairs where no two share a sentence."""
    if row.n_sets == row.n:
        return Message("{n:,} pairs", n=row.n)
    if row.n_sets == 1:
        return Message("one related set of sentences, which says nothing about others")
    return Message("{n:,} related sets of sentences", n=row.n_sets)


def few_sets(row: Evaluation) -> str:
    """Warnings if intervals are over few related sets, or a class is rare; empty otherwise."""
    units = Message("pairs") if row.n_sets == row.n else Message("related sets of sentences")
    named = ", ".join(f"{name} ({n})" for name, n in row.rare_classes.items())
    rare = Message(
        "Too few pairs of {classes} for an interval of macro-F1: at least {n}.", classes=named, n=FEW_OF_A_CLASS
    )
    return joined(filter(None, (few(row.n_sets, units, row.freedom), named and rare)))


def left_over(evaluation: Evaluation) -> Iterator[str]:
    """What did not match, with the first ids."""
    for reason, ids in evaluation.unmatched.items():
        more = ", ..." if len(ids) > _NAMED else ""
        yield f"{reason}: {len(ids):,} ({', '.join(ids[:_NAMED])}{more})"


def contradictions(evaluation: Evaluation) -> Iterator[str]:
    """What the diagnostics found; nothing of it changes a score."""
    diagnosed = evaluation.diagnostics
    if n := diagnosed.by_guess:
        yield Message(
            "No pair of the data is a paraphrase, so that their labels were taken for ASSIN 2's, where paraphrases "
            "are entailments. By the labels of ASSIN (gold system assin) {n:,} more answers are wrong: accuracy is "
            "{accuracy:.2%} instead of {now:.2%}.",
            n=n, accuracy=evaluation.accuracy - n / evaluation.n, now=evaluation.accuracy,
        )  # fmt: skip
    if (paraphrases := diagnosed.paraphrases) and paraphrases.n_paraphrases:
        yield Message(
            "{n:,} of {possible:,} one-way entailments were answered with paraphrase and accepted, though their "
            "swapped pair is no entailment; with these counted as wrong the accuracy is {accuracy:.2%} instead of "
            "{now:.2%}.",
            n=len(paraphrases.accepted), possible=paraphrases.n_possible, accuracy=paraphrases.accuracy,
            now=evaluation.accuracy,
        )  # fmt: skip
        yield Message(
            "{n:,} of {all:,} paraphrase answers in all are for pairs whose swapped pair is no entailment.",
            n=len(paraphrases.ids), all=paraphrases.n_paraphrases,
        )  # fmt: skip
    if diagnosed.reverse_entailment:
        yield Message("reverse entailment, allowed: {n:,}", n=len(diagnosed.reverse_entailment))
    for label, ids in diagnosed.asymmetric.items():
        if ids:
            yield Message(
                "{n:,} of {all:,} pairs with {label} have it in one direction only.",
                n=len(ids), all=diagnosed.n_symmetric[label], label=Message(label),
            )  # fmt: skip


def _rules(evaluation: Evaluation) -> Iterator[str]:
    data, model = (system_of(name).title for name in (evaluation.data, evaluation.model))
    yield f"labels of the data: {data}; labels of the model: {model}; {evaluation.cell.mode}"
    yield f"  gold: {evaluation.cell.gold_rule}; answers: {evaluation.cell.prediction_rule}"
    if evaluation.cell.reason:
        yield f"  {evaluation.cell.reason}"


def _compared(comparison: Comparison) -> str:
    interval, one_right = comparison.interval, comparison.discordant
    between, tested = f"{100 * interval.low:+.2f} to {100 * interval.high:+.2f}", "McNemar"
    if interval.n_clusters < comparison.n:
        tested = f"answers to {interval.n_clusters:,} related sets of sentences exchanged"
    return (
        f"first minus second: {100 * comparison.difference:+.2f} points "
        f"({'no interval' if math.isnan(interval.low) else f'95 % interval {between}'}); only the first is right on "
        f"{counted(one_right.only_a, 'pair')}, only the second on {one_right.only_b:,}; {tested}: "
        f"{p_value(comparison.p)}, n {comparison.n:,}"
    )


def _baseline(baseline: Baseline) -> str:
    return f"({baseline.how}) accuracy {100 * baseline.accuracy:.2f} %, macro-F1 {_share(baseline.macro_f1)}"


def _share(value: float) -> str:
    return "-" if value != value else f"{value:.3f}"


def receipt(
    report: NliReport, corpus: Corpus, data: str, reading: LabelMap, made: Mapping[str, Any]
) -> dict[str, Any]:
    """What was evaluated and how, on what is called `data`.

    `made` is the manifest of the run in which a model was asked, or names the file of another program's answers.
    """
    return {
        **made,
        "data": data,
        "pairlens": __version__,
        "model_classes": dict(reading.labels),
        "evaluation": as_json(report, corpus),
    }


def methods(report: NliReport, data: str, name: str, made: Mapping[str, Any]) -> str:
    """A sentence that a paper can print; `name` is whose answers they are, the rest as in `receipt`."""
    headline = report.headline
    of_data, of_model = (system_of(system).title for system in (headline.data, headline.model))
    asked = "in both directions" if headline.cell.needs_reverse else "in one direction"
    of_pairs = f", {report.named}" if headline is not report.everything else ""
    scored = [computed(by_manifest(made))] if "scorer" in made else []
    return sentence(
        *scored,
        f"{name}, whose labels are those of {of_model}, was evaluated on {data}, whose labels are those of "
        f"{of_data}{of_pairs}, in Pairlens {__version__} ({headline.cell.mode}; asked {asked}): "
        f"{headline.cell.words.rstrip('.')}",
        numbers(headline).rstrip("."),
        *(_baseline_and_interval(headline) if headline.n else ()),
    )


def _baseline_and_interval(evaluation: Evaluation) -> tuple[str, str]:
    majority, of_accuracy = evaluation.majority, method(evaluation.n, evaluation.n_sets, 1, evaluation.accuracy)
    return (
        f"majority baseline: accuracy {100 * majority.accuracy:.2f} %, macro-F1 {majority.macro_f1:.3f}",
        of_interval(f"{of_accuracy} for accuracy, {EFFECTIVE} for macro-F1 and MCC", units(evaluation)),
    )


def keys(corpus: Corpus) -> list[str]:
    """What to cite for an evaluation on these data (`core.runs.receipts.bibtex`), whose system may have no paper
    there.
    """
    papers = [LABELS[corpus.system]] if corpus.system in LABELS else []
    return [*papers, *STATISTICS[CLUSTERED]]
