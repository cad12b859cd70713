"""What answers to an agreement set come to: accuracy, tables by group, items, figures, files, provenance."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from pairlens import __version__
from pairlens.analysis import agreement_wording as wording
from pairlens.analysis.agreement import BESIDE, as_json
from pairlens.evaluation.receipts import sentences
from pairlens.evaluation.receipts.bibtex import STATISTICS, bibtex
from pairlens.evaluation.receipts.methods import provenance_of_runs
from pairlens.evaluation.samples import is_sample
from pairlens.files.exports import written
from pairlens.results.result import Column, Export, Figure, Headline, Notice, Provenance, Result, Table
from pairlens.statistics.few import CLUSTERED, method
from pairlens.store import Store
from pairlens.studies.agreement.answers import Answers
from pairlens.studies.agreement.predictions import predictions, raw_predictions
from pairlens.tasks import TASKS

if TYPE_CHECKING:
    from pairlens.charts.drawing import Chart

QUESTION = "Does the model make the verb agree with its head, or with whatever noun stands nearest?"
MODEL = "model_name"
TITLES = {
    "attractors": "Attractors",
    "distance": "Words from head to verb",
    "heuristics": "Heuristics that give the right number",
    "number": "Number of the head",
    "inverted": "Subject after the verb",
    "type": "Sentences",
}
"""What the tables `by_<group>` are by."""
_ABOUT = {
    "attractors": wording.ATTRACTOR,
    "distance": "How many words stand between the head and the verb.",
    "heuristics": "The control: where no heuristic gives the answer, the model has to know the head.",
}
"""Groups that are worth a table even if all items are in one."""
_MOST = 500
_MODEL = Column(MODEL, "Model", "The model, or the file of another program.")
_COLUMNS = (
    _MODEL,
    Column("group", "", "The group; unknown where the files do not say."),
    Column("heuristic", "Name", "The heuristic's name in the files.", drawn=False),
    Column("baseline", "Name", "The baseline's name in the numbers as JSON.", drawn=False),
    Column("title", "Chooser", "Where it takes the verb's number from."),
    Column("n", "Items", "How many items count."),
    Column("right", "Right", "How many are right; a tie counts as the policy says.", form="g"),
    Column("share", "Right (share)", "The share that is right.", form=".1%"),
    Column("low", "95 % from", "Lower bound of the interval over pairs of forms.", form=".1%"),
    Column("high", "95 % to", "Upper bound of the interval over pairs of forms.", form=".1%"),
    Column("contrasts", "Pairs of forms", "How many independent pairs of forms there are."),
    Column("ties", "Ties", "Items whose forms are equally likely."),
    Column("always_singular", "Always the singular", "The share that this baseline has right.", form=".1%"),
    Column("frequency", "The more frequent form", "The share that this baseline has right.", form=".1%"),
    Column("cls_noun", "The last noun", "The share that this heuristic has right.", form=".1%"),
    Column("none", "Predicts nothing", "Items to which it does not apply, which count as wrong."),
    Column("model", "The model on the same", "The model's share of these items.", form=".1%"),
    Column("n_wrong", "Wrong in", "The items that the heuristic has wrong."),
    Column("model_right", "Model right there", "How many of these the model has right.", form="g"),
    Column("model_share", "The model where it is wrong", "The model's share of these.", form=".1%"),
    Column("model_low", "95 % from (there)", "Lower bound of that share's interval.", form=".1%"),
    Column("model_high", "95 % to (there)", "Upper bound of that share's interval.", form=".1%"),
)
_ITEM_COLUMNS = (
    _MODEL,
    Column("item", "Item", "The item's id.", drawn=False),
    Column("context", "Before the form", "What stands before both forms."),
    Column("right", "Right", "The form that agrees, and what follows."),
    Column("rival", "Wrong", "The other form, and what follows."),
    Column("margin", "Margin", "By how much the right form is more likely; below 0 the other one is.", "bits", ".2f"),
    Column("number", "Number", "The head's number."),
    Column("attractors", "Attractors", wording.ATTRACTOR),
    Column("heuristics", "Heuristics right", "How many heuristics give the right number."),
    Column("distance", "Distance", "Words between head and verb."),
)
_END_COLUMNS = (
    _MODEL,
    Column("item", "Item", "The item's id."),
    Column("right", "Right form", "The form that agrees."),
    Column("wrong", "Wrong form", "The other form."),
    Column("word", "With the end of the word", "The decision if the end of the word counts."),
    Column("form", "Form only", "The decision if it does not."),
    Column("margin_word", "Margin with it", "Of the right form, with the end of the word.", "bits", ".2f"),
    Column("margin_form", "Margin without", "Of the right form, without the end of the word.", "bits", ".2f"),
)
_UNDECIDED_COLUMNS = (
    _MODEL,
    Column("item", "Item", "The item's id."),
    Column("why", "Why", "Why it does not count, or is no clear decision."),
    Column("margin", "Margin", "By how much the right form is more likely.", "bits", ".3g"),
    Column("texts", "Texts", "Both sentences."),
)


def result(answers: Sequence[Answers], unreadable: Sequence[str] = ()) -> Result:
    """Of one or several models on the same items; `unreadable` says by model why its answers mean nothing, if so."""
    first = answers[0]
    return Result(
        study="agreement",
        question=QUESTION,
        title=first.run.manifest["title"] if first.run else first.name,
        file=first.file if len(answers) == 1 else "agreement",
        headlines=[line for own in answers for line in _headlines(own)],
        tables=[*_tables(answers)],
        figures=[*_figures(answers)],
        notices=[*_notices(answers, unreadable or [""] * len(answers))],
        trace=partial(_provenance, answers),
        exports=[export for own in answers for export in _exports(own, f"-{own.name}" if len(answers) > 1 else "")],
    )


def _headlines(answers: Answers) -> Iterator[Headline]:
    numbers, row = answers.numbers, answers.numbers.overall
    sample = answers.run is not None and is_sample(answers.run.manifest["data"])
    sentence, counts = wording.answer(numbers, sample=sample), wording.counts(numbers, answers.policy.ties)
    about = row["n"], "items of our sample" if sample else "items"
    interval = (row["low"], row["high"]) if row["low"] == row["low"] else None
    yield Headline("accuracy", answers.name, row["share"], "share", sentence, *about, interval, {**row})
    yield Headline("balanced_accuracy", answers.name, numbers.balanced_accuracy, "share", counts, *about)
    yield Headline("mean_log_ratio", answers.name, numbers.mean_log_ratio, "nats", "", *about)


def _notices(answers: Sequence[Answers], unreadable: Sequence[str]) -> Iterator[Notice]:
    first = answers[0]
    for own, why in zip(answers, unreadable, strict=True):
        vocabulary = f"Left out because a form is not in the model's vocabulary: {', '.join(own.unseen)}"
        faults = (own.run.manifest.get("faults") or "") if own.run else ""
        for name, severity, message in (
            ("unreadable", "instead", why),
            ("baselines", "warning", wording.caution(own.numbers)),
            ("faults", "note", faults),
            ("vocabulary", "note", vocabulary if own.unseen else ""),
            ("ends", "remark", wording.flipped(own.flips) if own.flips else ""),
        ):
            if message:
                yield Notice(name, severity, message, own.name)  # type: ignore[arg-type]
    if choosers := wording.beside(first.numbers):
        yield Notice("choosers", "detail", choosers)
    if wording.of_participles(first.candidates):
        yield Notice("participles", "note", wording.PARTICIPLES)
    if unknown := [TITLES[group].lower() for group in _ABOUT if first.numbers.by[group].empty]:
        lack = f"These files do not say anything about this ({', '.join(unknown)})"
        yield Notice("groups", "note", f"{lack}; a .tab file beside the sentences does.")


def _groups(answers: Answers) -> list[str]:
    return [group for group in TITLES if len(answers.numbers.by[group]) > (group not in _ABOUT)]


def _tables(answers: Sequence[Answers]) -> Iterator[Table]:
    first = answers[0]
    for group in _groups(first):
        frame = _together(answers, [own.numbers.by[group] for own in answers]).dropna(axis=1, how="all")
        choosers = [wording.CHOOSERS] if {*BESIDE} & {*frame} else []
        columns = [replace(one, title=TITLES[group]) if one.name == "group" else one for one in _COLUMNS]
        about = " ".join(filter(None, [_ABOUT.get(group), *choosers]))
        yield Table.of(f"by_{group}", group.capitalize(), columns, frame, about)
    if len(first.numbers.heuristics):
        frame = _together(answers, [own.numbers.heuristics for own in answers])
        yield Table.of("heuristics", "Each heuristic", _COLUMNS, frame, wording.ALONE)
    if len(first.numbers.baselines):
        yield Table.of(
            "baselines", "Baselines", _COLUMNS, _together(answers, [own.numbers.baselines for own in answers])
        )
    items = _together(answers, [own.items for own in answers]).sort_values("margin", kind="stable")
    yield Table.of("items", "Items by margin", _ITEM_COLUMNS, items, "The worst decision first.", most=_MOST)
    if any(own.flips is not None and len(own.flips.items) for own in answers):
        changed = _together(answers, [own.flips.items if own.flips else pd.DataFrame() for own in answers])
        yield Table.of("ends", "Decided by the end of the word", _END_COLUMNS, changed)
    unclear = _together(answers, [own.undecided[["item", "why", "margin", "texts"]] for own in answers])
    yield Table.of("undecided", "Left out", _UNDECIDED_COLUMNS, unclear)


def _together(answers: Sequence[Answers], tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The same table of every model, under each other; of one model without its name."""
    if len(answers) == 1:
        return tables[0]
    names = [own.name for own in answers]
    return pd.concat(tables, keys=names, names=[MODEL]).reset_index(0).reset_index(drop=True)


