"""The rows of tokens that a network sees, and the places where its output is read."""

from __future__ import annotations

from typing import NamedTuple

Ids = tuple[int, ...]
Place = tuple[int, int]
"""A row and a position in it."""


class Input(NamedTuple):
    """The tokens of one row; in an encoder-decoder, the encoder's and the decoder's.

    `types` are the token types that tell two texts apart, where the tokenizer makes them.
    """

    ids: Ids
    decoder: Ids = ()
    types: Ids = ()

    @property
    def tokens(self) -> int:
        return len(self.ids) + len(self.decoder)

    @property
    def read(self) -> Ids:
        """The tokens with an output: all, or the decoder's."""
        return self.decoder or self.ids

    @property
    def source(self) -> Ids:
        """What an encoder sees beside them."""
        return self.ids if self.decoder else ()

    @property
    def outputs(self) -> int:
        return len(self.read)
