"""What comes next, and which form the model prefers: as sentences, as rows of charts and tables, as a receipt."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from pairlens import measures
from pairlens.evaluation.receipts import sentences
from pairlens.evaluation.receipts.bibtex import bibtex, keys_of_scores
from pairlens.evaluation.receipts.scored_by import by_recipe, number
from pairlens.results.result import Column, Provenance, Table
from pairlens.scoring.recipe import Recipe
from pairlens.studies.compare.pair import in_unit
from pairlens.studies.compare.wording import amount, likelier
from pairlens.studies.compare.wording import uncertainty as uncertainty
from pairlens.studies.next_word.forms import Form, FormComparison
from pairlens.studies.next_word.top_words import NextTokens, TopWord
from pairlens.studies.provenance import receipt_of
from pairlens.types import Model


def expectation(seen: NextTokens) -> str:
    """`Expects “were” (14 %), then “was” (9.8 %).`"""
    words = seen.words.words if seen.words else ()
    pieces = zip(seen.pieces["piece"], seen.pieces["probability"], strict=True)
    likeliest = [(_quoted(word), measures.probability(word.logprob)) for word in words]
    likeliest = likeliest or [(f"“{piece}”", probability) for piece, probability in pieces]
    return f"Expects {', then '.join(f'{text} ({share(probability)})' for text, probability in likeliest[:2])}."


def guess(form: Form, seen: NextTokens) -> str:
    """`You guessed “were” (14 %): the likeliest word.`"""
    if form.unknown:
        return f"You guessed “{form.text}”, which is not in this model's vocabulary."
    likeliest = [word.text for word in seen.words.words if not word.ends_text] if seen.words else []
    chance = f"You guessed “{form.text}” ({share(measures.probability(form.whole))})"
    if form.text not in likeliest:
        return f"{chance}: not among the likeliest words."
    place = likeliest.index(form.text) + 1
    return f"{chance}: {'the likeliest word' if place == 1 else f'number {place} of the likeliest words'}."


def named(word: TopWord) -> str:
    return "the end of the text" if word.ends_text else word.text


def _quoted(word: TopWord) -> str:
    return named(word) if word.ends_text else f"“{word.text}”"


def windowed(n_pieces: int, model: Model) -> str:
    """That the text is longer than the model's context, where its card gives one; else empty."""
    window = model.card.get("context")
    if not window or n_pieces < window:
        return ""
    return f"The text has {n_pieces:,} tokens; {model.name} sees {window:,} at once and has forgotten the beginning."


def proof(seen: NextTokens) -> str:
    if seen.words is None or seen.words.proved:
        return ""
    return (
        f"Not proved: the search was stopped after {seen.words.looked_at} beginnings of words. A word of several "
        "tokens might belong here too."
    )


def decision(choice: FormComparison, unit: str) -> str:
    """`Prefers are by 2.3 bits (about 4.9 times as likely).`"""
    first, second = choice.ranked[:2]
    match choice.outcome:
        case "unknown":
            names = ", ".join(form.text for form in choice.forms if form.unknown)
            return f"No answer: not in this model's vocabulary: {names}."
        case "none":
            return "No answer: a form has a token that is not scored under these choices."
        case "tie":
            return f"A tie: {first.text} and {second.text} get exactly the same score."
        case "undecided":
            return (
                f"Undecided between {first.text} and {second.text}: the difference is below the numbers' precision."
            )
    over = f" over {second.text}" if len(choice.forms) > 2 else ""
    return f"Prefers {first.text}{over} by {amount(choice.margin, unit)} ({likelier(choice.margin)})."


def remarks(choice: FormComparison) -> Iterator[str]:
    """What the decision would be without the end of the word, and where words are not read as they end."""
    if choice.outcome not in ("unknown", "none") and all(form.ended for form in choice.forms):
        begun = "".join(f" {one} is the beginning of {other}." for one, other in choice.nested)
        only = f"would say {choice.likeliest_beginning.text}" if choice.flips else "says the same"
        yield f"With the end of the word counted; form only {only}.{begun}"
    if choice.begun:
        yield f"A form shares a token with {choice.begun}: all are read from there on."
    elif not all(form.ended for form in choice.forms):
        yield "The tokens of this model do not show where words end: forms are compared without their ends."


