"""A page's choices as a command line; those that change nothing in a run are refused in one sentence."""

import pytest

import pairlens
from pairlens.cli import main
from pairlens.evaluation import command
from pairlens.evaluation.requests import plan
from pairlens.evaluation.zero_shot import Benchmark, sample, unused
from pairlens.policies import PRESETS, preset_for
from pairlens.store import Store
from pairlens.tasks import TASKS
from tests.refusals import refused

pytestmark = pytest.mark.usefixtures("unpublished")


@pytest.mark.parametrize(
    ("task", "field", "words"),
    [
        ("reading", "leading_space", "every text of Reading times has a context"),
        ("reading", "ties", "neither scores nor metrics use it"),
        ("blimp", "unit", "neither scores nor metrics use it"),
        ("blimp", "pll", "with the scorer unigram"),
        ("blimp", "leading_space", ""),
        ("blimp", "ties", ""),
        ("blimp", "detokenise", ""),
        ("reading", "first_token", ""),  # the task makes this choice itself
    ],
)
def test_what_nothing_reads_is_named(task, field, words):
    chosen = TASKS[task]
    recipe = pairlens.recipe("unigram-english", policy=preset_for("pairlens", chosen.sets))
    reason = unused(Benchmark(chosen, sample(chosen), chosen_fields=(field,)), recipe, "")
    assert (words in reason and reason.startswith(f"--set {field} ")) if words else not reason


@pytest.mark.parametrize(
    ("task", "choice", "words"),
    [
        ("reading", "leading_space=false", "has no effect"),
        ("blimp", "tokens=rewritten", "for reading times only, not for BLiMP"),
    ],
)
def test_the_command_refuses_it_before_anything_is_scored(cli, task, choice, words):
    refused(cli("zero-shot", "--task", task, "--model", "unigram-english", "--set", choice), words)


@pytest.mark.slow
@pytest.mark.parametrize(
    "policy", [PRESETS["pairlens"], PRESETS["babylm-2025"], PRESETS["lm-eval"].but(ties="half", text="typographic")]
)
def test_the_command_line_makes_the_run_that_the_page_asks_for(unigram, home, policy):
    recipe, place = pairlens.recipe(unigram, policy=policy), sample(TASKS["blimp"])
    arguments = command.zero_shot("blimp", place, recipe, home / "reports")
    assert main(arguments) == 0
    wanted = plan(TASKS["blimp"], TASKS["blimp"].read(place), recipe)
    assert list(Store().runs()["run_id"]) == [wanted.run_id]
