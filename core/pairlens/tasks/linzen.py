"""The number of English verbs, with nouns of the other number before them: two forms after the same prefix."""

from collections.abc import Iterator
from pathlib import Path

from pairlens.tasks._agreement_pairs import LABELS, NUMBERS, UNKNOWN, AgreementPair, form_candidates
from pairlens.tasks._base import Numbering, PublishedTask, contrast
from pairlens.tasks._gold import Layout, gold_pairs, gold_sources, unknown_words
from pairlens.types import Item

_SINGULAR = {"are": "is", "were": "was", "have": "has"}
"""Plural verbs from which the singular is not made with an -s."""


_LAYOUT = Layout(
    ("position", "right", "wrong", "attractors"),
    about=lambda row: {"n_attr": row["attractors"], "len_prefix": row["position"]},
    stands=lambda _: True,
)


def read(path: Path) -> Iterator[Item]:
    """A sentence per line (.text) and, in the same line of the .gold beside it, what is compared; also a folder.

    A line of .gold holds, with TABs between them: the verb's place among the sentence's words, from 0; the right
    form; the wrong one; and the number of attractors, which are nouns of the other number between subject and verb.
    What decides is the verb after its prefix: with the end of the word (rule `word`), without it (`form`), or in the
    whole sentence (`joint`). The forms are those of .gold as they stand there.

    Sentences are lower case and cut into tokens (`do n't`, ` .`, `<eos>`). Our own preset joins them, others read
    them as they are. An `<unk>` in a sentence stays as it is, and its tokenizer makes of it what it can; the released
    set has none. Groups:

        attractors      as in the file
        number          of the verb, by the English rule that the singular has the -s; `unknown` where that does not
                        tell
        prefix_length   words before the verb
        unknown         `<unk>` among them
        contrast        the two forms

    In 4 of the 7,489 released items both forms are the same word: they can only be ties. In 4 the forms have a
    capital, within a lower-case sentence.
    """
    number = Numbering()
    for source in gold_sources(path):
        for pair in gold_pairs(source, _LAYOUT):
            yield Item(number(source.name), form_candidates(pair), LABELS[0], _groups(pair))


def _groups(pair: AgreementPair) -> dict[str, str]:
    return {
        "attractors": pair.right["n_attr"] or UNKNOWN,
        "number": _number(*pair.forms),
        "prefix_length": pair.right["len_prefix"],
        "unknown": str(unknown_words(pair)),
        "contrast": contrast(*pair.forms),
    }


def _number(right: str, wrong: str) -> str:
    """The number of the right form of an English verb; unknown if neither is the other with an -s."""
    first, second = right.lower(), wrong.lower()
    if first in _singulars(second):
        return NUMBERS["sing"]
    return NUMBERS["plur"] if second in _singulars(first) else UNKNOWN


def _singulars(plural: str) -> tuple[str, ...]:
    regular = (f"{plural}s", f"{plural}es", f"{plural.removesuffix('y')}ies")
    return (_SINGULAR[plural],) if plural in _SINGULAR else regular


TASK = PublishedTask(
    name="linzen",
    title="Linzen et al.",
    about="Does the verb agree with its subject when other nouns stand between them?",
    paper="Linzen, Dupoux & Goldberg 2016, Assessing the Ability of LSTMs to Learn Syntax-Sensitive Dependencies, "
    "TACL 4",
    cites=("linzen2016assessing",),
    noun="item",
    topic="Grammar",
    language="en",
    rules=("word", "form", "joint"),
    groups=("attractors", "number"),
    sets={"pairlens": {"detokenise": "en"}},
    prediction="sentence",
    reader=read,
)
