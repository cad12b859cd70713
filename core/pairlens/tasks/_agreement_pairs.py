"""Two sentences that differ in one word, the form: read from the files of an agreement set, and what these say of it.

Sentences are taken as words between white space, without the signs of their beginning and end.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType

from pairlens.errors import InputError
from pairlens.files.row_mistakes import row
from pairlens.files.tables import PACKED, ending, existing, files, read_lines, read_table, row_numbers
from pairlens.tasks._base import contrast
from pairlens.types import Candidate

TEXTS = (".txt", ".text")
TABLE, RAW, DECISIONS = ".tab", ".raw-pred", ".pred"
_SENTENCES = (*TEXTS, RAW, TABLE)
"""Kinds of file that items can be made of, the first to be preferred."""
_COMPANIONS = (TABLE, RAW, DECISIONS)
"""Kinds of file that can say more about the items of another one."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file of items, the file of the same name that says more about them (None if there is none), and the name."""

    file: Path
    companion: Path | None
    name: str


def sources(path: Path, table: Path | None = None) -> list[Source]:
    """The sets of a folder in the order of their names, or the one that a file belongs to.

    `table` is the companion where it has another name. Raises InputError for a file of another kind, for one that
    alone does not make items, and for a table given with several sets.
    """
    if path.is_dir():
        here = [_source(name, kinds) for name, kinds in by_name(path, (*_SENTENCES, DECISIONS)).items()]
    else:
        here = [_source(stem(existing(path)), beside(path, _COMPANIONS), ending(path))]
    if table is None:
        return here
    if len(here) > 1:
        raise InputError(f"the folder holds {len(here)} sets: give the file that the table belongs to", path.name)
    return [Source(here[0].file, existing(table), here[0].name)]


def by_name(path: Path, kinds: Sequence[str]) -> dict[str, dict[str, Path]]:
    """The files of these kinds in a folder, by their names without the ending and by kind."""
    named: dict[str, dict[str, Path]] = {}
    for file in files(path, tuple(kinds)):
        named.setdefault(stem(file), {})[ending(file)] = file
    return named


def stem(file: Path) -> str:
    """The name without the ending: `a` of `a.raw-pred` and of `a.tab.gz`."""
    name = file.name.removesuffix(file.suffix) if file.suffix.lower() in PACKED else file.name
    return name[: len(name) - len(ending(file))]


def beside(file: Path, kinds: Sequence[str]) -> dict[str, Path]:
    """The file itself and, by kind, those of these kinds that have the same name."""
    names = [(kind, file.with_name(f"{stem(file)}{kind}{packed}")) for kind in kinds for packed in (*PACKED, "")]
    return {kind: path for kind, path in names if path.is_file()} | {ending(file): file}


def _source(name: str, kinds: Mapping[str, Path], chosen: str | None = None) -> Source:
    """The files of a name, by kind: the chosen one, or the best to make items of, and its companion."""
    kind = next((kind for kind in _SENTENCES if kind in kinds), DECISIONS) if chosen is None else chosen
    if kind not in _SENTENCES:
        problem = f"a {kind} file has one form per item" if kind == DECISIONS else "cannot read a file of this kind"
        raise InputError(f"{problem}. Expected {', '.join(_SENTENCES)}; also as .gz or .xz.", kinds[kind].name)
    companion = None
    if kind != TABLE:
        companion = next((kinds[other] for other in _COMPANIONS if other in kinds and other != kind), None)
    return Source(kinds[kind], companion, name)


Row = Mapping[str, str]
_Two = tuple[int, str, Row, Row]
"""Number and place of the first of two rows (or lines), and both."""

_SIGNS = frozenset(("<bos>", "<eos>", "<s>", "</s>"))
OUT_OF_VOCABULARY = "<unk>"
_PARTS_OF_WORDS = frozenset("'’")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class AgreementPair:
    """The words before the form, the right and the wrong form, marks that stand at both, and the words after them.

    `right` and `wrong` are the rows that say more about each form, with the cells of the companion too; empty if no
    file does. `place` is the row or line of the file, `where` the same in words.
    """

    place: int
    where: str
    prefix: Sequence[str]
    forms: tuple[str, str]
    closing: str
    rest: Sequence[str]
    right: Row
    wrong: Row


