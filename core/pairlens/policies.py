"""Every choice that changes a number, in one object, and the presets that reproduce the choices of others.

The fields that a scorer reads are part of a score's identity (`pairlens.identity`); the rest are applied to stored
scores as a query.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from pairlens.errors import PolicyError, unknown

NO_CONTEXT = "None"
"""Stands before words without a context in BabyLM's reading times: Python's missing value, as text."""

CHOICES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "first_token": {
            "bos": "whole text, first word included (the text follows the model's start symbol)",
            "bos-unscored": "after a start symbol, first word not scored (for reading times)",
            "none": "no start symbol, first token not scored",
            "tokenizer": "as the tokenizer frames a text: first token scored after a start symbol (BabyLM, minicons)",
            "separate": "first token given the start symbol alone, the rest without it (StereoSet)",
            "one": "no start symbol, first token counts as certain in averages (NLPScholar)",
        },
        "pll": {
            "within_word_l2r": "masked with the later pieces of its word (Kauf & Ivanova 2023)",
            "original": "each piece masked alone (Salazar et al. 2020)",
            "left_to_right": "each piece given only those before it, masks in its place and the two after "
            "(BabyLM's reading times)",
        },
        "decoder": {
            "config": "the decoder begins as the model's config says",
            "bos": "the decoder begins with BOS, or with the sentinel where there is none; with "
            "enc_dec_prefix, context and text are cut into tokens apart (BabyLM)",
            "bos-trimmed": "the same; with enc_dec_prefix, without the space that ends a context (BabyLM's COMPS)",
        },
        "tokens": {
            "joint": "context and text are cut into tokens together",
            "rewritten": "a word without its space is cut into tokens alone, each given those before it, written out "
            f"again after the context, or after {NO_CONTEXT} (BabyLM's reading times)",
            "unspaced": "together; the space between context and text belongs to the context (BabyLM's words)",
            "framed": "together; BOS or CLS before a text and SEP after it, whether or not the tokenizer puts them "
            "there, and decoders begin without the mask (BabyLM, May 2025)",
            "framed-unspaced": "the same, and unspaced (its EWoK)",
        },
        "words_by": {
            "text": "as in the text: marks stand apart, don't is one word",
            "tokenizer": "as the tokenizer cuts it before its pieces (minicons, NLPScholar): often don 't or don ' t",
        },
        "sentence_value": {"sum": "summed log-probability", "mean": "mean log-probability per token"},
        "word_value": {
            "bow_eos": "word ends counted, text ends too (Pimentel & Meister 2024)",
            "bow": "word ends counted, white space only (Pimentel & Meister 2024; close to minicons)",
            "sum": "sum over the word's pieces; the end of the word is not counted",
        },
        "punctuation": {
            "previous": "punctuation belongs to the word before it",
            "next": "punctuation belongs to the word after it",
            "separate": "punctuation marks are words of their own",
            "ignore": "punctuation marks are left out",
        },
        "unit": {"bits": "bits (base 2)", "nats": "nats (natural logarithm)"},
        "ties": {
            "half": "a tie counts one half",
            "correct": "a tie counts as correct",
            "wrong": "a tie counts as wrong",
        },
        "text": {
            "auto": "typographic variants are mapped for bundled models, others see the text as typed",
            "typographic": "typographic variants are mapped (’ to ', “ to \", no-break space to space, …)",
            "as-typed": "the text exactly as typed",
        },
        "detokenise": {
            "": "spaces are kept as they are",
            "en": "pre-tokenised English is joined (do n't, cats .)",
            "fr": "pre-tokenised French is joined (l' auteur, est -ce)",
        },
        "dtype": {
            "float32": "single precision",
            "bfloat16": "half the memory, coarser numbers",
            "float16": "half the memory, coarser numbers",
        },
        "windows": {
            "full": "of long texts, the last window is full, and a masked token has a window of its own",
            "stride": "of long texts, windows begin at multiples of the stride (NLPScholar)",
        },
    }
)
"""For each field with named choices, what each means (help texts, popovers)."""
ADDED: Mapping[str, object] = MappingProxyType(
    {"decoder": "config", "windows": "full", "tokens": "joint", "words_by": "text"}
)
"""Fields that came later and that only scorers read, with their defaults.

