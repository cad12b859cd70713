"""A checkpoint opened twice: by Pairlens, and as transformers loads it, which all other systems share."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import transformers

from pairlens.models import Loaded, find, load
from pairlens.policies import PRESETS
from pairlens.scorers._encoder_decoder import ContinuationScorer
from pairlens.scorers._left_to_right import LeftToRightScorer
from pairlens.scorers._masking import MaskingScorer
from pairlens.types import Request
from tests.benchmarks.shapes import Shape


@dataclass(frozen=True)
class Opened:
    """A network as Pairlens holds it, as transformers loads it (`module`), and where it lies."""

    shape: Shape
    folder: Path
    network: Loaded
    module: Any
    scratch: Path

    def tokenizer(self):
        """A tokenizer that its owner may change."""
        return transformers.AutoTokenizer.from_pretrained(self.folder)


def open_shape(shape, folder, scratch):
    network = load(find(str(folder)), shape.kind)
    module = getattr(transformers, shape.model).from_pretrained(folder, dtype=network.module.dtype)
    return Opened(shape, folder, network, module.eval(), scratch)


def scorer_of(opened, pll="original"):
    """Pairlens's scorer for a network, its default policy but for the kind of pseudo-log-likelihood."""
    policy = PRESETS["pairlens"].but(pll=pll)
    if opened.shape.kind == "causal":
        return LeftToRightScorer(opened.network, policy)
    if opened.shape.kind == "masked":
        return MaskingScorer(opened.network, policy, shift=0)
    return ContinuationScorer(opened.network, policy)


def ours(opened, texts, pll="original"):
    scorer = scorer_of(opened, pll)
    requests = [Request("", text) for text in texts]
    return lambda: [scores.total for scores in scorer.score(requests)]