def pairs(source: Source) -> Iterator[AgreementPair]:
    """The pairs of a file, in order; InputError, with file and line or row, for what is no pair."""
    kind = ending(source.file)
    of_two = {RAW: _of_sentences, TABLE: _of_prefix}.get(kind, _of_lines)
    rows = (_two_rows if kind in (RAW, TABLE) else _two_lines)(source.file)
    yield from with_companion(((two[0], partial(of_two, *two)) for two in rows), source)


def words_of(sentence: str) -> list[str]:
    return [word for word in sentence.split() if word not in _SIGNS]


def _numbered(file: Path) -> list[tuple[int, Row]]:
    table = read_table(file, delimiter="\t")
    if table.empty:
        raise InputError("no row below the column names.", file.name)
    cells = zip(*(table[name].tolist() for name in table), strict=True)
    named = [dict(zip(table.columns, of_row, strict=True)) for of_row in cells]
    return list(zip(row_numbers(table), named, strict=True))


def _two_lines(file: Path) -> Iterator[_Two]:
    """Each two sentences as rows of one column, `sent`."""
    lines = [(number, line) for number, line in enumerate(read_lines(file), start=1) if words_of(line)]
    if len(lines) % 2 or not lines:
        last = lines[-1][0] if lines else 1
        problem = f"an odd number of sentences, {len(lines):,}" if lines else "no sentence"
        raise InputError(
            f"{problem}. Expected two lines for each item, the right sentence and then the same with the wrong form. "
            "(`next-word --prefix --forms` compares forms after a beginning.)",
            f"{file.name}, line {last}",
        )
    for (number, right), (_, wrong) in zip(lines[::2], lines[1::2], strict=True):
        yield number, f"{file.name}, line {number}", {"sent": right}, {"sent": wrong}


def _of_lines(place: int, where: str, right: Row, wrong: Row) -> AgreementPair:
    return _pair(place, where, words_of(right["sent"]), words_of(wrong["sent"]))


def _two_rows(file: Path) -> Iterator[_Two]:
    rows = _numbered(file)
    needed = ("class", "form", "sent") if ending(file) == RAW else ("class", "form", "prefix", "sent")
    names = rows[0][1]
    if {"form", "sent"} <= names.keys() and "class" not in names:
        raise InputError(
            "has only the right form of each item (no column class), and nothing says what the wrong one is: add a "
            "row of class wrong after each row, of class correct, or put the sentences with both forms beside it, in "
            "a .txt of the same name.",
            file.name,
        )
    if missing := [name for name in needed if name not in names]:
        raise InputError(f"no column {', '.join(missing)}. Found {', '.join(names)}.", file.name)
    for (place, first), (_, second) in zip_longest(rows[::2], rows[1::2], fillvalue=(0, {})):
        yield place, f"{file.name}, row {place}", first, second


def _sorted(where: str, first: Row, second: Row) -> tuple[Row, Row]:
    right, wrong = sorted((first, second), key=lambda cells: cells.get("class", ""))
    if (right.get("class"), wrong.get("class")) != ("correct", "wrong"):
        raise InputError("expected two rows here, of class 'correct' and 'wrong', for one item.", where)
    if right.get("constr_id") != wrong.get("constr_id"):
        raise InputError("this row and the next have different values of constr_id.", where)
    return right, wrong


def _of_sentences(place: int, where: str, first: Row, second: Row) -> AgreementPair:
    right, wrong = _sorted(where, first, second)
    pair = _of_lines(place, where, right, wrong)
    _check_form(pair, right, wrong, where)
    return replace(pair, right=right, wrong=wrong)


