"""Forms compared after a prefix: each as a whole word, and as the mere beginning of words.

*acceptée* is the beginning of *acceptées*: where a model writes the plural as the singular and `s`, the bare form can
never be less likely than what it begins. So the decision includes the end of the word: what follows the form is white
space, a mark or the end of the text, however the policy treats marks elsewhere. `form only` is given beside it.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, zip_longest

import pandas as pd

from pairlens.analysis.multiverse import decision
from pairlens.errors import InputError
from pairlens.models import unknown_token
from pairlens.policies import Policy
from pairlens.scoring.into_store import scores_now
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.next_word.pieces import pieces_of, predictor
from pairlens.text.joining import following, joint
from pairlens.text.words import edges, word_spans
from pairlens.types import Extras, Request, Scorer, TokenScores

MOST = 12
_IN_LINE = re.compile(r'\s*"([^"]+)"\s*(?=[,/|;\n]|$)|([^,/|;\n]+)')


@dataclass(frozen=True, slots=True)
class Form:
    """A form after a prefix, in nats: `whole` with the end of its word counted, `only` without.

    `unknown`: part of it is not in the model's vocabulary. `ended`: whether the vocabulary shows where words end; if
    not, `whole` equals `only`.
    """

    text: str
    whole: float
    only: float
    pieces: tuple[str, ...]
    unknown: bool
    ended: bool


@dataclass(frozen=True)
class FormComparison:
    """Forms compared after a prefix (as the model reads it), in the order given.

    `begun`: the prefix's last word, if a form shares a token with it (*does*, *n't*); all values then include it.
    """

    prefix: str
    forms: tuple[Form, ...]
    begun: str = ""

    @cached_property
    def ranked(self) -> list[Form]:
        return sorted(self.forms, key=lambda form: (math.isnan(form.whole), -form.whole))

    @property
    def margin(self) -> float:
        """The lead of the likeliest whole word over the next form, in nats."""
        first, second = self.ranked[:2]
        return first.whole - second.whole

    @property
    def outcome(self) -> str:
        """`decided`, `tie`, `undecided` (closer than the numbers' precision), `unknown` or `none` (unscored)."""
        if any(form.unknown for form in self.forms):
            return "unknown"
        outcome = decision(self.margin)
        return "decided" if outcome == "A" else outcome

    @property
    def likeliest_beginning(self) -> Form:
        """The likeliest form if the end of the word is not counted."""
        return max(self.forms, key=lambda form: form.only)

    @property
    def flips(self) -> bool:
        """Whether another form would win if the end of the word were not counted."""
        return self.outcome == "decided" and self.likeliest_beginning.only > self.ranked[0].only

    @property
    def nested(self) -> list[tuple[str, str]]:
        """Pairs of forms of which the first is the beginning of the second."""
        texts = [form.text for form in self.forms]
        return [(text, other) for text in texts for other in texts if text != other and other.startswith(text)]


def read_forms(typed: str | Sequence[str]) -> list[str]:
    """The forms of a list, or of a line (docs/commands.md); each once. InputError for fewer than two, or too many.

    In a line, straight double quotation marks hold a form together that has a separator in it or a space before it.
    """
    if isinstance(typed, str):
        typed = [quoted or plain.strip() for quoted, plain in _IN_LINE.findall(typed)]
    forms = list(dict.fromkeys(_marked(form) for form in typed if form.strip()))
    if len(forms) < 2:
        raise InputError("Type two or more forms with a comma between them: is, are.")
    if len(forms) > MOST:
        raise InputError(f"These are {len(forms)} forms; {MOST} are compared at once.")
    return forms


def _marked(form: str) -> str:
    """Without white space around it; a space that says how the form is joined is written `_`."""
    bare = form.strip()
    return f"_{bare}" if form[0].isspace() and following('"a', bare) == bare else bare


def compare_forms(
    prefixes: Sequence[tuple[str, Sequence[str]]],
    recipe: Recipe,
    store: Store,
    scorer: Callable[[], Scorer] | None = None,
    policy: Policy | None = None,
) -> list[FormComparison]:
    """Compare the forms of each prefix, both as typed; scores that are not stored are computed now.

    Where a space stands before each form, `whole` is given that the word before them has ended. `policy` says what
    ends a word. InputError for a form without tokens, ModelError for a model that does not read from left to right.
    """
    ended_by = policy or recipe.policy.but(word_value="bow_eos", punctuation="separate")
    opened = predictor(recipe, scorer)
    pieces = pieces_of(opened.tokenizer)

    def scored(requests: Sequence[Sequence[Request]]) -> list[list[TokenScores]]:
        scores = iter(scores_now([*chain(*requests)], recipe, store, Extras(boundary=True), lambda: opened))
        return [[*islice(scores, len(own))] for own in requests]

    def form_of(text: str, scores: TokenScores, request: Request, after_space: bool) -> Form:
        """The sum of its tokens; that with the end of its word, unless the next one touches it (`l'`)."""
        ends, symbol = edges(scores, request.text, ended_by), unknown_token(recipe.model)
        joined = joint(request.text.rstrip(), always=pieces.whole)
        terms = (ends[-1] if joined else math.nan, -ends[0] if after_space else math.nan)
        return Form(
            text=text,
            whole=math.fsum([*scores.logprobs, *(term for term in terms if not math.isnan(term))]),
            only=math.fsum(scores.logprobs),
            pieces=tuple(pieces.shown[id] for id in scores.ids),
            unknown=bool(symbol) and symbol in scores.tokens,
            ended=pieces.whole or not math.isnan(ends[-1]),
        )

    requests = [
        [Request(prefix.rstrip(), following(prefix.rstrip(), form, always=pieces.whole)) for form in forms]
        for prefix, forms in prefixes
    ]
    across = [any(one.n_straddling for one in own) for own in scored(requests)]
    earlier = [[*map(_earlier, own)] if yes else own for yes, own in zip(across, requests, strict=True)]
    comparisons = []
    for (_, forms), plain, own, scores in zip(prefixes, requests, earlier, scored(earlier), strict=True):
        read, context = [recipe.request(request) for request in own], recipe.request(plain[0]).context
        after_space = [all(request.continuation[:1].isspace() for request in read)] * len(read)
        compared = tuple(map(form_of, forms, scores, read, after_space))
        comparisons.append(FormComparison(context, compared, context[len(read[0].context) :].strip()))
    return comparisons


def guessed(prefix: str, word: str, recipe: Recipe, store: Store, scorer: Callable[[], Scorer] | None = None) -> Form:
    """A guess after a prefix, both as typed, with its value in `top_words`; raises as `compare_forms`."""
    (comparison,) = compare_forms([(prefix, (word,))], recipe, store, scorer, recipe.policy)
    return comparison.forms[0]


def _earlier(request: Request) -> Request:
    context = request.context[: -len(request.context.split()[-1])].rstrip()
    return Request(context, request.text[len(context) :])


def forms_table(comparisons: Sequence[FormComparison]) -> pd.DataFrame:
    """A row per form: `sentence` is the number of the prefix, from 1; `prob` the log-probability of the whole word,
    `form_only` that of the bare form, both in nats; `preferred` is missing where there is no decision.
    """
    rows = [
        (number, choice.prefix, form.text, form.whole, form.only, len(form.pieces), " ".join(form.pieces),
         form is choice.ranked[0] if choice.outcome == "decided" else None)
        for number, choice in enumerate(comparisons, start=1)
        for form in choice.forms
    ]  # fmt: skip
    columns = ["sentence", "prefix", "form", "prob", "form_only", "n_pieces", "pieces", "preferred"]
    return pd.DataFrame(rows, columns=columns).astype({"preferred": "boolean"})


def shared_prefixes(lines: Sequence[str]) -> list[tuple[str, Sequence[str]]]:
    """The prefix of lines 1 and 2, 3 and 4, ..., without the space after it, and the word in which they differ.

    Empty unless each pair differs in exactly one word.
    """
    prefixes: list[tuple[str, Sequence[str]]] = []
    for first, second in zip_longest(lines[::2], lines[1::2], fillvalue=""):
        spans, other_spans = word_spans(first, "separate"), word_spans(second, "separate")
        pairs = [
            (first[slice(*span)], second[slice(*other)]) for span, other in zip(spans, other_spans, strict=False)
        ]
        different = [place for place, (word, other) in enumerate(pairs) if word != other]
        if len(spans) != len(other_spans) or len(different) != 1:
            return []
        prefixes.append((first[: spans[different[0]][0]].rstrip(), pairs[different[0]]))
    return prefixes
