"""Which columns of a table hold pairs of texts: guessed by the names that such tables usually have, or as named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING

from pairlens.errors import InputError, unknown
from pairlens.files.row_mistakes import note, row
from pairlens.files.tables import row_numbers
from pairlens.types import TAKEN

if TYPE_CHECKING:
    import pandas as pd


Found = tuple[int, str, str, dict[str, str]]
"""The row of the good text, a good text, a bad one, and the groups of both."""


def pairs_in(table: pd.DataFrame, roles: Roles, where: str) -> Iterator[Found]:
    """Row, good text, bad text and groups of each pair, in the order of their first rows.

    The other columns are groups, without white space at the ends of their cells; `UID` is the paradigm, if one is
    known. Of two rows only those columns count that never differ within a pair. Raises InputError with the row for a
    missing text, and for sentences that are not in pairs; these pairs are left out where mistakes are collected.
    """
    rows = row_numbers(table)
    cells = {str(name): texts_of(table[name]) for name in table.columns}
    couples: Sequence[tuple[int, int]] = [(place, place) for place in range(len(table))]
    columns, taken = (roles.good, roles.bad), {roles.good, roles.bad}
    if roles.sentence:
        couples = _couples(cells, roles, rows, where)
        columns, taken = (roles.sentence, roles.sentence), {roles.sentence, roles.label}
    couples = [couple for couple in couples if _has_texts(couple, columns, cells, rows, where)]
    texts = [[cells[column][couple[side]] for couple in couples] for side, column in enumerate(columns)]
    shared = {name: _shared(values, couples) for name, values in cells.items() if name not in taken}
    groups = _groups({name: values for name, values in shared.items() if values is not None}, roles)
    of_each = zip(*groups.values(), strict=True) if groups else repeat(())
    for (first, _), good, bad, values in zip(couples, texts[0], texts[1], of_each, strict=False):
        yield rows[first], good, bad, dict(zip(groups, values, strict=True))


def _shared(values: Sequence[str], couples: Sequence[tuple[int, int]]) -> list[str] | None:
    """A column's cell for each pair; None if it differs between the two rows of any."""
    good = [values[first].strip() for first, _ in couples]
    return good if good == [values[second].strip() for _, second in couples] else None


def _groups(columns: Mapping[str, list[str]], roles: Roles) -> dict[str, list[str]]:
    paradigm = columns.get(roles.paradigm)
    if paradigm is None:
        return {group_name(name): values for name, values in columns.items()}
    others = {"given_UID" if name == "UID" else group_name(name): values for name, values in columns.items()}
    if roles.paradigm == "UID":
        del others["given_UID"]
    return {"UID": paradigm, **others}


def _couples(
    cells: Mapping[str, Sequence[str]], roles: Roles, rows: Sequence[int], where: str
) -> list[tuple[int, int]]:
    sides = {roles.good: 0, roles.bad: 1}
    keys = [cells[name] for name in (roles.item, *roles.group)]
    rows_of: dict[tuple[str, ...], list[int | None]] = {}
    for place, (label, *key) in enumerate(zip(cells[roles.label], *keys, strict=True)):
        with row(rows[place]):
            here = f"{where}, row {rows[place]}"
            side = sides.get(label.strip())
            if side is None:
                raise InputError(f"{label.strip()[:40]!r} is neither '{roles.good}' nor '{roles.bad}'.", here)
            known = rows_of.setdefault(tuple(cell.strip() for cell in key), [None, None])
            if (earlier := known[side]) is not None:
                raise InputError(
                    f"row {rows[earlier]} is '{label.strip()}' of the same pair already: name a column as a group "
                    "that tells these pairs apart.",
                    here,
                )
            known[side] = place
    couples = []
    for good, bad in rows_of.values():
        if good is not None and bad is not None:
            couples.append((good, bad))
            continue
        lonely, missing = (good, roles.bad) if bad is None else (bad, roles.good)
        number = rows[lonely or 0]
        note(number, InputError(f"its pair has no sentence that is '{missing}'.", f"{where}, row {number}"))
    return couples


