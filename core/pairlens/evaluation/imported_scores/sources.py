"""Files that hold scores or verdicts: what each is, by its content, and the runs that they become.

Samples and results of lm-evaluation-harness belong together, so do predictions, the report beside them and the data
that they are of; every other file stands by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from pairlens.errors import InputError, PairlensError, PolicyError, unknown
from pairlens.evaluation import archive
from pairlens.evaluation.formats import REPORT
from pairlens.evaluation.imported_scores import Columns, Roles, import_scores, predictions, store_stated
from pairlens.evaluation.imported_scores.logs import stated_in
from pairlens.evaluation.imported_scores.texts import Stated, is_own
from pairlens.evaluation.imported_scores.token_table import is_scored
from pairlens.files.logs import Log, inspect_ai, lm_eval, verdicts
from pairlens.files.tables import ending, existing, read_json, read_records, read_table
from pairlens.identity import digest
from pairlens.store import Store, catalog, visitors
from pairlens.store.files import sha256

_TRIPLES = {"intrasentence", "intersentence"}
_NAMED = 3
"""Files of a source that are named."""
_FOLDER = 10_000
"""Files of a folder that are looked at."""
_TABLES = (".csv", ".tsv", ".tab", ".txt", ".xlsx", ".parquet", ".json")
_KINDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "samples": ("samples of lm-evaluation-harness", ("model",)),
    "predictions": ("predictions", ("model",)),
    "archive": ("a run of Pairlens", ()),
    "inspect": ("a log of inspect-ai", ()),
    "own": ("texts that score_anywhere.py scored", ()),
    "table": ("a table of scores", ("model", "unit")),
    "verdicts": ("a table of verdicts", ("model",)),
}
"""What files can be, in words, and what of the options they may not say."""
_NO_SAMPLES = "these results of lm-eval have no samples beside them: bring samples_….jsonl, too (--log_samples)."
_NOTHING = (
    "no scores are recognised: expected samples of lm-eval, a log of inspect-ai, predictions with their data, a run "
    "of Pairlens, or a table with a row per token (token, surprisal), text (sentence, logprob) or item (item, "
    "correct)."
)


@dataclass(frozen=True, slots=True)
class Options:
    """What files do not say: the run's title, the model and its kind, columns, the policy's fields."""

    title: str = ""
    model: str = ""
    kind: str = ""
    columns: Columns = field(default_factory=Columns)
    roles: Roles = field(default_factory=Roles)
    verdicts: Mapping[str, str] = field(default_factory=dict)
    policy: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, named: Mapping[str, str], *, unit: str = "", **others: Any) -> Options:
        """With the columns that are named by role; PolicyError for a role that there is not."""
        of_tokens, of_pairs = (
            {one.name for one in fields(roles)} - {"unit", "paradigm"} for roles in (Columns, Roles)
        )
        known = of_tokens | of_pairs | verdicts.USUAL.keys()
        if wrong := [role for role in named if role not in known]:
            raise PolicyError(unknown("role of a column", wrong[0], known))
        tokens, pairs, judged = (
            {role: named[role] for role in named.keys() & roles}
            for roles in (of_tokens, of_pairs - {"sentence", "group"}, verdicts.USUAL.keys())
        )
        group = (named["group"],) if "group" in named else ()
        return cls(columns=Columns(**tokens, unit=unit), roles=Roles(**pairs, group=group), verdicts=judged, **others)


@dataclass(frozen=True, slots=True)
class Source:
    """Files of one kind that belong together, with what lies `beside` them: results, or the data of predictions."""

    kind: str
    files: tuple[Path, ...]
    beside: tuple[Path, ...] = ()

    @property
    def about(self) -> str:
        return _KINDS[self.kind][0]

    @property
    def asks(self) -> tuple[str, ...]:
        return () if self.kind == "samples" and self.beside else _KINDS[self.kind][1]

    @property
    def names(self) -> str:
        names = [path.name for path in (*self.files, *self.beside)]
        return ", ".join(names if len(names) <= _NAMED else [*names[:_NAMED], f"{len(names) - _NAMED} more"])


@dataclass(frozen=True, slots=True)
class Brought:
    """The runs that files became, and what was noticed in them; or the sentence that says what is wrong."""

    about: str
    names: str
    runs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str = ""


def bring(paths: Sequence[Path], store: Store, options: Options = Options()) -> Iterator[Brought]:
    """Store what these files and folders hold; what cannot be used says why, and the others are stored."""
    sources, unknown = recognised(paths, options)
    yield from (Brought("not understood", path.name, problem=problem) for path, problem in unknown)
    for source in sources:
        try:
            if source.kind == "archive":
                yield _unpack(source, store)
                continue
            runs = _store(source, store, options)
        except PairlensError as error:
            yield Brought(source.about, source.names, problem=str(error))
            continue
        notes = [note for run in runs for note in store.manifest(run).get("stated", {}).get("notes", ())]
        yield Brought(source.about, source.names, tuple(runs), tuple(dict.fromkeys(notes)))


def recognised(paths: Sequence[Path], options: Options = Options()) -> tuple[list[Source], list[tuple[Path, str]]]:
    """The sources among these files, and the files that are none, each with a sentence."""
    of_kind: dict[str, list[Path]] = {}
    unknown = list[tuple[Path, str]]()
    for path in paths:
        kinds: dict[Path, str] = {}
        for file in _files(path):
            try:
                kinds[file] = _kind(file, options)
            except PairlensError as error:
                unknown.append((file, str(error)))
        if path.is_dir() and {*kinds.values()} <= {"other"}:
            kinds = {path: "other"}  # data, perhaps
        for file, kind in kinds.items():
            of_kind.setdefault(kind, []).append(file)
    samples, results, others = (of_kind.pop(kind, []) for kind in ("samples", "results", "other"))
    data = others[:1] if "predictions" in of_kind else []
    if data and len(others) > 1 and not data[0].is_dir():  # a data set of several files, dropped together
        data, others = [data[0].parent], []
    sources = [Source("samples", tuple(samples), tuple(results))] if samples else []
    for kind, files in of_kind.items():
        beside = tuple(data) if kind == "predictions" else ()
        sources += [Source(kind, (file,), beside) for file in files if kind in _KINDS]
    unknown += [(file, _NO_SAMPLES) for file in results if not samples]
    unknown += [(path, _NOTHING) for path in others if path not in data]
    return sources, unknown


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = (file for file in path.rglob("*") if file.is_file() and file.suffix and not file.name.startswith("."))
    return sorted(files)[:_FOLDER]


def _kind(file: Path, options: Options) -> str:
    """What a file is, by its content; InputError for one that cannot be read."""
    form = ending(existing(file))
    if form in (archive.SUFFIX, ".zip", inspect_ai.SUFFIX):
        return "inspect" if form == inspect_ai.SUFFIX else "archive"
    if file.name == REPORT:
        return "report"
    if form in (".jsonl", ".ndjson"):
        first = next(([*record] for _, record in read_records(file)), [])
        return "samples" if lm_eval.is_sample(first) else "own" if is_own(file) else _table(first, options)
    document = read_json(file, "scores", nan=True) if form == ".json" else None
    if isinstance(document, dict):
        return _document(document)
    return _table([*map(str, read_table(file).columns)], options) if form in _TABLES else "other"


def _document(document: Mapping[str, Any]) -> str:
    if inspect_ai.is_log(document) or lm_eval.is_results(document):
        return "inspect" if inspect_ai.is_log(document) else "results"
    by_uid = bool(document) and all(isinstance(one, dict) and "predictions" in one for one in document.values())
    return "predictions" if by_uid or _TRIPLES & document.keys() else "other"


def _table(columns: Sequence[str], options: Options) -> str:
    """What a table with these columns holds, some of which the options name by their roles."""
    named = {one.name for one in fields(Columns) if getattr(options.columns, one.name)} - {"unit", "model"}
    known = {role: name for role, name in options.verdicts.items() if name in columns}
    if "correct" not in known and (named or is_scored(columns)):
        return "table"
    return "verdicts" if {"correct", "item"} <= verdicts.columns_of(columns, known).keys() else "other"


def _unpack(source: Source, store: Store) -> Brought:
    unpacked = archive.unpack(store, existing(source.files[0]))
    notes = [f"{unpacked.title}: {unpacked.scores:,} scores."]
    if not unpacked.new:
        visitors.claim("runs", unpacked.run_id, new=False)
        notes = [f"This run is here already: nothing was changed ({unpacked.title})."]
    elif unpacked.here:
        notes += [f"{unpacked.here:,} of them were here already and count; the numbers were computed from these."]
    if unpacked.new:
        catalog.publish(store)
    return Brought(source.about, source.names, (unpacked.run_id,), tuple(notes))


def _store(source: Source, store: Store, options: Options) -> list[str]:
    file, model = source.files[0], options.model
    if source.kind in ("own", "table"):
        run = import_scores(
            file, store, title=options.title, model=model, kind=options.kind, policy=options.policy,
            columns=options.columns, roles=options.roles,
        )  # fmt: skip
        return [run]
    name = file.name if len(source.files) == 1 else f"{file.name} and {len(source.files) - 1} more"
    content = sha256(file) if len(source.files) == 1 else digest(" ".join(map(sha256, source.files)))
    return [
        store_stated(stated, store, content, name, options.title, policy=options.policy)
        for stated in _stated(source, options)
    ]


def _stated(source: Source, options: Options) -> Iterator[Stated]:
    file = source.files[0]
    if source.kind == "predictions":
        if not source.beside:
            raise InputError(
                "predictions name no texts of their own: bring the data that they are of, too.", file.name
            )
        if not options.model:
            raise InputError("predictions do not say which model they are of: name it (--model).", file.name)
        of_triples = _TRIPLES & read_json(file, "predictions", nan=True).keys()
        read = predictions.stereoset if of_triples else predictions.babylm
        yield read(file, source.beside[0], options.model)
        return
    log = _log(source, options)
    if not (model := options.model or log.model):
        raise InputError("the file does not say which model its scores are of: name it (--model).", file.name)
    yield from stated_in(replace(log, model=model))


def _log(source: Source, options: Options) -> Log:
    file = source.files[0]
    if source.kind == "samples":
        return lm_eval.read(source.files, [read_json(path, "results", nan=True) for path in source.beside])
    return inspect_ai.read(file) if source.kind == "inspect" else verdicts.read(file, options.verdicts, options.model)
