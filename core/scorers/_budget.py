"""The number of tokens per forward pass that this machine computes fastest, measured once; which rows share a batch.

It is a power of two, so that measuring again gives the same; runs with the same budget, threads and requests agree to
the last digit. PAIRLENS_TOKEN_BUDGET overrides it. A batch has at most a budget of tokens, padding included.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import torch

from core.errors import StoreError
from core.models import Loaded
from core.models.products import product
from core.scorers._trie import Input, Tree
from core.settings import settings
from core.store.files import if_readable, read_json, write_json

_CANDIDATES = {"cpu": (512, 1_024, 2_048), "mps": (1_024, 2_048, 4_096), "cuda": (4_096, 8_192, 16_384, 32_768)}
_USUAL = {"cpu": 1_024, "mps": 2_048, "cuda": 16_384}
_WORTH_MEASURING = 1 << 15
"""With fewer tokens, measuring takes longer than a better budget gains."""
_ENOUGH = 0.95
"""A smaller budget takes less memory: it is chosen if it reaches this share of the fastest one's speed."""
_WIDTH, _ROUNDS = 384, 5
_STATES_PER_TOKEN = 32
"""Memory of a token on a graphics card, in vectors as wide as the network's states."""


def recorded(network: Loaded) -> int:
    """The budget that was set or measured, else the usual one of such devices."""
    device = network.device
    if settings().token_budget:
        return settings().token_budget
    return _within_memory(network, _read().get(_machine(device), _USUAL[device.type]))


def measured(network: Loaded, now: int, tokens: int) -> int:
    """The budget for so many tokens: `now`, unless none was measured on this machine and measuring pays."""
    device = network.device
    known = _read() if tokens >= _WORTH_MEASURING and not settings().token_budget else {_machine(device): now}
    if _machine(device) in known:
        return now
    _write({**known, _machine(device): _fastest(device)})
    return min(now, recorded(network)) if now < _USUAL[device.type] else recorded(network)


@torch.no_grad()
def _fastest(device: torch.device) -> int:
    """The smallest candidate that is nearly as fast per token as the fastest, by medians of some rounds."""
    candidates = _CANDIDATES[device.type]
    seconds: dict[int, list[float]] = {tokens: [] for tokens in candidates}
    narrow, wide = torch.ones(_WIDTH, 4 * _WIDTH, device=device), torch.ones(4 * _WIDTH, _WIDTH, device=device)
    for _ in range(_ROUNDS):
        for tokens in candidates:
            states = torch.ones(tokens, _WIDTH, device=device)
            _finish(device)
            started = time.perf_counter()
            product(torch.nn.functional.gelu(product(states, wide)), narrow)
            _finish(device)
            seconds[tokens].append((time.perf_counter() - started) / tokens)
    typical = {tokens: median(each) for tokens, each in seconds.items()}
    return next(tokens for tokens in candidates if _ENOUGH * typical[tokens] <= min(typical.values()))


def _finish(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()


def _within_memory(network: Loaded, budget: int) -> int:
    """The budget, bounded by half of a graphics card's free memory, as a power of two."""
    if network.device.type != "cuda":
        return budget
    free, _ = torch.cuda.mem_get_info(network.device)
    module: Any = network.module
    width = getattr(module.config, "hidden_size", _WIDTH)
    most = int(free) // int(2 * _STATES_PER_TOKEN * width * module.dtype.itemsize)
    return min(budget, 1 << max(6, most.bit_length() - 1))


def _machine(device: torch.device) -> str:
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else device.type
    return f"{name}, {torch.get_num_threads()} threads, torch {torch.__version__}"


def _file() -> Path:
    return settings().home / "token_budgets.json"


def _read() -> dict[str, int]:
    """The measured budgets; none if the file is missing or damaged."""
    known = if_readable(read_json, _file()) or {}
    return known if all(isinstance(one, int) and 1 <= one <= 1 << 20 for one in known.values()) else {}


def _write(budgets: dict[str, int]) -> None:
    """Keep the budgets; nothing happens in a home that cannot be written."""
    with suppress(StoreError):
        write_json(_file(), budgets)


def full(trees: Iterable[Tree], budget: int) -> Iterator[list[Tree]]:
    batch: list[Tree] = []
    for tree in sorted(trees, key=lambda tree: -tree.tokens):
        if batch and (len(batch) + 1) * batch[0].tokens > budget:
            yield batch
            batch = []
        batch.append(tree)
    if batch:
        yield batch


def alike(inputs: Iterable[Input], budget: int, reach: int) -> Iterator[list[Input]]:
    """Rows in batches, the longest first, so that one that does not fit into memory shows at once.

    Rows of at most `reach` tokens may be padded, and are if a batch would otherwise be less than a quarter full: that
    is enough for fast products. Longer ones share a batch only with rows of their own length.
    """
    batch: list[Input] = []
    decoder = 0
    for one in sorted(inputs, key=lambda one: (-len(one.ids), _apart(one, reach), one.ids, -len(one.decoder))):
        longest = max(decoder, len(one.decoder))
        if batch and (_is_full(batch, longest, budget) or _is_too_short(one, batch, budget, reach)):
            yield batch
            batch, longest = [], len(one.decoder)
        batch.append(one)
        decoder = longest
    if batch:
        yield batch


def _is_full(batch: list[Input], decoder: int, budget: int) -> bool:
    rows = len(batch) + 1
    return rows * (len(batch[0].ids) + decoder) > budget or rows - 1 == settings().batch_texts


def _is_too_short(one: Input, batch: list[Input], budget: int, reach: int) -> bool:
    """Whether a row that is shorter than the batch's first should begin another batch."""
    same = len(one.ids) == len(batch[0].ids) and len(one.decoder) == len(batch[0].decoder)
    apart = _apart(batch[0], reach) < 0 or _apart(one, reach) < 0
    return not same and (apart or 4 * sum(row.tokens for row in batch) >= budget)


def _apart(one: Input, reach: int) -> int:
    """The order of a row that must not be padded among rows with as many encoder tokens; 0 if it may be."""
    return -len(one.decoder) - 1 if max(len(one.ids), len(one.decoder)) > reach else 0
