"""The votes of a class, from a table: step (its number, from 1), choice (A, B, a form or a word), votes."""

from __future__ import annotations

from pathlib import Path

from core.errors import InputError
from core.files import tables
from core.studies.lesson import Lesson, Step

Votes = list[dict[str, int]]
"""For each step of a lesson the number of votes by choice; empty where there are none."""
_COLUMNS = ("step", "choice", "votes")


def read_votes(path: Path, lesson: Lesson) -> Votes:
    """The votes in a table (CSV, JSON, ...); several rows of one choice add up.

    InputError, with the row, for a step or a choice that the lesson does not have.
    """
    table = tables.read_table(path)
    if missing := [name for name in _COLUMNS if name not in table.columns]:
        raise InputError(
            f"no column '{missing[0]}': votes have the columns {', '.join(_COLUMNS)}", tables.label(path)
        )
    found: Votes = [{} for _ in lesson.steps]
    rows = zip(tables.row_numbers(table), *(table[name] for name in _COLUMNS), strict=True)
    for number, step, choice, votes in rows:
        where = f"{tables.label(path)}, row {number}"
        place = _number(step, "step", 1, len(lesson.steps), where) - 1
        given = _choice(str(choice).strip(), lesson.steps[place], where)
        own = found[place]
        own[given] = own.get(given, 0) + _number(votes, "votes", 0, 1_000_000, where)
    return found


def _number(value: object, name: str, least: int, most: int, where: str) -> int:
    try:
        number = float(str(value))
    except ValueError:
        number = -1.0
    if not number.is_integer() or not least <= number <= most:
        raise InputError(f"'{name}' should be a whole number from {least} to {most:,}, not {value}", where)
    return int(number)


def _choice(given: str, step: Step, where: str) -> str:
    known = ("A", "B") if step.pair else step.forms
    if not given or (known and given not in known):
        raise InputError(f"'{given}' is no choice of this step" + (f": {', '.join(known)}" if known else ""), where)
    return given
