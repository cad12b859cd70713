"""Two sentences that differ in one word, the form: read from the files of an agreement set.

Sentences are taken as words between white space, without the signs of their beginning and end.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from core.errors import InputError
from core.files.tables import ending, read_lines, read_table
from core.tasks._agreement_files import RAW, TABLE, Source

Row = Mapping[str, str]

_SIGNS = frozenset(("<bos>", "<eos>", "<s>", "</s>"))
OUT_OF_VOCABULARY = "<unk>"
_PARTS_OF_WORDS = frozenset("'’")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class AgreementPair:
    """The words before the form, the right and the wrong form, marks that stand at both, and the words after them.

    `right` and `wrong` are the rows that say more about each form, with the cells of the companion too; empty if no
    file does. `where` is the place in the file.
    """

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
    if kind in (RAW, TABLE):
        of_row = _of_sentences if kind == RAW else _of_prefix
        found = [of_row(*rows) for rows in _row_pairs(source.file)]
    else:
        found = list(_of_lines(source.file))
    yield from with_companion(found, source)


def words_of(sentence: str) -> list[str]:
    """The words between white space, without signs such as `<eos>`."""
    return [word for word in sentence.split() if word not in _SIGNS]


def read_rows(file: Path) -> list[Row]:
    """The rows of a table of an agreement set, by column.

    Prediction files come with quotation and without; one whose quoted cells would be damaged or run over lines has
    none.
    """
    try:
        table = read_table(file, delimiter="\t")
        over_lines = bool(table.apply(lambda column: column.str.contains("\n", regex=False)).to_numpy().any())
    except InputError:
        if ending(file) == TABLE:
            raise
        over_lines = True
    if over_lines:
        table = read_table(file, delimiter="\t", quoting=False)
    if table.empty:
        raise InputError("no row below the column names.", file.name)
    cells = zip(*(table[name].tolist() for name in table), strict=True)
    return [dict(zip(table.columns, row, strict=True)) for row in cells]


def _of_lines(file: Path) -> Iterator[AgreementPair]:
    lines = [(number, words_of(line)) for number, line in enumerate(read_lines(file), start=1)]
    lines = [(number, words) for number, words in lines if words]
    if len(lines) % 2 or not lines:
        last = lines[-1][0] if lines else 1
        found = f"an odd number of sentences, {len(lines):,}" if lines else "no sentence"
        raise InputError(
            f"{found}. Expected two lines for each item, the right sentence and then the same with the wrong form.",
            f"{file.name}, line {last}",
        )
    for (number, right), (_, wrong) in zip(lines[::2], lines[1::2], strict=True):
        yield _pair(f"{file.name}, line {number}", right, wrong)


def _row_pairs(file: Path) -> Iterator[tuple[str, Row, Row]]:
    """Where they begin, and the rows of the right and the wrong form of each item."""
    rows = read_rows(file)
    needed = ("class", "form", "sent") if ending(file) == RAW else ("class", "form", "prefix", "sent")
    if missing := [name for name in needed if name not in rows[0]]:
        hint = ""
        if "class" in missing:
            hint = " It has one form per item; give the file of sentences with both forms, and this one beside it."
        raise InputError(f"no column {', '.join(missing)}. Found {', '.join(rows[0])}.{hint}", file.name)
    for number in range(0, len(rows), 2):
        pair = sorted(rows[number : number + 2], key=lambda row: row["class"])
        where = f"{file.name}, row {number + 1}"
        if [row["class"] for row in pair] != ["correct", "wrong"]:
            raise InputError("expected two rows here, of class 'correct' and 'wrong', for one item.", where)
        if pair[0].get("constr_id") != pair[1].get("constr_id"):
            raise InputError("this row and the next have different values of constr_id.", where)
        yield where, pair[0], pair[1]


def _of_sentences(where: str, right: Row, wrong: Row) -> AgreementPair:
    pair = _pair(where, words_of(right["sent"]), words_of(wrong["sent"]))
    _check_form(pair, right, wrong, where)
    return replace(pair, right=right, wrong=wrong)


def _of_prefix(where: str, right: Row, wrong: Row) -> AgreementPair:
    """From the sentence up to the form, whose place may hold another word, and what follows that place."""
    sentence, prefix = words_of(right["sent"]), words_of(right["prefix"])
    if words_of(wrong["prefix"]) != prefix:
        raise InputError("the two rows of this item have different prefixes.", where)
    if not _begins(sentence, prefix):
        raise InputError("the prefix is not the beginning of the sentence.", where)
    place = len(prefix)
    closing = _marks_of(sentence[place])
    forms = right["form"].removesuffix(closing), wrong["form"].removesuffix(closing)
    return AgreementPair(where, sentence[:place], forms, closing, sentence[place + 1 :], right, wrong)


def _begins(sentence: Sequence[str], prefix: Sequence[str]) -> bool:
    """Whether a sentence goes on after this prefix; words that a model did not know may stand there as `<unk>`."""
    return len(sentence) > len(prefix) and all(
        given in (word, OUT_OF_VOCABULARY) for word, given in zip(sentence, prefix, strict=False)
    )


def _pair(where: str, right: Sequence[str], wrong: Sequence[str]) -> AgreementPair:
    """Two sentences cut where they differ."""
    places = [place for place, (one, two) in enumerate(zip_longest(right, wrong)) if one != two]
    if len(places) != 1 or len(right) != len(wrong):
        raise InputError(f"{_difference(right, wrong, places)}. Expected one word, the form.", where)
    place = places[0]
    first, second = right[place], wrong[place]
    closing = shared_marks(first, second)
    forms = first.removesuffix(closing), second.removesuffix(closing)
    return AgreementPair(where, right[:place], forms, closing, right[place + 1 :], {}, {})


def _difference(right: Sequence[str], wrong: Sequence[str], places: Sequence[int]) -> str:
    if not places:
        return "the right and the wrong sentence are the same"
    if len(right) != len(wrong):
        return f"the right sentence has {len(right)} words and the wrong one {len(wrong)}"
    shown = ", ".join(f"{right[place]} / {wrong[place]}" for place in places[:_SHOWN])
    return f"the right and the wrong sentence differ in {len(places)} words ({shown}{', …' * (len(places) > _SHOWN)})"


def shared_marks(first: str, second: str) -> str:
    """The punctuation with which both words end, empty if they end differently."""
    ends = {_marks_of(word) for word in (first, second)}
    return ends.pop() if len(ends) == 1 else ""


def _marks_of(word: str) -> str:
    """The marks at the end of a word; none if there is nothing else. By category: vowel signs are no marks."""
    end = len(word)
    while end and unicodedata.category(word[end - 1]).startswith("P") and word[end - 1] not in _PARTS_OF_WORDS:
        end -= 1
    return word[end:] if end else ""


def with_companion(found: Sequence[AgreementPair], source: Source) -> Iterator[AgreementPair]:
    """The pairs with the cells of the companion, if there is one, which has a row per item or one per form."""
    if source.companion is None:
        yield from found
        return
    name, rows = source.companion.name, read_rows(source.companion)
    step = len(rows) // len(found)
    if step not in (1, 2) or len(rows) % len(found):
        expected = f"{len(found):,}, one per item of {source.file.name}, or {2 * len(found):,}, one per form"
        raise InputError(f"found {len(rows):,} rows. Expected {expected}.", name)
    for number, (pair, right) in enumerate(zip(found, rows[::step], strict=True)):
        wrong = rows[step * number + 1] if step == 2 else {}
        _check_form(pair, right, wrong, f"{name}, row {step * number + 1}")
        yield replace(pair, right={**right, **pair.right}, wrong={**wrong, **pair.wrong})


def _check_form(pair: AgreementPair, right: Row, wrong: Row, where: str) -> None:
    """InputError if rows are not about the forms in which the sentences differ."""
    for row, form in zip((right, wrong), pair.forms, strict=True):
        if (named := row.get("form", form)) not in (form, form + pair.closing):
            raise InputError(f"the form is '{named}', but {pair.where} has '{form}'.", where)
