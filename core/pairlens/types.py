"""The nouns of Pairlens: what is scored, what a score is, and what scores.

They need the standard library only, so that every other module may import them. Log-probabilities are natural
logarithms; bits, surprisal and perplexity are made at the edge by `pairlens.measures`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import tokenizers
    from numpy.typing import NDArray

    from pairlens.policies import Policy

Span = tuple[int, int]
"""Start and end of a stretch of characters, end excluded, counted in Unicode code points."""

UNSCORED = math.nan
"""The log-probability of a token that the policy in force does not score. Never 0."""

GAP = "\ufffc"
"""Stands in a text for a word that is hidden from the model: Unicode's placeholder for what is no text."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the texts that compete inside an item; `text` follows `context` directly, `regions` are its spans."""

    text: str
    label: str
    context: str = ""
    regions: Mapping[str, Span] = field(default_factory=dict)


TAKEN = frozenset((
    "item", "item_id", "candidate", "label", "gold", "context", "text", "term", "weight", "temperature", "logprob",
    "n_tokens", "n_scored", "n_straddling", "fingerprint", "request_key", "correct", "tie", "undecided", "margin",
    "length_only", "chance", "excluded",
))  # fmt: skip
"""What a group of an item cannot be called: columns of `pairlens.store.runs.ITEMS`, of the candidate table and of
metrics' statistics, beside which groups stand."""


@dataclass(frozen=True, slots=True)
class Item:
    """Candidates that are compared with each other, and which label is right, if any is; groups for breakdowns."""

    id: str
    candidates: tuple[Candidate, ...]
    gold: str | None = None
    groups: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """A continuation to be scored after a context, before what comes `after` if the model sees both sides."""

    context: str
    continuation: str
    after: str = ""

    @property
    def text(self) -> str:
        return self.context + self.continuation + self.after


@dataclass(frozen=True, slots=True)
class Extras:
    """What a scorer should report beside the log-probabilities, because it costs time or space.

    `boundary` asks for the three about ends, `top` for that many of the likeliest tokens per position, `temperatures`
    for the log-probabilities at these temperatures too (1 is always there and never among them).
    """

    boundary: bool = False
    entropy: bool = False
    top: int = 0
    temperatures: tuple[float, ...] = ()


PLAIN = Extras()


AT_ENDS = ("boundary_logprobs", "eos_logprobs", "punctuation_logprobs")
"""What is said about the ends of words and texts, for which the output after the last token is read too."""


@dataclass(frozen=True, slots=True)
class TokenScores:
    """The tokens of one request that cover its continuation, and how likely each was.

    All sequences have one entry per token, except the three of word and text ends, which have one
    more: entry i is read where token i is predicted, the last entry after the last token.
    `spans` are characters of `Request.text`; a token that straddles context and continuation is included
    whole and counted in `n_straddling`. `logprobs` holds natural logarithms, NaN where the first-token policy
    leaves a token unscored.
    `boundary_logprobs`: log mass of the vocabulary's tokens that begin a new word (they start with white
    space), for causal models whose tokenizer marks word starts; NaN where undefined.
    `eos_logprobs`: log-probability of the end of the text; NaN where the model has no such token.
    `punctuation_logprobs`: log mass of the tokens that begin with a punctuation mark; the same length.
    `tops` holds, per position, pairs of token and log-probability, likeliest first.
    `tempered` holds, per temperature asked for, the tokens' log-probabilities when the logits are divided by it
    before the softmax; NaN where `logprobs` are.
    """

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    spans: tuple[Span, ...]
    n_straddling: int = 0
    boundary_logprobs: tuple[float, ...] | None = None
    eos_logprobs: tuple[float, ...] | None = None
    punctuation_logprobs: tuple[float, ...] | None = None
    entropies: tuple[float, ...] | None = None
    tops: tuple[tuple[tuple[str, float], ...], ...] | None = None
    tempered: Mapping[float, tuple[float, ...]] | None = None

    @property
    def total(self) -> float:
        """Sum of the scored log-probabilities, in nats; NaN if no token is scored."""
        return _sum_of_scored(self.logprobs)

    def total_at(self, temperature: float) -> float:
        return self.total if temperature == 1 else _sum_of_scored((self.tempered or {})[temperature])

    @property
    def n_scored(self) -> int:
        return sum(not math.isnan(value) for value in self.logprobs)


