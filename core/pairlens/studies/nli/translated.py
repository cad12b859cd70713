"""What labels stand for: those of one system written as another's, and whether those of a model are mistaken.

Classifiers whose labels are called LABEL_0, LABEL_1, ... do not say what they mean, and a wrong guess gives plausible
numbers. The accuracy under every assignment is for looking at; nothing is ever assigned by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from operator import eq
from typing import TYPE_CHECKING

from pairlens.errors import InputError, PolicyError
from pairlens.files.labels import cell, decode, system_of, translate
from pairlens.messages import Message, joined
from pairlens.studies.nli.evaluation import is_number, read_labels

if TYPE_CHECKING:
    from pairlens.files.nli.pairs import Corpus, Predictions
    from pairlens.studies.nli.matched import Matched


def translated(
    into: str,
    corpus: Corpus | None,
    answers: Predictions | None,
    reverse: Predictions | None = None,
    system: str = "",
    *,
    split: str = "",
    both: bool = False,
) -> Corpus | Predictions:
    """Pairs or answers, one of the two, with labels of `into`; of a pair with `both` also the swapped one.

    `system` is that of the answers. PolicyError for anything else, and for what is about the other of the two.
    """
    if (corpus is None) == (answers is None):
        raise PolicyError("give pairs (gold) or answers (predictions), one of the two")
    if corpus is not None:
        pairs = translate_corpus(corpus.part(split), into)
        return pairs.in_both_directions() if both else pairs
    assert answers is not None
    if split or both:
        raise PolicyError("parts and both directions are of pairs (gold), not of answers")
    if not system:
        raise PolicyError("say whose labels the answers are (system)")
    return translate_predictions(answers, reverse, system, into)


def translate_corpus(corpus: Corpus, into: str) -> Corpus:
    """The corpus with labels of the system `into`, those of swapped pairs too where the corpus has both directions.

    Raises PolicyError if its labels do not determine those of `into`, or both directions are needed and missing.
    """
    gold, reverse = corpus.gold, [pair.reverse_gold for pair in corpus]
    forward = _translated(gold, reverse, corpus.system, into)
    backward = _translated(reverse, gold, corpus.system, into) if any(reverse) else reverse
    pairs = [
        replace(pair, gold=label, reverse_gold=turned)
        for pair, label, turned in zip(corpus, forward, backward, strict=True)
    ]
    titles = system_of(corpus.system).title, system_of(into).title
    notes = [f"Labels of {titles[0]} were translated into those of {titles[1]}."] if titles[0] != titles[1] else []
    return replace(corpus, system=system_of(into).name, pairs=pairs, notes=(*corpus.notes, *notes))


def translate_predictions(forward: Predictions, reverse: Predictions | None, system: str, into: str) -> Predictions:
    """The answers, labels of `system`, as labels of `into`; errors as in `translate_corpus`."""
    check_translatable(system, into)
    back = dict(zip(reverse.ids, reverse.labels, strict=True)) if reverse else {}
    backward = [back.get(name, "") for name in forward.ids] if reverse else forward.reverse or [""] * len(forward)
    labels = read_labels(forward.labels, forward.ids, system, forward.name)
    turned = read_labels(backward, forward.ids, system, (reverse or forward).name)
    return replace(forward, labels=_translated(labels, turned, system, into), reverse=(), probabilities={})


def check_translatable(system: str, into: str, *, both: bool = True) -> None:
    """PolicyError if labels of `system` do not determine those of `into`; `both`: of swapped pairs they are known."""
    rules = cell(into, system)
    if rules.collapses:
        codes = rules.reason.partition(" cannot tell ")[2].rstrip(".")
        raise PolicyError(
            f"{system_of(system).title} labels do not say which {system_of(into).title} label is right: they cannot "
            f"tell {codes}."
        )
    if rules.needs_reverse and not both:
        raise PolicyError(
            f"{system_of(into).title} labels follow from {system_of(system).title} labels of both directions, and "
            "some pairs have one only."
        )


def _translated(labels: Sequence[str], reverse: Sequence[str], system: str, into: str) -> list[str]:
    """Labels of `into`; where there is none in the first place, there is none afterwards."""
    known = [both for both in zip(labels, reverse, strict=True) if both[0]]
    check_translatable(system, into, both=all(turned for _, turned in known))
    decoded = iter(decode([label for label, _ in known], [turned for _, turned in known], into, system))
    return [next(decoded) if label else "" for label in labels]


FAR_BETTER = 0.1
"""By so much the accuracy under another assignment must be higher to be worth a warning."""
_FEWEST = 4
"""So many more pairs must then be right: of fewer, some other assignment is often right by chance."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What each answer stands for, and the share of pairs that are then right."""

    labels: Mapping[str, str]
    accuracy: float


def assignments(gold: Sequence[str], answers: Sequence[str], data: str, model: str) -> list[Assignment]:
    """Every way in which the different answers can stand for different labels of `model`, the best first.

    `gold` are labels of `data`. Answers are judged in one direction (mode `forward`). Raises InputError if there are
    more different answers than labels.
    """
    labels = system_of(model).labels
    written = sorted(set(answers))
    if len(written) > len(labels):
        raise InputError(
            f"the answers have {len(written)} different labels ({', '.join(written[:6])}); {system_of(model).title} "
            f"has {len(labels)} ({', '.join(labels)})."
        )
    classes = translate(gold, data, model, "forward")
    tried = []
    for chosen in permutations(labels, len(written)):
        meaning = dict(zip(written, chosen, strict=True))
        decoded = decode([meaning[answer] for answer in answers], None, data, model, "forward")
        tried.append(Assignment(meaning, sum(map(eq, classes, decoded)) / len(gold)))
    return sorted(tried, key=lambda assignment: -assignment.accuracy)


def refuse_numbers(matched: Matched, model: str) -> None:
    """InputError for answers that are all class numbers, with the accuracies under every assignment of labels."""
    answers, gold = (matched.labelled[name].tolist() for name in ("forward", "gold"))
    if answers and all(map(is_number, answers)):
        tried = "; ".join(
            f"{_meaning(one)}: {100 * one.accuracy:.0f} %"
            for one in assignments(gold, answers, matched.corpus.system, model)
        )
        raise InputError(
            f"the answers are numbers: say what each stands for (--labels 0=...,1=...). Right are, in one direction: "
            f"{tried}.",
            matched.names[0],
        )


def doubt(gold: Sequence[str], answers: Sequence[str], data: str, model: str) -> str:
    """A warning if answers, labels of `model`, would do far better with these exchanged, else an empty text.

    A model that always answers the same is not doubted: any label would then be a guess at the commonest class.
    """
    if len(set(answers)) < 2:
        return ""
    tried = assignments(gold, answers, data, model)
    now = next(one for one in tried if all(answer == label for answer, label in one.labels.items()))
    best = tried[0]
    if best.accuracy - now.accuracy < max(FAR_BETTER, _FEWEST / len(gold)):
        return ""
    return Message(
        "Another assignment would give {best:.0f} % instead of {now:.0f} %: check the mapping ({meaning}).",
        best=100 * best.accuracy, now=100 * now.accuracy, meaning=_meaning(best),
    )  # fmt: skip


def _meaning(assignment: Assignment) -> Message:
    meanings = (joined((Message(answer), "=", Message(label))) for answer, label in assignment.labels.items())
    return joined(meanings, ", ")
