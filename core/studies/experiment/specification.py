"""The specification of an experiment: its steps, table, models, choices and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from core.analysis.experiment import NLPSCHOLAR, Analysis, Columns
from core.errors import InputError, unknown
from core.policies import Policy, preset
from core.studies.experiment.packing import result_path
from core.training.options import PUBLISHED, Options

MODES = ("train", "evaluate", "analyze")
TABLES = ("by_word", "by_pair", "by_cond")
MIXED = "mixed"
"""The table for a mixed model with the programs that fit it: saved where it is named."""
SAVED = (*TABLES, MIXED)


def names_in(text: str | Sequence[str]) -> tuple[str, ...]:
    """Several names, or one text of names with commas between them."""
    parts = text.split(",") if isinstance(text, str) else text
    return tuple(name for part in parts if (name := part.strip()))


@dataclass(frozen=True, slots=True)
class Chosen:
    """A model as `core.models.find` takes it, its scorer, and whose tokenizer it should have; empty: its own."""

    name: str
    scorer: str = ""
    tokenizer: str = ""


@dataclass(frozen=True, slots=True)
class Training:
    """The training texts and the folder of the model. `column` is the column of texts where a file is a table."""

    texts: Path
    output: Path
    validation: Path | None = None
    column: str = "text"
    options: Options = Options()  # noqa: RUF009 (frozen)


@dataclass(frozen=True, slots=True)
class Experiment:
    """Steps (`modes`, in order) and what they need; None for a file that is not wanted.

    `data` is the table of sentences, `predictions` the per-token table, `results` the stem of the result files and
    `save` their tables. `roles` are fields of `Columns`, `scoring` of `Policy` and `counting` of `Analysis`, as far
    as they were specified: the rest is inferred from the table, or follows `preset`. `lenient`: conditions that the
    table lacks are left out with a remark, as NLPScholar does it.
    """

    modes: tuple[str, ...] = ()
    models: tuple[Chosen, ...] = ()
    data: Path | None = None
    predictions: Path | None = None
    results: Path | None = None
    save: tuple[str, ...] = TABLES
    delimiter: str = ""
    sheet: str = ""
    preset: str = "pairlens"
    roles: Mapping[str, Any] = field(default_factory=dict)
    lenient: bool = False
    scoring: Mapping[str, Any] = field(default_factory=dict)
    counting: Mapping[str, Any] = field(default_factory=dict)
    lower_case: bool = False
    interaction: tuple[str, ...] = ()
    contrast: str = ""
    training: Training | None = None
    device: str = ""
    batch_size: int = 0

    @property
    def tables(self) -> tuple[str, ...]:
        spill = self.counting.get("spill")
        optional = {"by_region": spill, "interaction": self.interaction, "contrast": self.contrast}
        return (*self.save, *(name for name, wanted in optional.items() if wanted), "excluded")

    @property
    def published(self) -> bool:
        """Whether files and numbers follow NLPScholar."""
        return self.preset == PUBLISHED

    @property
    def policy(self) -> Policy:
        return preset(self.preset).but(**self.scoring)

    @property
    def analysis(self) -> Analysis:
        base = NLPSCHOLAR if self.published else Analysis()
        return replace(base, **{"ties": self.policy.ties, "punctuation": self.policy.punctuation, **self.counting})

    def over(self, **choices: Any) -> Experiment:
        """With these choices over it: its own, roles and units (fields of `Columns`, `Analysis`); names may be one text."""
        for name in {"modes", "save", "interaction", "conditions"} & choices.keys():
            choices[name] = names_in(choices[name])
        nouns = {
            of: {one.name: choices.pop(one.name) for one in fields(of) if one.name in choices}
            for of in (Columns, Analysis)
        }
        roles, counting = {**self.roles, **nouns[Columns]}, {**self.counting, **nouns[Analysis]}
        changed = replace(self, roles=roles, counting=counting, **choices)
        usual = ("evaluate", "analyze") if changed.models else ("analyze",)
        return changed if changed.modes else replace(changed, modes=usual)

    def check(self) -> Experiment:
        """The experiment; raises PolicyError or InputError if choices conflict or a file would be lost."""
        _ = self.analysis
        for what, names, known in (("mode", self.modes, MODES), ("table", self.save, SAVED)):
            for name in names:
                if name not in known:
                    raise InputError(unknown(what, name, known))
        if self.interaction and len(self.interaction) not in (2, 3):
            n = len(self.interaction)
            raise InputError(f"an interaction is of two or three factors, not {n}: name as many columns.")
        if self.batch_size < 0:
            raise InputError(f"{self.batch_size} texts at once make no sense: take 1 or more, or 0 for no limit.")
        scored = [model.name for model in self.models] if "evaluate" in self.modes else []
        if twice := next((name for name in scored if scored.count(name) > 1), ""):
            raise InputError(f"the model '{twice}' is named twice: name it once.")
        self._check_files()
        return self

    def _check_files(self) -> None:
        read, written = [self.data], list[Path | None]()
        if self.training is not None and "train" in self.modes:
            read += [self.training.texts, self.training.validation]
            written.append(self.training.output)
        if "evaluate" in self.modes:
            written.append(self.predictions)
        elif "analyze" in self.modes:
            read.append(self.predictions)
        if "analyze" in self.modes and self.results is not None:
            if not self.results.name:
                raise InputError("the results need the name of a file, such as results.tsv.", str(self.results))
            written += [result_path(self.results, table) for table in self.tables]
        kept = {path.resolve() for path in read if path}
        for path in filter(None, written):
            if path.resolve() in kept:
                raise InputError("this file would be replaced by another one of the same run: rename one.", str(path))
            kept.add(path.resolve())