def sentence(choice: FormComparison, unit: str) -> str:
    begin = f"{choice.prefix or 'At the beginning of a text'} … "
    return begin + " ".join((decision(choice, unit), *remarks(choice)))


def tally(choices: Sequence[FormComparison]) -> str:
    """Several comparisons in one sentence: how often each form won, and what counting the end of the word changes."""
    decided = [choice for choice in choices if choice.outcome == "decided"]
    first = sum(choice.ranked[0] is choice.forms[0] for choice in decided)
    flips, nested = sum(choice.flips for choice in choices), sum(bool(choice.nested) for choice in choices)
    return (
        f"The first form in {first} of {len(choices)}, another in {len(decided) - first}, no decision in "
        f"{len(choices) - len(decided)}. Form only would say otherwise in {flips}; one form is the beginning of "
        f"another in {nested}."
    )


def share(probability: float) -> str:
    """A probability in per cent with two significant digits."""
    percent = 100 * probability
    if percent >= 10:
        return f"{percent:.0f} %"
    return f"{np.format_float_positional(percent, precision=2, unique=False, fractional=False, trim='-')} %"


def word_bars(seen: NextTokens) -> pd.DataFrame:
    """The likeliest whole words as `pairlens.charts.next_word.likeliest` draws them; the remark gives their
    pieces."""
    rows = [
        (rank, named(word), "" if word.ends_text else word.before + word.text,
         measures.probability(word.logprob), f"cut as {' '.join(word.pieces)}")
        for rank, word in enumerate(seen.words.words if seen.words else (), start=1)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["rank", "label", "adds", "probability", "remark"])


def piece_bars(seen: NextTokens) -> pd.DataFrame:
    """The likeliest pieces likewise; the remark is how often their word continues."""
    remarks = seen.pieces["goes_on"].map(lambda chance: f"the word goes on: {share(chance)}", na_action="ignore")
    named = seen.pieces.rename(columns={"piece": "label"}).assign(remark=remarks.fillna(""))
    return named.drop(columns="goes_on")


def form_table(choice: FormComparison, unit: str) -> Table:
    """The forms, the likeliest first; surprisals in `unit`."""
    rows = [
        (form.text, share(measures.probability(form.whole)), in_unit(-form.whole, unit),
         in_unit(-form.only, unit), len(form.pieces), " ".join(form.pieces))
        for form in choice.ranked
    ]  # fmt: skip
    columns = [
        Column("form", "Form", "The form."),
        Column("probability", "Probability", "That of the whole word."),
        Column("whole", "Surprisal as a whole word", "Its tokens and the end of the word.", unit, ".2f"),
        Column("only", "Form only", "Its tokens, whatever follows.", unit, ".2f"),
        Column("n_pieces", "Tokens", "The number of its tokens."),
        Column("pieces", "Cut as", "Its tokens."),
    ]
    frame = pd.DataFrame(rows, columns=[column.name for column in columns])
    return Table("forms", "One row per form, the likeliest first", columns, lambda: frame)


def provenance(typed: str, prefix: str, choice: FormComparison | None, recipe: Recipe) -> Provenance:
    """The model, the choices and the numbers. `prefix` is as the model reads it."""
    forms = [
        {"form": form.text, "pieces": form.pieces, "whole_word_nats": number(form.whole),
         "form_only_nats": number(form.only)}
        for form in (choice.forms if choice else ())
    ]  # fmt: skip
    data, read = [[typed, *(form["form"] for form in forms)]], {"typed": typed, "read": prefix}
    receipt = receipt_of("next-word", data, recipe, prefix=read, forms=forms)
    methods = sentences.sentence(
        sentences.computed(by_recipe(recipe), "of what comes next"),
        "a form's probability is that of its tokens and of the end of its word (white space, a mark or the end of "
        "the text), given that the word before it has ended",
        "entropy is over tokens, in bits",
    )
    return Provenance(receipt, methods, bibtex(keys_of_scores(by_recipe(recipe), "bow_eos"), recipe.model))
