"""An experiment's steps: train a model, evaluate sentences, analyze their scores, with the files that each writes.

Where `evaluate` and `analyze` run together, the analysis uses the stored scores, which include the probability of
word ends; where `analyze` runs alone it uses the file of predictions, which does not. Under the preset `nlpscholar`
both give the published numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from pairlens.analysis.experiment import NLPSCHOLAR, Analysis, Columns
from pairlens.analysis.interaction import Contrast, Interaction, cells_of, contrast
from pairlens.errors import InputError, unknown
from pairlens.evaluation.receipts.sentences import note
from pairlens.files.tables import check_folder, check_writable, guesses, read_table, write_files, write_table
from pairlens.models.facts import check_tokenizer
from pairlens.policies import Policy, preset
from pairlens.results.result import Result
from pairlens.scoring.into_store import Progress
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.experiment import wording
from pairlens.studies.experiment.answer import Answer
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import Design, design_of_tokens, read_design
from pairlens.studies.experiment.evaluate import evaluate, prediction_table, read_predictions, texts_in_windows
from pairlens.studies.experiment.findings import Findings, check_factors, crossed, everywhere, find, usual_factors
from pairlens.studies.experiment.packing import mixed_model_files, result_path, result_table, write_result
from pairlens.studies.experiment.result import result
from pairlens.studies.experiment.words import words_of_predictions, words_of_scores
from pairlens.training.corpus import documents_of, repeated
from pairlens.training.options import PUBLISHED, Options
from pairlens.training.recipe import Progress as Step

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
    """A model as `pairlens.models.find` takes it, its scorer, and whose tokenizer it should have; empty: its own."""

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
        """With these choices over it: its own, roles and units (of `Columns`, `Analysis`); names may be one text."""
        for name in {"modes", "save", "interaction", "conditions"} & choices.keys():
            choices[name] = names_in(choices[name])
        nouns = {
            of: {field.name: choices.pop(field.name) for field in fields(of) if field.name in choices}
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
        inputs = {path.resolve() for path in read if path}
        for path in filter(None, written):
            if path.resolve() in inputs:
                raise InputError("this file would be replaced by another one of the same run: rename one.", str(path))
            inputs.add(path.resolve())


RecipeOf = Callable[[Chosen], Recipe]


@dataclass
class ExperimentRun:
    """One run of an experiment. Steps are called in the order of `experiment.modes`.

    `recipe_of` finds a model; `watch` receives each model's progress and must exhaust it; `say` receives remarks.
    `refused` says why sentences could not be scored, by sentid; `files` are the results that were written, by table.
    Raises PairlensError, in one sentence, as soon as it is clear that a step cannot work.
    """

    experiment: Experiment
    recipe_of: RecipeOf
    store: Store
    watch: Callable[[Iterable[Progress]], object]
    say: Callable[[str], None]
    rescore: bool = False
    refused: dict[str, str] = field(default_factory=dict)
    files: dict[str, Path] = field(default_factory=dict)
    _scored: list[Recipe] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._models = self.experiment.models

    @cached_property
    def design(self) -> Design:
        experiment, data, predictions = self.experiment, self.experiment.data, self.experiment.predictions
        if data is None and predictions is not None and "evaluate" not in experiment.modes:
            return design_of_tokens(read_predictions(predictions))
        if data is None:
            raise InputError("there are no sentences: name a table of them.")
        table = read_table(data, delimiter=experiment.delimiter, sheet=experiment.sheet)
        for guess in guesses(data, table):
            self.say(guess)
        columns = guess_columns(table, experiment.roles)
        conditions = list(columns.conditions)
        for name in columns.conditions if experiment.lenient else ():
            if name not in table:
                self.say(f"conditions: {unknown('column', name, map(str, table.columns))} It is left out.")
                conditions.remove(name)
        if not experiment.roles.get("conditions"):
            sides = (columns.comparison, "comparison" if columns.comparison else "")
            conditions += [name for name in experiment.interaction if name not in sides]
        columns = replace(columns, conditions=tuple(dict.fromkeys(conditions)))
        if "conditions" not in experiment.roles:
            self.say(f"{wording.columns(columns, table)} --conditions takes others.")
        if experiment.lower_case:
            named = (columns.sentence,) if columns.sentence in table else columns.sides
            texts = [name for name in named if name in table]
            table[texts] = table[texts].apply(lambda column: column.astype("str").str.lower())
        design = read_design(table, columns, data.name)
        for remark in filter(None, (tell(design) for tell in wording.REMARKS)):
            self.say(remark)
        if chunks := wording.chunked(design):
            self.say(f"{chunks} To read such chunks as regions with spaces in them: --chunks _.")
        return design

    def check(self) -> None:
        """Fail before anything is scored or trained: unreadable table, unknown models, unwritable files."""
        experiment, modes = self.experiment, {*self.experiment.modes}
        outputs = [experiment.predictions] if experiment.predictions and "evaluate" in modes else []
        if experiment.results and "analyze" in modes:
            outputs += [result_path(experiment.results, name) for name in experiment.tables]
        for path in outputs:
            check_folder(path.parent)
            check_writable(path)
        if {"evaluate", "analyze"} & modes:
            design = self.design  # fails for an unreadable table
            if MIXED in experiment.save and experiment.results and not design.factors:
                wanted = "--save mixed needs conditions or pairs: name columns of conditions, or leave it out."
                raise InputError(wanted)
            if "analyze" in modes and experiment.interaction:
                check_factors(design, experiment.interaction)
            if "analyze" in modes and experiment.contrast:
                cells_of(experiment.contrast, design.sentences, design.columns)
        if {"evaluate", "train"} & modes:
            for model in self._models:
                check_tokenizer(self.recipe_of(model).model, model.tokenizer)

    def train(self, show: Callable[[Step], None]) -> float:
        """Train, and evaluate the trained model from then on. Returns its perplexity."""
        training = self.experiment.training
        if training is None:
            needed = "training needs a configuration (--config) whose mode says train."
            raise InputError(f"there is nothing to train on: {needed}")
        from pairlens.training.continued import continue_training

        options, (model,) = training.options, self._models
        documents = documents_of(training.texts, training.validation, training.column, options.sample(), options.seed)
        documents = documents.written(
            lower_case=self.experiment.lower_case, leading_space=self.experiment.policy.leading_space
        )
        if documents.held_out:
            n, held = len(documents.training), len(documents.validation)
            self.say(f"No validation text: {held:,} of {n + held:,} documents are held out for it.")
        elif message := repeated(documents.validation, documents.training):
            self.say(message)
        output = training.output
        trained = continue_training(self.recipe_of(model).model, documents, options, output, show)
        if trained.before:
            self.say(f"{output} holds the result of this training already; delete it to train again.")
        self._models = (Chosen(str(output if output.is_absolute() else f"./{output}"), model.scorer),)
        return trained.perplexity

    def evaluate(self) -> list[Recipe]:
        """Score the sentences; one that a model cannot score is analyzed for none: all have the same pairs."""
        if not self._models:
            raise InputError("there is no model to score with: name one.")
        self._scored = [self.recipe_of(model) for model in self._models]
        refused: dict[str, str] = {}
        for recipe in self._scored:
            reasons: dict[str, str] = {}
            self.watch(evaluate(self.design, recipe, self.store, rescore=self.rescore, refused=reasons))
            refused |= {sentid: f"{recipe.model.name}: {reason}" for sentid, reason in reasons.items()}
            if long := note(texts_in_windows(self.design, recipe, self.store)):
                self.say(f"{recipe.model.name}: {long}")
        if self.experiment.predictions is not None:
            tables = [prediction_table(self.design, recipe, self.store) for recipe in self._scored]
            write_table(pd.concat(tables, ignore_index=True), self.experiment.predictions)
        if refused:
            self.design = self.design.without(refused)
            if self.design.sentences.empty:
                sentid, reason = next(iter(refused.items()))
                raise InputError(f"No sentence could be scored. Sentence {sentid}: {reason}")
        self.refused = refused
        return self._scored

    def analyze(self) -> Result:
        """The result, with the interaction that is asked for, else that of the design; writes the requested files."""
        experiment, design, analysis = self.experiment, self.design, self.experiment.analysis
        findings = find(design, self._words(), analysis)
        tables = findings.regions, findings.design.sentences, design.columns, analysis
        contrasted = contrast(experiment.contrast, *tables) if experiment.contrast else None
        interaction = crossed(findings, experiment.interaction) if experiment.interaction else None
        self._write(findings, interaction, contrasted)
        if interaction is None and not experiment.published and (factors := usual_factors(findings.design)):
            with suppress(InputError):
                interaction = crossed(findings, factors)
        source, store = experiment.data or experiment.predictions, self.store if self._scored else None
        answer = Answer(
            findings, self._scored, store, source.name if source else "experiment", interaction=interaction,
            everywhere=everywhere(findings, interaction.factors) if interaction is not None else None,
            contrast=contrasted,
        )  # fmt: skip
        return result(answer)

    def _words(self) -> pd.DataFrame:
        predictions, analysis = self.experiment.predictions, self.experiment.analysis
        if self._scored:
            parts = [words_of_scores(self.design, recipe, self.store, analysis) for recipe in self._scored]
            return pd.concat(parts, ignore_index=True)
        if predictions is None:
            raise InputError("there are no scores: evaluate first, or name a file of predictions.")
        if self.experiment.policy.word_value != "sum" and analysis.word_summary == "sum":
            self.say(f"{predictions.name} does not say how likely words are to end: ends are not counted.")
        return words_of_predictions(read_predictions(predictions), analysis, self.design)

    def _write(self, findings: Findings, crossed: Interaction | None, contrasted: Contrast | None) -> None:
        """Write the requested tables, and those of spill-over regions and exclusions where there are any."""
        results, names = self.experiment.results, list(self.experiment.save)
        if results is None:
            return
        if not wording.has_pairs(findings.design) and set(names) - {"by_word", MIXED}:
            self.say("The table does not say which sentences form pairs: of its tables only by_word is written.")
            names = ["by_word", *({MIXED} & {*names})]
        full = not self.experiment.published
        tables = {name: result_table(findings, name, full=full) for name in names if name != MIXED}
        if findings.analysis.spill:
            tables["by_region"] = findings.regions
        for name, tested in (("interaction", crossed), ("contrast", contrasted)):
            if tested is not None:
                tables[name] = tested.table
        if len(findings.excluded):
            listed = findings.excluded.astype("str")
            tables["excluded"] = listed.mask(listed.isin(["", "0"]))
        for name, table in tables.items():
            self.files[name] = result_path(results, name)
            write_result(table, self.files[name])
        if MIXED in names:
            path = result_path(results, MIXED)
            contents = {path.with_name(name): text for name, text in mixed_model_files(findings, path.stem).items()}
            write_files(contents)
            self.files |= {f"{MIXED} ({path.suffix.removeprefix('.')})": path for path in contents}
