"""What the verbs share: options, errors, progress bars, policies, and tables printed or written."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from textwrap import shorten
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn

from pairlens.errors import InputError, PolicyError, unknown
from pairlens.files.tables import check_writable, known, write_table
from pairlens.models.cards import folders
from pairlens.models.vocabulary import reads_whole_words
from pairlens.policies import CHOICES, PRESETS, Policy, preset_for
from pairlens.settings import settings
from pairlens.tasks import TASKS
from pairlens.text import detokenise, looks_tokenised

if TYPE_CHECKING:
    import pandas as pd

    from pairlens.scoring.into_store import Progress as Done
    from pairlens.store.jobs import JobReport
    from pairlens.types import Model

_BAD_INPUT = 2
_QUOTED = 120
_FORMATS = ("text", "json")
DEVICES = ("auto", "cpu", "cuda", "mps", "spread")


def choices(field: str) -> str:
    return " | ".join(f"{name}: {meaning}" for name, meaning in CHOICES[field].items() if name)


def model_names() -> list[str]:
    """What the Tab key offers for a model: the names in the catalogue."""
    return list(folders())


def task_names() -> list[str]:
    return list(TASKS)


def both_spellings(name: str) -> tuple[str, str]:
    """An option's name as given, and with hyphens for underscores (or the reverse): `--data_path`, `--data-path`."""
    words = name.removeprefix("--")
    return name, "--" + (words.replace("_", "-") if "_" in words else words.replace("-", "_"))


def model_option(*names: str) -> Any:
    """An option of these names that takes a model."""
    about = "A name from `models`, a folder (./folder), or a hub id (org/name@revision)."
    return typer.Option(*names, help=about, autocompletion=model_names)


ModelOption = Annotated[str, model_option("--model", "-m")]
FirstTokenOption = Annotated[str | None, typer.Option("--first-token", help=choices("first_token"))]
PllOption = Annotated[str | None, typer.Option("--pll", help=f"Masked models. {choices('pll')}")]
TextOption = Annotated[str | None, typer.Option("--text", help=choices("text"))]
DtypeOption = Annotated[str | None, typer.Option("--dtype", help=choices("dtype"))]
_ABOUT_SET = f"Any other choice: {', '.join(field.name for field in fields(Policy) if field.name != 'name')}."
SetOption = Annotated[list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help=_ABOUT_SET)]
_ABOUT_PRESET = f"Every choice at once: {', '.join(PRESETS)}."
PresetOption = Annotated[str, typer.Option("--as", metavar="PRESET", help=_ABOUT_PRESET)]
_ABOUT_CODE = "Run this model's own code, at this commit only."
CodeOption = Annotated[str, typer.Option("--allow-code", metavar="REPO@COMMIT", help=_ABOUT_CODE)]
RescoreOption = Annotated[bool, typer.Option("--rescore", help="Score again what the store already holds.")]
_ABOUT_BATCH = "Maximum number of texts per pass; 0: no limit."
BatchOption = Annotated[int, typer.Option(*both_spellings("--batch-size"), min=0, help=_ABOUT_BATCH)]
DeviceOption = Annotated[str, typer.Option("--device", help="auto | cpu | cuda | mps | spread (PAIRLENS_DEVICE).")]
ListOption = Annotated[str, typer.Option("--format", help="text (tab-separated, name first) | json")]
JobOption = Annotated[Path | None, typer.Option("--job", hidden=True)]


def _setting(name: str, about: str, checked: Callable[[str], str] = str, metavar: str | None = None) -> Any:
    """An option whose value, if there is one, becomes that of a setting of this process, once checked."""

    def change(value: str) -> str:
        if value:
            os.environ[f"PAIRLENS_{name.upper()}"] = checked(value)
            settings.cache_clear()
        return value

    return typer.Option(f"--{name}", callback=change, help=about, metavar=metavar)


_ABOUT_ENCODING = "Of text that is not UTF-8: cp1251, shift_jis, ... (PAIRLENS_ENCODING); by default guessed."
EncodingOption = Annotated[str, _setting("encoding", _ABOUT_ENCODING, known)]
_ABOUT_QUOTING = "What quotation marks around cells are: none (text) | double (quoting); by default guessed."
QuotingOption = Annotated[str, _setting("quoting", _ABOUT_QUOTING)]
_ABOUT_SHEET = "The sheet of a workbook; by default the first with a table of sentences."
SheetOption = Annotated[str, _setting("sheet", _ABOUT_SHEET, metavar="NAME")]


def fail(sentence: str) -> int:
    """Print one line to standard error and return the exit status for bad input."""
    print("pairlens: " + " ".join(sentence.split()), file=sys.stderr)
    return _BAD_INPUT


def say(sentence: str) -> None:
    """Print a remark to standard error, so that standard output holds results only."""
    print(sentence, file=sys.stderr)


def print_table(table: pd.DataFrame, **how: Any) -> None:
    table.to_csv(sys.stdout, sep="\t", index=False, lineterminator="\n", **how)


def print_or_write(table: pd.DataFrame, output: Path | None) -> None:
    """Write a table to a file, or print it where no file is named."""
    if output is None:
        print_table(table)
    else:
        write_table(table, output)


