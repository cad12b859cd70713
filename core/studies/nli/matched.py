"""Answers matched with the pairs of a corpus: by id, or by position when that is asked for."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from core.errors import InputError
from core.files.labels import spellings
from core.files.nli.pairs import Corpus, Pair, Predictions
from core.messages import Message

NO_ANSWER, NO_PAIR = Message("pairs without an answer"), Message("answers without a pair")
NO_GOLD, NO_LABEL = Message("pairs without a gold label"), Message("pairs whose answer has no label")
NO_KNOWN_LABEL = Message("pairs whose answer is no label of the model's system")
NO_TURNED_PAIR = Message("answers for swapped pairs without a pair")
"""The reasons in `Matched.unmatched`."""
UNNAMED = re.compile(r"(?:label[ _-]?)?\d+", re.IGNORECASE)
"""An answer given as a class number instead of a name."""


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """The pairs of a corpus that have a label as their answer, and what was left over.

    `forward` and `reverse` are aligned with `pairs`; `reverse` is None if the model was not asked, and has an empty
    text where only this pair was not. `relatedness` is aligned with the whole corpus, NaN where nothing was answered.
    `unmatched` names ids by the reason why they are left over, `names` what the answers of each direction are from.
    """

    corpus: Corpus
    pairs: Sequence[Pair]
    forward: Sequence[str]
    reverse: Sequence[str] | None
    relatedness: Sequence[float]
    unmatched: Mapping[str, Sequence[str]]
    by_position: bool = False
    names: tuple[str, str] = ("answers", "answers")

    def without(self, ids: Collection[str]) -> Matched:
        """The same without some of the pairs of the corpus."""
        related = zip(self.corpus, self.relatedness, strict=True)
        return replace(
            self._only([pair.id not in ids for pair in self.pairs]),
            corpus=self.corpus.only([pair for pair in self.corpus if pair.id not in ids]),
            relatedness=[value for pair, value in related if pair.id not in ids],
            unmatched={
                reason: [name for name in names if name not in ids] for reason, names in self.unmatched.items()
            },
        )

    def _only(self, chosen: Sequence[bool]) -> Matched:
        """The same with some of the answers."""
        return replace(
            self,
            pairs=[*compress(self.pairs, chosen)],
            forward=[*compress(self.forward, chosen)],
            reverse=None if self.reverse is None else [*compress(self.reverse, chosen)],
        )

    def with_labels_of(self, system: str) -> Matched:
        """The same, but an answer that is no label of this system is none.

        Nothing changes if all answers are class numbers: not wrong, but not yet interpreted.
        """
        if all(UNNAMED.fullmatch(label.strip()) for label in self.forward):
            return self
        labels = spellings(system)
        known = [label.strip().lower() in labels for label in self.forward]
        strange = [pair.id for pair, there in zip(self.pairs, known, strict=True) if not there]
        back = self.reverse and [label if label.strip().lower() in labels else "" for label in self.reverse]
        unmatched = {**self.unmatched, NO_KNOWN_LABEL: strange} if strange else self.unmatched
        return replace(self, reverse=back, unmatched=unmatched)._only(known)


def match(
    corpus: Corpus, forward: Predictions, reverse: Predictions | None = None, by_position: bool = False
) -> Matched:
    """Answers and pairs with the same id, in the order of the corpus; what has no counterpart is listed.

    `reverse` are the answers for premise and hypothesis swapped, under the ids of the pairs; without it those that
    `forward` itself holds are used. `by_position` takes the first answer for the first pair and so on, whatever the
    ids, and asks for equal numbers. Answers without any label are matched for their relatedness. Raises InputError
    for an id that lacks or comes twice, and if nothing of a file matches or nothing has a gold label.
    """
    keys = [pair.id for pair in corpus]
    if by_position:
        forward, reverse = _in_order(forward, keys), _in_order(reverse, keys) if reverse else None
    for answers in (forward, reverse) if reverse else (forward,):
        _refuse_doubtful_ids(answers)
    turned = zip(forward.ids, forward.reverse, strict=True) if any(forward.reverse) else None
    turned = zip(reverse.ids, reverse.labels, strict=True) if reverse is not None else turned
    back = None if turned is None else dict(turned)
    labels = dict(zip(forward.ids, forward.labels, strict=True))
    related = dict(zip(forward.ids, forward.relatedness, strict=True)) if len(forward.relatedness) else {}
    pairs = [pair for pair in corpus if labels.get(pair.id) and pair.gold]
    known = {*keys}
    left_over: dict[str, list[str]] = {
        NO_ANSWER: [key for key in keys if key not in labels],
        NO_LABEL: [key for key in keys if labels.get(key) == ""],
        NO_PAIR: [one for one in labels if one not in known],
        NO_TURNED_PAIR: [
            identifier for identifier in back or {} if identifier not in known and identifier not in labels
        ],
        NO_GOLD: [pair.id for pair in corpus if not pair.gold],
    }
    unmatched = {reason: ids for reason, ids in left_over.items() if ids}
    if not pairs and (any(forward.labels) or not any(key in related for key in keys)):
        if len(unmatched.get(NO_GOLD, ())) == len(corpus):
            blind = Message("no pair has a gold label, so that answers cannot be judged. Is it a blind test file?")
            raise InputError(blind, corpus.name)
        raise _no_id(corpus, forward)
    if reverse and set(keys).isdisjoint(reverse.ids):
        raise _no_id(corpus, reverse)
    return Matched(
        corpus,
        pairs,
        [labels[pair.id] for pair in pairs],
        None if back is None else [back.get(pair.id, "") for pair in pairs],
        [related.get(key, math.nan) for key in keys],
        unmatched,
        by_position,
        (forward.name, (reverse or forward).name),
    )


def _in_order(predictions: Predictions, keys: Sequence[str]) -> Predictions:
    """The answers under the ids of the pairs, in the order in which they stand."""
    if len(predictions) != len(keys):
        raise InputError(
            f"{len(predictions):,} answers for {len(keys):,} pairs: by position there is one for each.",
            predictions.name,
        )
    return replace(predictions, ids=keys)


def _refuse_doubtful_ids(answers: Predictions) -> None:
    places: dict[str, int] = {}
    for place, identifier in enumerate(answers.ids, start=1):
        if not identifier or identifier in places:
            where = Message("{file}, answer {answer}", file=answers.name, answer=place)
        if not identifier:
            raise InputError(Message("there is no id. Answers without ids can be matched by position."), where)
        if identifier in places:
            wrong = Message(
                "the id {id!r} is that of answer {answer} too. Each pair has one answer; if both files are in the "
                "same order, match them by position.",
                id=identifier[:40], answer=places[identifier],
            )  # fmt: skip
            raise InputError(wrong, where)
        places[identifier] = place


def _no_id(corpus: Corpus, answers: Predictions) -> InputError:
    wrong = Message(
        "none of its {n:,} ids is that of a pair in {corpus} (ids there: {there} ...; here: {here} ...). If both "
        "are in the same order, match them by position.",
        n=len(answers), corpus=corpus.name, there=", ".join(pair.id for pair in corpus.pairs[:3]),
        here=", ".join(answers.ids[:3]),
    )  # fmt: skip
    return InputError(wrong, answers.name)