Scores made before have no such field: it enters what identifies scores and runs only with another value.
"""


@dataclass(frozen=True, slots=True)
class Policy:
    """How texts are scored and how scores are combined. The defaults are Pairlens' own.

    `words_by` says by which words `pll` = `within_word_l2r` and the per-token table of experiments go.
    `leading_space` puts one space before a text without context (lm-evaluation-harness). `window` and `stride` are in
    tokens, for texts longer than the model's context; 0 means the model's limit, and half of it.
    """

    name: str = "pairlens"
    first_token: str = "bos"
    pll: str = "within_word_l2r"
    words_by: str = "text"
    sentence_value: str = "sum"
    word_value: str = "bow_eos"
    punctuation: str = "previous"
    unit: str = "bits"
    ties: str = "half"
    text: str = "auto"
    detokenise: str = ""
    leading_space: bool = False
    dtype: str = "float32"
    window: int = 0
    stride: int = 0
    decoder: str = "config"
    windows: str = "full"
    tokens: str = "joint"

    def __post_init__(self) -> None:
        for field_name, choices in CHOICES.items():
            if (value := getattr(self, field_name)) not in choices:
                raise PolicyError(unknown(field_name.replace("_", " "), value, choices))
        if self.window < 0 or self.stride < 0 or (self.window and self.stride > self.window):
            raise PolicyError(
                f"A stride of {self.stride} does not fit a window of {self.window} tokens: "
                "take 0 < stride <= window, or 0 for the model's own."
            )

    def but(self, **changes: object) -> Policy:
        names = [field.name for field in fields(self)]
        for name in changes:
            if name not in names:
                raise PolicyError(unknown("policy field", name, names))
        return replace(self, **changes)  # type: ignore[arg-type]

    def changes(self) -> dict[str, object]:
        """The fields that differ from the preset in this policy's name (`minicons, changed`: `minicons`)."""
        base = preset(self.name.partition(",")[0])
        names = [field.name for field in fields(self) if field.name != "name"]
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(base, name)}

    def scoring(self, reads: tuple[str, ...]) -> dict[str, object]:
        """The fields named in `reads`, as they enter a fingerprint.

        `one` differs from `none` only in averages, so both share their scores; so do `bos` and `bos-trimmed` where
        single tokens are hidden (`pll`), as contexts are not cut into tokens apart then. Where
        windows begin at multiples of the stride, every scorer that reads `windows` reads the stride too.
        """
        strided = ("stride",) if "windows" in reads and self.windows == "stride" else ()
        chosen = {name: value for name, value in self.given(reads).items() if name in (*reads, *strided)}
        if chosen.get("first_token") == "one":
            chosen["first_token"] = "none"
        if "pll" in reads and chosen.get("decoder") == "bos-trimmed":
            chosen["decoder"] = "bos"
        return chosen

    def given(self, reads: tuple[str, ...]) -> dict[str, object]:
        """All fields, as they enter a run's identity: those of `ADDED` only if read and not at their defaults."""
        later = {name for name, usual in ADDED.items() if name not in reads or getattr(self, name) == usual}
        unread = later if self.by_tokenizer else later | {"words_by"}
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name not in unread}

    @property
    def framed(self) -> bool:
        """Whether texts are framed as in BabyLM's pipeline before 10 June 2025."""
        return self.tokens.startswith("framed")

    @property
    def by_tokenizer(self) -> bool:
        """Whether a masked model is denied the later pieces of what its tokenizer takes for a word."""
        return self.pll == "within_word_l2r" and self.words_by == "tokenizer"

    def phrase(self) -> str:
        """How sentences are scored, in plain words, short enough for a setup bar."""
        whole = "whole sentence, " if self.first_token == "bos" else ""
        return f"{whole}{self.beginning()} · {CHOICES['sentence_value'][self.sentence_value]}"

    def beginning(self) -> str:
        """How the first word is treated, in plain words; sufficient for word-level analyses."""
        return {
            "bos": "first word included",
            "bos-unscored": "first word not scored",
            "none": "first token not scored",
            "tokenizer": "first token as the tokenizer frames it",
            "separate": "first token scored on its own",
            "one": "first token counted as certain",
        }[self.first_token]


PRESETS: Mapping[str, Policy] = MappingProxyType(
    {
        "pairlens": Policy(),
        "minicons": Policy(
            name="minicons", first_token="tokenizer", pll="original", words_by="tokenizer", sentence_value="mean",
            word_value="sum", unit="nats", text="as-typed",
        ),
        "babylm-2025": Policy(
            name="babylm-2025", first_token="tokenizer", pll="original", word_value="sum", unit="nats",
            ties="correct", text="as-typed", decoder="bos",
        ),
        "babylm-2025-05": Policy(
            name="babylm-2025-05", first_token="tokenizer", pll="original", word_value="sum", unit="nats",
            ties="correct", text="as-typed", decoder="bos", tokens="framed",
        ),
        "nlpscholar": Policy(
            name="nlpscholar", first_token="one", words_by="tokenizer", sentence_value="mean", word_value="sum",
            ties="wrong", text="as-typed", windows="stride",
        ),
        "lm-eval": Policy(
            name="lm-eval", pll="original", word_value="sum", unit="nats", ties="correct",
            text="as-typed", leading_space=True,
        ),
        "stereoset": Policy(
            name="stereoset", first_token="separate", pll="original", sentence_value="mean",
            word_value="sum", ties="wrong", text="as-typed",
        ),
    }
)  # fmt: skip
"""Named policies, complete enough to reproduce a published number by name."""


def preset(name: str) -> Policy:
    if name not in PRESETS:
        raise PolicyError(unknown("preset", name, PRESETS))
    return PRESETS[name]


def preset_for(name: str, sets: Mapping[str, Mapping[str, object]]) -> Policy:
    """The preset of that name, an older state of a program too, with a task's `sets` (`pairlens.types.Task`)."""
    return preset(name).but(**sets.get(name, sets.get("-".join(name.split("-")[:2]), {})))
