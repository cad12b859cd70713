"""What an experiment found, in the shape of all results: headlines, tables, charts, notices, files, provenance."""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from core.models.unreadable import why_unreadable
from core.results.result import Headline, Notice, Provenance, Result
from core.runs.receipts.sentences import note
from core.studies.experiment import wording
from core.studies.experiment.answer import Answer
from core.studies.experiment.drawing import figures
from core.studies.experiment.packing import exports
from core.studies.experiment.receipt import citations, methods, receipt
from core.studies.experiment.tables import described
from core.studies.study import strange_characters

_READ = 500
"""So many sentences are looked at to tell whether a model can read them."""


def result(answer: Answer) -> Result:
    trace = partial(_provenance, answer)
    headlines = [headline for model in answer.models for headline in _headlines(answer, model)]
    tables = described(answer)
    return Result(
        study="minimal-pair",
        question="Where in the sentence, and under which condition, does the model notice the difference?",
        title=answer.source,
        file=answer.source.rpartition(".")[0] or "experiment",
        headlines=headlines,
        tables=tables,
        figures=[*figures(answer, headlines)],
        notices=[*_notices(answer)],
        trace=trace,
        exports=exports(answer, tables, trace),
    )


def _headlines(answer: Answer, model: str) -> Iterator[Headline]:
    """How often the expected sentence wins and by how much, then the interaction; without pairs this comes first."""
    findings, crossed = answer.findings, [*_crossed(answer, model)]
    if not wording.has_pairs(findings.design):
        if not crossed:
            why, n = wording.why_no_pairs(findings.design)[0], len(findings.design.sentences)
            crossed = [Headline("pairs", model, 0.0, "pairs", why, n, "sentences")]
        yield from crossed
        return
    row = answer.preference(model)
    if row is None:
        yield Headline("acc", model, float("nan"), "share", wording.NO_PAIR, 0, "pairs")
        return
    sentence = wording.preference(row, wording.judged_by(findings), findings.design.columns)
    more = {name: row[name] for name in ("n_items", "ties", "expected", "unexpected")}
    yield Headline("acc", model, row["acc"], "share", sentence, int(row["n"]), "pairs", _interval(row, "acc_"), more)
    apart, unit = wording.difference(row, findings), wording.unit_of(findings)
    yield Headline("diff", model, row["diff"], unit, apart, int(row["n"]), "pairs", _interval(row, "diff_"))
    yield from sorted(crossed, key=lambda headline: headline.name == "crossed")


def _crossed(answer: Answer, model: str) -> Iterator[Headline]:
    """The interaction, its two effects, and the regions where it differs from 0."""
    crossed, analysis = answer.interaction, answer.findings.analysis
    if crossed is None or (row := wording.of_region(crossed.table, model)) is None:
        return
    unit, n = wording.unit(analysis.measure, crossed.per_word), int(row["n_items"])
    sentence, effects = (say(crossed, model, analysis) for say in (wording.interaction_of, wording.effects_of))
    yield Headline("crossed", model, row["mean"], unit, sentence, n, "items", _interval(row))
    yield Headline("effects", model, float("nan"), unit, effects, n, "items")
    if answer.everywhere is not None:
        sentence = wording.by_region_of(answer.everywhere, model, analysis)
        yield Headline("regions", model, float("nan"), unit, sentence, n, "items")


def _interval(row: pd.Series, name: str = "") -> tuple[float, float] | None:
    low, high = row[f"{name}low"], row[f"{name}high"]
    return None if low != low else (float(low), float(high))


def _notices(answer: Answer) -> Iterator[Notice]:
    """What a model cannot read, and how it read; then what is true of all of them."""
    design, recipes = answer.findings.design, answer.recipes
    characters = "".join(set().union(*design.sentences["sentence"]))
    texts = list(design.sentences["sentence"].unique()[:_READ])
    for recipe, long in zip(recipes, answer.windows, strict=True):
        name = recipe.model.name
        if reason := why_unreadable(texts, recipe.policy, recipe.model, answer.language):
            yield Notice("unreadable", "instead", reason, name)
            continue
        yield from filter(None, [strange_characters([characters], recipe)])
        if wording.is_masked(recipe):
            yield Notice("masked", "remark", "Pseudo-log-likelihood, each word seen with all others.", name)
        if read := note(long):
            yield Notice("windows", "remark", read, name)
    if same := wording.all_identical(design):
        yield from (Notice("identical", "instead", same, model) for model in answer.models)
    if len({wording.is_masked(recipe) for recipe in recipes}) > 1:
        yield Notice("scales", "note", wording.SCALES)
    if not wording.has_pairs(design):
        yield Notice("unpaired", "remark", wording.why_no_pairs(design)[1])
    if answer.unasked:
        yield Notice("uncrossed", "remark", answer.unasked)
    if (unscored := answer.findings.profile.groupby("model")["mean"].count().eq(0)).any():
        names = ", ".join(unscored.index[unscored])
        yield Notice("unscored", "note", f"No word of these sentences is scored under these choices: {names}.")


def _provenance(answer: Answer) -> Provenance:
    findings, recipes, long = answer.findings, answer.recipes, answer.windows
    whole_receipt = receipt(findings, recipes, answer.source, long)
    if not recipes:  # another program's scores
        return Provenance(whole_receipt, "", "")
    return Provenance(whole_receipt, methods(findings, recipes, long), citations(findings, recipes))
