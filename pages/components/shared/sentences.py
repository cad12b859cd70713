"""Where sentences come from: a sample, a file and how it is read, typed lines, a template; and columns of pairs."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import notices, resources
from pages.components.shared.experiment import Source
from pages.components.shared.given_files import given_file
from pages.components.shared.link import forget, keep_in_link
from pages.components.shared.tables import choose_column, show_table
from pairlens.errors import InputError, PairlensError
from pairlens.files.exports import written
from pairlens.files.tables import ENCODINGS, PLAIN, Layout, ending, files, read_as, sheet_names
from pairlens.messages import Message
from pairlens.places import bundled
from pairlens.store import uploads
from pairlens.studies.generator import Template, templates
from pairlens.tasks.pairs import ENDINGS, Roles, completed, label_values, text_columns, with_columns
from pairlens.types import Task

SAMPLE, UPLOAD, TYPED, MADE = "Our samples", "Upload", "Type or paste", "Make items"
SAMPLES = bundled("samples", "minimal_pairs")
_UPLOAD = "upload"
LINK = ("data", "sample", _UPLOAD, "typed", "template_of", "n", "seed", "items")
"""Query parameters that say which sentences."""
_LANGUAGES = {"fr": "French", "pt": "Portuguese"}
"""How the names of samples end that are not English."""
_OPENING = "attraction"
"""The sample that a visitor finds."""
_FIRST = """When the servant left, | the house | was dark. | It was late.
When the servant left | the house | was dark. | It was late."""
_HELP = (
    "One sentence per line, the expected one of each pair first, or a table copied from a spreadsheet with its "
    "column names. | between words parts a sentence into regions; # and a name before some pairs is their condition. "
    "With as many pairs below each #, the first ones are one item, the second ones another, and so on."
)
_MOST = 1_000
_PREVIEW = 12
_TEMPLATE_HELP = (
    "Slots in braces take words of the lexicon: {noun:sg}, and {verb:sg|verb:pl} for an expected and an unexpected "
    "form. [comma: with=,|without=] makes a condition with its values. Asterisks mark the region."
)
_DELIMITED = (".csv", ".tsv", ".tab", ".dat", *PLAIN)
_GUESSED = Message("as guessed")
_DELIMITERS: dict[str, str] = {
    _GUESSED: "", Message("comma"): ",", Message("semicolon"): ";", Message("tab"): "\t",
    Message("vertical bar"): "|",
}  # fmt: skip
_QUOTING: dict[str, str] = {_GUESSED: "", Message("part of the text"): "none", Message("around cells"): "double"}
_ENCODINGS: dict[str, str] = {_GUESSED: "", "UTF-8": "utf-8-sig", "UTF-16": "utf-16"}
_ENCODINGS |= {str(name): encoding for encoding, name in ENCODINGS.items()}
_READ_AS = {
    "delimiter": (Message("Between columns"), _DELIMITERS), "quoting": (Message("Quotation marks"), _QUOTING),
    "encoding": (Message("Characters"), _ENCODINGS),
}  # fmt: skip


def choose_source(row: DeltaGenerator) -> Source | None:
    """A table of sentences, chosen in a row of the page; None, and what to do next, while nothing has been given."""
    with row:
        chosen = st.segmented_control(
            "Data", (SAMPLE, UPLOAD, TYPED, MADE), default=SAMPLE, required=True, key="data", bind="query-params",
            on_change=forget,
        )  # fmt: skip
        if chosen == SAMPLE:
            known = samples()
            name = st.selectbox("Sample", list(known), key="sample", bind="query-params", width=200, on_change=forget)
            return known[str(name)]
    if chosen != TYPED:
        return _uploaded(row) if chosen == UPLOAD else make_items()
    with st.container(key="typed_lines"):
        text = st.text_area(
            "Sentences", _FIRST, key="typed", height="content", help=_HELP, bind="query-params",
            placeholder="The expected sentence\nThe unexpected sentence",
        )  # fmt: skip
    return Source(tuple((text or "").splitlines()))


def samples() -> dict[str, Source]:
    """What ships with Pairlens, by what a visitor calls it; the one that opens the page comes first."""
    files = sorted(SAMPLES.glob("*.tsv"), key=lambda path: (path.stem != _OPENING, path.stem))
    named = {}
    for path in files:
        words = path.stem.split("_")
        language = words.pop() if words[-1] in _LANGUAGES else "en"
        title = " ".join(words) + (f" ({_LANGUAGES[language]})" if language in _LANGUAGES else "")
        named[title] = Source(path, language=language, ours=True)
    return named


def _uploaded(row: DeltaGenerator) -> Source | None:
    """The file of the link, else one that is uploaded; once there is one, the control is folded into the row."""
    label = "A table with one sentence, or one pair, per row: CSV, TSV, JSON lines or Excel; text also as .gz or .xz"
    ids = st.query_params.get_all(_UPLOAD)
    before = next((upload for name in ids if (upload := uploads.find(name))), None)
    folded = row.popover(notices.literal(before.name), icon=":material/upload_file:") if before else st.container()
    with folded, st.container(width=480 if before else "stretch"):
        path = given_file(label, "table", _UPLOAD, on_change=forget)
        if path and (before is None or path != before.path):
            st.rerun()  # for the name of the popover
        if not path:
            _show_example()
    with row:
        return choose_reading(path) if path else None


def _show_example() -> None:
    """What such a table may look like, and a file to try."""
    example = SAMPLES / f"{_OPENING}.tsv"
    notices.write(
        "One row per sentence. Columns of pairs, sides, items, conditions and regions are found by their names or "
        "values, and can be chosen; only sentences are needed. For example:", "pl-quiet",
    )  # fmt: skip
    table, _ = resources.experiment_table(Source(example, ours=True))
    show_table(table.head(4), alt="The first rows of a file to try")
    st.download_button(
        "A file to try", example.read_bytes, example.name, "text/tab-separated-values", icon=":material/download:",
        on_click="ignore",
    )  # fmt: skip


def make_items() -> Source | None:
    """The items of a template as a table; None, and why, if the template cannot be read."""
    known = {template.title or name: template for name, template in templates().items()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.selectbox(
            "Template", list(known), key="template_of", bind="query-params", width=420, on_change=forget
        )
        number = st.number_input("Items", 1, _MOST, 24, key="n", bind="query-params", width=130)
        seed = st.number_input("Seed", 0, 9_999, 1, key="seed", bind="query-params", width=130)
    chosen = known[str(title)]
    notices.text(chosen.about, "pl-quiet")
    with st.container(key="template_text"):
        text = st.text_area(
            "Template", st.query_params.get("items", chosen.text), key=f"template_{chosen.name}", height="content",
            help=_TEMPLATE_HELP, label_visibility="collapsed",
        )  # fmt: skip
    keep_in_link("items", text, unless=text.strip() == chosen.text)
    try:
        table = resources.generated(Template(text.strip(), chosen.language), int(number), int(seed))
    except PairlensError as wrong:
        notices.error(wrong)
        return None
    with st.expander("The first items"):
        show_table(table.head(_PREVIEW), alt="The first sentences made from the template")
    return Source(uploads.keep([("items.tsv", written(table, ".tsv"))]), ours=True, language=chosen.language)


def choose_reading(path: Path, translate: Callable[[str], str] = str, place: str = "") -> Source:
    """The file, read as guessed until somebody says otherwise; `place` tells two places apart that may hold it."""
    sheets = []
    with suppress(InputError):  # said when the table is read
        sheets = sheet_names(path) if ending(path) == ".xlsx" else []
    if ending(path) not in _DELIMITED and len(sheets) < 2:
        return Source(path)
    with st.popover(translate(Message("Read as")), icon=":material/table_view:"), st.container(width=320):
        if sheets:
            sheet = st.selectbox(
                translate(Message("Sheet")), sheets, key=f"sheet_{place}{path}", persist_state="session"
            )
            return Source(path, Layout(sheet=sheet if sheet != sheets[0] else ""))
        layout = {}
        for field, (label, options) in _READ_AS.items():
            key = f"{field}_{place}{path}"
            chosen = st.selectbox(
                translate(label), list(options), key=key, persist_state="session", format_func=translate
            )
            layout[field] = options[chosen or _GUESSED]
    return Source(path, Layout(**layout))


def choose_pair_columns(task: Task, data: Path) -> Task | None:
    """The task `pairs`, reading what lies there as guessed or as corrected; the first table of a folder decides.

    None while columns of unknown names have not been chosen; InputError in words where they make no pairs.
    """
    first = files(data, ENDINGS)[0]
    with st.container(horizontal=True, vertical_alignment="center"):
        source = choose_reading(first)
        table, _ = resources.experiment_table(source)
        known = not text_columns(table)
        with suppress(InputError):
            known = known or bool(completed(table, Roles(), ""))
        place = st.popover("Columns", icon=":material/view_column:") if known else None
    if not known:
        notices.write("Which columns hold the good and the bad texts?", "pl-label")
    with place or st.container(), st.container(width=480 if known else "stretch"):
        roles = _choose_roles(table, source)
        show_table(table.head(50), height=220 if known else "auto", alt="The first rows of the table as it was read")
    if not known and roles == Roles(group=roles.group):
        return None
    assigned = completed(table, roles, first.name).in_words()
    notices.text(f"{assigned} {read_as(table)}", "pl-quiet")
    return with_columns(task, roles, source.layout)


def _choose_roles(table: pd.DataFrame, source: Source) -> Roles:
    names = [str(name) for name in table.columns]
    sentence = label = item = ""
    texts: Sequence[str] = names
    if st.toggle("Each pair has two rows", key=f"two_rows_{source!r}", persist_state="session"):
        sentence, label, item = (
            choose_column(role, names, f"{role}_{source!r}")
            for role in ("Sentences", "Good or bad", "Which two are a pair")
        )
        texts = label_values(table, label)
    with st.container(horizontal=True):
        good, bad = (choose_column(side, texts, f"{side}_{source!r}") for side in ("Good", "Bad"))
    group = st.multiselect(
        "Groups", names, key=f"groups_{source!r}", persist_state="session",
        help="Numbers are given by these columns. The first is the paradigm: the headline averages over its values.",
    )  # fmt: skip
    return Roles(good, bad, sentence, label, item, tuple(group))
