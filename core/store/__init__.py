"""Scores and runs on disk. The layout:

    scores/<fingerprint>/<part>.json               contents of the part, sha256 of its files, provenance; written last
    scores/<fingerprint>/<part>.scores.parquet     one row per request
    scores/<fingerprint>/<part>.tokens.parquet     one row per token
    runs/<run id>/manifest.json                    recipe, state, headline
    runs/<run id>/items.parquet, metrics.parquet   items and results
    results.duckdb                                 the same as tables for any DuckDB client; rebuilt if deleted

Parts are immutable and independent of runs: a run refers to its scores by key. A process killed at any moment leaves
only whole parts.

    store                                      the interface of the store
    files, formats, migration                  atomic files; the version of the layout and its migration
    parts, provenance, keys, row_groups        immutable parts; the origin of their scores; finding a request
    scores, scored_rows, token_rows            scores looked up and added; their rows, to Parquet and back
    token_sums, shared                         queries on token rows: sums, tokens that two texts share
    runs, candidates, sweeps                   items and metrics of a run; the candidate table; checkpoints
    run_annotations                            tags and notes on a run
    changing, deleted, named, removal          the writer lock; what is deleted when, and what is kept
    compaction, merging, overlaps              many small parts into few; which of two rows counts
    imported_rows                              rows that another store or program scored
    space, maintenance, processes              disk use; integrity of all files; processes at work
    maintenance_lock                           one process at a time moves or deletes parts
    schema, views, catalog                     the tables that queries see, and `results.duckdb`
    sandbox, sandbox_worker, answer            user queries, in an isolated process
    saved_queries                              SQL with named parameters, one file each
    jobs                                       long work in a child process
    uploads                                    visitors' files
"""

from __future__ import annotations

from core.store.formats import FORMAT
from core.store.store import Store

__all__ = ["FORMAT", "Store"]
