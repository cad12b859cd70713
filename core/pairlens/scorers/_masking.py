"""Pseudo-log-likelihoods: each token with a mask in its place.

    within_word_l2r   given everything around it but the later pieces of its word (Kauf & Ivanova 2023)
    original          given everything around it (Salazar et al. 2020)
    left_to_right     given only what precedes it, and that two more tokens follow (Charpentier et al. 2025)

The special tokens that the tokenizer puts around a text are part of every row and never scored. In a text that is
longer than the window, the row is the window around the masked token; or (`windows` is `stride`) the first of the
windows at multiples of the stride that contains it, 20 tokens shorter than the model's, as in NLPScholar.

Kauf & Ivanova 2023, "A better way to do masked language model scoring"; Salazar et al. 2020, "Masked language model
scoring"; Charpentier et al. 2025, "BabyLM turns 3", where reading times are predicted from masked models.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from pairlens.errors import ModelError, PolicyError
from pairlens.models import Loaded
from pairlens.policies import Policy
from pairlens.scorers import _windows
from pairlens.scorers._batching import Row
from pairlens.scorers._encoding import Encoded
from pairlens.scorers._measuring import NO_TARGET
from pairlens.scorers._network import NetworkScorer
from pairlens.text.words import word_positions

_KEPT_FREE = 20
"""Tokens by which NLPScholar's windows over masked models are shorter than what the model sees."""
_HIDDEN_LEFT_TO_RIGHT = 3
"""The token's own place and the two after it, as in the BabyLM pipeline."""


class Hidden(NamedTuple):
    """Token indices of a view: `begin` to `place` and `stop` to `end` are seen, `place` to `stop` is hidden."""

    begin: int
    place: int
    stop: int
    end: int


def hidden(text: Encoded, policy: Policy, room: int, stride: int = 0) -> Iterator[Hidden]:
    """The view of each token of the continuation in a window of `room` tokens: around it, or by a `stride`.

    Left to right, the text is taken to end with the hidden tokens, which may reach beyond its last one.
    """
    total = len(text.ids)
    stops = [*range(1, total + 1)]
    pll = policy.pll
    if pll == "within_word_l2r":
        whole = text.request.text
        words = text.words if policy.by_tokenizer else word_positions(text.spans, whole, characters=True)
        for place in range(total - 2, -1, -1):
            if words[place] == words[place + 1]:
                stops[place] = stops[place + 1]
    for place in range(text.first, text.stop):
        stop = place + _HIDDEN_LEFT_TO_RIGHT if pll == "left_to_right" else stops[place]
        if stride:
            begin = _windows.first_with(place, room, stride)
            end = min(total, begin + room)
        else:
            begin, end = _windows.centred(stop if pll == "left_to_right" else total, room, place)
        yield Hidden(begin, place, min(stop, end), end)


class MaskingScorer(NetworkScorer):
    """A masked model under a policy; with `shift` 1 a token is read at the position before its mask."""

    ends_words = False
    sees_after = True

    def __init__(self, network: Loaded, policy: Policy, shift: int) -> None:
        super().__init__(network, *_room_and_stride(network, policy))
        self._mask, self._shift, self._policy = mask_of(network), shift, policy

    def _rows(self, text: Encoded, boundary: bool) -> Iterator[Row]:  # noqa: ARG002 - see `ends_words`
        before, after = self.tokenizer.before, self.tokenizer.after
        views = hidden(text, self._policy, self.window, self.stride)
        for begin, place, stop, end in islice(views, self._unread(text), None):
            masks = (self._mask,) * (stop - place)
            position = len(before) + place - begin - self._shift
            ids = (*before, *text.ids[begin:place], *masks, *text.ids[stop:end], *after)
            yield Row(ids, ((position, text.ids[place]),))
        if text.first + self._unread(text) == text.stop:  # a row is needed: its only output predicts no token
            yield Row(text.ids, ((0, NO_TARGET),))

    def _unread(self, text: Encoded) -> int:
        return int(self._shift > len(self.tokenizer.before) + text.first)


def _room_and_stride(network: Loaded, policy: Policy) -> tuple[int, int]:
    """The tokens of a text that a row takes, and the stride of windows, 0 if each token has its own; PolicyError."""
    room, size = room_for_text(network, policy), _windows.size(network, policy)
    if policy.windows == "full" or policy.pll == "left_to_right":
        return room, 0
    room, stride = min(room, size - _KEPT_FREE), policy.stride or size // 2
    if room < 1:
        raise PolicyError(
            f"Windows by strides are {_KEPT_FREE} tokens shorter than the {size} that '{network.name}' can see: take "
            f"a window of more than {_KEPT_FREE} tokens, or windows=full."
        )
    if stride > room:
        raise PolicyError(
            f"A stride of {stride} leaves tokens out: windows by strides have {room} of the {size} tokens "
            f"that '{network.name}' can see. Take a smaller stride, or windows=full."
        )
    return room, stride


def mask_of(network: Loaded) -> int:
    if network.tokenizer.mask is None:
        raise ModelError(f"'{network.name}' has neither a mask token nor sentinels (<extra_id_0>) in its tokenizer.")
    return network.tokenizer.mask


def room_for_text(network: Loaded, policy: Policy) -> int:
    tokenizer = network.tokenizer
    room = _windows.size(network, policy) - len(tokenizer.before) - len(tokenizer.after)
    if room < 2:
        raise PolicyError(f"A window of {policy.window} tokens leaves no room between special tokens.")
    return room
