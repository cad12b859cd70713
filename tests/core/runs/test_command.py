"""A page's choices as a command line: running it asks for exactly what the visitor chose."""

import pytest

from core import api
from core.cli import main
from core.policies import PRESETS
from core.runs import command
from core.runs.requests import plan
from core.settings import ROOT
from core.store import Store
from core.tasks import TASKS

pytestmark = pytest.mark.usefixtures("unpublished")
SAMPLE = ROOT / "data" / "samples" / "blimp"


@pytest.mark.parametrize(
    "policy",
    [PRESETS["pairlens"], PRESETS["babylm-2025"], PRESETS["lm-eval"].but(ties="half", text="typographic")],
)
def test_the_command_line_makes_the_run_that_the_page_asks_for(unigram, home, policy):
    recipe = api.recipe(unigram, policy=policy)
    arguments = command.zero_shot("blimp", SAMPLE, recipe, home / "reports")
    assert main(arguments) == 0
    wanted = plan(TASKS["blimp"], TASKS["blimp"].read(SAMPLE), recipe)
    assert list(Store().runs()["run_id"]) == [wanted.run_id]
