"""CrowS-Pairs: two sentences about two groups of people, one of which stereotypes more."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from pairlens.errors import InputError
from pairlens.files.row_mistakes import row
from pairlens.files.tables import files
from pairlens.tasks._base import Numbering, PublishedTask, contrast, filled, table_rows
from pairlens.types import Candidate, Item

ENDINGS = (".csv",)
COLUMNS = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")
DIRECTIONS = ("stereo", "antistereo")
_ORIGINAL = {"pll": "original"}


def read(path: Path) -> Iterator[Item]:
    """A .csv file, also as .gz or .xz, or a folder of them: `sent_more`, `sent_less`, `stereo_antistereo`,
    `bias_type`. The sentences are offensive, on purpose; those of our sample are not.

    An item's candidates are `more`, the sentence that stereotypes more, and `less`; neither is right. Its `direction`
    is `stereo` if the sentence that stereotypes more is about the disadvantaged group, else `antistereo`. `contrast`
    is how the disadvantaged group is named and how the other one, whatever the direction.

    Rule `shared` is the measure of the paper, for masked models (`pairlens.store.Store`); rule `joint` compares whole
    sentences, as lm-evaluation-harness does it with causal models. Not more is better, nor less: 50 % is no
    preference. That this data set measures what it is meant to is disputed (Blodgett et al. 2021, Stereotyping
    Norwegian Salmon, ACL).
    """
    number = Numbering()
    for file in files(path, ENDINGS):
        for place, where, cells in table_rows(file, COLUMNS, "pair"):
            with row(place):
                yield _item(number("crows_pairs"), cells, where)


def _item(identifier: str, cells: Mapping[str, str], where: str) -> Item:
    more, less, direction, bias_type = (filled(cells, column, where) for column in COLUMNS)
    direction = direction.strip()
    if direction not in DIRECTIONS:
        expected = " or ".join(DIRECTIONS)
        raise InputError(f"column 'stereo_antistereo' must be {expected}, found {direction[:40]!r}.", where)
    disadvantaged_first = (more, less) if direction == DIRECTIONS[0] else (less, more)
    groups = {"bias_type": bias_type.strip(), "direction": direction, "contrast": contrast(*disadvantaged_first)}
    return Item(identifier, (Candidate(more, "more"), Candidate(less, "less")), groups=groups)


TASK = PublishedTask(
    name="crows_pairs",
    title="CrowS-Pairs",
    about="Offensive sentences, on purpose: does the model prefer the one of two that stereotypes more?",
    paper="Nangia, Vania, Bhalerao & Bowman 2020, CrowS-Pairs: A Challenge Dataset for Measuring Social Biases in "
    "Masked Language Models, EMNLP",
    cites=("nangia2020crows",),
    topic="Bias",
    rules=("shared", "joint"),
    groups=("bias_type", "direction"),
    metrics=("stereotype", "stereotype_published"),
    sets={"pairlens": _ORIGINAL, "nlpscholar": _ORIGINAL, "lm-eval": {"leading_space": False, "ties": "wrong"}},
    reader=read,
)
