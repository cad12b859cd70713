"""The scorer "served" with llama.cpp in this process, beside transformers; other servers: tests/core/servers."""

import math

import pytest

from pairlens.models import find, served
from pairlens.scoring.recipe import recipe_of
from pairlens.types import Extras, Request
from tests.fake_server import rows

pytest.importorskip("xllamacpp", reason="llama.cpp is not installed (xllamacpp)")
pytestmark = pytest.mark.model
TEXTS = ("The keys to the cabinet are here.", "Uma maçã e um naïver Hund 😀.", "A", "keys " * 200)


@pytest.fixture(scope="module")
def scorer(tmp_path_factory):
    from workshop.gguf import write

    file = tmp_path_factory.mktemp("gguf") / "english-small-F32.gguf"
    write(find("english-small"), file, "F32")
    recipe = recipe_of(f"llamacpp:{file}#english-small")
    assert "all F32" in recipe.model.card["server"] and recipe.kind.name == "served"
    yield recipe, recipe.open()
    served._dialect.cache_clear()  # or its threads would stay
    served._connection.cache_clear()


@pytest.mark.parametrize("text", TEXTS)
def test_a_file_in_llama_cpp_gives_the_numbers_of_transformers(scorer, text):
    recipe, opened = scorer
    theirs = opened.score([recipe.request(Request("", text))], Extras(top=3))[0]
    own = recipe_of("english-small")
    ours = own.open().score([own.request(Request("", text))], Extras(top=3))[0]
    assert theirs.ids == ours.ids and not any(map(math.isnan, theirs.logprobs))
    if len(theirs.ids) < 100:
        table = rows((0, *theirs.ids))
        plain = [row[id].item() for row, id in zip(table, theirs.ids, strict=True)]
        assert max(abs(a - b) for a, b in zip(theirs.logprobs, plain, strict=True)) < 1e-3
    assert max(abs(a - b) for a, b in zip(theirs.logprobs, ours.logprobs, strict=True)) < 2e-3


def test_a_file_that_llama_cpp_cannot_read_is_a_sentence(tmp_path):
    from pairlens.errors import ModelError

    (tmp_path / "x.gguf").write_bytes(b"GGUF and nothing")
    for name, words in ((f"{tmp_path}/x.gguf", "cannot be read by llama.cpp"), (f"{tmp_path}/y.gguf", "no file")):
        with pytest.raises(ModelError, match=words):
            recipe_of(f"llamacpp:{name}#english-small")
