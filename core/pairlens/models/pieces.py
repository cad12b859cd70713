"""A server's way to cut texts, in the shape of a tokenizer: ids, names, and the characters that each token covers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pairlens.errors import InputError
from pairlens.models.tokenizer import byte_level_bytes
from pairlens.servers import Dialect
from pairlens.types import Span

_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_LETTER, _AS_BYTES = "ç", "Ã"
"""A letter of two bytes, and how byte-level vocabularies write the first of them."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The tokens of a text, as `tokenizers.Encoding` has them."""

    ids: list[int]
    tokens: list[str]
    offsets: list[Span]

    @property
    def word_ids(self) -> list[int | None]:
        return [None] * len(self.ids)


class Pieces:
    """Asks the server; InputError for a text whose pieces do not give it back, so that places are unknown."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._names: dict[int, str] = {}

    def encode_batch(self, texts: Sequence[str], *, add_special_tokens: bool = False) -> list[Cut]:
        return [self.encode(text, add_special_tokens=add_special_tokens) for text in texts]

    def encode(self, text: str, *, add_special_tokens: bool = False) -> Cut:
        assert not add_special_tokens, "start symbols are the policy's"
        pieces = self._dialect.pieces(text) or []
        names = [name if isinstance(name, str) else name.decode("utf-8", "replace") for _, name in pieces]
        ids = [id for id, _ in pieces]
        self._names.update(zip(ids, names, strict=True))
        return Cut(ids, names, _spans(text, [self._bytes(name) for _, name in pieces]))

    def id_to_token(self, id: int) -> str | None:
        return self._names.get(id)

    def _bytes(self, name: str | bytes) -> bytes:
        if isinstance(name, bytes):
            return name
        if self._is_byte_level:
            return byte_level_bytes(name)
        byte = _BYTE.fullmatch(name)
        return bytes([int(byte[1], 16)]) if byte else name.replace("▁", " ").encode()

    @cached_property
    def _is_byte_level(self) -> bool:
        return any(_AS_BYTES in str(name) for _, name in self._dialect.pieces(_LETTER) or ())


def _spans(text: str, pieces: Sequence[bytes]) -> list[Span]:
    """The characters that each piece covers, whole or in part; a space may come first that only the tokens have."""
    whole, at = text.encode(), 0
    characters = [place for place, character in enumerate(text) for _ in character.encode()]
    spans = []
    for place, piece in enumerate(pieces):
        own = piece[1:] if not place and piece.startswith(b" ") and not text.startswith(" ") else piece
        end = at + len(own)
        if whole[at:end] != own:
            raise InputError(
                "the server cuts it so that the places of its tokens are unknown; name the tokenizer in the address: "
                "?tokenizer=MODEL", f'"{text[:60]}"',
            )  # fmt: skip
        spans.append((characters[at], characters[end - 1] + 1) if own else (0, 0))
        at = end
    return spans
