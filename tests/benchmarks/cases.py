"""The cases: a shape, sentences, and the systems that score them."""

import math
from dataclasses import dataclass

from tests.benchmarks import limits, machine, peers, stand_ins
from tests.benchmarks.measuring import System, take_turns
from tests.benchmarks.opened import open_shape, ours
from tests.benchmarks.results import Line
from tests.benchmarks.shapes import SHAPES, checkpoint
from tests.benchmarks.texts import flat

OURS = "Pairlens"
_EQUAL = 1e-4
_FOR_TOKENIZER = 20_000


@dataclass(frozen=True)
class Case:
    """What is scored: how many sentences, by which shape; `unlike` ones share little with each other."""

    name: str
    shape: str
    sentences: int
    pll: str = "original"
    unlike: bool = False


CASES = (
    Case("causal, GPT-2 small", "gpt2-small", 96),
    Case("causal, small", "causal-small", 240),
    Case("causal, small, little shared", "causal-small", 240, unlike=True),
    Case("masked, BERT base", "bert-base", 16),
    Case("masked, BERT base, within words", "bert-base", 16, pll="within_word_l2r"),
    Case("masked, small", "bert-small", 48),
    Case("encoder-decoder, T5 small", "t5-small", 96),
)


def run_case(case, texts, scratch, folder, rounds):
    """Time all systems of a case; the table's rows, ours first."""
    shape = SHAPES[case.shape]
    opened = open_shape(shape, checkpoint(shape, texts.all(_FOR_TOKENIZER), scratch), scratch)
    pairs = texts.unlike(case.sentences) if case.unlike else texts.mixed(case.sentences)
    systems = [System(OURS, ours(opened, flat(pairs), case.pll)), *_others(opened, pairs, case, folder)]
    timings = take_turns(systems, rounds)
    least = limits.work(shape, opened.network, flat(pairs)) / machine.gemm_limit(shape.width)
    print(f"{case.name}: " + ", ".join(f"{name} {timing.median:.3f} s" for name, timing in timings.items()))
    least = least if case.pll == "original" else math.nan
    return [_line(case, system.name, timings, least, len(flat(pairs))) for system in systems]


def _others(opened, pairs, case, folder):
    texts = flat(pairs)
    kind = opened.shape.kind
    found = [] if kind == "seq2seq" else peers.minicons(opened, texts, case.pll)
    found += peers.lm_eval(opened, texts, case.pll)
    if _has(folder, "nlpscholar"):
        found += peers.nlpscholar(opened, texts, case.pll, folder / "nlpscholar")
    if kind == "seq2seq":
        found += [stand_ins.babylm(opened, texts, batch) for batch in (16, 64)]
    elif case.pll == "original" and _has(folder, "babylm"):
        found += peers.babylm(opened, pairs, folder / "babylm")
    return found


def _has(folder, name):
    return folder is not None and (folder / name).is_dir()


def _line(case, name, timings, least, n):
    timing, own = timings[name], timings[OURS]
    share = least / timing.median
    status = f"{_agreement(timing.scores, own.scores)}; {timing.turns}"
    return Line(case.name, name, n, timing.median, timing.median / own.median, share, timing.peak_mib, status)


def _agreement(scores, own):
    gaps = [abs(a - b) for a, b in zip(scores, own, strict=True) if not math.isnan(a)]
    if not gaps:
        return "says no such scores"
    return f"equal to {max(gaps):.0e}" if max(gaps) <= _EQUAL else f"differs by {max(gaps):.2g}"
