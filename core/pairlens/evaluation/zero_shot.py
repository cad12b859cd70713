"""A benchmark on a model, from the question to the folder of results: what `zero-shot` and `suite` do."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from string import Template

import pandas as pd

from pairlens.analysis import temperature
from pairlens.analysis.reading import candidate_table as reading_candidates
from pairlens.analysis.reading import read_predictions, write_reading
from pairlens.analysis.summary import metrics_under, summarise
from pairlens.errors import InputError, PolicyError, unknown
from pairlens.evaluation import formats, predictions
from pairlens.evaluation.evaluate import evaluate
from pairlens.evaluation.formats import compared, folder_for, name_under
from pairlens.evaluation.readers import items_of
from pairlens.evaluation.requests import plan
from pairlens.files.tables import write_table, write_texts
from pairlens.metrics import METRICS
from pairlens.places import bundled, program
from pairlens.policies import Policy
from pairlens.rules import RULES
from pairlens.scorers import SCORERS
from pairlens.scoring.into_store import Progress
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.types import Extras, ScorerKind, Task

OUT_OF_SCOPE: Mapping[str, str] = {
    **dict.fromkeys(("vqa", "winoground", "devbench"), "images are not covered by Pairlens"),
    "glue": "fine-tuning on GLUE is not covered by Pairlens",
}
CURVE = "temperatures.csv"
_FIRST_WORD_UNSCORED = ("none", "one", "bos-unscored")
"""First-token policies under which a text without context lacks a word, whatever the tokenizer."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A task on data: `rule` is empty for the usual one of task and scorer, `temperatures` are in order.

    `write_confidential` writes the predictions of a confidential task, too. `chosen_fields` are policy fields that
    the user chose one by one: a choice that changes nothing is refused.
    """

    task: Task
    data: Path
    rule: str = ""
    temperatures: tuple[float, ...] = (1.0,)
    write_confidential: bool = False
    chosen_fields: tuple[str, ...] = ()

    def run(self, recipe: Recipe, store: Store, *, rescore: bool = False) -> Iterator[Progress]:
        """Score and store it; the last Progress names the run. PolicyError for what would mean nothing."""
        rule = self.rule or usual_rule(self.task, recipe.kind)
        if reason := meaningless(self.task, rule, recipe.kind, recipe.policy) or unused(self, recipe, rule):
            raise PolicyError(reason)
        chosen = RULES[rule or self.task.rules[0]]
        if self.temperatures != (1.0,) and (chosen.ends or chosen.shared):
            what = "The ends of words are" if chosen.ends else "Single tokens are"
            raise PolicyError(f"{what} known at temperature 1 only: leave the temperatures out.")
        extras = Extras(temperatures=tuple(temperature for temperature in self.temperatures if temperature != 1))
        yield from evaluate(self.task, self.data, recipe, store, rule=rule, extras=extras, rescore=rescore)


@dataclass(frozen=True, slots=True)
class Written:
    """A run's folder, `notes` about its files, the curve over temperatures, if several, and the `chosen` one."""

    folder: Path
    curve: pd.DataFrame | None
    chosen: float
    notes: tuple[str, ...] = ()


def backend_of(scorer: str) -> str:
    """The pipeline's name for a scorer; empty if benchmarks are not run with it."""
    return SCORERS[scorer].backend


def task_named(name: str) -> Task:
    """The task of that name, an older name included; PolicyError, with the reason or the choices, for another."""
    if reason := OUT_OF_SCOPE.get(name):
        raise PolicyError(f"'{name}' cannot be run: {reason}.")
    if name not in TASKS:
        name = next((task.name for task in TASKS.values() if name in task.aliases), name)
    return TASKS[name]


def sample(task: Task) -> Path:
    """Our own small data for a task: a file, or a folder of several."""
    folder = bundled("samples", task.name)
    files = sorted(folder.iterdir())
    return files[0] if len(files) == 1 else folder


def meaningless(task: Task, rule: str, kind: ScorerKind, policy: Policy | None = None) -> str:
    """Why a task with this rule, scorer and policy gives numbers that mean nothing, and what to do; empty if not."""
    if rule and rule not in task.rules:
        return unknown(f"rule of {task.title}", rule, task.rules)
    if instead := task.instead or kind.instead:
        return Template(instead).substitute(task=task.title, program=program())
    chosen, masked = RULES[rule or task.rules[0]], "pll" in kind.reads
    whole = "compare whole sentences (--full_sentence_scores, --rule joint)."
    if chosen.forms and masked:
        return f"A {kind.name} model sees what follows a form, so a form alone is no question for it: {whole}"
    if chosen.shared and not masked:
        why = "What both sentences share is compared with masked models: others see only what stands before a word"
        return f"{why}, so {whole}"
    if chosen.asks and masked:
        return f"A {kind.name} model sees both sides of a word: ask it about the word in the whole text (--rule gap)."
    if chosen.both_sides and not masked:
        return "A word in its gap is a question for models that see both sides of it: take another rule (--rule)."
    no_context = "Word counts know no context:"
    if kind.context == "ignored" and task.same_text:
        return f"{no_context} both candidates of every item would tie. Take another model for {task.name}."
    if kind.context == "encoded" and rule == "joint" and task.rules[0] != "joint":
        return (
            "enc_dec_prefix with --full_sentence_scores would show the encoder nothing and the decoder everything: "
            "leave --full_sentence_scores out, or take --backend enc_dec_mask."
        )
    if policy and policy.tokens == "rewritten" and task.prediction != "surprisal":
        return f"Words are cut into tokens alone for reading times only, not for {task.title}: leave out tokens."
    if not chosen.subtracts:
        return ""
    if kind.context == "ignored":
        return f"{no_context} PMI is 0 for every text. Take another model, or another rule."
    if kind.context == "encoded":
        return (
            "Without a context, enc_dec_prefix shows the encoder a mask and nothing else, so that PMI would compare "
            "two different questions: take another rule, or --backend enc_dec_mask."
        )
    if policy and "first_token" in kind.reads and policy.first_token in _FIRST_WORD_UNSCORED:
        return (
            "PMI needs the first word of a text that has no context, which is not scored under this policy: let "
            "texts follow the start symbol (--first-token bos), or take another rule."
        )
    return ""


