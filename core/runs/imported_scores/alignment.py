"""Tokens as vocabularies write them (`Ġcats`, `▁cats`, `##s`), aligned with the characters of a text."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import InputError
from core.models.tokenizer import byte_level_bytes
from core.types import Span

_UNKNOWN = frozenset(("[UNK]", "<unk>", "<|unk|>"))
_CONTINUES = "##"


def aligned(tokens: Sequence[str], text: str, where: str) -> list[Span]:
    """The span of each token in its text, ignoring case; InputError for a token that does not come next.

    A token for part of a character has an empty span, as has the unknown token.
    """
    shown = text.casefold() if len(text.casefold()) == len(text) else text
    spans: list[Span] = []
    place, lost = 0, False
    for token, piece in zip(tokens, _pieces(tokens), strict=True):
        wanted = piece.strip().casefold() if shown is not text or shown == text.casefold() else piece.strip()
        begin = place + len(shown[place:]) - len(shown[place:].lstrip())
        if not wanted or token in _UNKNOWN:
            spans.append((place, place))
            lost = True
            continue
        start = shown.find(wanted, place) if lost else (begin if shown.startswith(wanted, begin) else -1)
        if start < 0:
            raise InputError(f"token {token[:40]!r} is not what comes next in the text, {text[place:][:40]!r}", where)
        place, lost = start + len(wanted), False
        spans.append((start, place))
    return spans


def put_together(tokens: Sequence[str]) -> tuple[str, list[Span]]:
    """A text made from its tokens, and their spans; every token is a word if the vocabulary marks none."""
    text = ""
    spans: list[Span] = []
    for number, piece in enumerate(_pieces(tokens)):
        text += "" if number == 0 else piece[: len(piece) - len(piece.lstrip())]
        start = len(text)
        text += piece.strip()
        spans.append((start, len(text)))
    return text, spans


def _pieces(tokens: Sequence[str]) -> list[str]:
    """The characters of each token, with the space before it."""
    if any(token.startswith("Ġ") for token in tokens):
        return [byte_level_bytes(token).decode("utf-8", "ignore") for token in tokens]
    if any(token.startswith("▁") for token in tokens):
        return [token.replace("▁", " ") for token in tokens]
    if any(token[:1].isspace() for token in tokens):
        return list(tokens)
    return [token.removeprefix(_CONTINUES) if token.startswith(_CONTINUES) else f" {token}" for token in tokens]
