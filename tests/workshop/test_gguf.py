"""Bundled models as GGUF files: the same log-probabilities, sizes, what is not written."""

import numpy as np
import pytest

from pairlens.errors import ModelError
from pairlens.models import find
from pairlens.scoring.recipe import recipe_of
from pairlens.types import Request

gguf = pytest.importorskip("gguf", reason="files are written with the gguf package")
writer = pytest.importorskip("workshop.gguf", reason="it needs the gguf package")
pytestmark = [pytest.mark.model, pytest.mark.slow]

REQUESTS = [
    Request("", text)
    for text in (
        "The keys to the cabinet are on the table.", "No teacher has ever seen  two spaces.", "Élan vital, 1907!",
        "The old man that the dogs chased", '"Yes," she said, "it is Tom\'s."',
    )
]  # fmt: skip
BITS = {"F32": 32, "F16": 16, "Q8_0": 8.5, "Q5_0": 5.5, "Q4_0": 4.5}


def logprobs(source):
    return np.concatenate([score.logprobs for score in recipe_of(source).open().score(REQUESTS)])


@pytest.fixture(scope="module")
def ladder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ladder")
    writer.main(folder, ["english-small"])
    return {kind: folder / f"english-small-{kind}.gguf" for kind in writer.LADDER}


def test_in_single_and_half_precision_english_small_is_the_same_model(ladder, monkeypatch):
    whole, half = (logprobs(f"{ladder[kind]}#english-small") for kind in ("F32", "F16"))
    assert np.array_equal(whole, half, equal_nan=True), "its weights are stored in half precision"
    assert np.nanmax(np.abs(whole - logprobs("english-small"))) <= 1e-5, "which our own network reads"
    monkeypatch.setattr("pairlens.models.plain.called.recognised", lambda *_: None)
    assert np.array_equal(whole, logprobs("english-small"), equal_nan=True)


def test_numbers_take_the_bits_of_their_type_and_differ_the_more_the_fewer(ladder):
    whole, last = logprobs(f"{ladder['F32']}#english-small"), 0.0
    for kind in writer.LADDER:
        tensors = [tensor for tensor in gguf.GGUFReader(ladder[kind]).tensors if tensor.name.endswith("q.weight")]
        assert {8 * tensor.n_bytes / tensor.n_elements for tensor in tensors} == {BITS[kind]}
        assert find(ladder[kind]).card["quantisation"] == kind
    for kind in ("Q8_0", "Q4_0"):
        distance = np.nanmean(np.abs(logprobs(f"{ladder[kind]}#english-small") - whole))
        assert distance > 1.2 * last
        last = distance


def test_without_the_bundled_tokenizer_nothing_is_scored(ladder):
    with pytest.raises(ModelError, match="it puts no space before texts"):
        recipe_of(str(ladder["Q8_0"])).open()


def test_other_architectures_are_refused(tiny, tmp_path):
    for architecture in ("gpt2", "llama"):  # the second cuts texts as sentencepiece does
        with pytest.raises(ModelError, match="is no Llama with GPT-2's byte pairs"):
            writer.write(find(tiny(architecture)), tmp_path / "x.gguf", "F32")