def usual_rule(task: Task, kind: ScorerKind) -> str:
    """The first of the task's rules that means something with this scorer; empty if none does."""
    return next((rule for rule in task.rules if not meaningless(task, rule, kind)), "")


def write_results(
    run_id: str, benchmark: Benchmark, store: Store, output_dir: Path, model: str, revision: str = ""
) -> Written:
    """The BabyLM pipeline's folder, named after the `model`, for a finished run, at the best of the temperatures."""
    manifest = store.manifest(run_id)
    task, policy, rule = benchmark.task, Policy(**manifest["policy"]), manifest["rule"]
    backend = backend_of(manifest["scorer"])
    folder = folder_for(output_dir, model, revision, backend, name_under(task, policy), benchmark.data)
    at = partial(store.candidates, run_id)
    curve = None
    chosen = benchmark.temperatures[0]
    if benchmark.temperatures != (1.0,):
        curve = temperature.curve(at, benchmark.temperatures, task, policy, rule)
        chosen = temperature.best(curve, chosen)
    candidates = at(chosen)
    if task.prediction == "surprisal":
        folder = folder.parent
        write_reading(folder, candidates, policy)
    else:
        summary = store.metrics(run_id) if chosen == 1 else summarise(candidates, task, policy, rule)
        items = task.read(benchmark.data) if benchmark.write_confidential else ()
        formats.write_babylm(folder, candidates, summary, task, policy, rule, chosen, backend=backend, items=items)
    if curve is not None:
        write_table(curve, folder / CURVE)
    return Written(folder, curve, chosen, tuple(_notes(benchmark, policy, backend)))


def _notes(benchmark: Benchmark, policy: Policy, backend: str) -> Iterator[str]:
    """What a reader of the files must know."""
    labels, usual = (compared(benchmark.task, policy, one) for one in (backend, ""))
    if labels and usual and labels != usual:
        yield (
            f"{formats.REPORT} compares {' with '.join(labels)}, as the pipeline does with {backend}; "
            f"the numbers here compare {' with '.join(usual)}."
        )
    if benchmark.write_confidential:
        yield f"{formats.PREDICTIONS} is for a submission of {benchmark.task.title}. {formats.SECRET}"


def recompute(
    task: Task, data: Path, file: Path, output_dir: Path, model: str, backend: str, revision: str = ""
) -> tuple[pd.DataFrame, Path]:
    """A summary made from another program's predictions, without a model, and the folder of the report it gives.
    InputError if the predictions are not of these data.
    """
    if task.prediction == "checkpoints":
        raise InputError(f"{task.title} cannot be recomputed from predictions: they do not hold what it needs.")
    if not task.averaged and task.prediction != "log-ratio":
        why = "they name items by paradigm, and it has none"
        raise InputError(f"{task.title} cannot be recomputed from predictions: {why}.")
    folder = folder_for(output_dir, model, revision, backend, task.name, data)
    items = list(items_of(task, data))
    if task.prediction == "log-ratio":
        table = predictions.log_ratio_candidates(items, file)
        numbers = summarise(table, task, Policy()).assign(length_only=math.nan)
        write_texts(folder, {formats.NUMBERS: numbers.to_csv(index=False)})
        return numbers, folder
    if task.prediction == "surprisal":
        table = reading_candidates(read_predictions(file), items)
        write_reading(folder.parent, table, predictions.POLICY)
        return summarise(table, task, predictions.POLICY), folder.parent
    table = predictions.candidates_of(task, items, predictions.read(file))
    if (n := table["item"].nunique()) < len(items):
        raise InputError(f"predictions for {n:,} of the data's {len(items):,} items: give data with these alone")
    metric = METRICS[predictions.reported_metric(table, task)]
    text = formats.report(metric, metric.statistics(table, predictions.POLICY), task)
    write_texts(folder, {formats.REPORT: text})
    return predictions.summary(table, task), folder


def unused(benchmark: Benchmark, recipe: Recipe, rule: str) -> str:
    """Why a chosen policy field changes nothing: neither scorer, metrics nor task read it; empty if all do."""
    task, fixed = benchmark.task, benchmark.task.sets.get(recipe.policy.name.partition(",")[0], {})
    used = {*recipe.kind.reads, *recipe.policy.scoring(recipe.kind.reads), "text", "detokenise", *fixed}
    if any("surprisal" not in METRICS[name].values for name in metrics_under(task, rule)):
        used |= {"sentence_value", "ties"}
    for field in benchmark.chosen_fields:
        why = ""
        if field == "leading_space":
            if all(
                request.context for request in plan(task, task.read(benchmark.data), recipe, rule).requests.values()
            ):
                why = f": every text of {task.title} has a context"
        elif field not in used:
            by = f"in {task.title} with the scorer {recipe.kind.name}"
            why = f" {by}: neither scores nor metrics use it"
        if why:
            return f"--set {field} has no effect{why}. Leave it out."
    return ""
