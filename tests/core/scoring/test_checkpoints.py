"""Checkpoints of a training: found below any folder, and put in order."""

import pytest

from pairlens.errors import ModelError
from pairlens.scoring.checkpoints import checkpoints, holds_checkpoints, is_training


def folders(parent, *names):
    """Folders that look like models, each with a config.json."""
    for name in names:
        (parent / name).mkdir(parents=True)
        (parent / name / "config.json").write_text("{}")
    return parent


@pytest.mark.parametrize("above", [".", "run", "runs/small"])
def test_they_are_found_from_any_folder_above(tmp_path, above):
    folders(tmp_path / above, "chck_10M", "chck_2M")
    assert holds_checkpoints(str(tmp_path))
    assert [one.name for one in checkpoints(str(tmp_path))] == ["chck_2M", "chck_10M"]


def test_the_final_one_is_as_old_as_the_last_and_several_models_are_refused_with_their_names(tmp_path):
    folders(tmp_path, "final", "checkpoint-500", "checkpoint-1000", "step_20", "best")
    found = [(one.name, one.words, one.assumed) for one in checkpoints(str(tmp_path))]
    assert found == [
        ("step_20", 20, False), ("checkpoint-500", 500, False), ("checkpoint-1000", 1000, False),
        ("final", 1000, True), ("best", None, False),
    ]  # fmt: skip
    (only,) = checkpoints(str(folders(tmp_path / "alone", "final")))
    assert (only.words, only.assumed) == (None, False)
    for run in ("small", "large"):
        folders(tmp_path / "several" / run, "step_1", "step_2")
    with pytest.raises(ModelError, match="several models: name one of large, small"):
        checkpoints(str(tmp_path / "several"))
    folders(tmp_path, "model")
    (tmp_path / "empty").mkdir()
    assert not any(holds_checkpoints(str(tmp_path / name)) for name in ("model", "nowhere", "empty"))


@pytest.mark.parametrize(
    ("names", "one"),
    [(("pythia-70m", "pythia-160m"), False), (("model-100M", "stepwise_model-10M"), False),
     (("chck_10M", "chck_100M"), True), (("step_100", "final"), True),
     (("gpt2-tokens_10M", "gpt2-tokens_20M"), True), (("step100", "other"), False)],
)  # fmt: skip
def test_models_beside_each_other_are_no_training(tmp_path, names, one):
    assert is_training(str(folders(tmp_path, *names))) == one
    assert [found.name for found in checkpoints(str(tmp_path))], "who chooses the folder gets them all the same"
