"""Typed text is not training text: what is changed before a tokenizer sees it, and how that is said.

Two steps, both named in the policy: text that was cut into tokens by an annotation tool is joined again
(`tokenised`), then typographic variants that the model has never seen are mapped to what it has (`typography`). A
curly apostrophe that the training text lacks costs a small model a hundred bits, and phones type nothing else.

    tokenised, typography   the two steps
    change                  what was changed, and the sentence that says so
    given                   texts as people give them, checked
    unread                  characters that a model has never read
    words                   which token belongs to which word; the log-probability of a word
    lexicon                 words by class and form
    spelling                how words change where they meet
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from core.policies import Policy
from core.text.change import Change, describe
from core.text.given import none_empty
from core.text.tokenised import detokenise, joined, looks_tokenised
from core.text.typography import mapped

__all__ = ["Change", "Prepared", "describe", "detokenise", "looks_tokenised", "none_empty", "prepare"]


class Prepared(NamedTuple):
    """A text as the tokenizer will see it, and what was changed in it, in order of first appearance."""

    text: str
    changes: tuple[Change, ...]


def prepare(text: str, policy: Policy, characters: str | None) -> Prepared:
    """Apply the text policy.

    `characters` are those the model saw in training (a bundled model's card lists them), None if unknown. `auto`
    changes only what they lack, and nothing if they are unknown; `typographic` maps the variants in any case,
    guillemets only if the characters are known to lack them; `as-typed` maps nothing. Mapping twice changes
    nothing more.
    """
    changes: Counter[tuple[str, str]] = Counter()
    if policy.detokenise:
        text = joined(text, policy.detokenise, changes)
    if policy.text == "typographic" or (policy.text == "auto" and characters is not None):
        text = mapped(text, characters, policy.text == "typographic", changes)
    return Prepared(text, tuple(Change(old, new, count) for (old, new), count in changes.items()))
