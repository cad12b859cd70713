"""The pairs of a table whose columns are known: one per row, or one in two rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.row_mistakes import note, row
from core.files.tables import row_numbers
from core.tasks._pair_columns import Roles, group_name, texts_of

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
    found: dict[tuple[str, ...], list[int | None]] = {}
    for place, (label, *key) in enumerate(zip(cells[roles.label], *keys, strict=True)):
        with row(rows[place]):
            here = f"{where}, row {rows[place]}"
            side = sides.get(label.strip())
            if side is None:
                raise InputError(f"{label.strip()[:40]!r} is neither '{roles.good}' nor '{roles.bad}'.", here)
            known = found.setdefault(tuple(cell.strip() for cell in key), [None, None])
            if (earlier := known[side]) is not None:
                raise InputError(
                    f"row {rows[earlier]} is '{label.strip()}' of the same pair already: name a column as a group "
                    "that tells these pairs apart.",
                    here,
                )
            known[side] = place
    couples = []
    for good, bad in found.values():
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
