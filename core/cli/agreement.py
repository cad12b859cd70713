"""`agreement`: numbers of predictions on an agreement set, and predictions of a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli import console

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from core.analysis.agreement import AgreementNumbers
    from core.policies import Policy
    from core.store import Store
    from core.types import Item

app = typer.Typer(help="Agreement at a distance: two forms of a word, of which one agrees.", no_args_is_help=True)

_TableOption = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE", help="A .tab or .pred that says more about the items, of another name."),
]
_ParsesOption = Annotated[
    Path | None,
    typer.Option("--conllu", metavar="FILE", help="The sentences parsed (CoNLL-U): heuristics that no file says."),
]
_OUTPUT = ("--output-file", "--output_file", "-o")
_SHOWN = 1_000
"""So many texts show whether a file was cut into tokens."""
_NAMED = 20
"""So many items that are left out are named with their reason; all of them are in the run, or in the file."""


@app.command()
def evaluate(
    predictions: Annotated[
        Path, typer.Option("--predictions", help="Log-probabilities of both forms of each item (.raw-pred, .tab).")
    ],
    output: Annotated[Path, typer.Option(*_OUTPUT, help="All numbers, as JSON.")],
    table: _TableOption = None,
    parses: _ParsesOption = None,
    column: Annotated[str, typer.Option("--column", help="The column with the log-probabilities.")] = "probs",
    ties: Annotated[str, typer.Option("--ties", help=console.choices("ties"))] = "half",
    job: console.JobOption = None,
) -> None:
    """Accuracy by number, attractors, distance and surface heuristics, beside baselines. No model is needed."""
    import json

    from core.agreement.candidates import candidates, left_out, out_of_vocabulary, without
    from core.agreement.heuristics import read_parses
    from core.analysis.agreement import agreement_numbers, as_json
    from core.jobs import reporting
    from core.policies import Policy
    from core.tables import check_folder, write_texts

    with reporting(job) as report:
        policy = Policy().but(ties=ties)
        console.check_kept([predictions, table, parses], [output])
        check_folder(output.parent)
        found = candidates(predictions, table, column=column, parses=read_parses(parses) if parses else None)
        strange = out_of_vocabulary(found)
        numbers = agreement_numbers(without(found, strange), policy)
        reasons = left_out(found)
        content = {**as_json(numbers), "out_of_vocabulary": strange, "left_out": reasons, "ties_counted": ties}
        write_texts(output.parent, {output.name: json.dumps(content, ensure_ascii=False, indent=1) + "\n"})
        report.result(output=str(output))
        for line in _in_words(numbers, policy):
            typer.echo(line)
        if strange:
            typer.echo(f"Left out because a form is not in the model's vocabulary: {', '.join(strange)}")
        for item in [item for item in reasons if item not in strange][:_NAMED]:
            typer.echo(f"left out {item}: {reasons[item]}")
        typer.echo(f"numbers: {output}")


@app.command()
def models(
    predictions: Annotated[
        Path,
        typer.Option(
            "--predictions", help="A table with a column of log-probabilities per model (.tab), or a folder of them."
        ),
    ],
    output: Annotated[Path | None, typer.Option(*_OUTPUT, help="The same as a table (.csv, .tsv, ...).")] = None,
    job: console.JobOption = None,
) -> None:
    """How often each model of a table is right, by type of item, and what ties change. No model is needed."""
    from core.agreement.model_columns import right_by_model
    from core.jobs import reporting
    from core.policies import CHOICES
    from core.tables import check_writable, write_table

    with reporting(job) as report:
        if output:
            check_writable(output)
        found = right_by_model(predictions)
        for _, row in found.iterrows():
            named = "\t".join(row[name] for name in ("language", "set", "model", "type"))
            ties = f"{row['ties']:,} {'tie' if row['ties'] == 1 else 'ties'}"
            same = f" ({row['same']} of the same word)" if row["same"] else ""
            shares = ", ".join(f"{100 * row[how]:.2f} % ties {how}" for how in CHOICES["ties"])
            left_out = f", {row['left_out']:,} left out" if row["left_out"] else ""
            typer.echo(f"{named}\t{row['n']:,} items{left_out}\t{ties}{same}\t{shares}")
        if output:
            write_table(found, output)
            report.result(output=str(output))


@app.command()
def predict(
    source: Annotated[
        Path, typer.Option("--input", "-i", help="Two lines per item (.txt), a .tab or .raw-pred, or a folder.")
    ],
    output: Annotated[
        Path, typer.Option(*_OUTPUT, help="The log-probability of every form (.raw-pred; .tsv, .csv, ...).")
    ],
    decisions: Annotated[
        Path | None, typer.Option("--pred", metavar="FILE", help="Also what was chosen for every item (.pred, ...).")
    ] = None,
    table: _TableOption = None,
    parses: _ParsesOption = None,
    model: console.ModelOption = "english-small",
    scorer: Annotated[str, typer.Option("--scorer", help="By default that of the model's kind.")] = "",
    rule: Annotated[
        str, typer.Option("--rule", help="word: form and end of the word | form: form only | joint: whole sentences.")
    ] = "word",
    detokenise: Annotated[
        str | None, typer.Option("--detokenise", help="fr | en: join what was cut into tokens (l' auteur, do n't).")
    ] = None,
    preset: console.PresetOption = "pairlens",
    first_token: console.FirstTokenOption = None,
    text: console.TextOption = None,
    dtype: console.DtypeOption = None,
    choices: console.SetOption = None,
    batch_size: console.BatchOption = 0,
    device: console.DeviceOption = "",
    rescore: console.RescoreOption = False,
    allow_code: console.CodeOption = "",
    job: console.JobOption = None,
) -> None:
    """Score both forms of every item, write the predictions, and say how often the right form is preferred.

    What is already scored is reused; a run that was stopped goes on where it was.
    """
    from core.api import recipe as recipe_of
    from core.errors import PolicyError
    from core.evaluate import data_name, plan, run
    from core.jobs import reporting
    from core.store import Store
    from core.tables import check_writable
    from core.tasks import TASKS
    from core.zero_shot import meaningless

    with reporting(job) as report:
        console.apply_limits(batch_size=batch_size, device=device)
        outputs = [path for path in (output, decisions) if path]
        for path in outputs:
            check_writable(path)
        console.check_kept([source, table, parses], outputs)
        task = TASKS["agreement"]
        fields = {"first_token": first_token, "text": text, "dtype": dtype, "detokenise": detokenise}
        policy = console.policy(preset, choices, task.sets, **fields)
        recipe = recipe_of(model, scorer, policy, allow_code=allow_code)
        store, planned = Store(), plan(task, _items(source, table, parses), recipe, rule)
        if reason := meaningless(task, rule, recipe.kind):
            raise PolicyError(reason)
        last = console.watch(run(planned, store, data=data_name(source), rescore=rescore), report)
        _write(store.candidates(last.run_id), output, decisions)
        report.result(run_id=last.run_id, output=str(output))
        for line in _found(store, last.run_id, policy):
            typer.echo(line)
        typer.echo(f"scored {last.scored}, reused {last.reused}")
        typer.echo(f"predictions: {output}")


def _items(source: Path, table: Path | None, parses: Path | None) -> Iterator[Item]:
    """The items, with what their parses tell if there are any."""
    from core.agreement.heuristics import described, read_parses
    from core.tasks.agreement import TASK

    items = TASK.read(source, table)
    if parses is None:
        return items
    parsed = read_parses(parses)
    return (described(item, parsed) for item in items)


def _write(found: pd.DataFrame, output: Path, decisions: Path | None) -> None:
    from core.agreement.predictions import predictions
    from core.agreement.raw_predictions import raw_predictions
    from core.tables import write_table

    write_table(raw_predictions(found), output)
    if decisions:
        write_table(predictions(found), decisions)


def _found(store: Store, run_id: str, policy: Policy) -> Iterator[str]:
    """A run's numbers, what the end of the word changes, what was left out and why, and how the run is named."""
    from core.analysis.agreement import agreement_numbers
    from core.analysis.agreement_flips import flips
    from core.analysis.agreement_wording import flipped
    from core.rules import RULES

    manifest, candidates = store.manifest(run_id), store.candidates(run_id)
    console.advise((candidates["context"] + candidates["text"]).head(_SHOWN).tolist(), policy)
    yield from _in_words(agreement_numbers(candidates, policy), policy)
    if RULES[manifest["rule"]].forms:
        ended, alone = (store.candidates(run_id, ends=ends) for ends in (True, False))
        yield flipped(flips(ended, alone, policy))
    for item, reason in [*manifest["refused"].items()][:_NAMED]:
        yield f"left out {item}: {reason}"
    yield manifest["signature"]
    yield f"run: {run_id}"


def _in_words(numbers: AgreementNumbers, policy: Policy) -> Iterator[str]:
    """The numbers, a line each; what the files do not say is left out."""
    from core.analysis import agreement_wording as wording

    yield wording.answer(numbers)
    yield wording.counts(numbers, policy.ties)
    yield from filter(None, (wording.beside(numbers), wording.caution(numbers)))
    for table, named in (
        (numbers.by_number, "number"),
        (numbers.by_attractors, "number of attractors"),
        (numbers.by_heuristics, "number of heuristics that are right"),
        (numbers.by_distance, "words between"),
        (numbers.by_inverted, "inverted subject"),
        (numbers.by_type, "type"),
    ):
        if len(table):
            yield wording.by_group(table, named)
    if len(numbers.heuristics):
        yield wording.misled(numbers.heuristics)