def _has_texts(
    couple: tuple[int, int],
    columns: Sequence[str],
    cells: Mapping[str, Sequence[str]],
    rows: Sequence[int],
    where: str,
) -> bool:
    """Whether both texts of a pair are there; what is missing is noted."""
    places = zip(couple, columns, strict=True)
    missing = {rows[place]: name for place, name in places if not cells[name][place].strip()}
    for number, name in missing.items():
        note(number, InputError(f"column '{name}' has no text", f"{where}, row {number}"))
    return not missing


TEXTS = (
    ("good", "bad"), ("sentence_good", "sentence_bad"), ("good_sentence", "bad_sentence"), ("expected", "unexpected"),
    ("sen", "wrong_sen"), ("source_sentence", "target_sentence"), ("grammatical", "ungrammatical"),
)  # fmt: skip
"""What the column of good texts and that of bad ones are called."""
SENTENCE = ("sentence", "sent", "text", "stimulus", "frase", "sentença", "oração", "phrase", "satz", "oración")
LABEL = (
    "comparison",
    "grammaticality",
    "acceptability",
    "comparação",
    "gramaticalidade",
    "comparaison",
    "grammaticalité",
)
PAIR = ("pairid", "pair_id", "pair", "par", "paire")
ITEM = ("item", "item_id", "itemid", "item_number")
PARADIGM = ("uid", "paradigm", "pid", "phenomenon")
"""What other columns are usually called, the commonest name first; case does not matter."""
SIDES = (
    ("expected", "unexpected"), ("grammatical", "ungrammatical"), ("acceptable", "unacceptable"), ("good", "bad"),
    ("correct", "incorrect"), ("plausible", "implausible"),
)  # fmt: skip
"""What a column of labels usually says of the two sentences of a pair."""
_OTHER_SIDES = (
    ("esperado", "inesperado"), ("esperada", "inesperada"), ("gramatical", "agramatical"), ("correto", "incorreto"),
    ("aceitável", "inaceitável"), ("certo", "errado"), ("attendu", "inattendu"), ("attendue", "inattendue"),
    ("grammatical", "agrammatical"), ("erwartet", "unerwartet"), ("grammatisch", "ungrammatisch"),
)  # fmt: skip
"""The same in Portuguese, Spanish, French and German."""
_JUDGEMENTS = frozenset(["0", "1", "*", "?", "??", "ok", "good", "bad"]) | {side for pair in SIDES for side in pair}
"""What a column says that judges single sentences."""
_TAKEN = TAKEN | {"contrast", "value", "unscored", "right", "rival", "section", "why", "texts"}
"""Columns of the tables that are made of a run (`pairlens.metrics`, `pairlens.store`): no group can have these
names."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Which column plays which role; an empty one is guessed.

    One row per pair: `good` and `bad` are two columns of texts. Two rows per pair: `sentence` is the column of texts,
    `label` says which of two each is, `good` and `bad` are what it says, and rows with the same `item`, and the same
    cells in the columns of `group`, are a pair. The first column of `group` is the `paradigm`; without any it is one
    with a usual name.
    """

    good: str = ""
    bad: str = ""
    sentence: str = ""
    label: str = ""
    item: str = ""
    group: tuple[str, ...] = ()
    paradigm: str = ""

    def in_words(self) -> str:
        texts = f"good = {self.good} · bad = {self.bad}"
        if self.sentence:
            texts = f"sentences = {self.sentence} · {self.label} says {self.good} or {self.bad} · pairs = {self.item}"
        return f"Columns: {texts}" + (f" · paradigm = {self.paradigm}" if self.paradigm else "") + "."


def completed(table: pd.DataFrame, asked: Roles, where: str) -> Roles:
    """The roles that are played in a table: those asked for, the others guessed.

    Raises InputError, with the nearest name, for a column or a label that is not there, and if no columns hold pairs.
    """
    names = [str(name) for name in table.columns]
    for column in (asked.sentence, asked.label, asked.item, *asked.group):
        _known(column, names, "column", where)
    roles = replace(asked, paradigm=asked.group[0] if asked.group else named(names, PARADIGM))
    if asked.sentence or asked.label or asked.item:
        return _two_rows(table, names, roles, where)
    if asked.good or asked.bad:
        if not (asked.good and asked.bad):
            raise InputError("name both columns, that of the good texts and that of the bad ones.", where)
        for column in (asked.good, asked.bad):
            _known(column, names, "column", where)
        _differ(roles, where)
        return roles
    if texts := two_texts(names):
        return replace(roles, good=texts[0], bad=texts[1])
    if named(names, SENTENCE) and named(names, LABEL):
        return _two_rows(table, names, roles, where)
    if judged := _judged(table):
        raise InputError(
            f"single sentences, each with a judgement (column '{judged}'), as in CoLA: they form no pairs. Minimal "
            "pairs take a good and a bad text per row, or a column (item) that says which two sentences belong "
            "together. What a model makes of single sentences is given by `score` and `perplexity`, and word by word "
            "by `minimal-pair` and its page.",
            where,
        )
    expected = " or ".join(" and ".join(pair) for pair in TEXTS)
    raise InputError(
        f"expected columns {expected}, or name those that hold the good texts and the bad ones; "
        f"found {', '.join(names)}. If that is a pair, the names are missing: write good and bad above",
        where,
    )


