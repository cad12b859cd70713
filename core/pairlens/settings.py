"""Every limit and path, with its default; environment variables change them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import Field, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from pairlens import places
from pairlens.errors import InputError


class _Below:
    def __init__(self, path: str) -> None:
        self._path = path

    def __get__(self, chosen: Settings, owner: type) -> Path:
        return chosen.home / self._path


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits and paths. Each is read once per process from `PAIRLENS_<NAME>`, if set."""

    home: Path = places.HOME
    """Store, jobs, uploads, downloads, caches: all run-time state, in one folder that git ignores."""
    offline: bool = False
    """Never contact a model hub, even for models named by their hub id, and fetch no data sets."""
    mirror: Path | None = None
    """A folder with copies of public data sets, tried before the network (`pairlens.files.datasets`)."""
    hub_timeout_seconds: float = 2.0
    """A model hub that takes longer to answer counts as unreachable."""
    encoding: str = "auto"
    """How text files are read that are not UTF-8: auto (as guessed) or an encoding (cp1251, shift_jis, ...)"""
    quoting: str = "auto"
    """What quotation marks around cells of delimited text are: auto (as guessed), none (text) or double (quoting)"""
    sheet: str = ""
    """The sheet that is read of a workbook with several; by default the first with a table of sentences"""
    max_upload_mb: int = 200
    max_line_mb: int = 8
    """A longer line in a text file is refused: it is not one sentence or one record."""
    max_unpacked_mb: int = 4096
    """The largest size that a compressed file may unpack to."""
    max_document_mb: int = 64
    """A longer JSON document, or a spreadsheet that unpacks to more, is refused: both are held in memory."""
    max_rows: int = 5_000_000
    max_columns: int = 2_000
    max_text_characters: int = 1_000_000
    """The longest single text that is scored."""
    reading_seconds: float = 300.0
    """On pages, reading or checking a large file, which has a process of its own, is stopped after so long."""
    reading_memory_mb: int = 4_096
    """The most memory of such a process."""
    interactive_texts: int = 64
    interactive_tokens: int = 4_000
    """On pages, more than either of these is scored in a job."""
    cached_models_mb: int = 4_000
    """Total memory for the models that the dashboard keeps loaded."""
    chunk_requests: int = 2_048
    chunk_characters: int = 400_000
    """Scores are stored in chunks of this size: a kill loses at most one."""
    token_budget: int = 0
    """Tokens per forward pass; 0 lets the scorer choose (it is recorded with the scores)."""
    batch_texts: int = 0
    """Maximum number of texts per forward pass; 0: as many as the token budget allows."""
    threads: int = 0
    """Processor threads for scoring; 0 leaves it to torch."""
    device: str = "auto"
    """auto | cpu | cuda | mps | spread (over all of them and the disk, `pairlens.models.spreading`)"""
    spread_mb: float = 0.0
    """Where the device is `spread`, the most weights on each device and in main memory; 0: by what is free."""
    jobs_at_once: int = 1
    """So many run at the same time, and beside them as many that train."""
    jobs_per_visitor: int = 10
    """On a shared dashboard, how many jobs of one visitor may run or wait at the same time."""
    job_days: float = 30.0
    """How long ended jobs stay listed; the newest of each kind stays for good, and so do all scores."""
    gc_days: float = 1.0
    """How long scores that no run refers to are kept."""
    replaced_minutes: float = 10.0
    """How long parts of the store are kept after larger ones replaced them, for processes that still read them."""
    shared: str = "auto"
    """Whether others than this machine's user reach the dashboard: auto (as seen) | on | off (all are trusted) |
    proxied (only those whom a proxy of this user lets in, and other users of the machine)"""
    allowed: str = ""
    """What visitors of a shared dashboard may use, separated by commas: folders, models on the hub, words
    (`pairlens.sharing`)."""
    sql: str = "auto"
    """Whether the dashboard answers queries in SQL: auto (where it is not shared) | on | off"""
    sql_seconds: float = 10.0
    """A query that takes longer is stopped."""
    sql_rows: int = 10_000
    """A longer answer is truncated, with a notice."""
    sql_memory_mb: int = 512
    """DuckDB's memory limit for one query."""

    store = _Below("store")
    """Runs and scores."""
    jobs = _Below("jobs")
    """One folder per job."""
    plans = _Below("plans")
    """How far each plan is (`pairlens.plans.running`)."""
    classes = _Below("classes")
    """Lessons with a class, one folder each (`pairlens.studies.classroom.kept`)."""
    cache = _Below("cache")
    """Files that can be deleted at any time."""
    errors = _Below("cache/errors.log")
    """What nobody expected (`pairlens.unexpected`)."""
    uploads = _Below("uploads")
    """Files that visitors uploaded."""
    visitors = _Below("visitors")
    """Which uploads and runs are whose, on a shared dashboard (`pairlens.store.visitors`)."""
    datasets = _Below("datasets")
    """Public data sets that were fetched, one folder each."""
    models = _Below("models")
    """Models trained or converted on this machine."""


_SWITCH = {"auto": "auto", "on": "on", "1": "on", "true": "on", "off": "off", "0": "off", "false": "off"}
_WORDS: Mapping[str, Mapping[str, object]] = {
    "offline": {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False},
    "quoting": {name: name for name in ("auto", "none", "double")},
    "shared": {**_SWITCH, "proxied": "proxied"},
    "sql": _SWITCH,
    "device": {name: name for name in ("auto", "cpu", "cuda", "mps", "spread")},
}
"""What a setting of words may be, in small letters, and what each means."""
_NEVER_ZERO = ("max_", "sql_", "reading_", "chunk_")
_MOST = {"int": 1_000_000_000, "float": 10_000_000, "threads": 1_024, "jobs_at_once": 1_024}


def _parse(setting: Field[Any], text: str) -> object:
    """The value of a setting as it is written; ValueError with what is allowed."""
    if words := _WORDS.get(setting.name):
        if text.strip().lower() not in words:
            raise ValueError(f"one of {', '.join(words)}")
        return words[text.strip().lower()]
    if setting.name == "encoding":
        with suppress(LookupError, ValueError):
            "".encode("utf-8" if text == "auto" else text)  # refuses codecs that are no text encoding, such as hex
            return text
        raise ValueError("auto, or a text encoding that Python knows")
    if setting.type not in ("int", "float"):
        return Path(text) if "Path" in str(setting.type) else text
    kind = int if setting.type == "int" else float
    most = _MOST.get(setting.name, _MOST[kind.__name__])
    least = 0 if not setting.name.startswith(_NEVER_ZERO) else 1 if kind is int else 0.001
    with suppress(ValueError):
        if least <= kind(text) <= most:  # false for nan
            return kind(text)
    raise ValueError(f"a {'whole ' if kind is int else ''}number from {least} to {most:,}")


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process, until `settings.cache_clear()`; InputError for one that is not allowed."""
    values = {}
    for setting in fields(Settings):
        variable = f"PAIRLENS_{setting.name.upper()}"
        if text := os.environ.get(variable):
            try:
                values[setting.name] = _parse(setting, text)
            except ValueError as allowed:
                problem = f"{text[:40]!r} is not allowed; allowed is {allowed}."
                raise InputError(problem, f"Environment variable {variable}") from None
    return Settings(**values)  # type: ignore[arg-type]