def _of_prefix(number: int, where: str, first: Row, second: Row) -> AgreementPair:
    """From the sentence up to the form, whose place may hold another word, and what follows that place."""
    right, wrong = _sorted(where, first, second)
    sentence, prefix = words_of(right["sent"]), words_of(right["prefix"])
    if words_of(wrong["prefix"]) != prefix:
        raise InputError("the two rows of this item have different prefixes.", where)
    if not _begins(sentence, prefix):
        raise InputError("the prefix is not the beginning of the sentence.", where)
    place = len(prefix)
    closing = _marks_of(sentence[place])
    forms = right["form"].removesuffix(closing), wrong["form"].removesuffix(closing)
    return AgreementPair(number, where, sentence[:place], forms, closing, sentence[place + 1 :], right, wrong)


def _begins(sentence: Sequence[str], prefix: Sequence[str]) -> bool:
    """Whether a sentence goes on after this prefix; words that a model did not know may stand there as `<unk>`."""
    return len(sentence) > len(prefix) and all(
        token in (word, OUT_OF_VOCABULARY) for word, token in zip(sentence, prefix, strict=False)
    )


def _pair(number: int, where: str, right: Sequence[str], wrong: Sequence[str]) -> AgreementPair:
    places = [place for place, (one, two) in enumerate(zip_longest(right, wrong)) if one != two]
    if len(places) != 1 or len(right) != len(wrong):
        raise InputError(f"{_difference(right, wrong, places)}. Expected one word, the form.", where)
    place = places[0]
    first, second = right[place], wrong[place]
    closing = shared_marks(first, second)
    forms = first.removesuffix(closing), second.removesuffix(closing)
    return AgreementPair(number, where, right[:place], forms, closing, right[place + 1 :], {}, {})


def _difference(right: Sequence[str], wrong: Sequence[str], places: Sequence[int]) -> str:
    if not places:
        return "the right and the wrong sentence are the same"
    if len(right) != len(wrong):
        return f"the right sentence has {len(right)} words and the wrong one {len(wrong)}"
    shown = ", ".join(f"{right[place]} / {wrong[place]}" for place in places[:_SHOWN])
    return f"the right and the wrong sentence differ in {len(places)} words ({shown}{', …' * (len(places) > _SHOWN)})"


def shared_marks(first: str, second: str) -> str:
    ends = {_marks_of(word) for word in (first, second)}
    return ends.pop() if len(ends) == 1 else ""


def _marks_of(word: str) -> str:
    """The marks at the end of a word; none if there is nothing else. By category: vowel signs are no marks."""
    end = len(word)
    while end and unicodedata.category(word[end - 1]).startswith("P") and word[end - 1] not in _PARTS_OF_WORDS:
        end -= 1
    return word[end:] if end else ""


def with_companion(
    of_each: Iterable[tuple[int, Callable[[], AgreementPair]]], source: Source
) -> Iterator[AgreementPair]:
    """The pairs with the cells of the companion, if there is one, which has a row per item or one per form.

    `of_each` has the number of each row (or line) of the items, and the function that reads it.
    """
    read: list[AgreementPair | None] = []
    for place, pair_of in of_each:
        read.append(None)
        with row(place):
            read[-1] = pair_of()
    more: list[tuple[int, Row, Row]] = [(0, {}, {})] * len(read)
    if source.companion:
        more = _companion_rows(source.companion, len(read), source.file.name)
    for pair, (number, right, wrong) in zip(read, more, strict=True):
        if pair is None:
            continue
        with row(pair.place):
            if source.companion:
                _check_form(pair, right, wrong, f"{source.companion.name}, row {number}")
            yield replace(pair, right={**right, **pair.right}, wrong={**wrong, **pair.wrong})


def _companion_rows(companion: Path, n_items: int, name: str) -> list[tuple[int, Row, Row]]:
    """For each item its row's number, that row, and the row of the wrong form; empty where a row is per item."""
    rows = _numbered(companion)
    step = len(rows) // n_items
    if step not in (1, 2) or len(rows) % n_items:
        expected = f"{n_items:,}, one per item of {name}, or {2 * n_items:,}, one per form"
        raise InputError(f"found {len(rows):,} rows. Expected {expected}.", companion.name)
    wrongs = [cells for _, cells in rows[1::2]] if step == 2 else [{}] * n_items
    return [(*right, wrong) for right, wrong in zip(rows[::step], wrongs, strict=True)]


