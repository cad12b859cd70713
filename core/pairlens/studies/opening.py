"""What files are, and the page that opens them filled in: recognised by their content, the likeliest first.

A file may be several things: a table of sentences is an experiment and, if it has pairs, a benchmark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zipfile import is_zipfile

from pairlens.errors import PairlensError
from pairlens.evaluation.imported_scores.sources import recognised
from pairlens.evaluation.readers import readers, reads
from pairlens.files.logs import inspect_ai
from pairlens.files.nli.label_map import named
from pairlens.files.stereoset.predictions import read_predictions
from pairlens.files.tables import Layout, ending, read_laid_out
from pairlens.messages import Message, counted, joined, one_or_more
from pairlens.scoring.checkpoints import ALL, checkpoints, holds_checkpoints
from pairlens.store import uploads
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import Design, read_design
from pairlens.studies.gathering import copied
from pairlens.studies.nli.matched import read_predictions as read_labels
from pairlens.tasks import TASKS

if TYPE_CHECKING:
    from pairlens.types import Task

OWN_PAGES = {"agreement": "agreement", "stereoset": "stereoset", "nli": "nli"}
"""Tasks whose page is not that of benchmarks."""
_SWAPPED = ("reverse", "swap", "invers", "invert")
"""In the name of a file of answers: premise and hypothesis changed places."""
_FEW, _NAMED = 6, 3
"""Columns of a table that nothing recognises, and files that are left out, are named."""
_SAMPLE, _LARGEST = 10, 3
"""Of files that are nothing together so many show which benchmarks they may be of, and are looked at one by one."""
_MANY = 10_000
"""Items of a benchmark that are counted; of more is said that there are more."""
_Upload = TypeVar("_Upload", str, Path)


@dataclass(frozen=True, slots=True)
class Opening:
    """A page by the name of its file, the parameters that fill it in, and what the files are, in words."""

    page: str
    link: Mapping[str, str | Path | Sequence[Path]]
    about: str

    def query(self, identify: Callable[[Path], str]) -> dict[str, str | list[str]]:
        """The parameters of the page's link, in which an upload is named by its id (`identify`)."""
        return {
            name: identify(value) if isinstance(value, Path) else value if isinstance(value, str)
            else [*map(identify, value)] for name, value in self.link.items()
        }  # fmt: skip


def opened(
    paths: Sequence[Path], title: str, read: Callable[..., list[Any]] = lambda reader, paths: reader(paths)
) -> list[Opening]:
    """What can be opened of these files: together, or of some, with the others named. Empty if nothing reads them.

    Of benchmarks that of the `title` of a folder or an archive comes first. `read` calls a function of this module
    with paths, perhaps in a process of its own.
    """
    known, some = read(openings, paths), paths
    groups = [] if known else read(alike, paths) if len(paths) > 1 else [paths]
    attempts = [(openings, group) for group in groups if len(group) < len(paths)]
    attempts += [(unnamed, group) for group in groups if len(group) == 1]
    for reader, group in attempts:
        if known := read(reader, copied(group)):
            some = group
            break
    if others := [path.name for path in paths if path not in some]:
        names = ", ".join([*others[:_NAMED], *["…"] * (len(others) > _NAMED)])
        left = Message("left out: {names}", names=names)
        known = [replace(one, about=joined([one.about, left], "; ")) for one in known]
    in_title = {name: len(name) for name in TASKS if name in title.lower()}
    return sorted(known, key=lambda one: (one.page != known[0].page, -in_title.get(str(one.link.get("task")), 0)))


