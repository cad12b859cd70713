"""The options of `minimal-pair`, in groups: steps and files, units, columns, cells to compare."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli import console, options
from core.cli.options import given

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="A YAML file with NLPScholar's keys; options override it."),
]


def names(text: str | None) -> tuple[str, ...] | None:
    """Names separated by commas; None if the option was not given."""
    return None if text is None else tuple(name for part in text.split(",") if (name := part.strip()))


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps, the sentences, the models, and the files written and read between steps."""

    data: Annotated[
        Path | None, typer.Option("--data", metavar="FILE", help="The table of sentences: .tsv .csv .jsonl .xlsx ...")
    ] = None
    encoding: console.EncodingOption = ""
    quoting: console.QuotingOption = ""
    sheet: console.SheetOption = ""
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="A name from `models`, a folder (./folder), or a hub id; several times.",
            autocompletion=console.model_names,
        ),
    ] = None
    scorer: options.ScorerOption = ""
    mode: Annotated[
        str | None,
        typer.Option(
            "--mode", help="train, evaluate, analyze, separated by commas; by default what the files allow."
        ),
    ] = None
    predictions: Annotated[
        Path | None,
        typer.Option(
            "--predictions", metavar="FILE", help="The per-token table: written by evaluate, read by analyze."
        ),
    ] = None
    results: Annotated[
        Path | None,
        typer.Option("--results", metavar="PATH", help="x.tsv makes x.tsv, x_bypair.tsv and x_byword.tsv."),
    ] = None
    save: Annotated[
        str | None,
        typer.Option(
            "--save",
            help="by_word, by_pair, by_cond, separated by commas; mixed: a table for a mixed model and the programs "
            "in R and Python that fit it.",
        ),
    ] = None

    def fields(self) -> dict[str, Any]:
        """The fields of an `Experiment`; None for options that were not given."""
        from core.studies.experiment.specification import Chosen

        return {
            "data": self.data,
            "models": tuple(Chosen(name, self.scorer) for name in self.model) if self.model else None,
            "modes": names(self.mode),
            "predictions": self.predictions,
            "results": self.results,
            "save": names(self.save),
        }


@dataclass(frozen=True, slots=True)
class Counting:
    """How token scores become values of words and regions: fields of an `Analysis`."""

    measure: Annotated[str | None, typer.Option("--measure", help="surp | prob | perplexity")] = None
    word_summary: Annotated[
        str | None, typer.Option("--word-summary", help="A word is the sum | mean of its tokens.")
    ] = None
    region_summary: Annotated[
        str | None, typer.Option("--region-summary", help="A region is the mean | sum of its words.")
    ] = None
    punctuation: Annotated[str | None, typer.Option("--punctuation", help=console.choices("punctuation"))] = None
    spill: Annotated[int | None, typer.Option("--spill", min=0, help="Also this many words after the region.")] = None


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of columns and labels: fields of `Columns`."""

    conditions: Annotated[str | None, typer.Option("--conditions", help="Columns, separated by commas.")] = None
    sentence: Annotated[str | None, typer.Option("--sentence", metavar="COLUMN", help="The sentences.")] = None
    sentid: Annotated[str | None, typer.Option("--sentid", metavar="COLUMN", help="Identifies a sentence.")] = None
    pairid: Annotated[str | None, typer.Option("--pairid", metavar="COLUMN", help="Identifies a pair.")] = None
    comparison: Annotated[
        str | None, typer.Option("--comparison", metavar="COLUMN", help="Which of the two sentences it is.")
    ] = None
    roi: Annotated[
        str | None,
        typer.Option(
            "--roi", metavar="COLUMN", help="Positions of words (the first is 0), separated by commas; or a word."
        ),
    ] = None
    item: Annotated[
        str | None, typer.Option("--item", metavar="COLUMN", help="Identifies an item across conditions.")
    ] = None
    chunks: Annotated[
        str | None,
        typer.Option("--chunks", metavar="MARK", help="What joins words into chunks, which are regions: _"),
    ] = None
    expected: Annotated[
        str | None, typer.Option("--expected", metavar="LABEL", help="Value that marks the expected sentence.")
    ] = None
    unexpected: Annotated[str | None, typer.Option("--unexpected", metavar="LABEL", help="The other one.")] = None

    def given(self) -> dict[str, Any]:
        """The roles given on the command line."""
        listed = {} if self.conditions is None else {"conditions": names(self.conditions)}
        return given(self) | listed


@dataclass(frozen=True, slots=True)
class Cells:
    """Comparisons beyond the two sentences of a pair."""

    interaction: Annotated[
        str | None,
        typer.Option(
            "--interaction",
            metavar="A,B",
            help="Two or three conditions, or the comparison: the difference of differences.",
        ),
    ] = None
    contrast: Annotated[
        str | None,
        typer.Option("--contrast", metavar="EXPRESSION", help="Arithmetic over cells: (a.x - a.y) - (b.x - b.y)."),
    ] = None

    def fields(self) -> dict[str, Any]:
        """The fields of an `Experiment`; None for options that were not given."""
        return {"interaction": names(self.interaction), "contrast": self.contrast}


@dataclass(frozen=True, slots=True)
class MinimalPairOptions(options.RunOptions):
    """By default the preset of the configuration."""

    preset: console.PresetOption = ""
