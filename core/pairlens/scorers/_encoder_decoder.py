"""Encoder-decoders: what each half sees when a text is scored.

B and A stand for the special tokens that the tokenizer puts around a text (T5: none and `</s>`; BART: `<s>` and
`</s>`), M for the mask (BART: `<mask>`; T5 has none: its first sentinel, `<extra_id_0>`), S for the decoder's start
symbol (the config's `decoder_start_token_id`, T5: `<pad>`, BART: `</s>`; if it names none, the tokenizer's start
symbol), c for the context's tokens and t for the continuation's:

    continuation   encoder  B c1 .. cm M A             decoder  S M t1 .. tn-1   t1 .. tn are read from M on
    infilling      encoder  B c1 .. t1 .. M .. tn A    decoder  S M              the token that M hides is read at M

One M stands for a hidden stretch of any length, as in T5's span corruption (Raffel et al. 2020, "Exploring the limits
of transfer learning") and BART's infilling (Lewis et al. 2020, "BART"). T5 was trained with these decoder inputs.
BART was not: its decoder learned to repeat the whole text, and M is new to it.

These are the backends `enc_dec_prefix` and `enc_dec_mask` of the BabyLM pipeline, where three things are otherwise,
as here if the policy's `decoder` is not `config`:

    S is BOS whatever the config says; without BOS it is the sentinel, M M t1 .. tn-1, in infilling M alone
    context and continuation are cut into tokens each for itself, though not for infilling
    B and A of continuations are the tokenizer's CLS and EOS, also where it frames texts differently (mBART)

In its state of May 2025 (the policy's `tokens` are `framed`) M is in no decoder: S t1 .. tn-1, and S alone.
"""

from collections.abc import Iterator, Sequence

from pairlens.errors import ModelError
from pairlens.models import Loaded
from pairlens.policies import Policy
from pairlens.scorers import _windows
from pairlens.scorers._batching import Row
from pairlens.scorers._encoding import Encoded, encode_apart
from pairlens.scorers._masking import hidden, mask_of, room_for_text
from pairlens.scorers._measuring import NO_TARGET
from pairlens.scorers._network import NetworkScorer
from pairlens.types import Request

AT_MASK = 1
"""The mask's position in the decoder, after the start symbol."""
_SENTINEL = "<extra_id_0>"


class ContinuationScorer(NetworkScorer):
    """The encoder reads the context, or the mask alone; the decoder predicts each next token.

    The encoder reads the end of a context that is longer than the window; the decoder reads a longer continuation in
    strides. Texts end with the end symbol: the next sentinel, with which T5 ends a stretch, is no end.
    """

    def __init__(self, network: Loaded, policy: Policy) -> None:
        tokenizer, self._decoder = network.tokenizer, policy.decoder
        self._mask, start = mask_of(network), start_symbol(network, policy.decoder)
        self._prefix = (start,) if policy.framed else (start, self._mask)
        self._room = room_for_text(network, policy) - 1
        self._frame = tokenizer.before, tokenizer.after
        if policy.decoder != "config":
            before, after = (() if token is None else (token,) for token in (tokenizer.cls, tokenizer.end))
            self._frame = before, after
        window = _windows.size(network, policy) - len(self._prefix)
        super().__init__(network, window, _windows.step(window, policy.stride))

    def _encoded(self, requests: Sequence[Request]) -> list[Encoded]:
        if self._decoder == "config":
            return super()._encoded(requests)
        return encode_apart(self.tokenizer, requests, trimmed=self._decoder == "bos-trimmed")

    def _rows(self, text: Encoded, boundary: bool) -> Iterator[Row]:
        context, ids = text.ids[: text.first], text.ids[text.first :]
        before, after = self._frame
        encoder = (*before, *context[-self._room :], self._mask, *after)
        last = len(self._prefix) - 1
        for begin, end, new in _windows.strided(len(ids), self.window, self.stride):
            reads = [(last + place - begin, ids[place]) for place in range(new, end)]
            if boundary and end == len(ids):
                reads.append((last + end - begin, NO_TARGET))
            decoder = self._prefix + ids[begin:end]
            yield Row(encoder, tuple(reads), decoder[: reads[-1][0] + 1])


class InfillingScorer(NetworkScorer):
    """The encoder reads the text with a token hidden, left to right nothing after it; the decoder predicts it."""

    ends_words = False
    sees_after = True

    def __init__(self, network: Loaded, policy: Policy) -> None:
        super().__init__(network, room_for_text(network, policy))
        start, mask = start_symbol(network, policy.decoder), mask_of(network)
        self._prefix = (start,) if policy.framed or start == mask else (start, mask)
        self._mask, self._policy = mask, policy

    def _rows(self, text: Encoded, boundary: bool) -> Iterator[Row]:  # noqa: ARG002 - see `ends_words`
        before, after = self.tokenizer.before, self.tokenizer.after
        for begin, place, stop, end in hidden(text, self._policy, self.window):
            encoder = (*before, *text.ids[begin:place], self._mask, *text.ids[stop:end], *after)
            yield Row(encoder, ((len(self._prefix) - 1, text.ids[place]),), self._prefix)


def start_symbol(network: Loaded, decoder: str = "config") -> int:
    """The decoder's first token under this choice of the policy; ModelError if there is none."""
    tokenizer = network.tokenizer
    if decoder != "config":
        mask = mask_of(network)
        if tokenizer.bos is not None or str(tokenizer.backend.id_to_token(mask)).endswith(_SENTINEL):
            return mask if tokenizer.bos is None else tokenizer.bos
        raise ModelError(
            f"'{network.name}' has neither BOS nor sentinels in its tokenizer, with one of which BabyLM's pipeline "
            "starts a decoder: take --set decoder=config."
        )
    named = getattr(network.module.config, "decoder_start_token_id", None)
    start = tokenizer.start if named is None else named
    if start is None:
        raise ModelError(f"'{network.name}' names no decoder_start_token_id in its config and has no start symbol.")
    return int(start)