def _sum_of_scored(logprobs: Sequence[float]) -> float:
    scored = [value for value in logprobs if not math.isnan(value)]
    return math.fsum(scored) if scored else UNSCORED


class Scorer(Protocol):
    """A model, ready to score."""

    @property
    def about(self) -> Mapping[str, object]:
        """Device, token budget, threads, `window`, `stride`: kept beside its scores, no part of their identity."""

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """Score any number of requests, in order; InputError for a text that cannot be scored."""


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What a model expects after each of several rows of tokens: one entry per row, in nats.

    `ids` and `logprobs` (rows, top) are the likeliest next tokens, likeliest first. The rest is as in `TokenScores`,
    read after the row's last token.
    """

    ids: NDArray[np.int64]
    logprobs: NDArray[np.float64]
    boundary_logprobs: tuple[float, ...]
    eos_logprobs: tuple[float, ...]
    punctuation_logprobs: tuple[float, ...]
    entropies: tuple[float, ...]

    def row(self, number: int) -> Expected:
        place = slice(number, number + 1)
        return Expected(*(getattr(self, field.name)[place] for field in fields(self)))


class Tokenizer(Protocol):
    """How a model cuts texts (`pairlens.models.tokenizer`): its `end` and `unknown` tokens and those that typed text
    must not turn into, by id; `size` is one more than the highest id.
    """

    def __hash__(self) -> int: ...

    @property
    def backend(self) -> tokenizers.Tokenizer: ...

    @property
    def end(self) -> int | None: ...

    @property
    def unknown(self) -> int | None: ...

    @property
    def reserved(self) -> frozenset[int]: ...

    @property
    def size(self) -> int: ...

    def texts(self) -> list[str] | None:
        """What each token stands for, white space included, by id; None where the vocabulary does not say it."""


@runtime_checkable
class Predictor(Scorer, Protocol):
    """A scorer that reads from left to right, so that it can also be asked what comes next.

    `start` is the token that texts follow under its policy, None if they follow nothing, `window` the most tokens of
    a text that it sees at once.
    """

    @property
    def start(self) -> int | None: ...

    @property
    def tokenizer(self) -> Tokenizer: ...

    @property
    def window(self) -> int: ...

    def expect(self, rows: Sequence[tuple[int, ...]], top: int, lengths: Sequence[int] = ()) -> Expected:
        """What comes after each row of a text's tokens, read from the text's beginning on; `top` tokens of it.

        A row that begins a longer text, its length in `lengths`, is read in the windows in which that is scored.
        """


@dataclass(frozen=True, slots=True)
class Model:
    """A model that was found, not loaded: where it is and what determines its scores.

    `name` is what a user calls it; `kind` one of causal, masked, seq2seq, next-sentence, classifier, unigram.
    `weights`, `tokenizer` and `config` are sha256 digests of the files that determine the scores, in hex.
    `folder` is a GGUF model's file. `revision` is the commit of a hub model, empty for folders. `bundled` models
    ship with Pairlens.
    `code` is `REPO@COMMIT` when its custom code was allowed explicitly, else empty.
    """

    name: str
    kind: str
    folder: Path
    weights: str
    tokenizer: str
    config: str
    revision: str = ""
    bundled: bool = False
    code: str = ""
    card: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScorerKind:
    """What a file in `core/pairlens/scorers` exposes as SCORER.

    `version` is raised whenever its numbers change. `accepts` are the kinds of model it can use. `reads` names the
    policy fields that change its log-probabilities: they enter the fingerprint, the others do not.
    `open` loads the weights; nothing before it imports torch.

    `backend` is its name in the BabyLM pipeline, empty if benchmarks are not run with it; `instead` then says what to
    do, with $task and $program. `context` is what it makes of a text's context: it is `read` with the text, `encoded`
    apart from it, or `ignored`. `quantity` is what it computes. `whole`: a text has one value and no tokens to add
    up. `speed` is a cautious guess at the short texts per second on two cores, for the first run on a machine.
    """

    name: str
    version: int
    title: str
    accepts: frozenset[str]
    reads: tuple[str, ...]
    open: Callable[[Model, Policy], Scorer]
    backend: str = ""
    instead: str = ""
    context: Literal["read", "encoded", "ignored"] = "read"
    quantity: str = "Log-probabilities"
    whole: bool = False
    speed: float = 10.0


Prediction = Literal["text", "sentence", "surprisal", "checkpoints", "log-ratio"]
"""What a result file of the BabyLM pipeline, or of a task's authors, holds of it (`Task.prediction`)."""

