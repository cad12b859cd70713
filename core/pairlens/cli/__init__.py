"""The command line: one file per verb, composed here.

A user's mistake ends with one sentence on standard error and exit status 2. Verbs import pandas and torch when they
run, so that `--help` is quick.
"""

import logging
import os
import sys
from collections.abc import Sequence

import typer

from pairlens import __version__
from pairlens.cli import (
    agreement,
    class_,
    console,
    dashboard,
    data,
    doctor,
    generate,
    heads,
    import_,
    inside,
    minimal_pair,
    models,
    next_word,
    nli,
    open_,
    perplexity,
    plan,
    policies,
    query,
    report,
    runs,
    score,
    stereoset,
    store,
    study,
    suite,
    take_home,
    train,
    zero_shot,
)
from pairlens.errors import PairlensError, interruptible
from pairlens.places import program, spare_processor
from pairlens.settings import settings
from pairlens.studies.study import studies

_INTERRUPTED = 130
app = typer.Typer(
    name="pairlens",
    add_completion=program() == "pairlens",
    help="Pairlens: targeted evaluation of language models. Results live in the folder PAIRLENS_HOME.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("score")(score.score)
app.command("zero-shot")(zero_shot.zero_shot)
app.command("minimal-pair")(minimal_pair.minimal_pair)
app.command("compare-runs")(policies.compare_runs)
app.command("policies")(policies.policies)
app.command("match")(policies.match)
app.command("receipt")(report.receipt)
app.command("report")(report.report)
app.command("take-home")(take_home.take_home)
app.command("reproduce")(report.reproduce)
for name, question in studies().items():
    app.command(name.replace("_", "-"))(study.verb(question))
app.command("next-word")(next_word.next_word)
app.command("inside")(inside.inside)
app.command("perplexity")(perplexity.perplexity)
app.command("generate")(generate.generate)
app.command("class")(class_.class_)
app.command("train")(train.train)
app.command("train-classifier")(heads.train_classifier)
app.command("train-next-sentence")(heads.train_next_sentence)
agreement.app.command("predict")(agreement.predict)
app.add_typer(agreement.app, name="agreement")
app.add_typer(stereoset.app, name="stereoset")
app.add_typer(nli.app, name="nli")
app.add_typer(suite.app, name="suite")
app.add_typer(plan.app, name="plan")
app.add_typer(models.app, name="models")
app.add_typer(data.app, name="data")
app.command("query")(query.query)
app.add_typer(runs.app, name="runs")
app.command("import")(import_.import_)
app.command("open")(open_.open_)
app.command("jobs")(runs.jobs)
app.add_typer(store.app, name="store")
app.command("doctor")(doctor.doctor)
app.command("dashboard")(dashboard.dashboard)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pairlens {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Print it."),  # noqa: ARG001
) -> None:
    """Targeted evaluation of language models. Without a verb, the dashboard opens."""
    if context.invoked_subcommand is None:
        dashboard.dashboard()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status: 0 done, 2 a user's mistake, 130 Ctrl-C, 1 a fault of ours."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    spare_processor()
    try:
        settings()  # one that is not allowed is refused before anything is done
        with interruptible():
            status = app(args=arguments and list(arguments), prog_name=program(), standalone_mode=False)
        if status == _INTERRUPTED:  # what typer makes of Ctrl-C, without a word
            raise KeyboardInterrupt
        return status if isinstance(status, int) else 0
    except PairlensError as error:
        return console.fail(str(error))
    except (typer.Abort, KeyboardInterrupt):
        console.fail("Stopped. What was scored is stored; the same command continues from there.")
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has closed the pipe (`... | head`): nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        # Typer carries its own copy of click: errors of usage are recognised by their method, not by their class.
        if describe := getattr(error, "format_message", None):
            message = str(describe())
            return _show_help(message) if message.startswith("Usage:") else console.fail(message)
        if os.environ.get("PAIRLENS_DEBUG"):
            raise
        console.fail(f"an unexpected {type(error).__name__}: {error}. PAIRLENS_DEBUG=1 shows where it happened.")
        return 1


def _show_help(text: str) -> int:
    print(text, file=sys.stderr)
    return 2
