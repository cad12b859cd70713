"""Examples as items: what a model is asked about them, each kind of model in its own way.

    whole    models that read from left to right are given the candidate sentence as the file has it
    word     models that see both sides are given the context with the word in place of BLANK, and asked for the word
    next     between sentences, every model is given the context and the sentence after it

The sentences of the published data are lower-cased after their first letter ("The ghanaian boy"), the contexts are
not: 2,373 of the 6,318 English sentences differ from their context in that alone, so that numbers of the first two
ways are not comparable. `from_context` gives the models of the first way the context with the word in it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.files.stereoset.examples import BLANK, INTERSENTENCE, Candidate3, Example
from core.files.stereoset.words import in_place
from core.types import GAP, Candidate, Item

GROUPS = ("target", "bias_type", "kind")
_SENTENCE_ENDS = ".!?"


def item(
    example: Example,
    *,
    words: bool = False,
    from_context: bool = False,
    published: bool = False,
    closed: bool = False,
) -> Item:
    """The item that asks about an example; its candidates have the gold labels as labels and none is right.

    Of intrasentence examples `words` asks by word, in the context, and `from_context` takes whole sentences from the
    context too. `published`: with the programs' own word, and a further BLANK as a gap (see `in_context`). `closed`:
    whether a full stop is put where the context of an intersentence example ends without a sentence mark.
    """
    if example.kind == INTERSENTENCE:
        context = ended(example.context) if closed else example.context
        candidates = tuple(Candidate(f" {one.sentence}", one.gold_label, context) for one in example.candidates)
    elif words:
        candidates = tuple(in_context(example, one, published=published) for one in example.candidates)
    elif from_context:
        filled = (in_context(example, one) for one in example.candidates)
        candidates = tuple(Candidate(one.text, one.label) for one in filled)
    else:
        candidates = tuple(Candidate(one.sentence, one.gold_label) for one in example.candidates)
    return Item(example.id, candidates, None, dict(zip(GROUPS, groups(example), strict=True)))


def items(examples: Iterable[Example]) -> Iterator[Item]:
    """Examples as items for any model: whole sentences, and sentences that follow a context.

    An id that both tasks have is told apart by the task: of items there are not two of one id.
    """
    kinds: dict[str, str] = {}
    for example in examples:
        first = kinds.setdefault(example.id, example.kind)
        found = item(example)
        yield found if example.kind == first else replace(found, id=f"{example.id} ({example.kind})")


def groups(example: Example) -> tuple[str, str, str]:
    """The values of GROUPS."""
    return example.term, example.bias_type, example.kind


def ended(context: str) -> str:
    """The context with a full stop where its last character is none of `.`, `!` and `?`, as the programs do it."""
    return context if context[-1:] in _SENTENCE_ENDS else f"{context}."


def in_context(example: Example, candidate: Candidate3, *, published: bool = False) -> Candidate:
    """The context with the word in place of BLANK, and the word's first place as region `word`.

    The word is what the sentence has in place of BLANK, also where BLANK is glued to other letters. `published`: what
    the rule of the programs takes for the word; and since they hide every BLANK, a second one is a gap (`GAP`), where
    we show the word: there is nothing else to show, and it is the same for all candidates.
    """
    word = word_of(example, candidate, published=published)
    before, _, after = example.context.partition(BLANK)
    text = before + word + after.replace(BLANK, GAP if published else word)
    return Candidate(text, candidate.gold_label, regions={"word": (len(before), len(before) + len(word))})


def word_of(example: Example, candidate: Candidate3, *, published: bool = False) -> str:
    """What stands in for BLANK; empty where no rule finds it."""
    return candidate.word if published else in_place(example.context, candidate.sentence) or candidate.word


def without_word(example: Example, *, published: bool = False) -> str:
    """Why an intrasentence example cannot be asked about by word; empty if it can."""
    if BLANK not in example.context:
        return f"its context has no {BLANK}"
    words = [word_of(example, candidate, published=published) for candidate in example.candidates]
    return "" if all(word.strip() for word in words) else f"no word for {BLANK} in one of its sentences"