Topic = Literal["Grammar", "Meaning", "Bias", "Human data", "Your file"]
"""What a task is about, in the order in which a visitor finds them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(ABC):
    """A benchmark: what a file in `core/pairlens/tasks` exposes as TASK.

    `version` is raised whenever a published number would change. `noun` is what one item is called on screens
    (`pair`, `item`, `word`), `topic` the heading under which it is found. `rules` are names in `pairlens.rules`, the
    usual one first. `groups` are the columns its metrics are broken down by, the main one (the paradigms) first.
    `averaged`: the headline of a metric that is a mean is a mean of means over the values of these columns, the
    outermost first. `metrics` are names in `pairlens.metrics.METRICS`, the headline first. `sets` are policy fields
    that this task needs otherwise than a preset has them, by preset, unless a user chooses. `paper` is the reference
    in words, `cites` are its keys in papers.bib (`pairlens.evaluation.receipts`). `prediction` says what a result
    file of the BabyLM pipeline holds: the preferred candidate's `text` or its `sentence` (context and text), each
    word's `surprisal`, or surprisals at all `checkpoints`; `log-ratio` is the authors' own format
    (`pairlens.evaluation.predictions`).

    What few tasks need has a default. `aliases` are older names of the task. `splits` are the
    values of the outermost of `averaged` in the order of the pipeline's report. `compared` are the labels of the two
    candidates that the pipeline compares where an item has more, by backend (empty for those not named), and
    `confidential` says that texts must not be passed on. `clusters` is the group whose items are not independent:
    intervals and tests take them together, and items that lack the group each on its own; `guessed`, that this was
    guessed from the words of anyone's data: the items are drawn. `same_text`: an item's
    candidates differ in their contexts alone. `any_table`: it reads every table with two columns of texts. `language`
    is the code of that of all its items, if they are in one. `instead` says where models are asked about it if
    `zero-shot` cannot, with $program. `page` is the title of the page of its own, whose file has the task's name, and
    `page_compares` what that page compares.
    """

    name: str
    title: str
    about: str
    topic: Topic
    rules: tuple[str, ...]
    groups: tuple[str, ...]
    noun: str = "pair"
    averaged: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("accuracy",)
    version: int = 1
    paper: str = ""
    cites: tuple[str, ...] = ()
    sets: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    prediction: Prediction = "text"
    confidential: bool = False
    compared: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    clusters: str = "contrast"
    guessed: bool = False
    same_text: bool = False
    any_table: bool = False
    language: str = ""
    instead: str = ""
    page: str = ""
    page_compares: str = ""

    @abstractmethod
    def read(self, path: Path) -> Iterable[Item]:
        """The items of a file or folder in the published format, in a stable order; InputError with file and line."""


class Metric(Protocol):
    """A number about a run: what a file in `core/pairlens/metrics` exposes as METRIC.

    Two steps, so that intervals, groups and paired tests come from the split (as in sacreBLEU): `statistics` turns
    candidate scores into one row per item, `value` turns such rows into the number.
    `finding` is the number in words, with $model and $value. `formula` says how it comes about, `note` what else a
    reader must know; `cites` are the keys of its papers in papers.bib (`pairlens.evaluation.receipts`). `values` are
    the columns of `statistics` that enter it, the main one first. `higher_is_better` is None where neither direction
    is better. `sides` are what items with a margin above and below 0 are called. `scale` says how the number is
    written: `share` (0 to 1, shown in per cent), `correlation` (-1 to 1), `bits`. `averages` says that it is the mean
    of the column `correct`, so that it can be averaged over groups. `under` names the rules under which it means
    something; empty for all.
    """

    name: str
    version: int
    title: str
    finding: str
    formula: str
    higher_is_better: bool | None
    cites: tuple[str, ...]
    values: tuple[str, ...]
    note: str
    sides: tuple[str, str]
    scale: str
    averages: bool
    under: tuple[str, ...]

    def statistics(self, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
        """One row per item. `candidates`: one row per item and candidate (columns: see `pairlens.metrics`)."""

    def value(self, statistics: pd.DataFrame) -> float:
        """The number for these items, in the unit of its `scale`; NaN if there are too few."""
