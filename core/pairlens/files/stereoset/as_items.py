"""Examples as items, for each kind of model in its own way.

    whole    left-to-right models score the candidate sentence as found in the file
    word     models that see both sides score the word in place of BLANK, in the context
    next     all models score an intersentence candidate after its context

The sentences of the published data are lower-cased after their first letter ("The ghanaian boy"), the contexts are
not: 2,373 of the 6,318 English sentences differ from their context in that alone, so that scores of the first two
ways are not comparable. With `from_context`, left-to-right models too score the context with the word in it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pairlens.files.stereoset.examples import BLANK, INTERSENTENCE, Candidate3, Example, in_place
from pairlens.types import GAP, Candidate, Item

_SENTENCE_ENDS = ".!?"


def item(
    example: Example,
    *,
    words: bool = False,
    from_context: bool = False,
    published: bool = False,
    closed: bool = False,
) -> Item:
    """An example as an item; its candidates are labelled by their gold labels and none is right.

    `words` scores intrasentence examples by word, in the context; `from_context` takes sentences from the context
    too. `published`: with the word of StereoSet's programs, and a further BLANK as a gap (see `in_context`).
    `closed`: with a full stop where an intersentence context ends without a sentence mark.
    """
    if example.kind == INTERSENTENCE:
        context = ended(example.context) if closed else example.context
        candidates = tuple(
            Candidate(f" {candidate.sentence}", candidate.gold_label, context) for candidate in example.candidates
        )
    elif words:
        candidates = tuple(in_context(example, candidate, published=published) for candidate in example.candidates)
    elif from_context:
        filled = (in_context(example, candidate) for candidate in example.candidates)
        candidates = tuple(Candidate(one.text, one.label) for one in filled)
    else:
        candidates = tuple(Candidate(candidate.sentence, candidate.gold_label) for candidate in example.candidates)
    groups = {"target": example.term, "bias_type": example.bias_type, "kind": example.kind}
    return Item(example.id, candidates, None, groups)


def items(examples: Iterable[Example]) -> Iterator[Item]:
    """Examples as items for any model: whole sentences, and sentences after their context.

    Ids of items are unique: if both tasks have an id, the later one gets the task's name.
    """
    kinds: dict[str, str] = {}
    for example in examples:
        first = kinds.setdefault(example.id, example.kind)
        usual = item(example)
        yield usual if example.kind == first else replace(usual, id=f"{example.id} ({example.kind})")


def ended(context: str) -> str:
    """The context with a full stop unless it ends with `.`, `!` or `?`, as in StereoSet's programs."""
    return context if context[-1:] in _SENTENCE_ENDS else f"{context}."


def in_context(example: Example, candidate: Candidate3, *, published: bool = False) -> Candidate:
    """The context with the word in place of BLANK, and the word's first place as region `word`.

    The word is what the sentence has in place of BLANK, also where BLANK is glued to other letters. `published`: the
    word by the rule of StereoSet's programs. These hide every BLANK, so a second one is a gap (`GAP`); otherwise it
    shows the word, since there is nothing else to show there.
    """
    word = word_of(example, candidate, published=published)
    before, _, after = example.context.partition(BLANK)
    text = before + word + after.replace(BLANK, GAP if published else word)
    return Candidate(text, candidate.gold_label, regions={"word": (len(before), len(before) + len(word))})


def word_of(example: Example, candidate: Candidate3, *, published: bool = False) -> str:
    """The word that replaces BLANK; empty where no rule finds it."""
    return candidate.word if published else in_place(example.context, candidate.sentence) or candidate.word


def without_word(example: Example, *, published: bool = False) -> str:
    """Why an intrasentence example cannot be scored by word; empty if it can."""
    if BLANK not in example.context:
        return f"its context has no {BLANK}"
    words = [word_of(example, candidate, published=published) for candidate in example.candidates]
    return "" if all(word.strip() for word in words) else f"no word for {BLANK} in one of its sentences"
