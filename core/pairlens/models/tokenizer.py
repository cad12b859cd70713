"""A private copy of a fast tokenizer, which neither pads nor truncates, and reads special tokens in texts as text.

The tokenizers library keeps padding and truncation as shared state; a private copy can be used by many threads.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from pairlens.errors import ModelError
from pairlens.types import Span

if TYPE_CHECKING:
    from types import SimpleNamespace

    import tokenizers
    from transformers import PreTrainedTokenizerBase

_SENTINELS = ("<extra_id_0>", "▁<extra_id_0>")
"""The first token for a hidden span in T5 and mT5."""
_MOST_GROWTH = 1_000
_GROWTH = {"ByteLevel": 2, "Metaspace": 2, "BertNormalizer": 3}
"""What each makes of a character at most: two for a byte, a mark before a word, spaces around a Chinese one."""
_BYTE_TOKEN = re.compile(r"<0x([0-9A-F]{2})>")

Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PairFrame:
    """The tokens that a tokenizer puts before, between and after two texts.

    `types` are the token types of the five parts (before, first text, between, second text, after); empty for
    networks without them.
    """

    before: Ids
    between: Ids
    after: Ids
    types: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.before) + len(self.between) + len(self.after)

    def row(self, first: Ids, second: Ids) -> tuple[Ids, Ids]:
        parts = (self.before, first, self.between, second, self.after)
        types = tuple(kind for kind, part in zip(self.types, parts, strict=False) for _ in part)
        return tuple(chain.from_iterable(parts)), types


@dataclass(frozen=True, slots=True, eq=False)
class Tokenizer:
    """A model's tokenizer, and its special tokens by id.

    `start` is BOS, else EOS; `end` is EOS; `mask` is the mask token, else the first sentinel of a T5; `unknown`
    stands for unknown words; `bos`, `cls` and `sep` are None where there are none; `before` and `after` frame a text,
    `pair` frames two. `reserved` are special tokens that typed text must not turn into; `size` is one more than the
    highest id. `offsets` is what the tokenizer's owner does with the characters of tokens (RoBERTa trims white
    space), None if nothing.
    """

    backend: tokenizers.Tokenizer
    start: int | None
    end: int | None
    mask: int | None
    unknown: int | None
    bos: int | None
    cls: int | None
    sep: int | None
    pad: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    pair: PairFrame
    reserved: frozenset[int]
    size: int
    offsets: tokenizers.processors.PostProcessor | None = None

    def words(self, text: str) -> list[tuple[int, Span]]:
        """By token, the number and the characters of its word: a stretch of what the tokenizer cuts first."""
        encoding = self.backend.encode(text, add_special_tokens=False)
        if self.offsets is not None:
            encoding = self.offsets.process(encoding, None, False)
        numbers = [number or 0 for number in encoding.word_ids]  # only special tokens, which are not there, have none
        return [(number, encoding.word_to_chars(number) or (0, 0)) for number in numbers]

    def texts(self) -> list[str] | None:
        """The text of each token, white space included, by id; None if the vocabulary does not mark it."""
        parts = json.loads(self.backend.to_str())
        marks = json.dumps([parts["decoder"], parts["pre_tokenizer"], parts["normalizer"]], ensure_ascii=False)
        if '"ByteLevel"' in marks:
            return self._texts(lambda token: byte_level_bytes(token).decode("utf-8", "replace"))
        return self._texts(_metaspace_text) if "▁" in marks else None

    def _texts(self, decode: Callable[[str], str]) -> list[str]:
        texts = [""] * self.size
        for token, id in self.backend.get_vocab().items():
            if id not in self.reserved and id != self.unknown:
                texts[id] = decode(token)
        return texts


def refuse_growth(backend: tokenizers.Tokenizer, name: str) -> None:
    parts = [json.loads(part.__getstate__()) for part in (backend.normalizer, backend.pre_tokenizer) if part]
    if math.prod(map(_growth, parts)) > _MOST_GROWTH:
        raise ModelError(f"'{name}': its tokenizer.json makes each text over {_MOST_GROWTH:,} times as long.")


def _growth(part: Mapping[str, Any]) -> int:
    """How many times as long a text may become at most, by what is replaced in it and put before it."""
    if part["type"] == "Replace":  # a regular expression may find nothing before every character
        return max(1, len(part["content"]) + ("Regex" in part["pattern"]))
    if part["type"] == "Precompiled":  # a trie, after its size in four bytes, and then what stands for its characters
        table = base64.b64decode(part["precompiled_charsmap"])
        return max(1, *map(len, table[4 + int.from_bytes(table[:4], "little") :].split(b"\0")))
    if part["type"] == "Prepend":
        return 1 + len(part["prepend"])
    inside = part.get("normalizers") or part.get("pretokenizers", ())
    return _GROWTH.get(part["type"], 1) * math.prod(map(_growth, inside))


@contextmanager
def no_panic(name: str) -> Iterator[None]:
    """ModelError where the tokenizers library, which is written in Rust, panics: its exception is no `Exception`."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        why = " ".join(str(error).split())[:200]
        raise ModelError(f"'{name}': its tokenizer.json cannot be used, it fails on a text: {why}.") from None


