"""Scores and runs on disk (DESIGN of the folders):

    scores/<fingerprint>/<part>.json               what the part holds, sha256 of its files, provenance: written last
    scores/<fingerprint>/<part>.scores.parquet     one row per request
    scores/<fingerprint>/<part>.tokens.parquet     one row per token
    runs/<run id>/manifest.json                    recipe, state, headline
    runs/<run id>/items.parquet, metrics.parquet   what was asked, what came out
    results.duckdb                                 the same as tables for any DuckDB client; may be deleted

Parts are immutable and belong to no run: a run names the scores it needs by key. A process that is killed at any
moment leaves whole parts only.
"""

from __future__ import annotations

from core.store.formats import FORMAT
from core.store.store import Store

__all__ = ["FORMAT", "Store"]
