"""The beginning of a text, which grows, what the model expects at a place of it, forms to compare, and the table."""

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, Part, show_chart, show_menu
from pages.components.shared.make_lesson import asked_of, make_lesson
from pages.components.shared.predict_first import choice_of
from pages.components.shared.receipt import show_receipt
from pages.components.shared.show_result import show_rows
from pages.components.shared.tables import real, show_table
from pairlens.charts import next_word as next_word_charts
from pairlens.errors import InputError
from pairlens.files.exports import written
from pairlens.places import program
from pairlens.scoring.model_cache import rough_length
from pairlens.scoring.recipe import Recipe
from pairlens.settings import settings
from pairlens.studies.lesson import Step
from pairlens.studies.next_word import HOW, forms, wording
from pairlens.studies.next_word.forms import FormComparison, compare_forms, read_forms
from pairlens.studies.next_word.pieces import predictor, read_prefix
from pairlens.studies.next_word.table import BY
from pairlens.studies.next_word.table import next_word_table as published
from pairlens.studies.next_word.top_words import NextTokens, places
from pairlens.studies.next_word.top_words import next_tokens as expected_at
from pairlens.studies.next_word.wording import form_table, piece_bars, provenance, word_bars
from pairlens.types import Scorer

_GROWN = "prefixes_before"
"""Earlier prefixes, the last one at the end."""
_UNITS = ("Whole words", "Tokens")
_PUBLISHED = {
    "token": "Here", "ref_next": "Next", "pred_next": "Likeliest next",
    "ref_prob": real("Next: log-probability (nats)"), "pred_prob": real("Likeliest: log-probability (nats)"),
    "entropy_bits": real("Entropy (bits)"),
}  # fmt: skip
"""What the columns of the published table hold."""
SHOWN = 24
"""Places that a chart shows at once; of longer prefixes the last ones."""


def type_prefix(first: str, key: str) -> str:
    """The prefix in its box, which begins with an example and is in the link as `key`."""
    with st.container(key="sentences"):
        typed = st.text_area(
            "Beginning of a text", first, key=key, height="content", bind="query-params",
            placeholder="Type the beginning of a sentence, or nothing for the beginning of a text",
            help="What comes next is asked after the last letter. A space at the end makes no difference.",
        )  # fmt: skip
    if before := st.session_state.get(_GROWN):
        take_back = lambda: st.session_state.update({key: before.pop()})  # noqa: E731
        st.button("Take back", icon=":material/undo:", key="take_back", on_click=take_back)
    return str(typed)


def replace_prefix(key: str, text: str) -> None:
    st.session_state.setdefault(_GROWN, []).append(st.session_state[key])
    st.session_state[key] = text


def grow(key: str, addition: str) -> None:
    """Callback: the prefix with something likely after it, if it was chosen."""
    typed = str(st.session_state[key]).rstrip()
    if addition:
        replace_prefix(key, typed + addition if typed else addition.lstrip())


def choose_place(places: pd.DataFrame, prefix: str, who: str) -> int:
    """The position of the place that is looked at: the end, until another one is clicked or chosen."""
    last = int(places["position"].iloc[-1])
    if len(places) == 1:
        return last
    key, line = f"place_of_{prefix}_{who}", f"uncertainty_{prefix}_{who}"
    if st.session_state.get(key) not in set(places["position"]):
        st.session_state[key] = last
    chosen = int(st.session_state[key])
    drawn, labels = places.tail(SHOWN), places.set_index("position")["label"].to_dict()
    entropies = zip(drawn["label"], drawn["entropy"], strict=True)
    finding = f"Entropy in bits after each token: {', '.join(f'{label} {bits:.1f}' for label, bits in entropies)}"

    def take_click() -> None:
        for point in st.session_state[line].selection.get(next_word_charts.PLACE, [])[:1]:
            st.session_state[key] = int(point["position"])

    if len(drawn) < len(places):
        notices.text(f"The last {len(drawn)} of {len(places)} places", "pl-quiet")
    chart = next_word_charts.uncertainty(drawn, finding, chosen)
    show_chart(chart, line, on_click=take_click)
    st.selectbox(
        "What was expected after", list(labels), key=key, width=300, persist_state="session",
        format_func=lambda position: f"{position}  {labels[position]}" if position else str(labels[position]),
        help="Click a place in the line above, or choose one. Entropy is over tokens, in bits.",
    )  # fmt: skip
    return chosen