class _Guarded:
    """A tokenizer of the library whose panics, as for a regular expression that takes forever, are ModelErrors."""

    __slots__ = ("_backend", "_name")

    def __init__(self, backend: tokenizers.Tokenizer, name: str) -> None:
        self._backend, self._name = backend, name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in self.__slots__:  # while it is being copied, it has no backend yet
            raise AttributeError(name)
        attribute = getattr(self._backend, name)
        encodes = name.startswith("encode") and callable(attribute)
        return no_panic(self._name)(attribute) if encodes else attribute


def private_copy(loaded: PreTrainedTokenizerBase | SimpleNamespace, name: str) -> Tokenizer:
    """A copy of what transformers loaded; ModelError if it is not a fast tokenizer or is empty."""
    import tokenizers

    rust = getattr(loaded, "backend_tokenizer", None)
    if rust is None:
        raise ModelError(
            f"'{name}' has only a slow tokenizer ({type(loaded).__name__}), which does not say which characters each "
            "token covers: copy a tokenizer.json of the same vocabulary beside its weights, or take another model."
        )
    backend = tokenizers.Tokenizer.from_str(rust.to_str())
    refuse_growth(backend, name)
    backend.no_padding()
    backend.no_truncation()
    backend.encode_special_tokens = True
    vocabulary = backend.get_vocab()
    special = {id for id, token in backend.get_added_tokens_decoder().items() if token.special}
    special |= set(loaded.all_special_ids)
    sentinel = next((vocabulary[token] for token in _SENTINELS if token in vocabulary), None)
    mask = sentinel if loaded.mask_token_id is None else loaded.mask_token_id
    special |= set() if mask is None else {mask}
    plain = backend.encode("a", add_special_tokens=False).ids
    if len(set(vocabulary.values()) - special) < 2 or not plain:
        raise ModelError(f"'{name}' has an empty tokenizer: its files are missing or damaged.")
    before, after = _frame(backend.encode("a", add_special_tokens=True).ids, plain)
    pair = _pair_frame(backend.encode("a", "a"), plain, "token_type_ids" in loaded.model_input_names)
    # Without its post-processor the backend neither adds special tokens nor trims white space from offsets.
    offsets, backend.post_processor = backend.post_processor, None
    model = json.loads(backend.to_str())["model"]
    named = model.get("unk_id")
    unknown = named if isinstance(named, int) else vocabulary.get(str(model.get("unk_token")))
    end = loaded.eos_token_id
    return Tokenizer(
        backend=cast("tokenizers.Tokenizer", _Guarded(backend, name)),
        start=end if loaded.bos_token_id is None else loaded.bos_token_id,
        end=end,
        mask=mask,
        unknown=unknown,
        bos=loaded.bos_token_id,
        cls=loaded.cls_token_id,
        sep=loaded.sep_token_id,
        pad=0 if loaded.pad_token_id is None else loaded.pad_token_id,
        before=before,
        after=after,
        pair=pair,
        reserved=frozenset(special - {unknown}),
        size=max(vocabulary.values()) + 1,
        offsets=offsets,
    )


def _places(ids: list[int], part: list[int]) -> list[int]:
    return [start for start in range(len(ids) - len(part) + 1) if ids[start : start + len(part)] == part]


def _frame(framed: list[int], plain: list[int]) -> tuple[Ids, Ids]:
    starts = _places(framed, plain)
    return (tuple(framed[: starts[0]]), tuple(framed[starts[0] + len(plain) :])) if starts else ((), ())


def _pair_frame(framed: tokenizers.Encoding, plain: list[int], typed: bool) -> PairFrame:
    """The frame of two texts, both with the ids `plain`; empty if they are not found."""
    ids, kinds, n = framed.ids, framed.type_ids, len(plain)
    places = _places(ids, plain)
    if len(places) < 2:
        return PairFrame((), (), (), ())
    first, second = places[0], places[-1]
    between = kinds[first + n : second]
    types = (kinds[0], kinds[first], between[0] if between else 0, kinds[second], kinds[-1])
    before, middle, after = tuple(ids[:first]), tuple(ids[first + n : second]), tuple(ids[second + n :])
    return PairFrame(before, middle, after, types if typed else ())


def byte_level_bytes(token: str) -> bytes:
    """The bytes of a token of a byte-level vocabulary; they may end inside a character."""
    return bytes(_BYTES.get(character, 0) for character in token)


def _metaspace_text(token: str) -> str:
    if byte := _BYTE_TOKEN.fullmatch(token):
        return chr(int(byte[1], 16)) if int(byte[1], 16) < 128 else ""
    return token.replace("▁", " ")


_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_HIDDEN = [byte for byte in range(256) if byte not in _PRINTABLE]
_BYTES = {chr(byte): byte for byte in _PRINTABLE} | {chr(256 + place): byte for place, byte in enumerate(_HIDDEN)}
"""The byte for which each character stands in byte-level vocabularies (Radford et al. 2019)."""
