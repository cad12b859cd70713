"""The fields of Compare, and typed pairs: two boxes of lines, or two columns pasted from a spreadsheet."""

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from pairlens.errors import InputError
from pairlens.places import program
from pairlens.scoring.model_cache import rough_length
from pairlens.settings import settings
from pairlens.studies.study import control
from pairlens.text import visible
from pairlens.types import Candidate, Item

SentencePair = tuple[str, str]
_HELP = "One sentence, or one per line."


@dataclass(frozen=True, slots=True)
class Fields:
    a: str = control("A", _HELP)
    b: str = control("B", _HELP)

    @property
    def pairs(self) -> list[SentencePair]:
        """Line by line; InputError where a sentence lacks its counterpart."""
        return read_pairs(self.a, self.b)


def read_pairs(a: str, b: str) -> list[SentencePair]:
    """Line n of `a` with line n of `b`, without the empty lines at the end.

    Where `b` is empty and `a` has two columns, these are A and B. Raises InputError if there is nothing to compare, a
    sentence is missing, or a line has several columns.
    """
    if not b.strip() and (pasted := two_columns(a)):
        a, b = pasted
    lines_a, lines_b = _lines(a), _lines(b)
    if not lines_a and not lines_b:
        raise InputError(
            "There is nothing to compare yet: type a sentence in A and another in B, or take one from the Gallery."
        )
    pairs = list(zip_longest(lines_a, lines_b, fillvalue=""))
    for number, pair in enumerate(pairs, start=1):
        for name, line in zip("AB", pair, strict=True):
            if not line:
                where = f"Line {number} of {name}" if len(pairs) > 1 else f"Sentence {name}"
                raise InputError(f"{where} is empty: every sentence needs its counterpart.")
            if "\t" in line:
                raise InputError(
                    f"Line {number} of {name} has several columns: paste the two that hold the sentences."
                )
    return pairs


def check_size(pairs: list[SentencePair]) -> None:
    """InputError for more texts than a page answers at once."""
    limits = settings()
    texts = {text for pair in pairs for text in pair}
    tokens = sum(map(rough_length, texts))
    elsewhere = f"Save them as a file and use Benchmarks, or `{program()} score` on the command line."
    if len(texts) > limits.interactive_texts:
        here = f"this page answers {limits.interactive_texts} at once"
        raise InputError(f"These are {len(texts)} different sentences; {here}. {elsewhere}")
    if tokens > limits.interactive_tokens:
        here = f"this page answers {limits.interactive_tokens:,} at once"
        raise InputError(f"These texts have about {tokens:,} tokens; {here}. {elsewhere}")


def two_columns(text: str) -> SentencePair | None:
    """Two columns copied from a spreadsheet, each as lines; None unless every line has two cells."""
    rows = [line.split("\t") for line in _lines(text)]
    if not rows or {len(row) for row in rows} != {2}:
        return None
    first, second = ("\n".join(row[place].strip() for row in rows) for place in (0, 1))
    return first, second


def n_differing(a: str, b: str) -> int:
    """How many words of either text the other lacks, in order; characters, where no text has spaces."""
    spaced = " " in f"{a.strip()}{b.strip()}"
    first, second = (text.split() if spaced else list(text) for text in (a, b))
    same = sum(block.size for block in SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks())
    return len(first) + len(second) - 2 * same


def items(pairs: list[SentencePair], gold: str | None = None) -> list[Item]:
    return [
        Item(str(number), (Candidate(a, "A"), Candidate(b, "B")), gold, {"UID": "typed"})
        for number, (a, b) in enumerate(pairs, start=1)
    ]


def _lines(text: str) -> list[str]:
    lines = [line.strip(" \r") for line in text.split("\n")]
    while lines and not visible(lines[-1]):
        lines.pop()
    return [line if visible(line) else "" for line in lines]
