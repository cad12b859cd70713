"""Options in groups: what a verb with a group has on the command line, and what it gets."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from pairlens.cli import app
from pairlens.cli.options import Execution, RunOptions
from pairlens.cli.spread import spread


@dataclass(frozen=True, slots=True)
class Size:
    """A group with an option that must be given and one that need not be."""

    width: Annotated[int, typer.Option(help="So wide.")]
    heights: Annotated[list[int] | None, typer.Option("--height", help="So high.")] = None


seen: list[tuple[str, Size, bool]] = []


@spread
def draw(
    *,
    name: Annotated[str, typer.Argument(help="What.")],
    size: Size,
    filled: Annotated[bool, typer.Option("--filled", help="Or empty.")] = False,
) -> None:
    """Draw it."""
    seen.append((name, size, filled))


alone = typer.Typer(rich_markup_mode=None)
alone.command()(draw)


def test_a_verb_gets_its_groups_and_the_rest_and_help_has_all_options_in_their_places():
    for heights, filled in (([], False), ([0, 99], True)):
        flags = [*(part for height in heights for part in ("--height", str(height))), *["--filled"][: int(filled)]]
        assert CliRunner().invoke(alone, ["x", "--width", "-9", *flags]).exit_code == 0
        assert seen.pop() == ("x", Size(-9, heights or None), filled)
    missing = CliRunner().invoke(alone, ["x"])
    assert missing.exit_code == 2 and "--width" in missing.output
    output = CliRunner().invoke(alone, ["--help"]).output
    places = [output.index(part) for part in ("Draw it.", "So wide.", "So high.", "Or empty.")]
    assert places == sorted(places)


@pytest.mark.parametrize("group", [RunOptions, Execution])
def test_verbs_with_a_model_share_their_options(group):
    verbs = {verb.name: verb for verb in typer.main.get_command(app).commands.values()}
    for name in ("score", "perplexity", "zero-shot", "minimal-pair"):
        assert {field.name for field in fields(group)} <= {option.name for option in verbs[name].params}, name
