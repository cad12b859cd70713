"""The text of a training: read from files and tables, filtered, without watched pairs, sampled, some of it held out.

A sequence is a line of a text or a cell of a table; blank lines of a text part paragraphs. Regular expressions train
a language without some construction; they are RE2's: linear in the length of the text, without look-around.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pairlens.errors import InputError, unknown
from pairlens.files.tables import PLAIN, check_folder, ending, guesses, read_lines, read_table
from pairlens.settings import settings

MOST_CHARACTERS = 500
"""Of an expression."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Keep what matches `keep` but not `drop`, in any case, where they are not empty; invalid ones are refused."""

    keep: str = ""
    drop: str = ""

    def __post_init__(self) -> None:
        for name, expression in (("keep", self.keep), ("drop", self.drop)):
            if len(expression) > MOST_CHARACTERS:
                raise InputError(f"a regular expression has {MOST_CHARACTERS} characters at most.", name)
            _matches(name, [""], expression)

    @property
    def idle(self) -> bool:
        return not self.keep and not self.drop

    def kept(self, sentences: Sequence[str]) -> NDArray[np.bool_]:
        """Which sentences stay, shape (sentences,)."""
        stay = np.ones(len(sentences), dtype=bool)
        if self.keep:
            stay &= _matches("keep", sentences, self.keep)
        if self.drop:
            stay &= ~_matches("drop", sentences, self.drop)
        return stay


def _matches(name: str, sentences: Sequence[str], expression: str) -> NDArray[np.bool_]:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        matches = pc.match_substring_regex(pa.array(sentences, pa.string()), expression, ignore_case=True)
    except pa.ArrowInvalid as error:
        reason = str(error).partition(": ")[2] or str(error)
        raise InputError(f"'{expression}' is not a regular expression that can be used: {reason}.", name) from None
    answer: NDArray[np.bool_] = matches.to_numpy(zero_copy_only=False)
    return answer


@dataclass(frozen=True, slots=True)
class Grammar:
    title: str
    drop: str


GRAMMARS = (
    Grammar("without relative clauses", r"\b(who|which)\b"),
    Grammar("without a phrase after the subject", r"^the \w+ (in|near|behind|beside) the \w+ \w+"),
    Grammar("without plural subjects after a relative clause", r"\b(who|which)\b.* (were|are|have)\b"),
    Grammar("without reflexive pronouns", r"\b(himself|herself|themselves)\b"),
)
"""Examples: our sample text has all of these constructions."""


@dataclass(frozen=True, slots=True)
class Preview:
    stay: int
    go: int
    staying: tuple[str, ...]
    going: tuple[str, ...]


def preview(sentences: Sequence[str], chosen_by: Filter, most: int = 5) -> Preview:
    chosen_lines = chosen_by.kept(sentences)
    stay, go = np.flatnonzero(chosen_lines), np.flatnonzero(~chosen_lines)
    first = [tuple(sentences[place] for place in places[:most]) for places in (stay, go)]
    return Preview(len(stay), len(go), *first)


