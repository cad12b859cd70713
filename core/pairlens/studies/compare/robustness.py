"""How far a decision holds: under every defensible policy, and in twenty variants of the pair.

One pair is an anecdote. The lexicon of the pair's language (`pairlens.text.lexicon`) determines which words replace
each other; words that it does not list stay, and so do function words. A word that the sentences do not share is
replaced only together with its counterpart, where both are forms of one entry (*laughs / laugh*).
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from pairlens.analysis.multiverse import ADDED_UP, ByLength, multiverse, policies_for
from pairlens.errors import InputError
from pairlens.policies import Policy
from pairlens.reports.multiverse.unigrams import Unigrams, unigrams_of
from pairlens.scoring.into_store import scores_now
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.compare.pair import Comparison, compare, in_unit
from pairlens.studies.compare.typed import SentencePair
from pairlens.text.lexicon import Entry, Lexicon, exchanged, lexicon_of, words_of
from pairlens.text.spelling import opens_with_vowel
from pairlens.text.words import word_spans
from pairlens.types import Extras, Request, Scorer, TokenScores


@dataclass(frozen=True, slots=True)
class _Slot:
    """A replaceable word: its entry, and its form and positions in A and in B."""

    entry: Entry
    form_a: int
    form_b: int
    places_a: tuple[int, ...]
    places_b: tuple[int, ...]


def try_variants(comparison: Comparison, store: Store, scorer: Callable[[], Scorer] | None = None) -> pd.DataFrame:
    """A row per variant, the closest decision first: A, B, preferred, margin (A minus B in the policy's unit)."""
    recipe = comparison.recipe
    tried = compare(variants(comparison.pair), recipe, store, scorer)
    rows = [(*one.pair, one.preferred, in_unit(one.margin, recipe.policy.unit)) for one in tried]
    frame = pd.DataFrame(rows, columns=["A", "B", "preferred", "margin"])
    return frame.sort_values("margin", key=abs, ignore_index=True)


def trial_sentence(frame: pd.DataFrame, expected: str) -> str:
    """`Prefers the grammatical one in 17 of 20 variants.` Counts A unless `expected` is `B`."""
    count = int((frame["preferred"] == ("B" if expected == "B" else "A")).sum())
    named = "the grammatical one" if expected in ("A", "B") else "A"
    return f"Prefers {named} in {count} of {len(frame)} variants."


def variants(pair: SentencePair, number: int = 20) -> list[SentencePair]:
    """Up to `number` distinct variants, always the same ones. Raises InputError if no word is in the lexicon."""
    lexicon = lexicon_of(pair)
    slots = _slots(pair, lexicon)
    if not slots:
        raise InputError(
            "None of these words is in the lexicon, so there is nothing to exchange. It knows common nouns, verbs "
            "and adjectives of English, French and Portuguese, such as man, letter, laughs or tired."
        )
    chance, language = random.Random("\n".join(pair)), lexicon.language
    distinct: dict[SentencePair, None] = {}
    for _ in range(number * 50):
        if len(distinct) == number:
            break
        new_a: dict[int, str] = {}
        new_b: dict[int, str] = {}
        taken = {slot.entry for slot in slots}
        for slot in slots:
            group = (entry for entry in lexicon.entries if entry.path == slot.entry.path and entry not in taken)
            vowel = opens_with_vowel(slot.entry.forms[slot.form_a], language)
            # The word before it can stay as it is: a or an, le or l'.
            if free := [one for one in group if opens_with_vowel(one.forms[slot.form_a], language) == vowel]:
                entry = chance.choice(free)
                taken.add(entry)
                new_a |= dict.fromkeys(slot.places_a, entry.forms[slot.form_a])
                new_b |= dict.fromkeys(slot.places_b, entry.forms[slot.form_b])
        candidate = exchanged(pair[0], new_a, language), exchanged(pair[1], new_b, language)
        if candidate != pair and (candidate[0] != candidate[1] or pair[0] == pair[1]):
            distinct.setdefault(candidate)
    return list(distinct)


def _slots(pair: SentencePair, lexicon: Lexicon) -> list[_Slot]:
    words_a, words_b = (words_of(text, lexicon.language) for text in pair)
    auxiliaries = {form for entry in lexicon.entries if entry.path[0] == "auxiliary" for form in entry.forms}
    slots: list[_Slot] = []
    for entry in (entry for entry in lexicon.entries if entry.is_open):
        places_a, places_b = _forms(entry, words_a, auxiliaries), _forms(entry, words_b, auxiliaries)
        forms_a, forms_b = {*places_a.values()}, {*places_b.values()}
        if len(forms_a) == len(forms_b) == 1 and not any(places_a.keys() & {*slot.places_a} for slot in slots):
            slots.append(_Slot(entry, forms_a.pop(), forms_b.pop(), tuple(places_a), tuple(places_b)))
    return slots


def _forms(entry: Entry, words: Sequence[str], auxiliaries: set[str]) -> dict[int, int]:
    """Positions and forms of the entry in a text. An ambiguous form is a participle only after an auxiliary."""
    participles = {number for number, features in enumerate(entry.features) if "participle" in features}
    places = {}
    for place, word in enumerate(words):
        forms = {number for number, form in enumerate(entry.forms) if form.lower() == word}
        if len(forms) > 1:
            forms = forms & participles if place > 0 and words[place - 1] in auxiliaries else forms - participles
        if len(forms) == 1:
            places[place] = forms.pop()
    return places


def under_all_policies(
    pairs: Sequence[SentencePair], recipe: Recipe, store: Store, scorer: Callable[[Recipe], Scorer] = Recipe.open
) -> list[pd.DataFrame]:
    """A table per pair, a row per policy, the recipe's own first; policies that sum differently share scores."""
    requests = [Request("", text) for pair in pairs for text in pair]
    scored: dict[tuple[str, bool], list[TokenScores]] = {}
    by_policy: dict[Policy, list[TokenScores]] = {}
    for policy in policies_for(recipe.kind, recipe.policy):
        changed = Recipe(recipe.model, recipe.kind, policy)
        same = (changed.fingerprint, policy.leading_space)
        if same not in scored:
            scored[same] = scores_now(requests, changed, store, Extras(boundary=True), partial(scorer, changed))
        by_policy[policy] = scored[same]
    unigrams, tables = unigrams_of(recipe.model), []
    for place, pair in enumerate(pairs):
        scores = {policy: (own[2 * place], own[2 * place + 1]) for policy, own in by_policy.items()}
        tables.append(multiverse(scores, recipe.kind, _by_length(pair, next(iter(scores.values())), unigrams)))
    return tables


def _by_length(pair: SentencePair, scores: Sequence[TokenScores], unigrams: Unigrams | str) -> list[ByLength]:
    """Means per word and per character of the text, and SLOR where the model's tokens or words have counts.

    SLOR: (log p(text) - log p of its tokens or words without context) / its tokens (Lau, Clark & Lappin 2017).
    """
    a, b = scores
    lengths: dict[str, Callable[[str], int]] = {
        "word": lambda text: len(word_spans(text)), "character": lambda text: len(text.strip()),
    }  # fmt: skip
    means = [
        ByLength(ADDED_UP[name], f"nats per {name}", (a.total / length(pair[0]), b.total / length(pair[1])))
        for name, length in lengths.items()
    ]
    unscored = any(one.n_scored < len(one.tokens) for one in scores)
    if isinstance(unigrams, str) or (unigrams.by_token is None and unscored):
        return means
    first, second = (
        (one.total - unigrams.of_scores(one, text)) / one.n_scored if one.n_scored else math.nan
        for one, text in zip(scores, pair, strict=True)
    )
    return [*means, ByLength(ADDED_UP["slor"], "nats per token", (first, second))]