def show_headline(seen: NextTokens, *, at_the_end: bool) -> None:
    notices.text(wording.expectation(seen), "pl-headline")
    where = "" if at_the_end else 'After <span class="pl-form">$before</span> … '
    uncertainty = wording.uncertainty(seen.entropy)
    notices.write(f"{where}$uncertainty", "pl-quiet", before=seen.text or "the start", uncertainty=uncertainty)


def show_guess(typed: str, seen: NextTokens, recipe: Recipe) -> None:
    if word := choice_of(typed):
        with notices.explained_errors():
            guess = forms.guessed(typed, word, recipe, resources.store(), _scorer(recipe))
            notices.text(wording.guess(guess, seen), "pl-second")


def _scorer(recipe: Recipe) -> Callable[[], Scorer]:
    return partial(resources.model_cache().scorer, recipe)


def choose_unit() -> bool:
    """Whether whole words are drawn, or else tokens."""
    chosen = st.segmented_control(
        "Likeliest next", _UNITS, default=_UNITS[0], required=True, key="next_as", bind="query-params",
        help="Of whole words the end is counted. Of tokens, · is a leading space; where … stands the word may go on.",
    )  # fmt: skip
    return chosen == _UNITS[0]


def show_expectation(seen: NextTokens, box: str, who: str, *, whole: bool) -> None:
    """Words or tokens. Buttons and clicks on bars add to the prefix in the box of this key, if there is one."""
    if whole and seen.words is None:
        notices.note(seen.no_words)
    whole = whole and seen.words is not None
    frame = word_bars(seen) if whole else piece_bars(seen)
    what = next_word_charts.WORD if whole else next_word_charts.PIECE
    shares = zip(frame["label"], map(wording.share, frame["probability"]), strict=True)
    finding = f"Likeliest {what.lower()}: {', '.join(map(' '.join, shares))}"
    bars, buttons = f"next_{what}_{seen.text}_{who}", f"grow_{what}_{seen.text}_{who}"

    def take_bar() -> None:
        for point in st.session_state[bars].selection.get(next_word_charts.GROWN, [])[:1]:
            grow(box, point.get("adds") or "")

    chart = next_word_charts.likeliest(frame, finding, what, grows=bool(box))
    show_chart(chart, bars, on_click=take_bar if box else None)
    if box:  # one button per word or piece: for keyboards, and for fingers
        labels = {adds: label for adds, label in zip(frame["adds"], frame["label"], strict=True) if adds}
        st.pills(
            f"Go on with a {what.lower()}", list(labels), key=buttons, wrap=True,
            on_change=lambda: grow(box, st.session_state[buttons] or ""),
            format_func=lambda adds: notices.literal(labels[adds].removesuffix("…")),
        )  # fmt: skip
    if whole:
        notices.text(wording.proof(seen), "pl-quiet")


@resources.remembered("Asking …", 256)
def next_places(typed: str, recipe: Recipe) -> tuple[str, pd.DataFrame]:
    """A prefix as the model reads it, and the uncertainty at each of its places; PairlensError in words."""
    most, tokens = settings().interactive_tokens, rough_length(typed)
    if tokens > most:
        raise InputError(
            f"This text has about {tokens:,} tokens; this page reads {most:,} at once. Use "
            f"`{program()} next-word` on the command line."
        )
    prefix = read_prefix(typed, recipe)
    return prefix, places(prefix, predictor(recipe, _scorer(recipe)))


