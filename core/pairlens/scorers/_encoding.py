"""Texts into tokens with character offsets, and which tokens are the continuation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pairlens.errors import InputError, ModelError
from pairlens.models import Loaded
from pairlens.models.tokenizer import Tokenizer
from pairlens.settings import settings
from pairlens.types import Request, Span

if TYPE_CHECKING:
    import tokenizers

SHOWN = 60
"""Characters of a text that messages quote."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens of a request's text; those from index `first` up to `stop` are the continuation.

    `spans` are characters of the text, without leading white space unless the token is white space only. `n_after`
    tokens follow the continuation. `words` numbers the stretches into which the tokenizer cuts the text before it
    cuts those into tokens.
    """

    request: Request
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    spans: tuple[Span, ...]
    first: int = 0
    n_straddling: int = 0
    n_after: int = 0
    words: tuple[int | None, ...] = ()

    @property
    def stop(self) -> int:
        """Index of the first token after the continuation."""
        return len(self.ids) - self.n_after


def encode(tokenizer: Tokenizer, requests: Sequence[Request]) -> list[Encoded]:
    """Tokenize context and continuation together, without special tokens; each distinct text once.

    InputError for a text that is too long, not Unicode, turns into special tokens, or whose continuation has no
    tokens.
    """
    texts = dict.fromkeys(request.text for request in requests)
    for text in texts:
        check(text)
    encodings = dict(zip(texts, tokenizer.backend.encode_batch(list(texts), add_special_tokens=False), strict=True))
    encoded = []
    for request in requests:
        encoding = encodings[request.text]
        spans = tuple(_without_leading_space(request.text, span) for span in encoding.offsets)
        _refuse_reserved(tokenizer, request.text, encoding.ids, spans)
        first, straddling = continuation(request, spans)
        ids, tokens = tuple(encoding.ids), _names(tokenizer, encoding)
        after, words = following(request, spans), tuple(encoding.word_ids)
        encoded.append(Encoded(request, ids, tokens, spans, first, straddling, after, words))
    return encoded


def start_symbol(tokenizer: Tokenizer, first_token: str, name: str) -> int | None:
    """The token before a text, or None if the policy has none; ModelError if the model of that name lacks it."""
    if first_token in ("none", "one"):
        return None
    if first_token == "tokenizer":
        return tokenizer.before[-1] if tokenizer.before else None
    if tokenizer.start is None:
        raise ModelError(
            f"'{name}' has neither a start nor an end symbol for the first token to follow; use --first-token none."
        )
    return tokenizer.start


def framed(network: Loaded, *, ended: bool = True) -> Loaded:
    """The network whose texts have the frame of BabyLM's pipeline of May 2025, whatever its tokenizer does."""
    known = network.tokenizer
    first = {"causal": (known.bos,), "masked": (known.cls, known.bos), "seq2seq": (known.cls,)}[network.head]
    last = {"causal": (), "masked": (known.sep, known.end), "seq2seq": (known.end,)}[network.head]
    before, after = (tuple(id for id in ids if id is not None)[:1] for ids in (first, last if ended else ()))
    return replace(network, tokenizer=replace(known, before=before, after=after))


def encode_apart(tokenizer: Tokenizer, requests: Sequence[Request], *, trimmed: bool) -> list[Encoded]:
    """The same with context and continuation tokenized each for itself; `trimmed`: without a space between them."""
    contexts = [request.context.removesuffix(" " if trimmed else "") for request in requests]
    known = [text for text in dict.fromkeys(contexts) if text.strip()]
    read = dict(zip(known, encode(tokenizer, [Request("", text) for text in known]), strict=True))
    own = encode(tokenizer, [Request("", request.continuation) for request in requests])
    joined = []
    for request, context, text in zip(requests, contexts, own, strict=True):
        reach, before = len(request.context), read.get(context) or Encoded(request, (), (), ())
        spans = (*before.spans, *((reach + start, reach + end) for start, end in text.spans))
        ids, tokens = before.ids + text.ids, before.tokens + text.tokens
        joined.append(Encoded(request, ids, tokens, spans, len(before.ids)))
    return joined


def _names(tokenizer: Tokenizer, encoding: tokenizers.Encoding) -> tuple[str, ...]:
    """The tokens as the model sees them: a Unigram tokenizer would give unknown ones as written in the text."""
    if tokenizer.unknown not in encoding.ids:
        return tuple(encoding.tokens)
    return tuple(str(tokenizer.backend.id_to_token(id)) for id in encoding.ids)


def check(text: str) -> None:
    if len(text) > (most := settings().max_text_characters):
        raise InputError(
            f"a text of {len(text):,} characters is longer than the {most:,} that are scored at once "
            "(PAIRLENS_MAX_TEXT_CHARACTERS)",
            f'"{text[:SHOWN]}…"',
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"character {error.start + 1} (U+{ord(text[error.start]):04X}) is half of a surrogate pair, not Unicode "
            "text; correct the file it comes from",
            "Text",
        ) from None


def continuation(request: Request, spans: Sequence[Span]) -> tuple[int, int]:
    """The first token that reaches beyond the context, and how many from there begin in it; InputError."""
    reach, limit = len(request.context), len(request.text) - len(request.after)
    if request.continuation.strip():
        for index, (start, end) in enumerate(spans):
            if (end > reach or not request.context) and (start < limit or not request.after):
                return index, sum(start < reach for start, _ in spans[index:])
    if not request.text.strip():
        raise InputError("an empty text has no tokens to score")
    raise no_tokens(request.continuation)


def no_tokens(text: str) -> InputError:
    return InputError(f"{text[:SHOWN]!r} has no tokens to score")


def following(request: Request, spans: Sequence[Span]) -> int:
    """The number of tokens that begin after the continuation; one that begins inside it is part of it."""
    end = len(request.text) - len(request.after)
    return sum(start >= end for start, _ in spans) if request.after else 0


def _without_leading_space(text: str, span: Span) -> Span:
    start, end = span
    leading = end - start - len(text[start:end].lstrip())
    return span if leading == end - start else (start + leading, end)


def _refuse_reserved(tokenizer: Tokenizer, text: str, ids: Sequence[int], spans: Sequence[Span]) -> None:
    if tokenizer.reserved.isdisjoint(ids):
        return
    start, end = next(span for id, span in zip(ids, spans, strict=True) if id in tokenizer.reserved)
    raise InputError(
        f"'{text[start:end]}' is a special token of this model, which cannot read it as plain text; "
        f"take it out of {text[:SHOWN]!r}"
    )
