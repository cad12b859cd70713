"""The measurement of all of BLiMP, on a few pairs: it is run by hand where there is a graphics card."""

import pytest

from tests.benchmarks import whole
from tests.benchmarks.texts import Texts

PAIRS = [("The dogs run.", "The dogs runs."), ("She sees him.", "She see him."), ("They are here.", "They is here.")]


@pytest.mark.model
@pytest.mark.slow
def test_padded_rows_have_the_numbers_of_shared_ones(monkeypatch):
    monkeypatch.setitem(whole._WAYS, "cpu", [("float32", True), ("float32", False)])
    head, *said = whole.lines(Texts("ours", {"agreement": PAIRS}), "english-small")
    assert head == "english-small, 6 sentences"
    assert [line.split(":")[0] for line in said] == ["float32, shared beginnings", "float32, padded rows"]
    assert all("3 of 3 pairs right" in line for line in said)


def test_decisions_are_compared():
    class Score:
        def __init__(self, total):
            self.total = total

    said = whole._beside([Score(-1.0), Score(-2.0), Score(-3.0), Score(-2.5)], [-1.0, -2.0, -3.0, -3.25])
    assert said == "of 2 pairs 1 decided otherwise than on the processor, up to 0.75 nats apart"
