"""One forward pass: rows of tokens in, logits at single positions out."""

import inspect
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np
import torch

from pairlens.errors import ModelError
from pairlens.models import Loaded, products, spreading
from pairlens.scorers import _probes
from pairlens.scorers._output import LastLayer, Logits, fuse, last_layer, layer_of, output_layer
from pairlens.scorers._trie import Ids, Input, Place, Tree

OF_PAIRS = frozenset({"classifier", "next-sentence"})
"""Heads with one output for two texts."""
_FEW_READ = OF_PAIRS | {"masked"}
"""Heads of which a row's output is read at one position or few."""
_SHARED_BY: Mapping[str, set[str]] = {
    "causal": {"position_ids", "attention_mask"},
    "seq2seq": {"decoder_position_ids", "decoder_attention_mask"},
}
"""What a network must be told of rows that share one, by its head."""


class _Chosen(threading.local):
    """The positions that this thread's forward pass sends to the output layer, and what arrives there."""

    places: tuple[torch.Tensor, torch.Tensor] | None = None
    states: torch.Tensor | None = None


class Forward:
    """A network that is read at single positions of rows padded on the right; `pads`: rows of any length share a
    batch.

    Its output layer, which can cost as much as all others, then sees those positions only (`projects`: and computes
    logits a stretch at a time), unless a probe shows that this network needs whole rows. An encoder reads equal texts
    of a batch once.
    """

    def __init__(self, network: Loaded) -> None:
        fuse(network.module)
        products.use_in(network.module)
        self._network = network
        self._chosen = _Chosen()
        self._picks = self.projects = False
        self._last: LastLayer | None = None
        self._named = frozenset(inspect.signature(network.module.forward).parameters)
        self._layer = output_layer(network.module)
        self._lock = threading.Lock()
        divided = spreading.is_divided(network.module)
        self._alone: AbstractContextManager[Any] = threading.Lock() if divided else nullcontext()
        self._together: int | None = None
        rows = _probes.rows(network)
        alone, padded = self._first(rows[:1])[0], self._whole(rows)
        disturbed = _probes.distance(padded[0, : rows[0].outputs], alone)
        rounding = 0.0
        if disturbed > _probes.HARMLESS:
            rounding = _probes.distance(self._whole([rows[0], rows[0]])[0], alone)
        self.pads = disturbed <= _probes.HARMLESS + 2 * rounding
        self.reach = _probes.reach(network.module.config)
        if layer := layer_of(network.module):
            layer.register_forward_pre_hook(self._pick)
            self._choose_output(rows, padded, _probes.SAME + 2 * rounding)
        if network.head in _FEW_READ and not divided:
            self._choose_last_layer(rows, padded, _probes.SAME + 2 * rounding)

    @property
    def together(self) -> int:
        """The most tokens that rows which share a row may have; 0 if a probe shows that sharing moves numbers."""
        with self._lock:  # the first caller probes
            if self._together is None:
                asks = _SHARED_BY.get(self._network.head)
                can_share = asks is not None and asks <= self._named
                self._together = _probes.together(self._network, self.reach, self) if can_share else 0
            return self._together

    def __call__(self, rows: Sequence[Input | Tree], places: Sequence[Place]) -> Logits:
        only, places = self._narrowed(len(rows), places)
        where = torch.as_tensor(places, device=self._network.device).unbind(1)
        with only, self._choosing(where[0], where[1]):
            logits = self._whole(rows)
            if not self._picks:
                return Logits(logits[where])
            states = self._chosen.states
        if self._layer is None or states is None or not self.projects:
            return Logits(logits)
        return Logits(states, self._layer)

    def _narrowed(self, count: int, places: Sequence[Place]) -> tuple[AbstractContextManager[None], Sequence[Place]]:
        """A pass in which each row has only the positions that are read, and their places in it."""
        if self._last is None:
            return nullcontext(), places
        read: list[list[int]] = [[] for _ in range(count)]
        moved = []
        for row, position in places:
            moved.append((row, len(read[row])))
            read[row].append(position)
        positions, _ = self._padded(read, 0)
        return self._last.at(positions), moved

    @contextmanager
    def _choosing(self, rows: torch.Tensor, positions: torch.Tensor) -> Iterator[None]:
        self._chosen.places = (rows, positions) if self._picks else None
        try:
            yield
        finally:
            self._chosen.places = self._chosen.states = None

    def _pick(self, _: torch.nn.Module, inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
        if self._chosen.places is None:
            return None
        states = inputs[0][tuple(part.to(inputs[0].device) for part in self._chosen.places)]
        if not self.projects:
            return (states, *inputs[1:])
        self._chosen.states = states.to(self._network.device)
        return (inputs[0][:, :0], *inputs[1:])

    def _choose_output(self, rows: Sequence[Input], expected: torch.Tensor, tolerance: float) -> None:
        places = [(place, position) for place, row in enumerate(rows) for position in range(row.outputs)][::-1]
        wanted = expected[tuple(torch.tensor(places, device=expected.device).unbind(1))]
        ways = [(True, True), (True, False)] if self._layer else [(True, False)]
        for self._picks, self.projects in ways:
            try:
                logits = _probes.everything(self(rows, places))
            except _probes.REFUSALS:
                continue  # code between body and output that counts on whole rows
            if logits.shape == wanted.shape and _probes.distance(logits, wanted) <= tolerance:
                return
        self._picks = self.projects = False

    def _choose_last_layer(self, rows: Sequence[Input], expected: torch.Tensor, tolerance: float) -> None:
        self._last = last = last_layer(self._network.module)
        if last is None:
            return
        places = [(place, min(row.outputs, expected.shape[1]) // 2) for place, row in enumerate(rows)]
        try:
            logits = _probes.everything(self(rows, places))
        except _probes.REFUSALS:
            logits = None
        wanted = torch.stack([expected[place] for place in places])
        if logits is None or logits.shape != wanted.shape or _probes.distance(logits, wanted) > tolerance:
            self._last = None
            last.remove()

    def _first(self, rows: Sequence[Input]) -> torch.Tensor:
        """As `_whole`; ModelError for a network whose code does not find weights that are spread over devices."""
        try:
            return self._whole(rows)
        except RuntimeError as error:
            elsewhere = "meta" in str(error) or "same device" in str(error)
            if not (spreading.is_divided(self._network.module) and elsewhere):
                raise
            raise ModelError(
                f"'{self._network.name}' uses weights outside of their layers, so it cannot be spread: "
                "set PAIRLENS_DEVICE=cpu."
            ) from error

    def _whole(self, rows: Sequence[Input | Tree]) -> torch.Tensor:
        """Logits (rows, longest, vocabulary), or of the chosen places only."""
        with torch.inference_mode(), self._alone:  # weights on disk are in memory for one pass
            selected: Any = rows
            laid = self._decoded if self._network.head == "seq2seq" else self._read
            output = self._network.module(**(self._shared if isinstance(rows[0], Tree) else laid)(selected))
        logits = torch.as_tensor(output.logits)
        return logits[:, None] if self._network.head in OF_PAIRS else logits  # one answer per row

    def _read(self, rows: Sequence[Input]) -> dict[str, object]:
        ids, seen = self._padded([row.ids for row in rows])
        arguments: dict[str, object] = {"input_ids": ids, "attention_mask": seen}
        if "token_type_ids" in self._named and rows[0].types:
            arguments["token_type_ids"] = self._padded([row.types for row in rows], 0)[0]
        return arguments

    def _shared(self, trees: Sequence[Tree]) -> dict[str, object]:
        prefix = "decoder_" if trees[0].source else ""
        ids, _ = self._padded([tree.ids for tree in trees])
        depths, _ = self._padded([tree.depths for tree in trees], 0)
        ends, _ = self._padded([tree.ends for tree in trees], 0)
        index = torch.arange(ids.shape[1], device=ids.device)
        seen = (index[:, None] >= index) & (index[:, None] < ends[:, None, :]) | (index[:, None] == index)
        dtype: Any = self._network.module.dtype
        hidden = torch.zeros(seen.shape, dtype=dtype, device=ids.device).masked_fill_(~seen, torch.finfo(dtype).min)
        laid = {"input_ids": ids, "position_ids": depths, "attention_mask": hidden[:, None]}
        encoded = self._encoded([tree.source for tree in trees]) if prefix else {}
        return {**{f"{prefix}{name}": value for name, value in laid.items()}, **encoded}

    def _decoded(self, rows: Sequence[Input]) -> dict[str, object]:
        ids, seen = self._padded([row.decoder for row in rows])
        encoded = self._encoded([row.ids for row in rows])
        return {"decoder_input_ids": ids, "decoder_attention_mask": seen, "use_cache": False, **encoded}

    def _encoded(self, sources: Sequence[Ids]) -> dict[str, object]:
        module: Any = self._network.module
        texts = {ids: place for place, ids in enumerate(dict.fromkeys(sources))}
        ids, seen = self._padded(list(texts))
        states = module.get_encoder()(input_ids=ids, attention_mask=seen).last_hidden_state
        which = torch.tensor([texts[ids] for ids in sources], device=self._network.device)
        return {
            "encoder_outputs": (states.to(which.device)[which],),
            "attention_mask": None if seen is None else seen[which],
        }

    def _padded(
        self, rows: Sequence[Ids] | Sequence[list[int]], pad: int | None = None
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Ids (rows, longest) and which of them are no padding; None if none is. `pad` is the tokenizer's if None."""
        filler = self._network.tokenizer.pad if pad is None else pad
        ids = np.full((len(rows), max(map(len, rows))), filler, dtype=np.int64)
        seen = np.zeros_like(ids)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            seen[place, : len(row)] = 1
        device = self._network.device
        return torch.from_numpy(ids).to(device), None if seen.all() else torch.from_numpy(seen).to(device)