def advise(texts: Sequence[str], chosen: Policy, models: Sequence[Model]) -> None:
    """Warn of texts that look tokenised, and of models that have read nothing in their language. One text is shown
    detokenised, unless the models are of whole words.
    """
    language = looks_tokenised(texts)
    for model in models:
        if language and language not in str(model.card.get("language", language)).split():
            say(f"{model.name} has read no text in the language of these items: choose another with --model.")
    if language and not chosen.detokenise and not all(map(reads_whole_words, models)):
        first = next((text for text in texts if detokenise(text, language) != text), texts[0])
        read = shorten(detokenise(first, language), _QUOTED, placeholder=" …")
        say(f"Some texts look cut into tokens. --set detokenise={language} would read: {read}")


def listed(form: str, rows: Iterable[dict[str, Any]], heading: str) -> list[dict[str, Any]]:
    """The rows of a list for whoever prints them below their `heading`; none once they are printed as JSON."""
    check_format(form)
    if form == "json":
        typer.echo(json.dumps([*rows], ensure_ascii=False, indent=1))
        return []
    typer.echo(heading)
    return [*rows]


def check_format(form: str) -> None:
    """InputError unless a list can be printed in this format."""
    if form not in _FORMATS:
        raise InputError(unknown("format", form, _FORMATS))


def one_of(what: str, name: str, choices: Mapping[str, str]) -> str:
    """What a name stands for, empty for an empty name; PolicyError with the choices for an unknown one."""
    if name and name not in choices:
        raise PolicyError(unknown(what, name, choices))
    return choices.get(name, "")


def check_kept(read: Iterable[Path | None], outputs: Iterable[Path]) -> None:
    """InputError for an output that would overwrite an input or another output."""
    taken = {path.resolve() for path in read if path}
    for path in outputs:
        if path.resolve() in taken:
            raise InputError("this file would be lost: name another one for the output", str(path))
        taken.add(path.resolve())


def check_outputs(read: Iterable[Path | None], *outputs: Path | None) -> None:
    """InputError for an output table that cannot be written, or as in `check_kept`; None stands for no output."""
    paths = [path for path in outputs if path]
    check_kept(read, paths)
    for path in paths:
        check_writable(path)


def pairs_of(option: str, texts: Iterable[str] | None, form: str = "NAME=VALUE") -> Iterator[tuple[str, str]]:
    """Names and values; PolicyError for a text that is not of this form."""
    for text in texts or ():
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise PolicyError(f"{option} takes {form}, found '{text}'.")
        yield name.strip(), value


def named(option: str, texts: Iterable[str] | None) -> dict[str, str]:
    """NAME=VALUE pairs, repeated or separated by commas, as a mapping; PolicyError for anything else."""
    single = [part for text in texts or () for part in text.split(",")]
    return {name: value.strip() for name, value in pairs_of(option, single)}


def counts(pairs: Iterable[str] | None) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for pair in pairs or ():
        name, _, number = pair.rpartition("=")
        if not name or not number.isdecimal():
            raise PolicyError(f"expected NAME=NUMBER, found '{pair}'.")
        numbers[name] = int(number)
    return numbers


def policy(
    name: str,
    pairs: Iterable[str] | None,
    sets: Mapping[str, Mapping[str, object]] = MappingProxyType({}),
    **chosen: str | None,
) -> Policy:
    """A preset adapted to a task's fixed fields (`sets`), with the choices made by options and as FIELD=VALUE."""
    changes: dict[str, object] = {field: value for field, value in chosen.items() if value is not None}
    for field, value in pairs_of("--set", pairs, "FIELD=VALUE"):
        if field == "name":
            raise PolicyError("--set name: a policy is named after its preset (--as).")
        kind: Any = type(getattr(Policy(), field, ""))  # the policy itself checks text fields and unknown fields
        try:
            changes[field] = {"true": True, "false": False}[value.lower()] if kind is bool else kind(value)
        except (KeyError, ValueError):
            raise PolicyError(f"--set {field} takes {'true or false' if kind is bool else 'a number'}.") from None
    return preset_for(name, sets).but(**changes)


def apply_limits(*, batch_size: int, device: str) -> None:
    if device and device not in DEVICES:
        raise PolicyError(unknown("device", device, DEVICES))
    changes = {"PAIRLENS_BATCH_TEXTS": str(batch_size or ""), "PAIRLENS_DEVICE": device}
    os.environ.update({variable: value for variable, value in changes.items() if value})
    settings.cache_clear()


def progress_bar(*columns: ProgressColumn, transient: bool = True) -> Progress:
    """A bar on standard error with these columns beside it; nothing is drawn where that is no terminal."""
    screen = Console(stderr=True)
    named = (TextColumn("{task.description}"), BarColumn())
    return Progress(*named, *columns, console=screen, transient=transient, disable=not screen.is_terminal)


def watch(steps: Iterable[Done], report: JobReport) -> Done:
    """Draw progress with rate and time left, report it to the job, and return the last step."""
    last: Done | None = None
    with progress_bar(MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.fields[rate]}")) as bar:
        line = bar.add_task("texts", total=None, rate="")
        for step in steps:
            last = step
            left = step.seconds_left
            minutes, seconds = divmod(round(left or 0), 60)
            time = f"{minutes} min {seconds:02d} s" if minutes else f"{seconds} s"
            rate = f"{step.per_second:,.0f} texts/s, {time} left" if step.scored and left else ""
            bar.update(line, total=step.total, completed=step.done, rate=rate)
            report.progress(step.done, step.total, left)
    if last is None:
        raise typer.Exit(0)
    return last
