"""Choices that change nothing in a run are refused in one sentence."""

import pytest

from core import api
from core.cli import main
from core.policies import preset_for
from core.runs.zero_shot import Benchmark, sample, unused
from core.tasks import TASKS


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
    recipe = api.recipe("unigram-english", policy=preset_for("pairlens", chosen.sets))
    reason = unused(Benchmark(chosen, sample(chosen), chosen_fields=(field,)), recipe, "")
    assert (words in reason and reason.startswith(f"--set {field} ")) if words else not reason


def test_the_command_refuses_it_before_anything_is_scored(capsys, home):
    asked = ["zero-shot", "--task", "reading", "--model", "unigram-english"]
    assert main([*asked, "--set", "leading_space=false"]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and "has no effect" in said.err and not said.out


def test_words_are_cut_alone_for_reading_times_only(capsys, home):
    asked = ["zero-shot", "--task", "blimp", "--model", "unigram-english", "--set", "tokens=rewritten"]
    assert main(asked) == 2
    assert "for reading times only, not for BLiMP" in capsys.readouterr().err
