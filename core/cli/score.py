"""`score`: log-probabilities of texts, one row per token."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli import console
from core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_TEXT_COLUMNS = ("text", "sentence")


def score(
    texts: Annotated[
        list[str] | None, typer.Argument(help="Texts to score; or use --input, or standard input.")
    ] = None,
    input_file: Annotated[
        Path | None,
        typer.Option(
            "--input", "-i", help="One text per line (.txt, also .gz .xz), or a table (.csv .tsv .jsonl ...)."
        ),
    ] = None,
    column: Annotated[str, typer.Option("--column", help="The table's column of texts (text or sentence).")] = "",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help=".tsv .csv .json .jsonl .parquet .xlsx; else TSV is printed."),
    ] = None,
    model: console.ModelOption = "english-small",
    scorer: Annotated[str, typer.Option("--scorer", help="causal | masked | mntp | unigram; else the model's.")] = "",
    preset: console.PresetOption = "pairlens",
    first_token: console.FirstTokenOption = None,
    pll: console.PllOption = None,
    text: console.TextOption = None,
    dtype: console.DtypeOption = None,
    choices: console.SetOption = None,
    batch_size: console.BatchOption = 0,
    device: console.DeviceOption = "",
    rescore: console.RescoreOption = False,
    allow_code: console.CodeOption = "",
    job: console.JobOption = None,
) -> None:
    """Score texts: one row per token, in input order.

    Columns: item (number of the text, from 1), text (verbatim), position, token, token_id, start, end (characters of
    the text as scored), word, word_position, logprob (nats), surprisal_bits. Unscored tokens have no logprob.
    """
    from core.analysis.tokens import token_table
    from core.api import recipe as recipe_of
    from core.jobs import reporting
    from core.store import Store
    from core.tables import write_table

    with reporting(job) as report:
        console.apply_limits(batch_size=batch_size, device=device)
        _check_output(output, input_file)
        given = _texts(texts, input_file, column)
        policy = console.policy(preset, choices, first_token=first_token, pll=pll, text=text, dtype=dtype)
        recipe = recipe_of(model, scorer, policy, allow_code=allow_code)
        rows, note = token_table(
            given, recipe, Store(), watch=lambda steps: console.watch(steps, report), rescore=rescore
        )
        if note:
            console.say(note)
        console.advise(given, policy)
        if output is None:
            rows.to_csv(sys.stdout, sep="\t", index=False, lineterminator="\n")
            return
        write_table(rows, output)
        report.result(output=str(output))
        console.say(f"{len(given)} texts, {len(rows)} tokens: {output}")


def _check_output(output: Path | None, source: Path | None) -> None:
    """InputError for an output that would replace the input, and for what cannot be written, before scoring."""
    from core.tables import check_writable

    if output is None:
        return
    check_writable(output)
    if source is not None and output.resolve() == source.resolve():
        raise InputError("this is the input, which would be lost: name another file", f"--output {output}")


def _texts(arguments: Sequence[str] | None, file: Path | None, column: str) -> list[str]:
    """The texts to score from whichever place they were given; InputError names the place of an empty one."""
    if arguments and file:
        raise InputError("give texts or --input, not both")
    if arguments:
        return _none_empty(list(arguments), "text")
    if file is None or str(file) == "-":
        if sys.stdin is None or sys.stdin.isatty():
            raise InputError("there is nothing to score: give a text, --input FILE, or pipe texts in")
        return _none_empty(_standard_input(), "standard input, line")
    return _from_file(file, column)


def _standard_input() -> list[str]:
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8: save the text as UTF-8", "standard input") from None
    return text.removesuffix("\n").replace("\r\n", "\n").split("\n") if text else []


def _from_file(file: Path, column: str) -> list[str]:
    from core.tables import ending, read_lines, read_table

    if ending(file) == ".txt":
        return _none_empty(read_lines(file), f"{file}, line")
    table = read_table(file, trusted=True)
    name = column or next((name for name in _TEXT_COLUMNS if name in table.columns), "")
    if name not in table.columns:
        wanted = f"column '{column}'" if column else "column 'text' or 'sentence'"
        raise InputError(
            f"no {wanted}; it has {', '.join(map(repr, table.columns))}. Name one with --column", str(file)
        )
    texts = table[name].astype(object)
    return _none_empty(texts.where(texts.notna(), None).tolist(), f"{file}, row")


def _none_empty(texts: list[Any], place: str) -> list[str]:
    if not texts:
        raise InputError("there is no text in it", place.removesuffix(", line").removesuffix(", row"))
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str | None):
            raise InputError(f"found {str(text)[:40]}, which is not a text", f"{place} {number}")
        if not text or not text.strip():
            raise InputError(
                "the text is empty, there is nothing to score: fill it in or leave it out", f"{place} {number}"
            )
    return texts
