"""`score_anywhere.py`, which knows nothing of us, gives the log-probabilities that our own scorers give."""

import ast
import sys
from pathlib import Path

import numpy as np
import pytest
import score_anywhere
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError
from pairlens.models import find
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.text.words import word_positions
from pairlens.types import Request
from tests.tiny import SENTENCES

CLOSE = 1e-4
"""Nats."""
ODD = ("She didn't say “what”: 3.5 dogs...", "x", "  spaced   out  ", "été 猫犬 🙂!", "<unk> cats [MASK]")
TEXTS = (*SENTENCES, *ODD)
POLICIES = {
    "causal": ({"first_token": "bos"}, {"first_token": "none"}),
    "masked": ({"pll": "within_word_l2r"}, {"pll": "original"}),
}
CASES = [
    *[("causal", name) for name in ("gpt2", "llama", "opt", "qwen2", "gemma")],
    *[("masked", name) for name in ("bert", "roberta", "albert", "modernbert")],
]


def same(folder, kind, policy, texts):
    model = find(folder)
    scorer = SCORERS[kind].open(model, Policy(text="as-typed").but(**policy))
    script = score_anywhere.Scorer(str(folder), kind, batch_tokens=64, **policy)
    assert script.header["weights"] == model.weights
    for text, theirs in zip(texts, script.score(texts), strict=True):
        if "refused" in theirs:
            with pytest.raises(InputError):
                scorer.score([Request("", text)])
            continue
        (ours,) = scorer.score([Request("", text)])
        assert (list(ours.tokens), list(ours.ids)) == (theirs["tokens"], theirs["ids"]), text
        assert list(ours.spans) == [tuple(span) for span in theirs["spans"]], text
        values = np.array(theirs["logprobs"], float)
        np.testing.assert_allclose(values, ours.logprobs, rtol=0, atol=CLOSE, err_msg=text)


@pytest.mark.parametrize(("kind", "architecture"), CASES, ids=[name for _, name in CASES])
def test_it_equals_our_scorers(tiny, kind, architecture):
    for policy, texts in zip(POLICIES[kind], (TEXTS, ODD), strict=True):
        same(tiny(architecture), kind, policy, texts)


@pytest.mark.parametrize(("kind", "name"), [("causal", "english-small"), ("masked", "bilingual-masked")])
def test_it_equals_our_scorers_on_bundled_models(kind, name):
    same(ROOT / "data" / "models" / name, kind, POLICIES[kind][0], TEXTS[::3])


@given(st.text(st.sampled_from("ab '’-.,!?(«»)…·:3 5\n\t猫あ\u0301é🙂_"), max_size=16))
def test_its_words_are_our_words(text):
    """Word by word, as far as later pieces of one word are masked together (whoever segmented the text)."""
    spans = [(start, end) for start in range(len(text)) for end in (start, start + 1, start + 2) if end <= len(text)]
    if not text.strip():
        return
    numbers = score_anywhere.words(text)
    ours = word_positions(spans, text, characters=True)
    theirs = [score_anywhere.word_of(span, text, numbers) for span in spans]
    assert ours == theirs


@pytest.mark.parametrize(("architecture", "kind"), [("gpt2", "causal"), ("bert", "masked")])
def test_what_cannot_be_scored_is_refused_with_the_reason(tiny, architecture, kind):
    script = score_anywhere.Scorer(str(tiny(architecture)))
    assert script.kind == kind
    empty, long, fine = script.score(["  ", "The keys " * 60, "The keys."])
    assert "no tokens" in empty["refused"] and "more than the" in long["refused"]
    assert "refused" not in fine and all(value is None or value < 0 for value in fine["logprobs"])


def test_it_is_one_file_that_needs_torch_and_transformers_only():
    tree = ast.parse(Path(score_anywhere.__file__).read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    names = [alias.name for node in imports for alias in node.names]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    named = {name.partition(".")[0] for name in names}
    assert named - sys.stdlib_module_names == {"torch", "transformers"}
