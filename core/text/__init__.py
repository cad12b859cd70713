"""Typed text is not training text: what is changed before tokenization, and how that is reported.

Two steps, both named in the policy: text that was cut into tokens by an annotation tool is joined again
(`tokenised`), then typographic variants that the model has never seen are mapped to ones that it has (`typography`).
A curly apostrophe that the training text lacks costs a small model a hundred bits, and phones type nothing else.

    tokenised, typography   the two steps
    change                  changes, and the sentence that reports them
    given                   checks on the texts that people give
    unread                  characters that a model has never read
    words                   which tokens belong to which word; the log-probability of a word
    lexicon                 words by class and form
    joining                 what joins a word to the text before it
    exchanged               the words of a text that a lexicon has, exchanged
    lexical_sets            items made of the same words
    faults                  what is no text of its author's
    spelling                a or an, elision and contraction
    languages               messages in other languages than English, and numbers as these write them
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from core.policies import Policy
from core.text.change import Change, describe
from core.text.given import none_empty, visible
from core.text.tokenised import detokenise, joined, looks_tokenised
from core.text.typography import mapped

__all__ = ["Change", "Prepared", "describe", "detokenise", "looks_tokenised", "none_empty", "prepare", "visible"]


class Prepared(NamedTuple):
    """A text as the tokenizer will see it, and its changes in order of first appearance."""

    text: str
    changes: tuple[Change, ...]


def prepare(text: str, policy: Policy, characters: str | None) -> Prepared:
    """Apply the text policy.

    `characters` are those that the model saw in training (a bundled model's card lists them), None if unknown. `auto`
    maps only characters missing from them, and nothing if they are unknown. `typographic` always maps the variants,
    but guillemets only if the model is known to lack them. `as-typed` maps nothing. The mapping is idempotent.
    """
    changes: Counter[tuple[str, str]] = Counter()
    if policy.detokenise:
        text = joined(text, policy.detokenise, changes)
    if policy.text == "typographic" or (policy.text == "auto" and characters is not None):
        text = mapped(text, characters, policy.text == "typographic", changes)
    return Prepared(text, tuple(Change(old, new, count) for (old, new), count in changes.items()))
