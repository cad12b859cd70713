"""Scores and runs on disk (DESIGN of the folders):

    scores/<fingerprint>/<part>.json               what the part holds, sha256 of its files, provenance: written last
    scores/<fingerprint>/<part>.scores.parquet     one row per request
    scores/<fingerprint>/<part>.tokens.parquet     one row per token
    runs/<run id>/manifest.json                    recipe, state, headline
    runs/<run id>/items.parquet, metrics.parquet   what was asked, what came out
    results.duckdb                                 the same as tables for any DuckDB client; may be deleted

Parts are immutable and belong to no run: a run names the scores it needs by key. A process that is killed at any
moment leaves whole parts only.

    store                                      the store as everything else sees it
    files, formats, migration                  whole files or none; the version of the layout, old to new
    parts, provenance, keys, row_groups        immutable parts; where their scores come from; which hold a request
    scores, scored_rows, token_rows            scores looked up and added; their rows, into Parquet and back
    token_sums, shared                         queries on token rows: sums, what two texts share
    runs, candidates, sweeps                   what was asked, what came out; the candidate table; checkpoints
    run_annotations                            tags and notes on a run
    changing, deleted, named, removal          one writer at a time; what is deleted, when, and what is kept
    compaction, merging, overlaps              few large parts out of many; which of two rows counts
    imported_rows                              rows that another store or program scored
    space, maintenance, processes              room on the disk; whether all is whole; who is at work
    maintenance_lock                           one at a time for whatever moves or deletes
    schema, views, catalog                     the tables that a query sees, and `results.duckdb`
    sandbox, sandbox_worker, answer            people's queries, in a process that can do nothing else
    saved_queries                              SQL with parameters, ready to ask
    jobs                                       long work in a child process
    uploads                                    visitors' files
"""

from __future__ import annotations

from core.store.formats import FORMAT
from core.store.store import Store

__all__ = ["FORMAT", "Store"]
