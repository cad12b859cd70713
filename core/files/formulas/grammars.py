"""Formulas typed by users, parsed with a grammar; an error quotes the place where one cannot be read."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from core.errors import InputError

if TYPE_CHECKING:
    from lark import Lark, Token, Tree


def parsed(formula: str, grammar: str, start: str, expected: str) -> Tree[Token]:
    """The tree of a formula by a grammar in lark's notation.

    Raises InputError that quotes the formula from where it cannot be read, and ends with the sentence `expected`.
    """
    from lark.exceptions import UnexpectedInput, UnexpectedToken

    try:
        return _parser(grammar, start).parse(formula)
    except UnexpectedInput as error:
        at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        where = "ends too early" if at_end else f"cannot be read from '{formula[error.pos_in_stream :]}' on"
        raise InputError(f"The formula {where}. {expected}") from None


@cache
def _parser(grammar: str, start: str) -> Lark:
    from lark import Lark

    return Lark(grammar, start=start, parser="lalr")
