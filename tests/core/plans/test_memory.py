"""The memory that a plan states."""

from __future__ import annotations

import pytest

from core.plans.cells import _BESIDES, expand, needs, read
from core.store import Store


def test_weights_count_in_the_dtype_of_the_task(tmp_path):
    """english-small has 4.6 million parameters; the peak of a process that scores with it was measured: 636 MB."""
    (tmp_path / "plan.yaml").write_text("models: [english-small]\ntasks: [blimp]\n")
    (found,) = needs(expand(read(tmp_path / "plan.yaml")), Store())
    assert found.megabytes == pytest.approx(18.5 + _BESIDES, abs=0.1)
    assert found.megabytes == pytest.approx(636, rel=0.05)
