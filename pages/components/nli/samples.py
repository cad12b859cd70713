"""Our own pairs and the answers that come with them, made by hand: a model with other labels than the data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from core.files.labels import system_of
from core.files.nli.label_map import LabelMap, fitting, names_in
from core.settings import ROOT
from pages.components.nli import resources
from pages.components.nli.results import Answering, DataSet
from pages.components.nli.words import Words

_FOLDER = ROOT / "data" / "samples" / "nli"
_NUMBERED = MappingProxyType({"0": "entailment", "1": "neutral", "2": "contradiction"})
"""The order in which public copies of SNLI number its labels."""
_REVERSE = "assin_answers_reverse.csv"
_COLUMNS = MappingProxyType({"id": "número", "premise": "afirmação", "hypothesis": "conclusão", "gold": "resposta"})


@dataclass(frozen=True)
class Sample:
    """Pairs, and answers of a model whose labels are those of `system`."""

    data: DataSet
    answers: Path
    system: str
    reverse: Path | None = None

    def answering(self, say: Words) -> Answering:
        """The answers, under the name of the label system that they are from."""
        names = names_in(resources.predictions(self.answers))
        found = fitting(names)
        reading = LabelMap(self.system, found.labels if found else _NUMBERED)
        name = say("{system} labels", system=system_of(self.system).title)
        return Answering(name, reading, self.answers, self.reverse, about=self.data)


def samples(say: Words) -> list[Sample]:
    """All of them; the one that needs both directions first."""
    return [
        Sample(_data(say, "assin.xml", "assin", "pt"), _FOLDER / "assin_answers.csv", "sick", _FOLDER / _REVERSE),
        Sample(_data(say, "assin2.xml", "assin2", "pt"), _FOLDER / "assin2_answers.xml", "assin2"),
        Sample(_data(say, "sick.txt", "sick", "pt"), _FOLDER / "sick_answers.jsonl", "assin"),
        Sample(_data(say, "snli.jsonl", "snli", "en"), _FOLDER / "snli_answers.json", "sick"),
        Sample(
            DataSet(
                _FOLDER / "frases.csv", "sick", _COLUMNS, say("our table of sentences"), like="SICK", language="pt"
            ),
            _FOLDER / "frases_answers.csv",
            "sick",
        ),
    ]


def _data(say: Words, file: str, system: str, language: str) -> DataSet:
    like = system_of(system).title
    return DataSet(_FOLDER / file, title=say("our sample like {system}", system=like), like=like, language=language)
