"""Sentences in lines (.text) and, line by line, the place of one word and the two forms compared there (.gold).

The layout in which Gulordava et al. (2018) released their sentences and those of Linzen, Dupoux & Goldberg (2016).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.tables import ending, read_lines
from pairlens.tasks._agreement_pairs import (
    OUT_OF_VOCABULARY,
    TABLE,
    AgreementPair,
    Row,
    Source,
    beside,
    by_name,
    pairs,
    stem,
    with_companion,
    words_of,
)

TEXT, GOLD = ".text", ".gold"


@dataclass(frozen=True, slots=True)
class Layout:
    """What the lines of a .gold file hold, separated by TABs.

    `columns` in order, among them `position` (counted in words from 0), `right` and `wrong`. `about` gives the cells
    the names that the columns of a .tab have. `stands`: whether the sentence has the right form at its place in this
    line; in a nonce sentence another word keeps it.
    """

    columns: tuple[str, ...]
    about: Callable[[Row], Row]
    stands: Callable[[Row], bool]


def gold_sources(path: Path, kinds: Sequence[str] = (TEXT, GOLD)) -> list[Source]:
    """The sets of a folder in the order of their names, or the one that a file belongs to.

    `kinds` with `.tab`: it is the companion of the sentences, or, alone or chosen, itself the set. InputError if
    there is no set, and for sentences or forms without the other.
    """
    named = by_name(path, kinds)
    if not path.is_dir():
        if ending(path) not in kinds:
            expected = f"Expected {', '.join(kinds)}; also as .gz or .xz."
            raise InputError(f"cannot read a file of this kind. {expected}", path.name)
        named = {stem(path): {TABLE: path} if ending(path) == TABLE else beside(path, kinds)}
    return [_source(name, paths) for name, paths in named.items()]


def _source(name: str, paths: dict[str, Path]) -> Source:
    if [*paths] == [TABLE]:
        return Source(paths[TABLE], None, name)
    for kind, other in ((TEXT, GOLD), (GOLD, TEXT)):
        if kind not in paths:
            raise InputError(f"there is no {name}{kind} beside it, the two belong together.", paths[other].name)
    return Source(paths[TEXT], paths.get(TABLE), name)


def gold_pairs(source: Source, layout: Layout) -> Iterator[AgreementPair]:
    if ending(source.file) == TABLE:
        yield from pairs(source)
        return
    gold = beside(source.file, (GOLD,))[GOLD]
    sentences, lines = _lines(source.file), _lines(gold)
    if len(sentences) != len(lines):
        (last, short), (expected, other) = sorted(((len(sentences), source.file), (len(lines), gold)))
        raise InputError(
            f"the file ends here, but {other.name} has {expected:,} lines. Expected one line for each of its own.",
            f"{short.name}, line {last}",
        )
    numbered = enumerate(zip(sentences, lines, strict=True), start=1)
    of_each = ((n, partial(_pair, *texts, layout, f"{gold.name}, line {n}", n)) for n, texts in numbered)
    yield from with_companion(of_each, source)


def unknown_words(pair: AgreementPair) -> int:
    """How many `<unk>` the prefix has: that in the file that says more about the item, else that of the sentence."""
    prefix = pair.right.get("prefix")
    return (prefix.split() if prefix else list(pair.prefix)).count(OUT_OF_VOCABULARY)


def _lines(file: Path) -> list[str]:
    lines = read_lines(file)
    while lines and not lines[-1].strip():
        del lines[-1]
    if not lines:
        raise InputError("the file is empty. Expected one line for each sentence.", file.name)
    return lines


def _cells(line: str, layout: Layout, where: str) -> Row:
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) != len(layout.columns):
        expected = f"Expected {len(layout.columns)}: {', '.join(layout.columns)}."
        raise InputError(f"found {len(cells)} columns. {expected}", where)
    named = dict(zip(layout.columns, cells, strict=True))
    for name in ("right", "wrong"):
        if len(named[name].split()) != 1:
            raise InputError(f"expected one word as the {name} form, found {named[name][:40]!r}.", where)
    return named


def _pair(sentence: str, line: str, layout: Layout, where: str, number: int) -> AgreementPair:
    words, cells = sentence.split(), _cells(line, layout, where)
    position = cells["position"]
    if not position.isdecimal() or int(position) >= len(words):
        raise InputError(
            f"{position[:40]!r} is no place in the sentence of this line, which has {len(words)} words (from 0).",
            where,
        )
    place, forms = int(position), (cells["right"], cells["wrong"])
    word = words[place]
    if layout.stands(cells) and word.lower() not in (*(form.lower() for form in forms), OUT_OF_VOCABULARY):
        raise InputError(
            f"the word at place {place} of the sentence is '{word}', neither of {' / '.join(forms)}.", where
        )
    prefix, rest = (words_of(" ".join(part)) for part in (words[:place], words[place + 1 :]))
    return AgreementPair(number, where, prefix, forms, "", rest, layout.about(cells), {})
