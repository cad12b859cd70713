"""CrowS-Pairs: two sentences about two groups of people, one of which stereotypes more."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import InputError
from core.files.row_mistakes import row
from core.files.tables import files, read_table, row_numbers
from core.tasks._base import BaseTask
from core.tasks._minimal_pair import contrast
from core.types import Candidate, Item, Topic

ENDINGS = (".csv",)
COLUMNS = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")
DIRECTIONS = ("stereo", "antistereo")
_ORIGINAL = {"pll": "original"}


@dataclass(frozen=True, slots=True)
class CrowsPairs(BaseTask):
    """A .csv file, also as .gz or .xz, or a folder of them: `sent_more`, `sent_less`, `stereo_antistereo`,
    `bias_type`. The sentences are offensive, on purpose; those of our sample are not.

    An item's candidates are `more`, the sentence that stereotypes more, and `less`; neither is right. Its `direction`
    is `stereo` if the sentence that stereotypes more is about the disadvantaged group, else `antistereo`. `contrast`
    is how the disadvantaged group is named and how the other one, whatever the direction.

    Rule `shared` is the measure of the paper, for masked models (`core.store.Store`); rule `joint` compares whole
    sentences, as lm-evaluation-harness does it with causal models. Two things that are known to be wrong elsewhere
    are not done here: the original's output file once had the scores of the two sentences swapped, and the harness
    once took a higher number for a better one. Not more is better, nor less: 50 % is no preference. That this
    data set measures what it is meant to is disputed (Blodgett et al. 2021, Stereotyping Norwegian Salmon, ACL).
    """

    name: str = "crows_pairs"
    title: str = "CrowS-Pairs"
    about: str = "Offensive sentences, on purpose: does the model prefer the one of two that stereotypes more?"
    paper: str = (
        "Nangia, Vania, Bhalerao & Bowman 2020, CrowS-Pairs: A Challenge Dataset for Measuring Social Biases in "
        "Masked Language Models, EMNLP"
    )
    cites: tuple[str, ...] = ("nangia2020crows",)
    noun: str = "pair"
    topic: Topic = "Bias"
    rules: tuple[str, ...] = ("shared", "joint")
    groups: tuple[str, ...] = ("bias_type", "direction")
    averaged: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("stereotype", "stereotype_published")
    sets: Mapping[str, Mapping[str, object]] = field(
        default_factory=lambda: {
            "pairlens": _ORIGINAL,
            "nlpscholar": _ORIGINAL,
            "lm-eval": {"leading_space": False, "ties": "wrong"},
        }
    )

    def read(self, path: Path) -> Iterator[Item]:
        """The items; InputError with file and row where a column, a sentence or the direction is missing or wrong."""
        n_pairs = 0
        for file in files(path, ENDINGS):
            for place, cells in _rows(file):
                with row(place):
                    yield _item(f"{self.name}_{n_pairs}", cells, f"{file.name}, row {place}")
                n_pairs += 1


def _rows(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The columns of each row, and where it stands."""
    table = read_table(file)
    if missing := [name for name in COLUMNS if name not in table.columns]:
        raise InputError(f"no column {', '.join(missing)}. Found {', '.join(map(str, table.columns))}.", file.name)
    if table.empty:
        raise InputError("no pair below the column names.", file.name)
    rows = zip(*(table[name].tolist() for name in COLUMNS), strict=True)
    for number, cells in zip(row_numbers(table), rows, strict=True):
        yield number, dict(zip(COLUMNS, map(str, cells), strict=True))


def _item(identifier: str, row: Mapping[str, str], where: str) -> Item:
    more, less, direction, bias_type = (row[name] for name in COLUMNS)
    for column in COLUMNS:
        if not row[column].strip():
            raise InputError(f"column '{column}' has no text.", where)
    direction = direction.strip()
    if direction not in DIRECTIONS:
        expected = " or ".join(DIRECTIONS)
        raise InputError(f"column 'stereo_antistereo' must be {expected}, found {direction[:40]!r}.", where)
    disadvantaged_first = (more, less) if direction == DIRECTIONS[0] else (less, more)
    groups = {
        "bias_type": bias_type.strip(),
        "direction": direction,
        "contrast": contrast(*disadvantaged_first),
    }
    return Item(identifier, (Candidate(more, "more"), Candidate(less, "less")), groups=groups)


TASK = CrowsPairs()
