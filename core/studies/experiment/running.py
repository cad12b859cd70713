"""An experiment's steps: train a model, evaluate sentences, analyze their scores, with the files that each writes.

Where `evaluate` and `analyze` run together, the analysis uses the stored scores, which include the probability of
word ends; where `analyze` runs alone it uses the file of predictions, which does not. Under the preset `nlpscholar`
both give the published numbers.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import pandas as pd

from core.analysis.contrast_formula import Contrast, cells_of, contrast
from core.analysis.interaction import Interaction
from core.errors import InputError, unknown
from core.files.tables import check_folder, check_writable, guesses, read_table, write_files, write_table
from core.models.facts import check_tokenizer
from core.results.result import Result
from core.runs.receipts.sentences import note
from core.scoring.into_store import Progress
from core.scoring.recipe import Recipe
from core.store import Store
from core.studies.experiment import wording
from core.studies.experiment.answer import Answer
from core.studies.experiment.columns import guess_columns
from core.studies.experiment.crossing import check_factors, crossed, everywhere, usual_factors
from core.studies.experiment.design import Design, design_of_tokens, read_design
from core.studies.experiment.evaluate import evaluate, texts_in_windows
from core.studies.experiment.findings import Findings, find
from core.studies.experiment.packing import mixed_model_files, result_path, result_table, write_result
from core.studies.experiment.predictions import prediction_table, read_predictions
from core.studies.experiment.result import result
from core.studies.experiment.specification import MIXED, Chosen, Experiment
from core.studies.experiment.words import words_of_predictions, words_of_scores
from core.training.corpus import documents_of, repeated
from core.training.recipe import Progress as Step

RecipeOf = Callable[[Chosen], Recipe]


class ExperimentRun:
    """One run of an experiment. Steps are called in the order of `experiment.modes`.

    `recipe_of` finds a model; `watch` receives each model's progress and must exhaust it; `say` receives remarks.
    Raises PairlensError, in one sentence, as soon as it is clear that a step cannot work.
    """

    def __init__(
        self,
        experiment: Experiment,
        recipe_of: RecipeOf,
        store: Store,
        watch: Callable[[Iterable[Progress]], object],
        say: Callable[[str], None],
        *,
        rescore: bool = False,
    ) -> None:
        self._experiment, self._store, self._rescore = experiment, store, rescore
        self._recipe_of, self._watch, self._say = recipe_of, watch, say
        self._models = experiment.models
        self._scored: list[Recipe] = []
        self.refused: dict[str, str] = {}
        """Why sentences could not be scored, by sentid."""
        self.files: dict[str, Path] = {}
        """The files of results that were written, by the name of their table."""

    @cached_property
    def design(self) -> Design:
        """The sentences of the table."""
        experiment, data, predictions = self._experiment, self._experiment.data, self._experiment.predictions
        if data is None and predictions is not None and "evaluate" not in experiment.modes:
            return design_of_tokens(read_predictions(predictions))
        if data is None:
            raise InputError("there are no sentences: name a table of them.")
        table = read_table(data, delimiter=experiment.delimiter, sheet=experiment.sheet)
        for guess in guesses(data, table):
            self._say(guess)
        columns = guess_columns(table, experiment.roles)
        for name in columns.conditions if experiment.lenient else ():
            if name not in table:
                self._say(f"conditions: {unknown('column', name, map(str, table.columns))} It is left out.")
                columns = replace(columns, conditions=tuple(other for other in columns.conditions if other != name))
        if not experiment.roles.get("conditions"):
            sides = (columns.comparison, "comparison" if columns.comparison else "")
            factors = [name for name in experiment.interaction if name not in sides]
            columns = replace(columns, conditions=tuple(dict.fromkeys([*columns.conditions, *factors])))
        if "conditions" not in experiment.roles:
            self._say(f"{wording.columns(columns, table)} --conditions takes others.")
        if experiment.lower_case:
            named = (columns.sentence,) if columns.sentence in table else (columns.expected, columns.unexpected)
            texts = [name for name in named if name in table]
            table[texts] = table[texts].apply(lambda column: column.astype("str").str.lower())
        design = read_design(table, columns, data.name)
        for remark in filter(None, (tell(design) for tell in wording.REMARKS)):
            self._say(remark)
        if chunks := wording.chunked(design):
            self._say(f"{chunks} To read such chunks as regions with spaces in them: --chunks _.")
        return design

    def check(self) -> None:
        """Fail before anything is scored or trained: unreadable table, unknown models, unwritable files."""
        experiment, modes = self._experiment, {*self._experiment.modes}
        outputs = [experiment.predictions] if experiment.predictions and "evaluate" in modes else []
        if experiment.results and "analyze" in modes:
            outputs += [result_path(experiment.results, name) for name in experiment.tables]
        for path in outputs:
            check_folder(path.parent)
            check_writable(path)
        if {"evaluate", "analyze"} & modes:
            design = self.design  # fails for an unreadable table
            if MIXED in experiment.save and experiment.results and not design.factors:
                raise InputError(
                    "--save mixed needs conditions or pairs: name columns of conditions, or leave it out."
                )
            if "analyze" in modes and experiment.interaction:
                check_factors(design, experiment.interaction)
            if "analyze" in modes and experiment.contrast:
                cells_of(experiment.contrast, design.sentences, design.columns)
        if {"evaluate", "train"} & modes:
            for model in self._models:
                check_tokenizer(self._recipe_of(model).model, model.tokenizer)

    def train(self, show: Callable[[Step], None]) -> float:
        """Train, and evaluate the trained model from then on. Returns its perplexity."""
        training = self._experiment.training
        if training is None:
            raise InputError(
                "there is nothing to train on: training needs a configuration (--config) whose mode says train."
            )
        from core.training.continued import continue_training

        options, (model,) = training.options, self._models
        documents = documents_of(training.texts, training.validation, training.column, options.sample(), options.seed)
        documents = documents.written(
            lower_case=self._experiment.lower_case, leading_space=self._experiment.policy.leading_space
        )
        if documents.held_out:
            n, held = len(documents.training), len(documents.validation)
            self._say(f"No validation text: {held:,} of {n + held:,} documents are held out for it.")
        elif message := repeated(documents.validation, documents.training):
            self._say(message)
        output = training.output
        trained = continue_training(self._recipe_of(model).model, documents, options, output, show)
        if trained.before:
            self._say(f"{output} holds the result of this training already; delete it to train again.")
        self._models = (Chosen(str(output if output.is_absolute() else f"./{output}"), model.scorer),)
        return trained.perplexity

    def evaluate(self) -> list[Recipe]:
        """Score the sentences with every model, and write the file of predictions, if the experiment has one.

        A sentence that one model cannot score is analyzed for none, so that all are compared on the same pairs.
        """
        if not self._models:
            raise InputError("there is no model to score with: name one.")
        self._scored = [self._recipe_of(model) for model in self._models]
        refused: dict[str, str] = {}
        for recipe in self._scored:
            reasons: dict[str, str] = {}
            self._watch(evaluate(self.design, recipe, self._store, rescore=self._rescore, refused=reasons))
            refused |= {sentid: f"{recipe.model.name}: {reason}" for sentid, reason in reasons.items()}
            if long := note(texts_in_windows(self.design, recipe, self._store)):
                self._say(f"{recipe.model.name}: {long}")
        if self._experiment.predictions is not None:
            tables = [prediction_table(self.design, recipe, self._store) for recipe in self._scored]
            write_table(pd.concat(tables, ignore_index=True), self._experiment.predictions)
        if refused:
            self.design = self.design.without(refused)
            if self.design.sentences.empty:
                sentid, reason = next(iter(refused.items()))
                raise InputError(f"No sentence could be scored. Sentence {sentid}: {reason}")
        self.refused = refused
        return self._scored

    def analyze(self) -> Result:
        """Words, pairs and conditions, with the interaction that is asked for, else that of the design.

        Writes the requested files.
        """
        experiment, design, analysis = self._experiment, self.design, self._experiment.analysis
        findings = find(design, self._words(), analysis)
        tables = findings.regions, findings.design.sentences, design.columns, analysis
        contrasted = contrast(experiment.contrast, *tables) if experiment.contrast else None
        interaction = crossed(findings, experiment.interaction) if experiment.interaction else None
        self._write(findings, interaction, contrasted)
        if interaction is None and not experiment.published and (factors := usual_factors(findings.design)):
            with suppress(InputError):
                interaction = crossed(findings, factors)
        return result(
            Answer(
                findings,
                self._scored,
                self._store if self._scored else None,
                (experiment.data or experiment.predictions or Path("experiment")).name,
                interaction=interaction,
                everywhere=everywhere(findings, interaction.factors) if interaction is not None else None,
                contrast=contrasted,
            )
        )

    def _words(self) -> pd.DataFrame:
        predictions, analysis = self._experiment.predictions, self._experiment.analysis
        if self._scored:
            parts = [words_of_scores(self.design, recipe, self._store, analysis) for recipe in self._scored]
            return pd.concat(parts, ignore_index=True)
        if predictions is None:
            raise InputError("there are no scores: evaluate first, or name a file of predictions.")
        if self._experiment.policy.word_value != "sum" and analysis.word_summary == "sum":
            self._say(f"{predictions.name} does not say how likely words are to end: ends are not counted.")
        return words_of_predictions(read_predictions(predictions), analysis, self.design)

    def _write(self, findings: Findings, crossed: Interaction | None, contrasted: Contrast | None) -> None:
        """Write the requested tables, and those of spill-over regions and exclusions where there are any."""
        if self._experiment.results is None:
            return
        names, design, full = list(self._experiment.save), findings.design, not self._experiment.published
        if not wording.has_pairs(design) and set(names) - {"by_word", MIXED}:
            self._say("The table does not say which sentences form pairs: of its tables only by_word is written.")
            names = ["by_word", *({MIXED} & {*names})]
        tables = {name: result_table(findings, name, full=full) for name in names if name != MIXED}
        if findings.analysis.spill:
            tables["by_region"] = findings.regions
        if crossed is not None:
            tables["interaction"] = crossed.table
        if contrasted is not None:
            tables["contrast"] = contrasted.table
        if len(findings.excluded):
            listed = findings.excluded.astype("str")
            tables["excluded"] = listed.mask(listed.isin(["", "0"]))
        files = {name: result_path(self._experiment.results, name) for name in tables}
        for name, table in tables.items():
            write_result(table, files[name])
        if MIXED in names:
            path = result_path(self._experiment.results, MIXED)
            contents = {path.with_name(name): text for name, text in mixed_model_files(findings, path.stem).items()}
            write_files(contents)
            files |= {f"{MIXED} ({path.suffix.removeprefix('.')})": path for path in contents}
        self.files = files
