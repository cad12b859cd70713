"""Scores and runs on disk, in these folders:

    scores/<fingerprint>/<part>.json               contents of the part, sha256 of its files, provenance: written last
    scores/<fingerprint>/<part>.scores.parquet     one row per request
    scores/<fingerprint>/<part>.tokens.parquet     one row per token
    runs/<run id>/manifest.json                    recipe, state, headline, sha256 of the tables: written last
    runs/<run id>/items.parquet, metrics.parquet   the run's items and metrics
    results.duckdb                                 the same as tables for any DuckDB client; may be deleted

Every JSON document carries a seal, the sha256 of its contents, and every table is hashed somewhere: nothing that was
damaged is read as a value. What can be made again is; tags and notes are set aside as `*.damaged`, and that is said.

Parts are immutable and independent of runs, which refer to scores by key. A process that is killed at any moment
leaves only complete parts.

    store                                      the interface to everything else; who may change it at a time
    files                                      atomic writes; the version of the layout
    parts                                      immutable parts, where their scores are from; finding a request in them
    scores                                     looking scores up and adding them; queries on their token rows
    runs, sweeps                               runs; one benchmark on several checkpoints
    run_annotations                            tags and notes on a run
    processes                                  whether a process still runs, and why not
    removal                                    deleted runs, which can be restored; deleting for good
    compaction                                 many small parts into a few
    maintenance                                integrity checks; disk usage
    backup                                     the home folder as one file, and back
    elsewhere                                  scores that were made or left elsewhere, into this store
    catalog                                    the tables that a query sees, and `results.duckdb`
    sandbox, sandbox_worker                    users' queries, in a process that can do nothing else
    saved_queries                              ready-made SQL with parameters
    jobs                                       long work in a child process
    uploads, visitors                          visitors' files; whose uploads, runs and jobs are on a shared dashboard
"""

from pairlens.store.files import FORMAT
from pairlens.store.store import Store

__all__ = ["FORMAT", "Store"]
