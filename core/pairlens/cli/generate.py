"""`generate`: minimal pairs and factorial designs from a template and a lexicon."""

from typing import Annotated

import typer

from pairlens.cli import console
from pairlens.cli.texts import OutputOption
from pairlens.errors import InputError
from pairlens.text.lexicon import form_name, lexicons


def generate(
    template: Annotated[
        str,
        typer.Option(
            "--template",
            "-t",
            help="A name from --list, or a text such as 'The {noun:sg} near the {noun:pl} {verb:sg|verb:pl}.': "
            "{class:form} is a word of the lexicon, {class:form|class:form} or [text|text] the expected and the "
            "unexpected form, [factor: level=text|level=text] a condition, *...* the region of interest.",
        ),
    ] = "",
    number: Annotated[int, typer.Option("--number", "-n", help="How many items, each in all conditions.")] = 24,
    seed: Annotated[int, typer.Option(help="The same seed gives the same items.")] = 1,
    language: Annotated[str, typer.Option(help="Of a text given as --template: en | fr | pt.")] = "en",
    output: OutputOption = None,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="One row per pair, sentence_good and sentence_bad, as BLiMP has them.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="Show the templates and the classes of words.")] = False,
) -> None:
    """Make items from a template: a row per sentence with item, conditions, sentence and region of interest (ROI).

    For items with agreement, {head=person:sg/pl} names a word and takes turns between forms, {verb.rest@head} agrees
    with it and {verb.rest@head!number} does so but for the number.
    """
    if listed:
        _list()
        return
    if not template:
        raise InputError("There is no template: give --template, by name or as a text. --list shows what there is.")
    console.check_outputs([], output)
    from pairlens.studies.generator import as_pairs, find
    from pairlens.studies.generator import generate as generate_items

    chosen = find(template, language)
    table = generate_items(chosen, number, seed)
    if pairs:
        table = as_pairs(table, chosen.name or "generated")
    console.print_or_write(table, output)


def _list() -> None:
    from pairlens.studies.generator import templates

    for template in templates().values():
        typer.echo(f"{template.name}\t{template.language}\t{template.about}\n\t{template.text}")
    for lexicon in lexicons().values():
        typer.echo(f"\n{lexicon.title} ({lexicon.language})")
        for part in dict.fromkeys(entry.path[0] for entry in lexicon.entries):
            entries = [entry for entry in lexicon.entries if entry.path[0] == part]
            forms = ", ".join(map(form_name, entries[0].features))
            classes = ", ".join(dict.fromkeys(".".join(entry.path) for entry in entries))
            typer.echo(f"{classes}{f': {forms}' if forms else ''}")
