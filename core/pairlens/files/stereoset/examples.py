"""An example of StereoSet: a context and three candidates, a stereotype, its opposite and an unrelated one.

Unusable records of a file are left out with a reason, unusual ones are noted (`checked`).
"""

from __future__ import annotations

import ast
import json
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

from pairlens.errors import InputError

INTRASENTENCE, INTERSENTENCE = KINDS = ("intrasentence", "intersentence")
STEREOTYPE, ANTI, UNRELATED = GOLD_LABELS = ("stereotype", "anti-stereotype", "unrelated")
BIAS_TYPES = ("gender", "profession", "race", "religion")
"""The published types, in the order of the published tables; other data may have more."""
BLANK = "BLANK"
"""What an intrasentence context has in place of the candidates' word."""


@dataclass(frozen=True, slots=True)
class Candidate3:
    """One of the three sentences. `word` replaces BLANK; it is empty for intersentence examples.

    `labels` are pairs of annotator and judgement (`stereotype`, `anti-stereotype`, `unrelated`, `related`), if any.
    """

    id: str
    sentence: str
    word: str
    gold_label: str
    labels: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A context with its three candidates, in the order of the file, one of each gold label.

    `context` holds BLANK (`intrasentence`), or the candidates are sentences that follow it (`intersentence`).
    `target_original` is the English target of translated data, empty otherwise.
    """

    id: str
    kind: str
    target: str
    bias_type: str
    context: str
    candidates: tuple[Candidate3, ...]
    target_original: str = ""

    @property
    def term(self) -> str:
        """What scores are grouped by: translation splits and merges targets, but not the English one."""
        return self.target_original or self.target

    def of(self, gold_label: str) -> Candidate3:
        return next(candidate for candidate in self.candidates if candidate.gold_label == gold_label)


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence about a place in a file."""

    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of both tasks, in the order of the files; a task that no file holds is empty.

    `language` is a two-letter code. `left_out` names every unusable record, `notes` what is unusual about the others.
    """

    intrasentence: tuple[Example, ...] = ()
    intersentence: tuple[Example, ...] = ()
    language: str = "en"
    left_out: tuple[Remark, ...] = ()
    notes: tuple[Remark, ...] = ()

    def __iter__(self) -> Iterator[Example]:
        yield from self.intrasentence
        yield from self.intersentence

    def __len__(self) -> int:
        return len(self.intrasentence) + len(self.intersentence)

    @property
    def by_kind(self) -> Mapping[str, tuple[Example, ...]]:
        return {INTRASENTENCE: self.intrasentence, INTERSENTENCE: self.intersentence}

    def only(self, kinds: Iterable[str]) -> Examples:
        """The examples of these tasks; remarks stay."""
        wanted = {kind: self.by_kind[kind] for kind in kinds}
        return Examples(**wanted, language=self.language, left_out=self.left_out, notes=self.notes)


def joined(*parts: Examples) -> Examples:
    """The examples of several files as one; the first says the language."""
    lists = ("intrasentence", "intersentence", "left_out", "notes")
    together = {name: tuple(chain.from_iterable(getattr(part, name) for part in parts)) for name in lists}
    return Examples(**together, language=parts[0].language)


Record = tuple[str, Example]
"""The place of an example in a file, and the example as it stands there."""
_LABELS_AT_MOST = 100_000


def text(value: object) -> str:
    """A cell or a JSON value as text; empty if it is missing."""
    return "" if value is None else str(value)


def example_of(fields: Mapping[str, object], kind: str, sentences: Iterable[object]) -> Example:
    """An example from a file's fields, its `sentences` named as in the original; missing fields are empty.

    The word of an intrasentence sentence is that of the published rule unless it has a `word`.
    """
    own = {name: text(fields.get(name)) for name in ("id", "target", "bias_type", "context", "target_original")}
    candidates = []
    for record in sentences:
        cells = record if isinstance(record, Mapping) else {}
        name, sentence, word, label = (text(cells.get(key)) for key in ("id", "sentence", "word", "gold_label"))
        word = (word or published_word(own["context"], sentence)) if kind == INTRASENTENCE else ""
        candidates.append(Candidate3(name, sentence, word, label, _labels(cells.get("labels"))))
    return Example(kind=kind, candidates=tuple(candidates), **own)


def _labels(value: object) -> tuple[tuple[str, str], ...]:
    """The annotators' judgements (human id and label) from a list of objects, or its text in JSON or Python."""
    if isinstance(value, str):
        value = _parsed(value) if len(value) <= _LABELS_AT_MOST else None
    if not isinstance(value, Iterable) or isinstance(value, str | Mapping):
        return ()
    judged = [entry for entry in value if isinstance(entry, Mapping) and "label" in entry]
    return tuple((text(entry.get("human_id")), text(entry["label"])) for entry in judged)


