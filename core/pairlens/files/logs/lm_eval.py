"""lm-evaluation-harness 0.4: `samples_TASK_TIME.jsonl` (`--log_samples`) and `results_TIME.json`.

A sample has its requests (`arguments`: context and continuation of each), the answers after a filter
(`filtered_resps`: log-probability, and whether the continuation is the likeliest) and the metrics of the document.
Which choice is right is the `target`; where that is a text before which contexts compete, it follows from `acc`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pairlens.errors import InputError
from pairlens.files.logs import Figure, Log, Question, groups_in, labels_of, mean, standard_error
from pairlens.files.row_mistakes import row
from pairlens.files.tables import read_records

_SAMPLE = frozenset(("doc_id", "arguments", "filtered_resps"))
_NAME = re.compile(r"samples_(.+?)(?:_\d{4}-\d\d-\d\dT[\d.:-]+)?")
_BOOTSTRAPPED = "its standard error is drawn at random"


def is_sample(fields: Iterable[str]) -> bool:
    return {*fields} >= _SAMPLE


def is_results(document: object) -> bool:
    return isinstance(document, dict) and isinstance(document.get("results"), dict) and "configs" in document


@dataclass(frozen=True, slots=True)
class _Sample:
    """A document: the texts that were scored, their log-probabilities, and the metrics of the program."""

    question: Question
    filter: str
    metrics: Mapping[str, float]
    unconditional: tuple[float, ...]
    delimiter: str = " "


def read(samples: Sequence[Path], results: Sequence[Mapping[str, Any]]) -> Log:
    """The documents of these samples, and the figures of the results; InputError with the line for what is none."""
    by_task: dict[str, list[_Sample]] = {}
    notes: list[str] = []
    configs = {name: config for document in results for name, config in document["configs"].items()}
    for path in samples:
        task = _task_of(path)
        delimiter = str(configs.get(task, {}).get("target_delimiter", " "))
        read_samples = [replace(sample, delimiter=delimiter) for sample in _samples(path)]
        if not read_samples:
            raise InputError("holds no sample.", path.name)
        filters = list(dict.fromkeys(sample.filter for sample in read_samples))
        if others := filters[1:]:
            notes.append(f"{task}: read with the filter '{filters[0]}', not {', '.join(map(repr, others))}.")
        by_task.setdefault(task, []).extend(sample for sample in read_samples if sample.filter == filters[0])
    for task, rows in by_task.items():
        if twice := [id for id, n in Counter(row.question.id for row in rows).items() if n > 1]:
            raise InputError(f"document '{twice[0]}' of {task} is in these files twice: bring the files of one run.")
    models = list(dict.fromkeys(str(document.get("model_name") or "") for document in results))
    if len(models) > 1:
        raise InputError(f"these results are of {len(models)} models ({', '.join(models)}): bring those of one.")
    document = results[0] if results else {}
    version = document.get("lm_eval_version")
    figures = [figure for one in results for figure in _figures(one, by_task)]
    about = {"lm_eval": version, "date": document.get("date"), "config": document.get("config")} if results else {}
    questions = [sample.question for rows in by_task.values() for sample in rows]
    return Log(f"lm-eval {version or '(of unknown version)'}", "".join(models), questions, figures, notes, about)


def questions(path: Path) -> Iterator[Question]:
    """The questions of a file of samples, one by one; a bad line is a mistake of its own."""
    return (sample.question for sample in _samples(path))


def _samples(path: Path) -> Iterator[_Sample]:
    labels: Sequence[str] | None = None
    for line, record in read_records(path):
        with row(line):
            labels = labels_of(record.get("doc")) if labels is None else labels
            yield _sample(record, _task_of(path), labels, f"{path.name}, line {line}")


def _task_of(path: Path) -> str:
    match = _NAME.fullmatch(path.name.partition(".jsonl")[0])
    return match[1] if match else path.name.partition(".")[0]


def _sample(record: Mapping[str, Any], task: str, labels: Sequence[str], where: str) -> _Sample:
    if not record.keys() >= _SAMPLE:
        raise InputError(f"no sample of lm-eval: {', '.join(sorted(_SAMPLE - record.keys()))} is missing.", where)
    groups = groups_in(record.get("doc"), labels, task)
    arguments, answers = record["arguments"], record["filtered_resps"]
    requests = [[*one.values()] for one in arguments.values()] if isinstance(arguments, dict) else arguments
    try:
        metrics = {name: float(record[name]) for name in _metrics(record) if _is_number(record.get(name))}
        prompts = [(_text(request[0]), request[1]) for request in requests]
        if not all(isinstance(text, str) for _, text in prompts):  # generation: its answer was judged, not scored
            question = Question(f"{task}_{record['doc_id']}", ((prompts[0][0], str(record.get("target", ""))),))
            return _with(question, record, groups, metrics, ())
        values = tuple(float(answer[0]) for answer in answers)
        if len(values) != len(prompts) or not prompts:
            raise InputError(f"{len(values)} answers to {len(prompts)} requests.", where)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"a sample of another form than lm-eval's ({type(error).__name__}: {error}).", where
        ) from None
    half = len(prompts) // 2
    paired = "acc_mutual_info" in metrics and [text for _, text in prompts[:half]] == [
        text for _, text in prompts[half:]
    ]
    n = half if paired else len(prompts)
    question = Question(f"{task}_{record['doc_id']}", tuple(prompts[:n]), logprobs=values[:n])
    return _with(question, record, groups, metrics, values[n:])


def _with(
    question: Question, record: Mapping[str, Any], groups: Mapping[str, str], metrics: Mapping[str, float],
    unconditional: tuple[float, ...],
) -> _Sample:  # fmt: skip
    judged = metrics.get("acc", next(iter(metrics.values()), math.nan))
    verdict = judged if 0 <= judged <= 1 else math.nan
    gold = _gold(question, record.get("target"), verdict)
    whole = Question(question.id, question.options, gold, question.logprobs, verdict, groups)
    return _Sample(whole, str(record.get("filter", "none")), metrics, unconditional)


def _metrics(record: Mapping[str, Any]) -> Sequence[str]:
    """The names of the document's metrics; older versions name none, and only what is known is taken."""
    named = record.get("metrics")
    return (
        named if isinstance(named, list) else [name for name in ("acc", *_BY_VALUES, "exact_match") if name in record]
    )