def alike(paths: Sequence[Path]) -> list[list[Path]]:
    """The files that each benchmark with a format of its own reads, and the largest alone; the most first."""
    sample, sizes = paths[:: -(-len(paths) // _SAMPLE)], {path: path.stat().st_size for path in paths}
    own = [name for name in TASKS if not TASKS[name].any_table and any(reads(name, path) for path in sample)]
    groups = [[path for path in paths if reads(name, path)] for name in own]
    groups += [[path] for path in sorted(paths, key=sizes.__getitem__)[-_LARGEST:]]
    return sorted(groups, key=lambda group: (len(group), sum(sizes[path] for path in group)), reverse=True)


def openings(paths: Sequence[Path]) -> list[Opening]:
    """What can be opened of these files, which were given together, or of one folder. Empty if nothing reads them."""
    first = paths[0]
    if len(paths) == 1 and first.is_dir() and holds_checkpoints(str(first)):
        n_checkpoints = counted(len(checkpoints(str(first), [ALL])), "checkpoint")
        link = {"checkpoints": str(first), "benchmark_view": "Checkpoints"}
        return [Opening("zero_shot", link, f"{first.name}: a folder with {n_checkpoints} of a model")]
    together = first.parent if len(paths) > 1 else first
    kinds = (_labels, _scores, _triples, _benchmarks, _experiment)
    every = [opening for kind in kinds for opening in kind(paths, together)]
    return sorted(every, key=lambda opening: opening.link.get("task") == "pairs")


def benchmark_link(task: Task, upload: _Upload) -> tuple[str, dict[str, str | _Upload]] | None:
    """The page where models are asked about an uploaded set of a task, and its link; None without a page."""
    if task.name == "nli":
        return "nli", {"data": "upload", "nli_gold_files": upload}
    page = OWN_PAGES.get(task.name, "zero_shot")
    if page == "zero_shot" and task.instead:
        return None
    return page, {**({"task": task.name} if page == "zero_shot" else {}), "data": "Upload", "file": upload}


def _labels(paths: Sequence[Path], together: Path) -> Iterator[Opening]:  # noqa: ARG001
    """Pairs with gold labels and a model's answers to them, in as many files."""
    gold = [path for path in paths if reads("nli", path)]
    answers = [path for path in paths if path not in gold and _has_labels(path)]
    swapped = [path for path in answers if any(word in path.name.lower() for word in _SWAPPED)]
    straight = [path for path in answers if path not in swapped]
    kinds = {
        "nli_gold_files": (gold, one_or_more("gold labels in {n} file", "gold labels in {n} files", n=len(gold))),
        "nli_answers_files": (straight, one_or_more("answers in {n} file", "answers in {n} files", n=len(straight))),
        "nli_reverse_files": (
            swapped,
            one_or_more(
                "answers to swapped pairs in {n} file", "answers to swapped pairs in {n} files", n=len(swapped)
            ),
        ),
    }
    if gold or answers:
        link = {field: files for field, (files, _) in kinds.items() if files}
        parts = joined((about for files, about in kinds.values() if files), ", ")
        yield Opening(
            "nli", {"data": "upload", **link}, Message("pairs of premise and hypothesis: {parts}", parts=parts)
        )


def _scores(paths: Sequence[Path], together: Path) -> Iterator[Opening]:
    known, _ = recognised([path for path in paths if ending(path) != inspect_ai.SUFFIX or is_zipfile(path)])
    sources = [source for source in known if source.kind != "predictions" or source.beside]
    if sources:
        about = "; ".join(dict.fromkeys(source.about for source in sources))
        yield Opening("results", {"view": "bring", "brought": together}, about)


def _triples(paths: Sequence[Path], together: Path) -> Iterator[Opening]:  # noqa: ARG001
    for path in paths:
        with suppress(PairlensError):
            if any(read_predictions(path).by_kind.values()):
                about = f"{path.name}: a model's scores for the sentences of StereoSet"
                yield Opening("stereoset", {"model_name": "", "predictions_files": path}, about)


def _experiment(paths: Sequence[Path], together: Path) -> Iterator[Opening]:  # noqa: ARG001
    for path in paths if len(paths) == 1 else ():
        with suppress(PairlensError):
            table = read_laid_out(path, Layout())
            design = read_design(table, guess_columns(table), path.name)
            if not design.sentences.empty:
                about = f"{path.name}: {in_words(design)}"
                yield Opening("minimal_pairs", {"data": "Upload", "upload": path}, about)


def in_words(design: Design) -> str:
    """`24 items × 2 × 2, items in 'frame', conditions 'number' and 'match', critical region in 'word'`."""
    sentences, columns = design.sentences, design.columns
    levels = [str(sentences[name].nunique()) for name in design.factors if name in sentences]
    unit = next((name for name in ("item", "pairid", "sentid") if name in sentences), "sentid")
    parts = [" × ".join([counted(sentences[unit].nunique(), "item" if unit != "sentid" else "sentence"), *levels])]
    if columns.item or columns.pairid in design.header:
        parts.append(f"items in '{columns.item or columns.pairid}'")
    if columns.conditions:
        parts.append(f"conditions in {', '.join(map(repr, columns.conditions))}")
    if design.has_region:
        parts.append(f"critical region in '{columns.roi}'")
    return ", ".join(parts)


def _benchmarks(paths: Sequence[Path], together: Path) -> Iterator[Opening]:
    names = readers(together)
    own = [sum(reads(name, path) for path in paths) for name in names if not TASKS[name].any_table]
    if 0 < max(own, default=0) < len(paths):  # some are something else
        return
    for task in map(TASKS.__getitem__, names):
        if task.name != "nli" and (opened := benchmark_link(task, together)):
            with suppress(PairlensError):
                n = sum(1 for _ in islice(task.read(together), _MANY + 1))
                many = f"more than {_MANY:,} {task.noun}s" if n > _MANY else counted(n, task.noun)
                yield Opening(*opened, f"{uploads.name_of(together)}: {task.title}, {many}")


def unnamed(paths: Sequence[Path]) -> list[Opening]:
    """Of a table whose columns nothing recognises, the pages on which they are named."""
    path, columns = paths[0], list[str]()
    with suppress(PairlensError):
        columns = [*map(str, read_laid_out(path, Layout()).columns)]
    if len(columns) < 2:
        return []
    of = f"of the columns {', '.join(map(repr, columns[:_FEW]))}{', …' * (len(columns) > _FEW)}"
    about = f"{path.name}: sentences of an experiment, once you say which {of} holds them"
    known = [Opening("minimal_pairs", {"data": "Upload", "upload": path}, about)]
    if link := benchmark_link(TASKS["pairs"], path):
        known.append(Opening(*link, f"{path.name}: minimal pairs, once you say which {of} hold them"))
    return known


def _has_labels(path: Path) -> bool:
    with suppress(PairlensError):
        return bool(named(sorted({*read_labels(path).labels})))
    return False
