"""`inside`: where in a network the decision between two forms falls."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from core.cli import console
from core.cli.options import ChoicesFromLeft
from core.cli.spread import spread
from core.errors import InputError
from core.scoring.recipe import Recipe, recipe_of
from core.studies.next_word import SETS


@spread
def inside(
    *,
    first: Annotated[str, typer.Argument(metavar="FIRST", help="A beginning, such as 'The keys to the cabinet'.")],
    second: Annotated[
        str, typer.Argument(metavar="SECOND", help="One that differs in one place; without it, one is proposed.")
    ] = "",
    forms: Annotated[
        str, typer.Option("--forms", metavar="A,B", help="Two forms of the next word; shares are of A's lead over B.")
    ],
    component: Annotated[
        str, typer.Option("--component", help="residual | attention | mlp: what is put from one run into the other.")
    ] = "residual",
    model: console.ModelOption = "english-small",
    form: Annotated[str, typer.Option("--format", help="text | json")] = "text",
    choices: ChoicesFromLeft,
    device: console.DeviceOption = "",
    allow_code: console.CodeOption = "",
) -> None:
    """Where in a causal model the decision between two forms falls, by layer and position (activation patching).

    A state of the run of one beginning is put into the run of the other. The share is how much of the difference
    between the two margins that moves: 0 nothing, 1 all. Layer 0 is the embedding, position 0 the start symbol.
    """
    from core.store import Store
    from core.studies.inside import Question, wording
    from core.studies.inside import inside as look
    from core.studies.inside.receipt import receipt
    from core.studies.next_word.forms import read_forms

    console.check_format(form)
    console.apply_limits(batch_size=0, device=device)
    recipe = recipe_of(model, "", choices.policy(SETS), allow_code=allow_code)
    named = read_forms(forms)
    if len(named) != 2:
        raise InputError(f"Two forms are compared here, not {len(named)}: --forms are,is")
    question = Question(first, second or _proposed(first, recipe), (named[0], named[1]))
    found = look(question, recipe, Store(), component=component)
    if form == "json":
        typer.echo(json.dumps(receipt(found), ensure_ascii=False, indent=1))
    else:
        typer.echo("\n".join(wording.lines(found)))


def _proposed(first: str, recipe: Recipe) -> str:
    """The second beginning that is proposed for the first, which is said; InputError if there is none."""
    from core.studies.inside.proposal import proposals

    found = proposals(first, str(recipe.model.card.get("language", "")))
    if not found:
        raise InputError(
            "the lexicon knows no word here with another number, gender or licensor: give a second beginning, which "
            "differs in one place"
        )
    console.say(f"Second beginning ({found[0].changed} exchanged): {found[0].text}")
    return found[0].text