def _judged(table: pd.DataFrame) -> str:
    cells = {str(name): label_values(table, name) for name in table.columns}
    judged = [name for name, values in cells.items() if values and _JUDGEMENTS.issuperset(map(str.casefold, values))]
    return judged[0] if judged and len(text_columns(table)) == 1 else ""


def text_columns(table: pd.DataFrame) -> list[str]:
    """The columns in which some text has more than two words: sentences, whatever their names are."""
    return [str(name) for name in table.columns if any(len(cell.split()) > 2 for cell in texts_of(table[name]))]


def two_texts(names: Sequence[str]) -> tuple[str, str] | None:
    layouts = ((named(names, [good]), named(names, [bad])) for good, bad in TEXTS)
    return next((pair for pair in layouts if all(pair)), None)


def named(names: Sequence[str], usual: Iterable[str]) -> str:
    """The column with the first of these names, as it is written in the table; empty if there is none."""
    written = {name.casefold(): name for name in reversed(names)}
    return next((written[name] for name in usual if name in written), "")


def sides(values: Iterable[str]) -> tuple[str, str] | None:
    """What a column of labels calls its good and its bad side, if these are one of the usual pairs."""
    written = {value.strip().casefold(): value.strip() for value in values}
    return next(
        ((written[good], written[bad]) for good, bad in (*SIDES, *_OTHER_SIDES) if {good, bad} <= written.keys()),
        None,
    )


def label_values(table: pd.DataFrame, label: str) -> list[str]:
    """What a column says, in alphabetical order; of no column, nothing."""
    return sorted({value.strip() for value in texts_of(table[label])} - {""}) if label else []


def group_name(column: str) -> str:
    return f"given_{column}" if column in _TAKEN else column


def texts_of(column: pd.Series) -> list[str]:
    """Cells as text: a missing one is empty, a whole number has no decimal point."""
    return [cell if isinstance(cell, str) else _text(cell) for cell in column.tolist()]


def _text(cell: object) -> str:
    if cell is None or (isinstance(cell, float) and cell != cell):
        return ""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _two_rows(table: pd.DataFrame, names: Sequence[str], roles: Roles, where: str) -> Roles:
    sentence = roles.sentence or named(names, SENTENCE)
    label = roles.label or named(names, LABEL)
    item = roles.item or named(names, PAIR) or named(names, ITEM)
    for role, column, says in (
        ("sentence", sentence, "has the sentences"),
        ("label", label, "says which one is good"),
        ("item", item, "says which two belong together"),
    ):
        if not column:
            raise InputError(f"no column is known that {says}: name it ({role}). Found {', '.join(names)}", where)
    values = label_values(table, label)
    good, bad = roles.good, roles.bad
    if not (good and bad):
        usual = sides(values)
        if usual is None:
            shown_values = ", ".join(values[:8])
            raise InputError(f"column '{label}' says {shown_values}: name what is good and what is bad.", where)
        good, bad = good or usual[0], bad or usual[1]
    for value in (good, bad):
        _known(value, values, f"label in column '{label}'", where)
    layout = replace(roles, good=good, bad=bad, sentence=sentence, label=label, item=item)
    _differ(layout, where)
    return layout


def _differ(roles: Roles, where: str) -> None:
    if roles.good == roles.bad:
        raise InputError(f"'{roles.good}' cannot be both the good one and the bad one.", where)


def _known(name: str, names: Iterable[str], what: str, where: str) -> None:
    if name and name not in names:
        raise InputError(unknown(what, name, names), where)