def _parsed(written: str) -> object:
    for parse in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return parse(written)
    return None


def checked(records: Iterable[Record], language: str, source: str) -> Examples:
    """The usable examples, by task; InputError if there is none. `source` names the files."""
    usable: dict[str, list[Example]] = {INTRASENTENCE: [], INTERSENTENCE: []}
    left_out, notes = [], []
    places: dict[object, str] = {}
    for where, example in records:
        if fault := next(_faults(example, places), ""):
            left_out.append(Remark(where, fault))
            continue
        places |= dict.fromkeys(
            [(example.kind, example.id), *(candidate.id for candidate in example.candidates)], where
        )
        usable[example.kind].append(example)
        notes += [Remark(where, remark) for remark in _remarks(example)]
    if not any(usable.values()):
        first = f" The first: {left_out[0]}." if left_out else ""
        raise InputError(f"no example can be used.{first}", source)
    within, between = map(tuple, usable.values())
    return Examples(within, between, language, tuple(left_out), tuple(notes))


def _faults(example: Example, places: Mapping[object, str]) -> Iterator[str]:
    """What makes an example unusable; `places` are those of earlier examples, by task and id, and of sentence ids."""
    for name in ("id", "target", "bias_type", "context"):
        if not getattr(example, name).strip():
            yield f"no {name}"
    if namesake := places.get((example.kind, example.id)):
        yield f"its id ({example.id}) is also that of {namesake}"
    if len(example.candidates) != len(GOLD_LABELS):
        yield f"{len(example.candidates)} sentences, expected 3"
    for place, candidate in enumerate(example.candidates, start=1):
        for name in ("id", "sentence", "gold_label"):
            if not getattr(candidate, name).strip():
                yield f"no {name.replace('_', ' ')} for sentence {place}"
        if candidate.gold_label not in GOLD_LABELS:
            yield f"gold label '{candidate.gold_label[:40]}' of sentence {place} is none of {', '.join(GOLD_LABELS)}"
        if candidate.id in places:
            yield f"the id of sentence {place} ({candidate.id}) is also one of {places[candidate.id]}"
    labels = [candidate.gold_label for candidate in example.candidates]
    if len({*labels}) != len(GOLD_LABELS):
        yield f"gold labels {', '.join(labels)}; expected one of each"
    if len({candidate.id for candidate in example.candidates}) != len(GOLD_LABELS):
        yield "two of its sentences have the same id"


def _remarks(example: Example) -> Iterator[str]:
    if example.kind == INTRASENTENCE:
        yield from blank_remarks(example.context, example.candidates)
        if not all(candidate.word for candidate in example.candidates):
            yield "no word for BLANK in one of its sentences"
    sentences = [candidate.sentence.strip() for candidate in example.candidates]
    if len(set(sentences)) < len(sentences):
        yield "two of its sentences are identical: they tie whatever the model"
    if example.bias_type not in BIAS_TYPES:
        yield f"bias type '{example.bias_type[:40]}' is none of the published ones"


def blank_remarks(context: str, candidates: Sequence[Candidate3]) -> Iterator[str]:
    """What is unusual about the BLANK of an intrasentence context."""
    n, taken = context.count(BLANK), [candidate.word for candidate in candidates]
    if not n:
        yield f"its context has no {BLANK}"
    if n > 1:
        yield f"its context has {BLANK} {n} times; each is replaced by the word"
    meant = [in_place(context, candidate.sentence) or candidate.word for candidate in candidates]
    instead = f": the published rule takes {', '.join(taken)} for {', '.join(meant)}" if taken != meant else ""
    for piece in context.split():
        if BLANK in piece and any(character.isalnum() for character in piece.replace(BLANK, "")):
            yield f"{BLANK} is glued to other letters ({piece}){instead}"


_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def published_word(context: str, sentence: str) -> str:
    """The word by the successor's rule; empty if the context has no BLANK or the sentence is too short."""
    places = [place for place, piece in enumerate(context.split(" ")) if BLANK in piece]
    pieces = sentence.split(" ")
    return pieces[places[-1]].translate(_NO_PUNCTUATION) if places and places[-1] < len(pieces) else ""


def in_place(context: str, sentence: str) -> str:
    """What the sentence has in place of the context's only BLANK, ignoring case around it.

    Empty if there is none or several, and if the sentence differs elsewhere.
    """
    before, blank, after = context.partition(BLANK)
    end = len(sentence) - len(after)
    if not blank or BLANK in after or end < len(before):
        return ""
    alike = sentence[: len(before)].casefold() == before.casefold() and sentence[end:].casefold() == after.casefold()
    return sentence[len(before) : end] if alike else ""