_MARKS = re.compile(r"[^\w\s]|_")
_PIECES = re.compile(r"(?<=[.!?])\s+|[\t\n]")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sequences in order, blank ones between paragraphs, how many were left out, what was guessed of encodings."""

    lines: tuple[str, ...]
    filtered: int = 0
    watched: int = 0
    guessed: tuple[str, ...] = ()

    @property
    def sequences(self) -> list[str]:
        return [line for line in self.lines if line]

    @property
    def in_paragraphs(self) -> bool:
        """Whether neighbouring sequences belong together: only then may they form one text."""
        return "" in self.lines

    @property
    def left_out(self) -> str:
        parts = []
        if self.filtered:
            parts.append(f"{self.filtered:,} left out by --keep or --drop")
        if self.watched:
            parts.append(f"{self.watched:,} left out because they are among the test pairs")
        return f"{len(self.sequences):,} sequences to train on, {', '.join(parts)}." if parts else ""

    @property
    def remarks(self) -> list[str]:
        return [*self.guessed, self.left_out] if self.left_out else [*self.guessed]


def read_corpus(paths: Sequence[Path], column: str = "text") -> Corpus:
    """All sequences of plain texts (.txt) and of a column of tables, text also as .gz or .xz.

    InputError for a file without text, one that is not text, and a table without the column.
    """
    read = [_lines(path, column) for path in paths]
    apart = [""] if any("" in lines for lines in read) else []
    lines = tuple(line for number, part in enumerate(read) for line in (apart if number else []) + part)
    return Corpus(lines, guessed=tuple(guess for path in dict.fromkeys(paths) for guess in guesses(path)))


def _lines(path: Path, column: str) -> list[str]:
    if ending(path) in PLAIN:
        texts = [line.strip() for line in read_lines(path)]
        while texts and not texts[-1]:
            texts.pop()
    else:
        table = read_table(path)
        if column not in table.columns:
            raise InputError(unknown("column of texts", column, map(str, table.columns)), path.name)
        texts = [text for cell in table[column].dropna().astype(str) if (text := " ".join(cell.split()))]
    if not any(texts):
        raise InputError("there is no text to train on.", path.name)
    return texts


def chosen(corpus: Corpus, chosen_by: Filter, watched: Sequence[str] = ()) -> Corpus:
    """The corpus without what the filter drops and without watched sentences, compared without case and marks."""
    lines = np.array(corpus.lines, dtype=object)
    blank = np.array([not line for line in corpus.lines], dtype=bool)
    stay = blank | chosen_by.kept(corpus.lines) if not chosen_by.idle else np.ones(len(lines), dtype=bool)
    filtered = int((~stay).sum())
    if watched:
        forbidden = {normal(piece) for text in watched for piece in pieces(text)} - {""}
        stay &= np.array([normal(line) not in forbidden for line in corpus.lines], dtype=bool)
    result = replace(corpus, lines=tuple(lines[stay]), filtered=filtered, watched=int((~stay).sum()) - filtered)
    if (n := len(result.sequences)) < 2:
        raise InputError(
            f"There {'is one sequence' if n else 'is nothing'} to train on: more text is needed. "
            f"{result.left_out}".strip()
        )
    return result


def normal(text: str) -> str:
    """Case-folded, without punctuation, one space between words."""
    return " ".join(_MARKS.sub("", text.casefold()).split())


def pieces(text: str) -> Iterator[str]:
    """A benchmark string and, if it is a passage or a table row, its parts."""
    yield text
    parts = _PIECES.split(text)
    if len(parts) > 1:
        yield from parts


def write_text(corpus: Corpus) -> Path:
    """The corpus as a text file named after its content: the same text is the same file."""
    content = ("\n".join(corpus.lines) + "\n").encode("utf-8", "replace")
    folder = settings().cache / "training-text"
    check_folder(folder)
    path = folder / f"{hashlib.sha256(content).hexdigest()[:24]}.txt"
    if not path.is_file() or path.read_bytes() != content:  # damaged: its name states another content
        part = path.with_suffix(".part")
        part.write_bytes(content)
        part.replace(path)
    return path


HELD_OUT = 20
"""Without validation text, one document in this many is held out."""


@dataclass(frozen=True, slots=True)
class Documents:
    """Texts to train on and texts to measure on; `held_out`: both are from the same file."""

    training: list[str]
    validation: list[str]
    held_out: bool = False

    def written(self, *, lower_case: bool, leading_space: bool) -> Self:
        training, validation = (
            [" " * leading_space + (text.lower() if lower_case else text) for text in texts]
            for texts in (self.training, self.validation)
        )
        return replace(self, training=training, validation=validation)


def repeated(validation: Sequence[str], training: Sequence[str]) -> str:
    known = set(training)
    if not (n := sum(text in known for text in validation)):
        return ""
    if n == len(validation):
        return "The validation text is in the training text: its perplexity says nothing about other text."
    return (
        f"{n:,} of {len(validation):,} sequences of the validation text are in the training text too: "
        "on other text the perplexity may be much higher."
    )


def sampled(documents: Sequence[str], fraction: float, seed: int) -> list[str]:
    """The documents shuffled with the seed, and of these the first fraction, at least one."""
    order = np.random.default_rng(seed).permutation(len(documents))
    return [documents[index] for index in order[: max(1, int(fraction * len(documents)))]]


def documents_of(training: Path, validation: Path | None, column: str, fraction: float, seed: int) -> Documents:
    """The documents of files, both sampled; without a validation file a part of the text is held out."""
    texts = sampled(read_corpus([training], column).sequences, fraction, seed)
    if validation is not None:
        return Documents(texts, sampled(read_corpus([validation], column).sequences, fraction, seed))
    return held_out(texts, training.name)


def held_out(texts: Sequence[str], name: str) -> Documents:
    if len(texts) < 2:
        raise InputError("one document only, of which none can be held out: name a validation file.", name)
    cut = max(1, len(texts) // HELD_OUT)
    return Documents([*texts[cut:]], [*texts[:cut]], held_out=True)
