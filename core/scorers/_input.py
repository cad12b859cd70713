"""The tokens that a network sees at once, and the places where its output is read."""

from __future__ import annotations

from typing import NamedTuple

Ids = tuple[int, ...]
Place = tuple[int, int]
"""A row and a position in it."""


class Input(NamedTuple):
    """The tokens that a network sees at once; in an encoder-decoder, the encoder's and the decoder's.

    `types` says to which of two texts each token belongs, where a tokenizer tells the network.
    """

    ids: Ids
    decoder: Ids = ()
    types: Ids = ()

    @property
    def tokens(self) -> int:
        """How many there are."""
        return len(self.ids) + len(self.decoder)

    @property
    def outputs(self) -> int:
        """At how many positions the network says something."""
        return len(self.decoder or self.ids)