def _check_form(pair: AgreementPair, right: Row, wrong: Row, where: str) -> None:
    for cells, form in zip((right, wrong), pair.forms, strict=True):
        if (named := cells.get("form", form)) not in (form, form + pair.closing):
            raise InputError(f"the form is '{named}', but {pair.where} has '{form}'.", where)


HEURISTICS: Mapping[str, str] = MappingProxyType(
    {
        "cls_noun": "cls_noun_num",
        "cls_token": "cls_token_num",
        "fst_noun": "fst_noun_num",
        "com": "com_num",
        "que_n": "que_n_num",
    }
)
"""The surface heuristics, and the columns of the files that hold what each predicts."""
NUMBERS: Mapping[str, str] = MappingProxyType({"sing": "singular", "plur": "plural", "none": "none", "_": "none"})
SUBJECTS: Mapping[str, str] = MappingProxyType({"True": "yes", "False": "no", "_": "undetermined"})
UNKNOWN = "unknown"
_COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "attractors": ("n_attrs", "n_attr"),
        "distance": ("len_context",),
        "prefix_length": ("len_prefix",),
        "unknown": ("n_unk",),
        "que_id": ("que_id", "que_index"),
        "pattern": ("pattern",),
        "type": ("type",),
    }
)
"""Groups that are a cell as it is, and the columns that may hold it."""
GROUPS = ("number", "heuristics", *_COLUMNS, *HEURISTICS, "inverted", "frequency_correct", "frequency_wrong")
"""What can be known about an item, its ids aside."""


def groups(pair: AgreementPair, number: int) -> dict[str, str]:
    """All groups of an item, the `number`-th of its file; `unknown` where no file says anything."""
    row = pair.right
    values = {name: _cell(row, columns) for name, columns in _COLUMNS.items()}
    predicted = {name: _number(row, column) for name, column in HEURISTICS.items()}
    head = _number(row, "correct_number")
    inverted = _cell(row, ("inverted_subj", "rel_nsubj_inversed"))
    return {
        "number": head,
        "heuristics": count_right(head, predicted),
        **values,
        **predicted,
        "inverted": SUBJECTS.get(inverted, inverted),
        "frequency_correct": _cell(row, ("freq",)),
        "frequency_wrong": _cell(pair.wrong, ("freq",)),
        "constr_id": row.get("constr_id") or str(number),
        "contrast": contrast(*pair.forms),
    }


def count_right(number: str, predicted: Mapping[str, str]) -> str:
    """How many of the heuristics predict the right number; `unknown` unless all that is needed is known."""
    if UNKNOWN in (number, *predicted.values()):
        return UNKNOWN
    return str(sum(one == number for one in predicted.values()))


def _cell(row: Mapping[str, str], columns: tuple[str, ...]) -> str:
    return next((row[column] for column in columns if row.get(column)), UNKNOWN)


def _number(row: Mapping[str, str], column: str) -> str:
    cell = _cell(row, (column,))
    return NUMBERS.get(cell, cell)


LABELS = ("correct", "wrong")
"""Of the two candidates, the right one first; and the classes of rows."""


def form_candidates(pair: AgreementPair) -> tuple[Candidate, ...]:
    """Context: the prefix; text: the form and what follows it; the region `form` is the form."""
    return tuple(_candidate(pair, form, label) for form, label in zip(pair.forms, LABELS, strict=True))


def _candidate(pair: AgreementPair, form: str, label: str) -> Candidate:
    space = " " if pair.prefix else ""
    text = space + " ".join([form + pair.closing, *pair.rest])
    return Candidate(text, label, " ".join(pair.prefix), {"form": (len(space), len(space) + len(form))})
