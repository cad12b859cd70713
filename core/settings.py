"""Every limit and every path, named, with its default and the environment variable that changes it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

from core.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
"""The folder that holds app.py, core/ and data/."""


def program() -> str:
    """What the command line is called: `pairlens` where it is installed, else `python -m core`."""
    return "pairlens" if script().exists() else "python -m core"


def script() -> Path:
    """Where this installation's `pairlens` lies, if it is installed."""
    return Path(sys.executable).with_name("pairlens")


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits and paths. Each is read from `PAIRLENS_<NAME>` once per process, else the default holds."""

    home: Path = ROOT / ".pairlens"
    """Store, jobs, uploads, downloads, caches: all run-time state, in one folder that git ignores."""
    offline: bool = False
    """Never ask a model hub, not even for models named by their hub id, and fetch no data sets."""
    mirror: Path | None = None
    """A folder with copies of public data sets, looked into before the network (`core.files.datasets.places`)."""
    hub_timeout_seconds: float = 2.0
    """How long a model hub may take to answer before it counts as not reachable."""
    max_upload_mb: int = 200
    max_line_mb: int = 8
    """A longer line in a text file is refused: it is not one sentence or one record."""
    max_unpacked_mb: int = 4096
    """What a compressed file may unpack to."""
    max_document_mb: int = 64
    """A longer JSON document, or a spreadsheet that unpacks to more, is refused: both are held whole in memory."""
    max_rows: int = 5_000_000
    max_columns: int = 2_000
    max_text_characters: int = 1_000_000
    """The longest single text that is scored."""
    interactive_texts: int = 64
    interactive_tokens: int = 4_000
    """More than either of these goes to a job of its own (pages)."""
    cached_models_mb: int = 4_000
    """How much memory the models held by the dashboard may take together."""
    chunk_requests: int = 2_048
    chunk_characters: int = 400_000
    """Scores are stored chunk by chunk: what a kill can lose."""
    token_budget: int = 0
    """Tokens per forward pass; 0 lets the scorer choose (it is recorded with the scores)."""
    batch_texts: int = 0
    """At most so many texts per forward pass; 0 means as many as the token budget allows."""
    threads: int = 0
    """Processor threads for scoring; 0 leaves it to torch."""
    device: str = "auto"
    """auto | cpu | cuda | mps"""
    jobs_at_once: int = 1
    job_days: float = 30.0
    """Long runs that have ended are listed this long, and the newest of each kind for good; their scores stay."""
    gc_days: float = 1.0
    """Scores that no run names are kept this long."""
    replaced_minutes: float = 10.0
    """Parts of the store that larger ones replaced are kept this long, for those who are reading them."""
    sql: str = "auto"
    """Whether the dashboard answers queries in SQL: auto (where it serves this machine only) | on | off"""
    sql_seconds: float = 10.0
    """A query that takes longer is stopped."""
    sql_rows: int = 10_000
    """A longer answer is cut off there, and says so."""
    sql_memory_mb: int = 512
    """What DuckDB may hold in memory for one query."""

    @property
    def store(self) -> Path:
        """Runs and scores."""
        return self.home / "store"

    @property
    def jobs(self) -> Path:
        """One folder per job."""
        return self.home / "jobs"

    @property
    def cache(self) -> Path:
        """What can be deleted at any time."""
        return self.home / "cache"

    @property
    def uploads(self) -> Path:
        """Files that visitors gave us."""
        return self.home / "uploads"

    @property
    def datasets(self) -> Path:
        """Public data sets that were fetched, one folder each."""
        return self.home / "datasets"

    @property
    def models(self) -> Path:
        """Models trained or converted on this machine."""
        return self.home / "models"


def _parse(name: str, kind: object, text: str) -> object:
    try:
        if kind == "bool":
            return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[
                text.strip().lower()
            ]
        return {"Path": Path, "Path | None": Path, "int": int, "float": float, "str": str}[str(kind)](text)
    except (KeyError, ValueError):
        raise InputError(f"'{text}' is not a {kind}", f"Environment variable {name}") from None


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process. After changing the environment, call `settings.cache_clear()`."""
    given = {}
    for setting in fields(Settings):
        variable = f"PAIRLENS_{setting.name.upper()}"
        if text := os.environ.get(variable):
            given[setting.name] = _parse(variable, setting.type, text)
    return Settings(**given)  # type: ignore[arg-type]