def _figures(answers: Sequence[Answers]) -> Iterator[Figure]:
    first = answers[0]
    for group in _groups(first):
        finding = wording.by_group(first.numbers.by[group], TITLES[group].lower())
        draw = partial(_draw_groups, group, first.name, finding)
        yield Figure(f"agreement_{group}", f"by_{group}", draw, finding, beside=True)
    if len(first.numbers.heuristics):
        finding = wording.misled(first.numbers.heuristics)
        overall = pd.DataFrame([{"who": own.name, **own.numbers.overall[["n", "share"]]} for own in answers])
        draw = partial(_draw_heuristics, overall, finding)
        yield Figure("agreement_heuristics_alone", "heuristics", draw, finding, beside=True)
    if len(first.items):
        yield Figure("agreement_margins", "items", _draw_margins, wording.margins(len(first.items)), beside=True)


def _draw_groups(group: str, name: str, finding: str, frame: pd.DataFrame) -> Chart:
    from pairlens.charts.agreement import accuracy_by_group

    return accuracy_by_group(_named(frame, name), TITLES[group], finding)


def _draw_heuristics(overall: pd.DataFrame, finding: str, frame: pd.DataFrame) -> Chart:
    from pairlens.charts.agreement import accuracy_of_heuristics

    return accuracy_of_heuristics(_named(frame, overall["who"].iloc[0]), overall, finding)


