"""Program that answers one query and ends, run by `pairlens.store.sandbox` in a separate process.

It reads a job as JSON from standard input: limits, statements that make the tables, the files that they read, the
query and its parameters; and writes one line of JSON about the answer, or why there is none, then one per row. The
operating system bounds its memory, time and files, and DuckDB is locked, before the query is parsed.
"""

import json
import math
import re
import resource
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

sys.path.append(sys.argv[1])  # where DuckDB is, also if that is a user's own folder, which -I leaves out

import duckdb

MB = 1 << 20
BESIDES_DUCKDB_MB = 1_536
"""Address space of the interpreter and its libraries, over what DuckDB may use."""
AT_ONCE = 100
LONGEST_SENTENCE = 400
SPEAKING = {
    "PermissionException": "A query reads the tables only: no files, no settings, no network.",
    "OutOfMemoryException": "The query needs more memory than the $memory_mb MB it may use: ask for less at once.",
    "MemoryError": "The query needs more memory than the $memory_mb MB it may use: ask for less at once.",
    "InterruptException": "The query took longer than $seconds seconds and was stopped: ask for less at once.",
}


class RefusedError(Exception):
    """The query is not one SELECT."""


def bound(limits: Mapping[str, Any]) -> None:
    """Let the operating system enforce the limits, whatever happens here or to the parent."""
    seconds = math.ceil(limits["seconds"])
    bounds = {resource.RLIMIT_CPU: seconds + 1, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_CORE: 0}
    if sys.platform != "darwin":  # which accepts this bound and does not enforce it
        bounds[resource.RLIMIT_AS] = (limits["memory_mb"] + BESIDES_DUCKDB_MB) * MB
    for kind, most in bounds.items():
        hardest = resource.getrlimit(kind)[1]
        most = most if hardest == resource.RLIM_INFINITY else min(most, hardest)
        resource.setrlimit(kind, (most, most))
    signal.alarm(seconds + 3)


def opened(job: Mapping[str, Any]) -> duckdb.DuckDBPyConnection:
    """A locked connection with the tables: nothing but the files of the tables can be read, nothing can be set."""
    limits = job["limits"]
    connection = duckdb.connect(
        ":memory:",
        config={
            "memory_limit": f"{limits['memory_mb']}MB",
            "threads": 1,
            "max_execution_time": math.ceil(limits["seconds"] * 1000),
            "temp_directory": "",
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "allow_persistent_secrets": False,
            "python_enable_replacements": False,
            "max_expression_depth": 200,
        },
    )
    for statement in job["tables"]:
        connection.execute(statement)
    files = ", ".join("'" + path.replace("'", "''") + "'" for path in job["files"])
    connection.execute(f"set allowed_paths = [{files}]")
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    connection.execute("begin transaction read only")  # a SELECT may hold a DELETE
    return connection


def rows_within(
    connection: duckdb.DuckDBPyConnection, statement: duckdb.Statement, job: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """The columns with their types, and as many rows as the limits allow, as JSON without the tables' folders."""
    limits, places = job["limits"], [json.dumps(folder)[1:-1] for folder in spelled(job["places"])]
    wanted = {name: value for name, value in job["parameters"].items() if name in statement.named_parameters}
    result = connection.execute(statement, wanted)
    about = {"columns": [[name, str(kind)] for name, kind, *_ in result.description or ()], "truncated": False}
    rows: list[str] = []
    room = limits["answer_mb"] * MB
    while batch := result.fetchmany(AT_ONCE):
        for row in batch:
            text = json.dumps([plain(value) for value in row])
            for folder in places:
                text = text.replace(folder, "...")
            room -= len(text)
            if room < 0 or len(rows) == limits["rows"]:
                return {**about, "truncated": True}, rows
            rows.append(text)
    return about, rows


def spelled(folders: Sequence[str]) -> list[str]:
    """Folders as they are, and as quoted in SQL and in a printed list."""
    return [folder.replace("'", quote) for folder in folders for quote in ("'", "''", "\\'")]


def plain(value: Any) -> Any:
    """A value for JSON: dates and times as ISO 8601, bytes in hex, maps with text keys."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "is_finite"):
        return float(value)
    return str(value)


def sentence(error: Exception, job: Mapping[str, Any]) -> str:
    """The error as one line for users, without a path of this machine."""
    name = type(error).__name__
    if isinstance(error, RefusedError):
        return str(error)
    if name in SPEAKING:
        text = SPEAKING[name]
        for limit, value in job["limits"].items():
            text = text.replace(f"${limit}", f"{value:g}")
        return text
    text = str(error).partition("\n\nLINE ")[0]
    if "read-only mode" in text:
        return "Only a SELECT is answered: nothing here can be changed."
    text = re.sub(r"^[A-Z][A-Za-z -]* Error: ", "", text)
    text = re.sub(r"!(?=\s|$)", ".", text).replace("Candidate bindings:", "Did you mean")
    for folder in spelled(job["hidden"]):
        text = text.replace(folder, "...")
    text = " ".join(re.sub(r"(?:\.\.\.)?(?:/[^\s'\"]+){2,}", "...", text).split())
    if " Did you mean" in text and not text.endswith("?"):
        text += "?"
    return text[:LONGEST_SENTENCE] if text.endswith((".", "?")) else f"{text[:LONGEST_SENTENCE]}."


def main() -> None:
    job = json.loads(sys.stdin.buffer.read())
    started = time.monotonic()
    bound(job["limits"])
    rows: list[str] = []
    try:
        connection = opened(job)
        statements = connection.extract_statements(job["query"])
        if len(statements) != 1:
            raise RefusedError(f"One SELECT is answered at a time; these are {len(statements)} statements.")
        kind = statements[0].type
        if kind != duckdb.StatementType.SELECT:
            raise RefusedError(f"Only a SELECT is answered: nothing here can be changed ({kind.name}).")
        about, rows = rows_within(connection, statements[0], job)
    except (RefusedError, duckdb.Error, MemoryError, ValueError, OverflowError) as error:
        about = {"refused": sentence(error, job)}
    about["seconds"] = time.monotonic() - started
    sys.stdout.buffer.write("\n".join([json.dumps(about), *rows]).encode())


if __name__ == "__main__":
    main()
