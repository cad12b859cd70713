"""Words read in sentences, with how long people took for them: the reading data of the BabyLM evaluation."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.row_mistakes import row
from pairlens.files.tables import ending, files
from pairlens.tasks._base import Numbering, PublishedTask, filled, table_rows
from pairlens.types import Candidate, Item

ENDINGS = (".csv", ".tsv", ".xlsx")
NUMBERS = (
    "Subtlex_log10", "length", "context_length", "prev_length",
    "RTfirstfix", "RTfirstpass", "RTgopast", "RTrightbound", "self_paced_reading_time",
    "ELAN", "LAN", "N400", "P600", "EPNP", "PNP",
)  # fmt: skip
"""Predictors, reading times in milliseconds, and amplitudes of the electroencephalogram; an empty cell is missing."""
COLUMNS = ("item", "word", "prev_item", "prev_word", "sentence", "sent_id", *NUMBERS)


def read(path: Path) -> Iterator[Item]:
    """A table (.csv, also as .gz or .xz; .tsv, .xlsx), or a folder of them; one row per word of a sentence.

    An item's candidate `word` is the row's word after its context (column `item`); `previous` is the word before it
    after its own context (`prev_word`, `prev_item`), where there is one. The numbers are groups, and so is
    `contrast`, the number of the sentence (`sent_id`): words of one sentence are not independent of each other.

    A context that the file lacks is the beginning of `sentence`, as long as `context_length` says. In the published
    file that is one: its only word, "None", was lost as a missing value (the original restores it as such, and
    loses it again as the context of the word before).
    """
    number = Numbering()
    for file in files(path, ENDINGS):
        if ending(file) not in ENDINGS:
            raise InputError("expected a .csv file, also as .gz or .xz; .tsv or .xlsx.", file.name)
        for place, where, cells in table_rows(file, COLUMNS, "word"):
            with row(place):
                yield _item(number("reading"), cells, where)


def _item(identifier: str, cells: Mapping[str, str], where: str) -> Item:
    word = filled(cells, "word", where)
    numbers = {name: _number(cells[name], name, where) for name in NUMBERS}
    context = cells["item"] or _beginning(cells["sentence"], numbers["context_length"], where)
    candidates = [_candidate("word", context, word)]
    if cells["prev_word"].strip():
        candidates.append(_candidate("previous", cells["prev_item"], cells["prev_word"]))
    groups = {"UID": "reading", "contrast": cells["sent_id"], **numbers}
    return Item(identifier, tuple(candidates), groups=groups)


def _candidate(label: str, context: str, word: str) -> Candidate:
    return Candidate(f" {word}" if context else word, label, context)


def _beginning(sentence: str, n_words: str, where: str) -> str:
    count = float(n_words or 0)
    if count < 0 or count % 1:
        raise InputError(f"column 'context_length' must be a number of words, found {n_words[:40]!r}.", where)
    return " ".join(sentence.split()[: int(count)])


def _number(text: str, column: str, where: str) -> str:
    """The cell with a decimal point, once it is known to be a finite number or empty."""
    point = text.replace(",", ".")
    try:
        finite = not text or math.isfinite(float(point))
    except ValueError:
        finite = False
    if not finite:
        raise InputError(f"column '{column}' must be a number or empty, found {text[:40]!r}.", where)
    return point


TASK = PublishedTask(
    name="reading",
    title="Reading times",
    about="Do words that surprise the model take people longer to read?",
    paper="de Varda, Marelli & Amenta 2024, Cloze probability, predictability ratings, and computational estimates "
    "for 205 English sentences, aligned with existing EEG and reading time data, Behavior Research Methods",
    cites=("devarda2024cloze",),
    noun="word",
    topic="Human data",
    language="en",
    rules=("conditional",),
    groups=("UID",),
    averaged=("UID",),
    metrics=("eye_tracking", "self_paced"),
    sets={
        "pairlens": {"pll": "left_to_right", "first_token": "bos-unscored"},
        "babylm-2025": {"pll": "left_to_right", "tokens": "rewritten"},
    },
    prediction="surprisal",
    reader=read,
)
