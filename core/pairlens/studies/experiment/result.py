"""What an experiment found, in the shape of all results: headlines, tables, charts, notices, files, provenance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import zip_longest
from typing import Any

import pandas as pd

from pairlens import __version__, identity
from pairlens.analysis import by_cond, interaction
from pairlens.analysis.by_cond import overall
from pairlens.analysis.experiment import Analysis
from pairlens.evaluation.receipts import sentences
from pairlens.evaluation.receipts.bibtex import bibtex, keys_of_scores, of_model
from pairlens.evaluation.receipts.scored_by import by_recipe, made_with, recipe_values
from pairlens.evaluation.receipts.sentences import InWindows, note, windows_in_words
from pairlens.messages import counted
from pairlens.models.unreadable import why_unreadable
from pairlens.policies import CHOICES
from pairlens.results.result import Headline, Notice, Provenance, Result
from pairlens.scoring.recipe import Recipe
from pairlens.studies.experiment import wording
from pairlens.studies.experiment.answer import Answer
from pairlens.studies.experiment.design import Design
from pairlens.studies.experiment.drawing import figures
from pairlens.studies.experiment.findings import Findings, usual_factors
from pairlens.studies.experiment.packing import exports
from pairlens.studies.experiment.tables import described
from pairlens.studies.experiment.wording import has_pairs, is_masked, judged_by
from pairlens.studies.study import strange_characters

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
    row = answer.preference(model) if (paired := wording.has_pairs(findings.design)) else None
    if not paired and not crossed:
        why, n = wording.why_no_pairs(findings.design)[0], len(findings.design.sentences)
        yield Headline("pairs", model, 0.0, "pairs", why, n, "sentences")
    if paired and row is None:
        yield Headline("acc", model, float("nan"), "share", wording.NO_PAIR, 0, "pairs")
        return
    if row is not None:
        sentence, n = wording.preference(row, wording.judged_by(findings), findings.design.columns), int(row["n"])
        more = {name: row[name] for name in ("n_items", "ties", "expected", "unexpected")}
        yield Headline("acc", model, row["acc"], "share", sentence, n, "pairs", _interval(row, "acc_"), more)
        apart, unit = wording.difference(row, findings), wording.unit_of(findings)
        yield Headline("diff", model, row["diff"], unit, apart, n, "pairs", _interval(row, "diff_"))
        crossed.sort(key=lambda headline: headline.name == "crossed")
    yield from crossed


def _crossed(answer: Answer, model: str) -> Iterator[Headline]:
    """The interaction, its two effects, and the regions where it differs from 0."""
    crossed, analysis = answer.interaction, answer.findings.analysis
    if crossed is None or (row := wording.of_region(crossed.table, model)) is None:
        return
    unit, about = wording.unit(analysis.measure, crossed.per_word), (int(row["n_items"]), "items")
    sentence = wording.interaction_of(crossed, model, analysis)
    yield Headline("crossed", model, row["mean"], unit, sentence, *about, _interval(row))
    yield Headline("effects", model, float("nan"), unit, wording.effects_of(crossed, model, analysis), *about)
    if answer.everywhere is not None:
        sentence = wording.by_region_of(answer.everywhere, model, analysis)
        yield Headline("regions", model, float("nan"), unit, sentence, *about)


def _interval(row: pd.Series, name: str = "") -> tuple[float, float] | None:
    low, high = row[f"{name}low"], row[f"{name}high"]
    return None if low != low else (float(low), float(high))


def _notices(answer: Answer) -> Iterator[Notice]:
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
    whole = receipt(findings, recipes, answer.source, long)
    known = (methods(findings, recipes, long), citations(findings, recipes)) if recipes else ("", "")
    return Provenance(whole, *known)  # of another program's scores no more is known


_MEASURES = {"surp": "surprisal in bits", "prob": "probability", "perplexity": "perplexity"}


def receipt(
    findings: Findings, recipes: Sequence[Recipe], source: str, long: Sequence[InWindows | None] = ()
) -> dict[str, Any]:
    """The models (several under `models`), the choices, the data and the exclusions, as plain JSON values."""
    design = findings.design
    models = [
        {"signature": signature(findings, recipe), **recipe_values(recipe),
         "in_windows": windows and asdict(windows), "made_with": made_with(recipe, "written")}
        for recipe, windows in zip_longest(recipes, long)
    ]  # fmt: skip
    signatures = "\n".join(str(model["signature"]) for model in models)
    return {
        **(models[0] if len(models) == 1 else {"signature": signatures, "models": models}),
        "analysis": asdict(findings.analysis),
        "data": {"source": source, "sha256": data_hash(design), "sentences": len(design.sentences),
                 "left_out": design.n_left_out,
                 "columns": asdict(design.columns) | {"conditions": list(design.columns.conditions)}},
    }  # fmt: skip


def signature(findings: Findings, recipe: Recipe) -> str:
    data = data_hash(findings.design)
    return identity.signature("experiment", 1, "", data, recipe.kind, recipe.model, recipe.policy, __version__)


def data_hash(design: Design) -> str:
    rows = design.sentences.drop(columns="bars", errors="ignore").astype("str").to_dict("records")
    return identity.dataset_hash([identity.canonical(row) for row in rows])


def methods(findings: Findings, recipes: Sequence[Recipe], long: Sequence[InWindows | None] = ()) -> str:
    analysis, (first, *others) = findings.analysis, recipes
    spill = f" (and the {counted(analysis.spill, 'region')} after it)" if analysis.spill else ""
    values = dict.fromkeys(_word_value(recipe, analysis) for recipe in recipes)
    words = " or ".join(CHOICES["word_value"].get(value, f"{value} over its tokens") for value in values)
    sentence = sentences.sentence(
        sentences.computed(by_recipe(first)),
        *(
            f"likewise with {sentences.named(by_recipe(recipe))}"
            if (recipe.kind, recipe.policy) == (first.kind, first.policy)
            else sentences.computed(by_recipe(recipe))
            for recipe in others
        ),
        sentences.words_cut(analysis.punctuation, words),
        f"compared: {judged_by(findings)}{spill}, the {analysis.region_summary} over its words "
        f"({_MEASURES[analysis.measure]})",
        *_of_each(recipes, [*map(windows_in_words, long)]),
        *_of_each(recipes, [_counts(findings, recipe.model.name) for recipe in recipes]),
        *_statistics(findings),
    )
    return " ".join([sentence, *(signature(findings, recipe) for recipe in recipes)])


def citations(findings: Findings, recipes: Sequence[Recipe]) -> str:
    paired = has_pairs(findings.design)
    tests = (*(by_cond.intervals(findings.by_cond).values() if paired else ["Student's t"]), "Holm")
    keys = [
        key
        for recipe in recipes
        for key in keys_of_scores(by_recipe(recipe), _word_value(recipe, findings.analysis), *tests)
    ]
    return "\n\n".join(filter(None, [bibtex(keys).strip(), *(of_model(recipe.model) for recipe in recipes)])) + "\n"


def _of_each(recipes: Sequence[Recipe], clauses: Sequence[str]) -> list[str]:
    """A clause once if it is true of every model, else of each with its name."""
    if len(set(clauses)) < 2:
        return [*clauses[:1]]
    named = zip(recipes, clauses, strict=True)
    return [f"with {recipe.model.name}, {clause}" for recipe, clause in named if clause]


def _word_value(recipe: Recipe, analysis: Analysis) -> str:
    """A word value of the policies, or the summary over a word's tokens."""
    if analysis.fold == "nlpscholar" or analysis.word_summary == "mean":
        return f"the {analysis.word_summary}"
    return "sum" if is_masked(recipe) else recipe.policy.word_value


