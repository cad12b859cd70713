"""Comparisons as sentences: the answer to the page's question, with its number and unit."""

import math
from collections import Counter
from collections.abc import Sequence

from pairlens import measures
from pairlens.analysis.preferences import amount as amount
from pairlens.messages import Message, both, counted, joined
from pairlens.studies.compare.pair import Comparison
from pairlens.text.languages import english_name

SAME = Message("Both sentences are the same: there is nothing to compare.")
MASKED = Message("Pseudo-log-likelihood: each word seen with all others.")
SCALES = Message("Causal and masked models score on different scales: compare their choices, not their numbers.")
_LONG_WORD = 6
_MOST_BITS = 20.0
"""Nobody can picture a ratio of probabilities beyond this."""


def preference(comparison: Comparison) -> Message:
    """`Prefers A by 6.9 bits (about 120 times as likely).`"""
    if comparison.preferred == "none":
        return Message("No answer: one of the sentences has no word that is scored under these choices.")
    if comparison.preferred == "tie":
        return Message("A tie: both sentences get exactly the same score.")
    if comparison.preferred == "undecided":
        return Message("Undecided: the difference is smaller than the precision of the numbers.")
    side, size = comparison.preferred, amount(abs(comparison.margin), comparison.recipe.policy.unit)
    if comparison.recipe.policy.sentence_value == "mean":
        return Message("Prefers {side}: scores higher by {size} per token.", side=side, size=size)
    if not comparison.left_to_right:
        return Message("Prefers {side}: scores higher by {size}.", side=side, size=size)
    ratio = likelier(abs(comparison.margin))
    return Message("Prefers {side} by {size} ({ratio}).", side=side, size=size, ratio=ratio)


def ends(comparison: Comparison) -> str:
    """Why the word values sum to the opposite decision, where they do; else empty."""
    running = comparison.contrast.frame["running_bits"].dropna()
    if running.empty or comparison.preferred not in ("A", "B"):
        return ""
    last = measures.nats(running.iloc[-1])
    if last * comparison.margin >= 0:
        return ""
    return Message(
        "Word for word {side} is ahead by {size}: word values count where the text ends, the value of a sentence "
        "does not.",
        side="A" if last > 0 else "B", size=amount(abs(last), comparison.recipe.policy.unit),
    )  # fmt: skip


def windowed(comparison: Comparison) -> str:
    """That a text is longer than the model's context, where its card gives one; else empty."""
    window = comparison.recipe.model.card.get("context")
    longest = max(len(scores.tokens) for scores in comparison.scores)
    if not window or longest < window:
        return ""
    return Message(
        "The longer text has {longest:,} tokens, {model} sees {window:,} at once: it was read in overlapping "
        "windows, and words that both texts share may differ.",
        longest=longest, model=comparison.recipe.model.name, window=window,
    )  # fmt: skip


def same(comparison: Comparison) -> str:
    """Why there is nothing to compare: both sentences are the same, as typed or to the model; else empty."""
    if comparison.texts[0] == comparison.texts[1]:
        return SAME
    if comparison.scores[0].ids == comparison.scores[1].ids:
        model = comparison.recipe.model
        one, other = (text.lower() for text in comparison.texts)
        if model.card.get("lower_case") and one == other:
            return Message(
                "To {model} both sentences are the same, without capital letters: there is nothing to compare.",
                model=model.name,
            )
        return Message("To {model} both sentences are the same: there is nothing to compare.", model=model.name)
    return ""


def verdict(comparison: Comparison) -> str:
    """The preference for the cell of a table: `A by 6.9 bits`."""
    if same(comparison):
        return "the same sentence"
    if comparison.preferred not in ("A", "B"):
        return "not scored" if comparison.preferred == "none" else comparison.preferred
    return f"{comparison.preferred} by {amount(abs(comparison.margin), comparison.recipe.policy.unit)}"


def tally(comparisons: Sequence[Comparison]) -> Message:
    """Several pairs in one sentence: `english-small prefers A in 13 of 20 pairs, B in 7.`"""
    counts = Counter(comparison.preferred for comparison in comparisons)
    others = {
        "B": Message(", B in {n}", n=counts["B"]),
        "tie": Message(", a tie in {n}", n=counts["tie"]),
        "undecided": Message(", undecided in {n}", n=counts["undecided"]),
        "none": Message(", no answer in {n}", n=counts["none"]),
    }
    return Message(
        "{model} prefers A in {n} of {total} pairs{others}.",
        model=comparisons[0].recipe.model.name, n=counts["A"], total=len(comparisons),
        others=joined((text for outcome, text in others.items() if counts[outcome]), ""),
    )  # fmt: skip


def beside(choices: Sequence[str], answers: Sequence[Sequence[Comparison]]) -> str:
    """`You chose B; english-small prefers A.`: of choices (A, B or empty, one per pair) and answers by model."""
    chosen = [place for place, choice in enumerate(choices) if choice]
    if not chosen:
        return ""
    by_name = {own[0].recipe.model.name: [comparison.preferred for comparison in own] for own in answers}
    if len(choices) > 1:
        same = {name: sum(own[place] == choices[place] for place in chosen) for name, own in by_name.items()}
        shared = (f"{name} in {n} of {counted(len(chosen), 'pair')}" for name, n in same.items())
        return f"You chose the same sentence as {' and '.join(shared)}."
    if all(own == [*choices] for own in by_name.values()):
        return f"You chose {choices[0]}, as {both(by_name)} would."
    preferences = (f"{name} prefers {side if side in ('A', 'B') else 'neither'}" for name, (side,) in by_name.items())
    return f"You chose {choices[0]}; {', '.join(preferences)}."


def agreement(model: str, right: bool | None, expected: str, language: str) -> str:
    """Whether a model agrees with speakers of a language; empty where nothing is known of them."""
    speakers = f"speakers of {english_name(language)}"
    if expected == "none":
        return f"Both sentences are fine: the preference of {model} is no judgement."
    if right is None:
        return ""
    return f"{model} agrees with {speakers}." if right else f"{model} goes against {speakers}, who take {expected}."


def uncertainty(entropy: float) -> str:
    """Entropy with its unit and the number of equally likely tokens that it corresponds to; empty if unknown."""
    if math.isnan(entropy):
        return ""
    choices = 2**entropy
    like = f"{choices:.1f}" if choices < 10 else f"{choices:,.0f}"
    return f"Entropy {entropy:.1f} bits: like {like} equally likely tokens."


def likelier(nats: float) -> Message:
    if measures.bits(nats) > _MOST_BITS:
        return Message("more than a million times as likely")
    times = measures.times_as_likely(nats)
    if times < 1.05:
        return Message("about equally likely")
    return Message("about {times} times as likely", times=f"{float(f'{times:.2g}'):,.9g}")


def caution(comparison: Comparison) -> str:
    contrast = comparison.contrast
    if same(comparison):
        return ""
    if contrast.minimal and not (contrast.first and _other_word(contrast.first.word_a, contrast.first.word_b)):
        return ""
    return Message(
        "Both may be fine: shorter and commoner wording is always likelier. A minimal pair differs in one place, "
        "and there in one form."
    )


def _other_word(a: str, b: str) -> bool:
    """Whether two long words have neither beginning nor end in common, so that they are hardly forms of one word."""
    a, b = a.strip(".,;:!?").lower(), b.strip(".,;:!?").lower()
    return min(len(a), len(b)) >= _LONG_WORD and a[:3] != b[:3] and a[-3:] != b[-3:]
