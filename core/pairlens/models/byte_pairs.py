"""A tokenizer that cuts texts into byte pairs, as the parts that another program needs to cut them likewise."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pairlens.models.loading import load_tokenizer
from pairlens.models.tokenizer import byte_level_bytes
from pairlens.text.words import separates
from pairlens.types import Model

_NORMALIZERS: tuple[tuple[str, ...], ...] = ((), ("NFC",), ("Lowercase",), ("NFC", "Lowercase"))
_USUAL = {
    "type": "BPE", "dropout": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
    "byte_fallback": False, "ignore_merges": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BytePairs:
    """A byte-level tokenizer (Radford et al. 2019).

    `composed` and `lower_case` are what becomes of a text first (NFC, lower case); `spaced`: a space is put before a
    text that has none. `alone` are tokens that no merge makes, by id; `merges`, the best first, are two tokens with a
    space between; the token that a merge makes has the id `first` plus the merge's place. `start` and `end` stand
    before and after a text; `framed`: the tokenizer itself puts `start` there. `ends` has a letter per id: `s` for a
    token that begins with white space, `m` for one that begins with a mark and ends a word, `.` for others.
    """

    composed: bool
    lower_case: bool
    spaced: bool
    alone: dict[str, int]
    merges: list[str]
    first: int
    start: int
    end: int
    framed: bool
    ends: str


def byte_pairs(model: Model) -> BytePairs | None:
    """A model's tokenizer; None if it is of another kind. ModelError if its files are missing or damaged."""
    tokenizer = load_tokenizer(model)
    parts, texts = json.loads(tokenizer.backend.to_str()), tokenizer.texts()
    cut = parts["pre_tokenizer"] or {}
    before = _named(parts["normalizer"])
    usual = cut.get("type") == "ByteLevel" and cut.get("use_regex") and before in _NORMALIZERS
    if not usual or texts is None or tokenizer.start is None or tokenizer.end is None:
        return None
    if any(not token["special"] for token in parts["added_tokens"]) or any(
        (parts["model"].get(name) or None) != (value or None) for name, value in _USUAL.items()
    ):
        return None
    vocabulary: dict[str, int] = parts["model"]["vocab"]
    merges = [" ".join(pair) if isinstance(pair, list) else pair for pair in parts["model"]["merges"]]
    results = [vocabulary.get(merge.replace(" ", "")) for merge in merges]
    first = results[0] if results and results[0] is not None else len(vocabulary)
    alone = {token: id for token, id in vocabulary.items() if not first <= id < first + len(results)}
    if results != [*range(first, first + len(results))] or not {
        b for token in alone if len(token) == 1 for b in byte_level_bytes(token)
    } >= {*range(256)}:
        return None
    return BytePairs(
        composed="NFC" in before, lower_case="Lowercase" in before, spaced=bool(cut.get("add_prefix_space")),
        alone=alone, merges=merges, first=first, start=tokenizer.start, end=tokenizer.end,
        framed=bool(tokenizer.before),
        ends="".join("s" if text[:1].isspace() else "m" if separates(text) else "." for text in texts),
    )  # fmt: skip


def _named(normalizer: Mapping[str, Any] | None) -> tuple[str, ...]:
    if normalizer is None:
        return ()
    if normalizer["type"] == "Sequence":
        return tuple(name for one in normalizer["normalizers"] for name in _named(one))
    return (normalizer["type"],)
