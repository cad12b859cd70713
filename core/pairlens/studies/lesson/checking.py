"""What would distort a lesson: the checks of `pairlens.studies.lint` on its texts, and a few that only lessons
need."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pandas as pd

from pairlens.models.unreadable import hardly_read
from pairlens.policies import Policy
from pairlens.studies.lesson.lesson import Lesson, Step
from pairlens.studies.lint.check import SEVERITIES, Check, Outcome, about_all, about_items
from pairlens.studies.lint.running import LintReport, lint, token_counter
from pairlens.text.joining import following
from pairlens.types import Candidate, Item, Model

_FEWEST_SIDES = 4
"""Of fewer pairs, nobody notices on which side the better sentences stand."""


def check(lesson: Lesson, model: Model | None = None) -> LintReport:
    """All findings, by step, warnings first; with `model`, by its tokens. ModelError if its files are damaged."""
    items = list(_items(lesson))
    report = lint(items, rows=[None] * len(items), counter=token_counter(model) if model else None)
    outcomes = [*_own(lesson, model), *report.outcomes]
    if any(step.prefix for step in lesson.steps):  # a beginning has no mark at its end
        outcomes = [(check, outcome) for check, outcome in outcomes if check.name != "end_marks_missing"]
    outcomes.sort(key=lambda named: SEVERITIES.index(named[0].severity))
    return replace(report, outcomes=tuple(outcomes))


def _items(lesson: Lesson) -> Iterator[Item]:
    """A step as an item: its better text is right; where nothing is, its texts are checked one by one."""
    for number, step in enumerate(lesson.steps, start=1):
        name = f"step {number}"
        candidates = _candidates(step)
        if step.expected in [candidate.label for candidate in candidates]:
            yield Item(name, candidates, step.expected)
        else:
            yield from (Item(f"{name}, {candidate.label}", (candidate,)) for candidate in candidates)


def _candidates(step: Step) -> tuple[Candidate, ...]:
    if step.pair:
        return tuple(Candidate(text, label) for text, label in zip(step.pair, "AB", strict=True))
    prefix = step.prefix.rstrip()
    return tuple(Candidate(following(prefix, form), form, prefix) for form in step.forms) or (
        Candidate(prefix, "beginning"),
    )


def _own(lesson: Lesson, model: Model | None) -> Iterator[tuple[Check, Outcome]]:
    steps = list(enumerate(lesson.steps, start=1))
    sides = [step.expected for step in lesson.steps if step.pair and step.expected in ("A", "B")]
    always = len(sides) >= _FEWEST_SIDES and len(set(sides)) == 1
    whats = [f"it is {sides[0]} in all {len(sides)} pairs"] if always else []
    yield (
        Check("side", "The better sentence is always the same one", "warning",
              "A class that has noticed this chooses the place, not the sentence."),
        about_all(whats, 1, "the better sentence always stands in the same place"),
    )  # fmt: skip
    yield (
        Check("no_question", "No question", "note", "A class that is asked nothing in particular looks for nothing."),
        _listed({n: "no question" for n, step in steps if not step.question}, lesson, "have no question"),
    )
    yield (
        Check("no_notice", "Nothing to notice", "note", "After the answer there is nothing to talk about."),
        _listed({n: "no notice" for n, step in steps if not step.notice}, lesson, "have nothing to notice"),
    )
    if model:
        texts = {n: [candidate.context + candidate.text for candidate in _candidates(step)] for n, step in steps}
        hard = {n: ", ".join(hardly_read(own, Policy(), model)) for n, own in texts.items()}
        which = f"that {model.name} has hardly read"
        yield (
            Check("hardly_read", f"Words {which}", "warning",
                  "What the model makes of such words says little about grammar."),
            _listed({n: words for n, words in hard.items() if words}, lesson, f"have words {which}"),
        )  # fmt: skip


def _listed(whats: Mapping[int, str], lesson: Lesson, predicate: str) -> Outcome:
    """What was found, by the number of the step."""
    rows = pd.DataFrame({"item": [f"step {n}" for n in whats], "row": None, "what": [*whats.values()]})
    return about_items(rows, "step", predicate, len(lesson.steps))
