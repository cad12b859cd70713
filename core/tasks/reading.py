"""Words read in sentences, with how long people took for them: the reading data of the BabyLM evaluation."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import InputError
from core.files.row_mistakes import row
from core.files.tables import ending, files, read_table, row_numbers
from core.tasks._base import BaseTask
from core.types import Candidate, Item, Prediction, Topic

ENDINGS = (".csv", ".tsv", ".xlsx")
NUMBERS = (
    "Subtlex_log10", "length", "context_length", "prev_length",
    "RTfirstfix", "RTfirstpass", "RTgopast", "RTrightbound", "self_paced_reading_time",
    "ELAN", "LAN", "N400", "P600", "EPNP", "PNP",
)  # fmt: skip
"""Predictors, reading times in milliseconds, and amplitudes of the electroencephalogram; an empty cell is missing."""
COLUMNS = ("item", "word", "prev_item", "prev_word", "sentence", "sent_id", *NUMBERS)


@dataclass(frozen=True, slots=True)
class Reading(BaseTask):
    """A table (.csv, also as .gz or .xz; .tsv, .xlsx), or a folder of them; one row per word of a sentence.

    An item's candidate `word` is the row's word after its context (column `item`); `previous` is the word before it
    after its own context (`prev_word`, `prev_item`), where there is one. The numbers are groups, and so is
    `contrast`, the number of the sentence (`sent_id`): words of one sentence are not independent of each other.

    A context that the file lacks is the beginning of `sentence`, as long as `context_length` says. In the published
    file that is one: its only word, "None", was lost as a missing value (the original restores it as such, and
    loses it again as the context of the word before).
    """

    name: str = "reading"
    title: str = "Reading times"
    about: str = "Do words that surprise the model take people longer to read?"
    paper: str = (
        "de Varda, Marelli & Amenta 2024, Cloze probability, predictability ratings, and computational estimates for "
        "205 English sentences, aligned with existing EEG and reading time data, Behavior Research Methods"
    )
    cites: tuple[str, ...] = ("devarda2024cloze",)
    noun: str = "word"
    topic: Topic = "Human data"
    language: str = "en"
    rules: tuple[str, ...] = ("conditional",)
    groups: tuple[str, ...] = ("UID",)
    averaged: tuple[str, ...] = ("UID",)
    metrics: tuple[str, ...] = ("eye_tracking", "self_paced")
    sets: Mapping[str, Mapping[str, object]] = field(
        default_factory=lambda: {
            "pairlens": {"pll": "left_to_right", "first_token": "bos-unscored"},
            "babylm-2025": {"pll": "left_to_right", "tokens": "rewritten"},
        }
    )
    prediction: Prediction = "surprisal"

    def read(self, path: Path) -> Iterator[Item]:
        """The items; InputError with file and row where a column, a word or a number is missing or wrong."""
        n_words = 0
        for file in files(path, ENDINGS):
            if ending(file) not in ENDINGS:
                raise InputError("expected a .csv file, also as .gz or .xz; .tsv or .xlsx.", file.name)
            table = read_table(file)
            if missing := [name for name in COLUMNS if name not in table.columns]:
                raise InputError(f"no column {', '.join(missing)}. Found {', '.join(table.columns)}.", file.name)
            if table.empty:
                raise InputError("no word below the column names.", file.name)
            rows = zip(*(table[name].tolist() for name in COLUMNS), strict=True)
            for place, cells in zip(row_numbers(table), rows, strict=True):
                with row(place):
                    known = dict(zip(COLUMNS, cells, strict=True))
                    yield _item(f"{self.name}_{n_words}", known, f"{file.name}, row {place}")
                n_words += 1


def _item(identifier: str, row: Mapping[str, str], where: str) -> Item:
    if not row["word"].strip():
        raise InputError("column 'word' has no text.", where)
    numbers = {name: _number(row[name], name, where) for name in NUMBERS}
    context = row["item"] or _beginning(row["sentence"], numbers["context_length"], where)
    candidates = [_candidate("word", context, row["word"])]
    if row["prev_word"].strip():
        candidates.append(_candidate("previous", row["prev_item"], row["prev_word"]))
    groups = {"UID": "reading", "contrast": row["sent_id"], **numbers}
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


TASK = Reading()
