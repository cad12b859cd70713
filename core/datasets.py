"""Public data sets, from `data/datasets.toml`: size, licence and address, by the name of the task that reads them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from core.settings import ROOT


@dataclass(frozen=True, slots=True)
class Dataset:
    """A public data set: `size` in words, `licence`, and the `address` where its files are."""

    size: str
    licence: str
    address: str


@cache
def datasets() -> Mapping[str, Dataset]:
    """The known data sets."""
    entries = tomllib.loads((ROOT / "data" / "datasets.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: Dataset(**entry) for name, entry in entries.items()})
