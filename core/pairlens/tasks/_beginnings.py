"""Two beginnings that differ in one place, and the form that goes with each: what a network is looked into with."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pairlens.errors import InputError
from pairlens.text.joining import following
from pairlens.types import Candidate, Item, Span

SIDES = ("first", "second")
"""Which of the two beginnings."""
BAR = "|"
Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Beginnings:
    """Two `texts`, two `forms` of the next word, and which form is right after each text.

    `regions` are spans of each text that belong together, of which there are equally many; none if it does not say.
    """

    id: str
    texts: tuple[str, str]
    forms: tuple[str, str]
    right: tuple[int, int] = (0, 1)
    regions: tuple[Spans, Spans] = ((), ())


def beginnings(id: str, first: str, second: str, forms: tuple[str, str], where: str) -> Beginnings:
    """Of two texts that may have bars between their regions; InputError for empty or equal ones."""
    texts, spans = zip(*map(without_bars, (first, second)), strict=True)
    forms = forms[0].strip(), forms[1].strip()
    for text, name in zip((*texts, *forms), ("first", "second", "first form", "second form"), strict=True):
        if not text:
            raise InputError(f"the {name} is empty", where)
    if texts[0] == texts[1] or forms[0] == forms[1]:
        raise InputError(f"both {'beginnings' if texts[0] == texts[1] else 'forms'} are the same", where)
    if len(spans[0]) != len(spans[1]):
        raise InputError(f"{len(spans[0])} regions between bars in first, {len(spans[1])} in second", where)
    return Beginnings(id, (texts[0], texts[1]), forms, regions=(spans[0], spans[1]))


def without_bars(text: str) -> tuple[str, Spans]:
    """A beginning without bars and with single spaces, and its regions, none if it has no bars."""
    problem = ""
    spans = []
    for part in text.split(BAR):
        words = " ".join(part.split())
        if problem and part[:1].isspace():
            problem = problem.rstrip() + " "
        if words:
            spans.append((len(problem), len(problem) + len(words)))
        problem += words + " " * part[-1:].isspace()
    return problem.rstrip(), tuple(spans) if BAR in text else ()


def items(of: Iterable[Beginnings]) -> Iterator[Item]:
    """An item for each beginning: its candidates are the forms, and the pair is its `contrast`."""
    for one in of:
        for side, text, right in zip(SIDES, one.texts, one.right, strict=True):
            candidates = []
            for form in one.forms:
                joined = following(text, form)
                region = {"form": (len(joined) - len(form), len(joined))}
                candidates.append(Candidate(joined, form, text, region))
            yield Item(f"{one.id}:{side}", tuple(candidates), one.forms[right], {"side": side, "contrast": one.id})
