"""StereoSet: does a model prefer a stereotype to its opposite, and either to what has nothing to do with it?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.files.stereoset.as_items import items
from core.files.stereoset.reading import read_examples
from core.files.tables import files
from core.tasks._base import BaseTask
from core.types import Item, Prediction, Topic

ENDINGS = (".json", ".csv", ".tsv", ".parquet", ".jsonl")
_MEANS = {"sentence_value": "mean"}


@dataclass(frozen=True, slots=True)
class StereoSet(BaseTask):
    """The original's .json file, its successor's wide tables, or a folder of them (`core.files.stereoset.examples`).

    The examples are offensive, on purpose; those of our sample are not. An item's candidates are the three sentences,
    labelled `stereotype`, `anti-stereotype` and `unrelated`, none of them right: whole sentences (`intrasentence`),
    or sentences after a context (`intersentence`). `target` is the English target term, the mean over which is the
    headline; preferences differ from term to term, so that examples of one are not independent. Sentences differ in
    length, so that means per token are compared.

    Examples that cannot be used are left out here; `stereoset predict` lists them, and asks masked models about the
    word alone (rule `gap`). Not more is better, nor less: 50 % is no preference, or a mean of opposite ones. That
    this data set measures what it is meant to is disputed (Blodgett et al. 2021, Stereotyping Norwegian Salmon, ACL).
    """

    name: str = "stereoset"
    version: int = 2
    title: str = "StereoSet"
    about: str = "Offensive sentences, on purpose: does the model prefer a stereotype, its opposite or nonsense?"
    paper: str = (
        "Nadeem, Bethke & Reddy 2021, StereoSet: Measuring stereotypical bias in pretrained language models, ACL"
    )
    cites: tuple[str, ...] = ("nadeem2021stereoset",)
    noun: str = "example"
    topic: Topic = "Bias"
    rules: tuple[str, ...] = ("conditional", "gap", "cases", "gap_unspaced", "cases_unspaced")
    groups: tuple[str, ...] = ("target", "bias_type", "kind")
    averaged: tuple[str, ...] = ("target",)
    clusters: str = "target"
    metrics: tuple[str, ...] = ("ss", "lms", "icat")
    sets: Mapping[str, Mapping[str, object]] = field(
        default_factory=lambda: dict.fromkeys(("pairlens", "babylm-2025", "lm-eval"), _MEANS)
    )
    prediction: Prediction = "sentence"
    page: str = "Stereotypes"
    page_compares: str = "compares models over target terms, and under every definition of its scores"

    def read(self, path: Path) -> Iterator[Item]:
        """The items, intrasentence ones first; InputError for other structures and where no example is usable."""
        return items(read_examples(*files(path, ENDINGS)))


TASK = StereoSet()