@resources.remembered("Asking …", 256)
def next_tokens(prefix: str, position: int, recipe: Recipe) -> NextTokens:
    return expected_at(prefix, position, predictor(recipe, _scorer(recipe)), recipe.policy)


WHOLE_WORD = (
    "As a whole word: the tokens and the end of the word (a space, a mark or the end of the text), after a word that "
    "has ended if all forms follow a space. Form only: the tokens, whatever follows."
)
MOST_WORDS = 100
"""By word each row asks for the likeliest whole word: longer prefixes are for the command line."""


def type_forms(first: str, key: str) -> tuple[str, ...]:
    """The forms in the box, in the link as `key`; none, and the reason is said, where they cannot be compared."""
    typed = st.text_input(
        "Forms to compare", first, key=key, bind="query-params", placeholder="is, are", width=420,
        help=f"Two or more words that could come next, with commas between them. {HOW}",
    )  # fmt: skip
    if not typed.strip():
        notices.text("Type two forms that compete here, for example: is, are.", "pl-quiet")
        return ()
    with notices.explained_errors():
        return tuple(read_forms(typed))
    return ()


def show_forms(prefix: str, forms: tuple[str, ...], recipe: Recipe) -> FormComparison | None:
    """The decision between these forms, beside the visitor's own; None if there are none."""
    if not forms:
        return None
    with notices.explained_errors():
        choice, unit = _comparison(prefix, forms, recipe), recipe.policy.unit
        if own := choice_of((prefix, forms)):
            notices.text(f"You chose {own}.", "pl-second")
        notices.text(wording.decision(choice, unit), "pl-second")
        for text in wording.remarks(choice):
            notices.text(text)
        show_rows(form_table(choice, unit), None, f"forms_{recipe.model.name}")
        return choice
    return None


def show_published_table(prefix: str, recipe: Recipe, charts: Sequence[Part], footer: DeltaGenerator) -> None:
    """The table and, in the footer of the page, the downloads of all that it shows."""
    by = st.segmented_control(
        "Published table", BY, default=BY[0], required=True, key="next_by", bind="query-params",
        format_func={"piece": "by token", "word": "by word"}.__getitem__,
    )  # fmt: skip
    if by == "word" and len(prefix.split()) > MOST_WORDS:
        notices.note(
            f"By word the table is made for up to {MOST_WORDS} words here, for any text by the command line: "
            f"{program()} next-word --by word."
        )
        return
    with notices.explained_errors():
        table = _table(prefix, recipe, str(by))
        show_table(
            table, column_config=_PUBLISHED, alt="One row per position: token, next token, likeliest next token"
        )
        notices.text("The last row says what comes after the text. Downloads have the published names.", "pl-quiet")
        name = f"next-word-by-{by}"
        tsv = File("TSV", partial(written, table, ".tsv"), f"{name}.tsv")
        with footer:
            show_menu(name, [Part(name, lambda: table), *charts], [tsv])


def show_receipt_and_lesson(typed: str, prefix: str, choice: FormComparison | None, recipe: Recipe) -> None:
    show_receipt(lambda: provenance(typed, prefix, choice, recipe), "next-word")
    if typed.strip():
        forms = tuple(form.text for form in choice.forms) if choice else ()
        make_lesson("Add this beginning", [Step(prefix=typed.strip(), forms=forms)], asked_of(recipe.model))


@resources.remembered("Comparing …", 256)
def _comparison(prefix: str, typed: tuple[str, ...], recipe: Recipe) -> FormComparison:
    """Forms after a prefix (as typed); PairlensError in words."""
    return compare_forms([(prefix, typed)], recipe, resources.store(), _scorer(recipe))[0]


@resources.remembered("Asking …", 64)
def _table(prefix: str, recipe: Recipe, by: str) -> pd.DataFrame:
    """The published table of a prefix (as typed), without the number of the text; PairlensError in words."""
    opened = predictor(recipe, _scorer(recipe))
    return published([prefix], recipe, opened, by=by, prefixes=True).drop(columns="sentence")
