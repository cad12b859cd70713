"""What a model learns from and for how long: the text, which of its sentences stay, size, time, pairs to watch."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import streamlit as st

from pages.components.shared import notices
from pages.components.shared.given_files import given_file
from pages.components.shared.resources import read_file, remembered
from pages.components.shared.rights import may_name_paths, path_of
from pairlens.errors import PairlensError
from pairlens.evaluation.estimate import duration_in_words
from pairlens.files.tables import PLAIN, ending
from pairlens.store import uploads
from pairlens.training.corpus import GRAMMARS, Filter, Preview, read_corpus
from pairlens.training.corpus import preview as preview_of
from pairlens.training.own_models import free_name, trained_models
from pairlens.training.recipe import SIZES, speed
from pairlens.training.specification import Choice
from pairlens.training.watched_pairs import SAMPLE as PAIRS
from pairlens.training.watched_pairs import as_table, typed_pairs

SAMPLE, UPLOAD, PATH = "Our sample", "Upload", "Path"
TEXT = PAIRS.with_name("english.txt.gz")
_UPLOAD = "corpus_upload"
LINK = (
    "corpus", "corpus_path", "corpus_column", _UPLOAD, "keep", "drop", "size", "kind_of_model", "minutes", "watched",
)  # fmt: skip
_ABOUT = "Simple English sentences made from templates, for lessons: a model learns their grammar in minutes."
_LABEL = "Plain text, one sentence per line (.txt), or a table with a column of texts; also as .gz or .xz"
_HELP = r"A regular expression: \b(who|which)\b finds the words who and which. Upper and lower case are the same."
_KINDS = {"causal": "the next token", "masked": "masked tokens"}
_PAIRS = {"ours": "Ours: agreement and reflexives", "own": "Your own", "none": "None"}
_FIRST = """The teacher sings in the garden. | The teacher sing in the garden.
The keys in the box were very old. | The keys in the box was very old."""
_LONGEST = 24 * 60.0


@dataclass(frozen=True, slots=True)
class Text:
    """A file; `column` is that of a table."""

    path: Path
    column: str = "text"


def choose_text() -> Text | None:
    """None, and what to do next, while nothing has been given."""
    sources = (SAMPLE, UPLOAD, PATH) if may_name_paths("corpus", PATH) else (SAMPLE, UPLOAD)
    chosen = st.segmented_control("Text", sources, default=SAMPLE, required=True, key="corpus", bind="query-params")
    if chosen == SAMPLE:
        notices.text(_ABOUT, "pl-quiet")
        return Text(TEXT)
    if chosen == UPLOAD:
        path = given_file(_LABEL, "corpus_file", _UPLOAD)
    else:
        typed = st.text_input(
            "A file on the machine that runs Pairlens", key="corpus_path", bind="query-params",
            placeholder="/home/me/corpus.txt.gz",
        )  # fmt: skip
        path = path_of(typed)
    if path is None:
        return None
    if ending(path) in PLAIN:
        return Text(path)
    column = st.text_input("Column of the table", "text", key="corpus_column", bind="query-params")
    return Text(path, column.strip() or "text")


def choose_grammar(text: Text) -> Filter | None:
    """None if the text or an expression cannot be read; the reason is said."""
    with st.popover("Leave sentences out", icon=":material/filter_alt:"):
        notices.write(
            "Take a construction out of the text: what does the model make of sentences of a kind it has never read?",
            "pl-quiet",
        )
        titles = [grammar.title for grammar in GRAMMARS]
        st.pills("Examples", titles, key="grammar", on_change=_take, persist_state="session")
        drop = st.text_input("Drop sentences that match", key="drop", bind="query-params", help=_HELP)
        keep = st.text_input("Keep only sentences that match", key="keep", bind="query-params", help=_HELP)
        shown = st.container()
    try:
        chosen = Filter((keep or "").strip(), (drop or "").strip())
    except PairlensError as wrong:
        with shown:
            notices.error(wrong)
        notices.error(wrong)  # who follows a link sees the popover closed
        return None
    with notices.explained_errors():
        seen, words = _look(text, chosen)
        sentences = {} if chosen.idle else {"out": seen.going, "in": seen.staying}
        with shown:
            for label, sentence in ((label, one) for label, listed in sentences.items() for one in listed):
                notices.write("<small>$label</small> $sentence", label=label, sentence=sentence)
        n = notices.counted(seen.stay, "sentence")
        gone = f", {seen.go:,} left out" if seen.go else ""
        notices.write(
            "<strong>$n</strong>$gone. The whole text has $words words.", n=n, gone=gone, words=f"{words:,}"
        )
        return chosen
    return None


def _take() -> None:
    title = st.session_state["grammar"]
    st.session_state["drop"] = next((grammar.drop for grammar in GRAMMARS if grammar.title == title), "")


def choose_budget(text: Text, chosen: Filter) -> Choice | None:
    """The whole choice; None, and the reason, if pairs cannot be read."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size = st.segmented_control(
            "Size", list(SIZES), default="tiny", required=True, key="size", bind="query-params",
            help="; ".join(f"{name}: {one.about}" for name, one in SIZES.items()),
        )  # fmt: skip
        kind = st.selectbox(
            "It predicts", list(_KINDS), format_func=_KINDS.__getitem__, key="kind_of_model", width=230,
            bind="query-params",
        )  # fmt: skip
        minutes = st.number_input(
            "Minutes", 0.1, _LONGEST, 3.0, 1.0, format="%g", key="minutes", bind="query-params", width=130
        )
    known = speed(str(size))
    epochs = known.epochs(float(minutes), _look(text, chosen)[1])
    notices.write(
        "<strong>$time</strong>: about $tokens tokens, $often. Speed: $rate tokens per second, $source.",
        "pl-quiet",
        time=duration_in_words(60 * float(minutes)).capitalize(),
        tokens=f"{known.tokens(float(minutes)):,}",
        often=f"{epochs:.1f} times the whole text" if epochs >= 1 else f"{epochs:.0%} of the text",
        rate=f"{known.tokens_per_second:,.0f}",
        source="measured on this machine" if known.measured else "a guess until a first model has been trained here",
    )
    pairs = _choose_pairs()
    # Another widget for every model: the browser would bring back the name that the last one has taken.
    key = f"name_of_model_{len(trained_models())}"
    name = st.text_input("Name of the model", free_name("my-model"), key=key, max_chars=64, bind="query-params")
    if pairs is None:
        return None
    return Choice(
        text.path, (name or "").strip(), str(kind), str(size), float(minutes), text.column, chosen, pairs or None
    )


