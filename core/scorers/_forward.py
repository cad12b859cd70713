"""One forward pass: rows of tokens in, logits at single positions out."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from core.models import Loaded

Ids = tuple[int, ...]
Place = tuple[int, int]
"""A row and a position in it."""

_HARMLESS = 1e-5
"""Nats by which padding may move a log-probability, beyond what batches of any kind do by rounding."""
OF_PAIRS = frozenset({"classifier", "next-sentence"})
"""Heads that say one thing about two texts."""
_SAME = 1e-3
"""Nats by which an output layer may differ for single positions: a wrong one would be off by far more."""


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


class _Chosen(threading.local):
    """The positions that this thread's forward pass sends through the output layer; None for all."""

    places: tuple[torch.Tensor, torch.Tensor] | None = None


class Forward:
    """A network that is asked about single positions of rows padded on the right.

    Its output layer, which can cost as much as all others, then sees those positions only, unless a probe shows that
    this network wants whole rows. An encoder reads equal texts of a batch once. `pads` says whether rows of different
    length may share a batch.
    """

    def __init__(self, network: Loaded) -> None:
        self._network = network
        self._chosen = _Chosen()
        self._picks = False
        self._types = "token_type_ids" in inspect.signature(network.module.forward).parameters
        short, long = _probes(network)
        alone, padded = self._whole([short])[0], self._whole([short, long])[0, : short.outputs]
        rounding = _distance(self._whole([short, short])[0], alone)
        self.pads = _distance(padded, alone) <= _HARMLESS + 2 * rounding
        layer = _output_layer(network.module)
        if isinstance(layer, torch.nn.Module):
            layer.register_forward_pre_hook(self._pick)
            self._picks = self._picks_rightly([short, long], _SAME + 2 * rounding)

    def __call__(self, rows: Sequence[Input], places: Sequence[Place]) -> torch.Tensor:
        """Logits (places, vocabulary) at each place."""
        where, position = torch.as_tensor(places, device=self._network.device).unbind(1)
        if not self._picks:
            return self._whole(rows)[where, position]
        self._chosen.places = where, position
        try:
            return self._whole(rows)
        finally:
            self._chosen.places = None

    def _pick(self, _: torch.nn.Module, inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
        if self._chosen.places is None:
            return None
        return (inputs[0][self._chosen.places], *inputs[1:])

    def _whole(self, rows: Sequence[Input]) -> torch.Tensor:
        """Logits (rows, longest, vocabulary), or of the chosen places only."""
        arguments = self._decoded if self._network.head == "seq2seq" else self._read
        with torch.inference_mode():
            output = self._network.module(**arguments(rows))
        logits = torch.as_tensor(output.logits)
        return logits[:, None] if self._network.head in OF_PAIRS else logits  # one answer per row

    def _read(self, rows: Sequence[Input]) -> dict[str, object]:
        ids, seen = self._padded([row.ids for row in rows])
        arguments: dict[str, object] = {"input_ids": ids, "attention_mask": seen}
        if self._types and rows[0].types:
            arguments["token_type_ids"] = self._padded([row.types for row in rows], 0)[0]
        return arguments

    def _decoded(self, rows: Sequence[Input]) -> dict[str, object]:
        """What a decoder is given: its tokens, and what the encoder makes of each distinct text."""
        module: Any = self._network.module
        texts = {ids: place for place, ids in enumerate(dict.fromkeys(row.ids for row in rows))}
        ids, seen = self._padded(list(texts))
        states = module.get_encoder()(input_ids=ids, attention_mask=seen).last_hidden_state
        which = torch.tensor([texts[row.ids] for row in rows], device=self._network.device)
        decoder_ids, decoder_seen = self._padded([row.decoder for row in rows])
        return {
            "encoder_outputs": (states[which],),
            "attention_mask": None if seen is None else seen[which],
            "decoder_input_ids": decoder_ids,
            "decoder_attention_mask": decoder_seen,
            "use_cache": False,
        }

    def _padded(self, rows: Sequence[Ids], pad: int | None = None) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Ids (rows, longest) and which of them are no padding; None if none is. `pad` is the tokenizer's if None."""
        filler = self._network.tokenizer.pad if pad is None else pad
        ids = np.full((len(rows), max(map(len, rows))), filler, dtype=np.int64)
        seen = np.zeros_like(ids)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            seen[place, : len(row)] = 1
        device = self._network.device
        return torch.from_numpy(ids).to(device), None if seen.all() else torch.from_numpy(seen).to(device)

    def _picks_rightly(self, rows: Sequence[Input], tolerance: float) -> bool:
        """Whether the output layer says the same about single positions as about whole rows."""
        places = [(place, position) for place, row in enumerate(rows) for position in range(row.outputs)][::-1]
        expected = self(rows, places)
        self._picks = True
        try:
            picked = self(rows, places)
        except (RuntimeError, ValueError, IndexError, TypeError):
            return False  # code between body and output that counts on whole rows
        return picked.shape == expected.shape and _distance(picked, expected) <= tolerance


def _output_layer(module: Any) -> object:
    try:
        return module.get_output_embeddings()
    except (NotImplementedError, AttributeError):
        return None  # a model's own code need not say


def _probes(network: Loaded) -> tuple[Input, Input]:
    """A short row and a longer one, of tokens drawn with a fixed seed."""
    if network.head in OF_PAIRS:
        return _probing_pairs(network)
    drawn = np.random.default_rng(0).integers(0, network.tokenizer.size, min(9, network.window))
    long: Ids = tuple(drawn.tolist())
    short = long[: max(1, len(long) // 3)]
    if network.head == "seq2seq":
        return Input(short, short), Input(long, long)
    return Input(short), Input(long)


def _probing_pairs(network: Loaded) -> tuple[Input, Input]:
    """The same for a network that sees two texts, framed as its tokenizer does: no special token stands in them."""
    plain = sorted(set(range(network.tokenizer.size)) - network.tokenizer.reserved)
    drawn: Ids = tuple(np.random.default_rng(0).choice(plain, 9).tolist())
    frame = network.tokenizer.pair
    (ids, types), (longer, longer_types) = frame.row(drawn[:2], drawn[:1]), frame.row(drawn[:5], drawn[5:])
    return Input(ids, types=types), Input(longer, types=longer_types)


def _distance(logits: torch.Tensor, others: torch.Tensor) -> float:
    """The largest difference between log-probabilities."""
    return float((logits.float().log_softmax(-1) - others.float().log_softmax(-1)).abs().max())