def _gold(question: Question, target: object, verdict: float) -> int | None:
    """The place of the right option; None where more than one is, or nothing says it."""
    texts, named = [text.strip() for _, text in question.options], str(target).strip()
    if len(texts) < 2 or not question.logprobs:
        return None
    if len(set(texts)) == 1:  # contexts compete, and the target is the text that they share
        possible = [0, 1] if len(texts) == 2 and verdict in (0.0, 1.0) else []
    else:  # a place, or the text, which may be a number, too
        possible = [int(named)] if named.isdecimal() and int(named) < len(texts) else []
        possible += [place for place, text in enumerate(texts) if text == named]
    best = _first_best(question.logprobs)
    agreeing = [gold for gold in possible if (gold == best) == bool(verdict)]
    return next(iter([*agreeing, *possible]), None)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# Figures


def _first_best(values: Sequence[float]) -> int:
    return max(range(len(values)), key=lambda place: values[place])  # the first of equal ones, as numpy's argmax


def _lengths(sample: _Sample, count: Callable[[str], int]) -> list[float]:
    return [
        value / max(count(text.removeprefix(sample.delimiter)), 1)
        for value, (_, text) in zip(sample.question.logprobs, sample.question.options, strict=True)
    ]


_BY_VALUES: Mapping[str, Callable[[_Sample], Sequence[float]]] = {
    "acc": lambda sample: sample.question.logprobs,
    "acc_norm": lambda sample: _lengths(sample, len),
    "acc_bytes": lambda sample: _lengths(sample, lambda text: len(text.encode())),
    "acc_mutual_info": lambda sample: [
        a - b for a, b in zip(sample.question.logprobs, sample.unconditional, strict=False)
    ],
}
"""What is compared, by metric: the log-probability; per character and byte, without what stands between context and
choice; less that of the choice alone."""


def _values(name: str, samples: Sequence[_Sample]) -> list[float] | None:
    """A metric of each document, from its log-probabilities where these decide it, else as it stands there."""
    known = [sample.metrics.get(name) for sample in samples]
    values = [value for value in known if value is not None]
    if len(values) < len(known):
        return None
    if name not in _BY_VALUES:
        return values
    compared = [(sample.question.gold, _BY_VALUES[name](sample)) for sample in samples]
    if any(gold is None or len(by) < 2 for gold, by in compared):
        return values
    return [float(_first_best(by) == gold) for gold, by in compared]


def _figures(document: Mapping[str, Any], by_task: Mapping[str, Sequence[_Sample]]) -> list[Figure]:
    figures = []
    parts: Mapping[str, Sequence[str]] = document.get("group_subtasks") or {}
    for task, numbers in document["results"].items():
        members = [name for name in _leaves(task, parts) if name in by_task]
        for key, printed in numbers.items() if isinstance(numbers, dict) else ():
            name, _, chosen = key.partition(",")
            filters = {sample.filter for member in members for sample in by_task[member]}
            if filters != {chosen} or not _is_number(printed):
                continue
            metric, error = name.removesuffix("_stderr"), name.endswith("_stderr")
            values = [_values(metric, by_task[member]) for member in members]
            known = [one for one in values if one is not None]
            title = f"{task}: {metric}" + ", standard error" * error
            if len(known) < len(values):
                figures.append(Figure(title, printed, None, "its documents do not say it"))
            elif task in by_task:
                figures.append(_of_task(title, metric, known[0], printed, error=error))
            else:
                figures.append(_of_group(title, known, printed, error=error))
    return figures


def _leaves(task: str, parts: Mapping[str, Sequence[str]]) -> list[str]:
    below = parts.get(task) or ()
    return [leaf for one in below for leaf in _leaves(one, parts)] if below else [task]


def _of_task(title: str, metric: str, values: Sequence[float], printed: float, *, error: bool) -> Figure:
    if metric == "perplexity":
        return (
            Figure(title, printed, None, _BOOTSTRAPPED) if error else Figure(title, printed, math.exp(-mean(values)))
        )
    if error and metric not in _BY_VALUES and metric not in ("exact_match", "acc"):
        return Figure(title, printed, None, _BOOTSTRAPPED)
    return Figure(title, printed, (standard_error if error else mean)(values))


def _of_group(title: str, values: Sequence[Sequence[float]], printed: float, *, error: bool) -> Figure:
    """A group's mean over tasks or over documents, which its results do not say; and the pooled standard error."""
    sizes = [len(one) for one in values]
    if error:
        squares = sum((n - 1) * standard_error(one) ** 2 * n for n, one in zip(sizes, values, strict=True))
        pooled = squares / (sum(sizes) - len(sizes)) if sum(sizes) > len(sizes) else math.nan
        return Figure(title, printed, math.sqrt(pooled / sum(sizes)))
    over_tasks = mean([mean(one) for one in values])
    over_documents = sum(mean(one) * n for n, one in zip(sizes, values, strict=True)) / sum(sizes)
    nearer = min((over_tasks, over_documents), key=lambda value: abs(value - printed))
    return Figure(title, printed, nearer, "mean over tasks" if nearer == over_tasks else "mean over documents")