def _choose_pairs() -> Path | Literal[""] | None:
    """The file of pairs to watch, empty for none; None if they cannot be read."""
    chosen = st.selectbox(
        "Test pairs during training", list(_PAIRS), format_func=_PAIRS.__getitem__, key="watched", bind="query-params"
    )
    if chosen == "ours":
        return PAIRS
    if chosen == "none":
        return ""
    typed = st.text_area(
        "Pairs", _FIRST, key="own_pairs", persist_state="session",
        help="One pair per line: the better sentence, a vertical bar, the worse one.",
    )  # fmt: skip
    with notices.explained_errors():
        return uploads.keep([("pairs.tsv", as_table(typed_pairs(typed or "")).encode())])
    return None


def _look(text: Text, chosen: Filter) -> tuple[Preview, int]:
    """What stays and what goes, and how many words the whole text has, blanks counted; PairlensError in words."""
    read_file(text.path, read_corpus, [text.path], text.column)  # draws a button, which no cache of Streamlit allows
    return _looked(text.path, text.column, chosen)


@remembered("Looking …", 64, {Filter: repr})
def _looked(path: Path, column: str, chosen: Filter) -> tuple[Preview, int]:
    sequences = read_file(path, read_corpus, [path], column).sequences
    return preview_of(sequences, chosen), sum(line.count(" ") + 1 for line in sequences)