def _counts(findings: Findings, model: str) -> str:
    design, excluded = findings.design, findings.excluded
    reasons = excluded[excluded["model"].isin(["", model])]["reason"].value_counts()
    left_out = sentences.left_out({str(reason): int(n) for reason, n in reasons.items()})
    if not has_pairs(design):
        items = f" of {counted(design.sentences['item'].nunique(), 'item')}" if "item" in design.sentences else ""
        return f"{counted(len(design.sentences), 'sentence')}{items} analysed{left_out}"
    rows = overall(findings.by_cond)
    row: Any
    for row in rows[rows["model"] == model].itertuples():
        ties = sentences.of_ties(int(row.ties), str(findings.analysis.ties))
        return f"{counted(int(row.n), 'pair')} of {counted(int(row.n_items), 'item')} scored{left_out}; {ties}"
    return "no pair could be compared"


def _statistics(findings: Findings) -> list[str]:
    design = findings.design
    over = "items" if has_pairs(design) or "item" in design.sentences else "sentences"
    clauses = [sentences.of_interval("Student's t", over)]
    if has_pairs(design):
        methods = ", ".join(f"{method} for {what}" for what, method in by_cond.intervals(findings.by_cond).items())
        clauses = [sentences.of_interval(methods, over), sentences.of_test(by_cond.TEST)]
    if over == "items" and (factors := usual_factors(design)):
        clauses.append(f"interaction of {' and '.join(factors)}: {sentences.of_test(interaction.TEST)}")
    return clauses
