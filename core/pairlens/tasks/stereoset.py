"""StereoSet: does a model prefer a stereotype to its opposite, and either to what has nothing to do with it?"""

from collections.abc import Iterator
from pathlib import Path

from pairlens.files.stereoset.as_items import items
from pairlens.files.stereoset.reading import read_examples
from pairlens.files.tables import files
from pairlens.tasks._base import PublishedTask
from pairlens.types import Item

ENDINGS = (".json", ".csv", ".tsv", ".parquet", ".jsonl")
_MEANS = {"sentence_value": "mean"}


def read(path: Path) -> Iterator[Item]:
    """The original's .json file, its successor's wide tables, or a folder of them
    (`pairlens.files.stereoset.examples`).

    The examples are offensive, on purpose; those of our sample are not. An item's candidates are the three sentences,
    labelled `stereotype`, `anti-stereotype` and `unrelated`, none of them right: whole sentences (`intrasentence`),
    or sentences after a context (`intersentence`). `target` is the English target term, the mean over which is the
    headline; preferences differ from term to term, so that examples of one are not independent. Sentences differ in
    length, so that means per token are compared.

    Examples that cannot be used are left out here; `stereoset predict` lists them, and asks masked models about the
    word alone (rule `gap`). Not more is better, nor less: 50 % is no preference, or a mean of opposite ones. That
    this data set measures what it is meant to is disputed (Blodgett et al. 2021, Stereotyping Norwegian Salmon, ACL).
    """
    return items(read_examples(*files(path, ENDINGS)))


TASK = PublishedTask(
    name="stereoset",
    version=2,
    title="StereoSet",
    about="Offensive sentences, on purpose: does the model prefer a stereotype, its opposite or nonsense?",
    paper="Nadeem, Bethke & Reddy 2021, StereoSet: Measuring stereotypical bias in pretrained language models, ACL",
    cites=("nadeem2021stereoset",),
    noun="example",
    topic="Bias",
    rules=("conditional", "gap", "cases", "gap_unspaced", "cases_unspaced"),
    groups=("target", "bias_type", "kind"),
    averaged=("target",),
    clusters="target",
    metrics=("ss", "lms", "icat"),
    sets=dict.fromkeys(("pairlens", "babylm-2025", "lm-eval"), _MEANS),
    prediction="sentence",
    page="Stereotypes",
    page_compares="compares models over target terms, and under every definition of its scores",
    reader=read,
)
