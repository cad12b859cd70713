"""Word frequencies: the probability of each word without context. A baseline that a model should beat; no torch.

With c the count of a word (lower-cased), N the tokens and V the types of the counted text, and add-one
smoothing over the types and one class for all unknown words (Laplace; Jurafsky & Martin, chapter on n-grams):

    log p(word) = log((c + 1) / (N + V + 1))

Words are separated by white space; punctuation marks around them are words of their own.

Counts have no logits; the log-probabilities take their place, over the V types and the class of unknown words. So at
a temperature T

    log p_T(word) = log p(word) / T - log (sum of p^(1/T) over the V + 1 outcomes)

where the types that are too rare to be listed share the remaining mass equally.
"""

import gzip
import math
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from operator import itemgetter, methodcaller

from pairlens.errors import ModelError
from pairlens.policies import Policy
from pairlens.scorers import refuse_mismatch
from pairlens.scorers._encoding import check, continuation, following
from pairlens.types import AT_ENDS, PLAIN, UNSCORED, Extras, Model, Request, Scorer, ScorerKind, TokenScores


class UnigramScorer:
    """Word counts, most frequent first; a word's id is its place, that of unknown words the number of counts."""

    def __init__(self, counts: dict[str, int], tokens: int, types: int) -> None:
        self._counts, self._tokens, self._types = counts, tokens, types
        self._ids = dict(zip(counts, range(len(counts)), strict=True))
        self._log_total = math.log(tokens + types + 1)

    @cached_property
    def _outcomes(self) -> list[tuple[float, int]]:
        return _outcomes(self._counts, self._tokens, self._types)

    @property
    def about(self) -> Mapping[str, object]:
        return {}

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """Word boundaries, the end of the text and entropies are undefined: NaN."""
        masses = {value: self._log_mass(value) for value in extras.temperatures}
        return [self._one(request, extras, masses) for request in requests]

    def _one(self, request: Request, extras: Extras, masses: Mapping[float, float]) -> TokenScores:
        check(request.text)
        matches = list(WORD.finditer(request.text))
        spans = [match.span() for match in matches]
        first, straddling = continuation(request, spans)
        part = slice(first, len(spans) - following(request, spans))
        words = [match.group().lower() for match in matches[part]]
        ids = tuple(self._ids.get(word, len(self._ids)) for word in words)
        logprobs = tuple(self._logprob(word) for word in words)
        undefined = (UNSCORED,) * (len(words) + 1)
        top = tuple((word, self._logprob(word)) for word in islice(self._counts, extras.top))
        return TokenScores(
            tokens=tuple(words),
            ids=ids,
            logprobs=logprobs,
            spans=tuple(spans[part]),
            n_straddling=straddling,
            **dict.fromkeys(AT_ENDS if extras.boundary else (), undefined),
            entropies=undefined[1:] if extras.entropy else None,
            tops=(top,) * len(words) if extras.top else None,
            tempered={value: tuple(one / value - mass for one in logprobs) for value, mass in masses.items()} or None,
        )

    def _log_mass(self, temperature: float) -> float:
        """Log of the sum of p^(1/T) over all outcomes."""
        logs = [(math.log(weight) - self._log_total) / temperature for weight, _ in self._outcomes]
        most = max(logs)
        shares = (number * math.exp(log - most) for log, (_, number) in zip(logs, self._outcomes, strict=True))
        return most + math.log(math.fsum(shares))

    def _logprob(self, word: str) -> float:
        return math.log(self._counts.get(word, 0) + 1) - self._log_total


def _outcomes(counts: Mapping[str, int], tokens: int, types: int) -> list[tuple[float, int]]:
    """All outcomes as pairs of a smoothed count and the number of outcomes with it; unknown words have 1."""
    listed = {count + 1: number for count, number in Counter(counts.values()).items()}
    rest, unlisted = tokens + types - sum(weight * number for weight, number in listed.items()), types - len(counts)
    return [*listed.items(), (1, 1), *([(rest / unlisted, unlisted)] if unlisted > 0 < rest else [])]


def _open(model: Model, policy: Policy) -> Scorer:  # noqa: ARG001 - no choice of a policy changes a count
    refuse_mismatch(SCORER, model)
    try:
        with gzip.open(model.folder / "counts.tsv.gz") as file:
            lines = file.read().decode("utf-8").removesuffix("\n")
        rows = map(methodcaller("split", "\t"), lines.split("\n") if lines else ())
        counts = {word: int(count) for word, count in rows}
        tokens, types = int(model.card["tokens"]), int(model.card["types"])
    except (OSError, EOFError, zlib.error, ValueError, KeyError) as error:
        raise ModelError(f"'{model.name}': its word counts cannot be read ({error}).") from error
    ordered = dict(sorted(counts.items(), key=itemgetter(1), reverse=True))
    return UnigramScorer(ordered, tokens, types)


SCORER = ScorerKind(
    name="unigram",
    version=1,
    title="unigram: how frequent each word is, without context",
    accepts=frozenset({"unigram"}),
    reads=(),
    open=_open,
    backend="unigram",
    context="ignored",
    speed=20_000.0,
)


WORD = re.compile(r"\w+(?:[^\w\s]+\w+)*|[^\w\s]")
"""A word with the marks inside it ("don't", "well-known"), or one mark by itself."""


def split_words(text: str) -> list[str]:
    """Lower-cased words, with every leading and trailing mark a token of its own.

    >>> split_words('"Don\\'t stop," he said.')
    ['"', "don't", 'stop', ',', '"', 'he', 'said', '.']
    """
    return WORD.findall(text.lower())