def _draw_margins(frame: pd.DataFrame) -> Chart:
    from pairlens.charts.run_numbers import margin_histogram

    return margin_histogram(frame[["margin"]], wording.margins(len(frame)))


def _named(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    return frame.assign(who=frame.get(MODEL, name))


def _exports(answers: Answers, ending: str) -> Iterator[Export]:
    named = ending.replace("-", " ", 1)
    yield Export(f"All numbers (JSON){named}", f"{ending}.json", partial(numbers, answers))
    for form, rows in (".raw-pred", raw_predictions), (".pred", predictions):
        make = lambda rows=rows, form=form: written(rows(answers.candidates), form)  # noqa: E731
        yield Export(f"{form}{named}", f"{ending}{form}", make)


def numbers(answers: Answers) -> str:
    """All numbers as JSON, with what was left out and why."""
    beside = {
        "out_of_vocabulary": answers.unseen,
        "left_out": dict(answers.left_out),
        "ties_counted": answers.policy.ties,
    }
    return json.dumps({**as_json(answers.numbers), **beside}, ensure_ascii=False, indent=1) + "\n"


def _provenance(answers: Sequence[Answers]) -> Provenance:
    """Of the runs; of files made elsewhere their names, their numbers, and the rules they follow."""
    if runs := [own.run.manifest["run_id"] for own in answers if own.run]:
        return provenance_of_runs(Store(), runs)
    receipts = {
        own.name: {"file": own.name, "pairlens": __version__, "ties_counted": own.policy.ties, **as_json(own.numbers)}
        for own in answers
    }
    cited = bibtex([*TASKS["agreement"].cites, *STATISTICS[CLUSTERED]])
    receipt = receipts if len(receipts) > 1 else receipts[answers[0].name]
    return Provenance(receipt, " ".join(map(_methods, answers)), cited)


def _methods(answers: Answers) -> str:
    row = answers.numbers.overall
    return sentences.sentence(
        f"the log-probabilities in {answers.name} were evaluated in Pairlens {__version__}",
        wording.answer(answers.numbers).rstrip("."),
        wording.beside(answers.numbers).rstrip("."),
        f"exact ties count {answers.policy.ties}",
        sentences.of_interval(method(row["n"], row["contrasts"], 1, row["share"]), "independent contrasts"),
    )
