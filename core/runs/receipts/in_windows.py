"""Texts longer than the model's window: how many there are, and how they were read.

Window and stride are stored beside the scores; older scores lack them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.messages import counted

_BY_STRIDES = "the last window short (by default it is full, and a masked token has a window around it)"


@dataclass(frozen=True, slots=True)
class InWindows:
    """`n` texts have more than `window` tokens; with `at_least` there may be more, as contexts are not counted.

    `stride` is 0 where each token has a window of its own. `windows` is the policy's.
    """

    window: int
    stride: int
    n: int
    at_least: bool
    windows: str = "full"


def in_windows(manifest: Mapping[str, Any], candidates: pd.DataFrame) -> InWindows | None:
    """The texts of these candidates (`core.metrics`) that the run's model read in windows; None if unknown.

    The tokens of a text are stored, those of its context are not; they are at least as many as its words.
    """
    window = manifest.get("window")
    if not window:
        return None
    context = candidates["context"].fillna("").astype("str")
    hidden = candidates["context"].isna() | bool(manifest.get("shared"))
    least = candidates["n_tokens"] + context.str.count(r"\S+").where(~hidden, 0)
    uncertain = (hidden | context.str.strip().ne("")).any()
    n, windows = int((least > window).sum()), manifest.get("policy", {}).get("windows", "full")
    return InWindows(int(window), int(manifest.get("stride") or 0), n, bool(uncertain), windows)


def windows_in_words(windows: InWindows | Mapping[str, Any] | None) -> str:
    """`3 texts longer than a window of 127 tokens were read in strides of 64`; empty for none."""
    if windows is None:
        return ""
    one = windows if isinstance(windows, InWindows) else InWindows(**windows)
    if not one.n:
        return ""
    how = f"strides of {one.stride:,}" if one.stride else "a window around each token"
    if one.stride and one.windows == "stride":
        how += f", {_BY_STRIDES}"
    longer = f"longer than a window of {one.window:,} tokens"
    were = "was" if one.n == 1 else "were"
    return f"{'at least ' * one.at_least}{counted(one.n, 'text')} {longer} {were} read in {how}"


def note(windows: InWindows | None) -> str:
    """The same as a sentence of its own."""
    clause = windows_in_words(windows)
    return f"{clause[:1].upper()}{clause[1:]}." if clause else ""
