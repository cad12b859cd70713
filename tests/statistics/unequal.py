"""Cases where clusters are few and unequal, each with its truth: `python -m tests.statistics.unequal [DRAWS [WORD]]`.

Intervals and tests are those of the project's public functions.

With WORDS, only the cases that have them in their name.
"""

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from zlib import crc32

import numpy as np
import pandas as pd

from pairlens.analysis._over_items import against_zero
from pairlens.analysis.by_cond import by_cond
from pairlens.analysis.experiment import Analysis, Columns
from pairlens.analysis.reading import partial_effects
from pairlens.metrics import METRICS
from pairlens.policies import PRESETS
from pairlens.statistics.intervals import over_items
from pairlens.statistics.paired import compare
from pairlens.statistics.regression import EEG, EYE_TRACKING, SELF_PACED
from pairlens.studies.experiment.wording import few_items
from pairlens.studies.nli import metrics
from pairlens.studies.nli.metrics import of_macro_f1
from pairlens.tasks._base import contrast
from tests.conftest import SHARED
from tests.statistics.simulated import Result, counted
from tests.statistics.table import asked, show

Draw = Callable[[np.random.Generator], tuple[float, float, float]]
"""Bounds and truth; of a test, its p-value three times and NaN, NaN."""


@dataclass(frozen=True, slots=True)
class Case:
    """`least`: the coverage that is asked for; `most`: of a test, the error rate at .05."""

    name: str
    draw: Draw
    least: float = 0.0
    most: float = 1.0


@dataclass(frozen=True)
class Structure:
    """The stratum and cluster of every item; strata share clusters of one name."""

    strata: pd.Series
    clusters: pd.Series

    def answers(self, share: float | np.ndarray, icc: float, generator: np.random.Generator) -> pd.Series:
        """Right (1) or wrong (0): probit shares by stratum, and what is common to a cluster in all its strata."""
        from scipy.special import ndtr, ndtri

        stratum, names = pd.factorize(self.strata)
        cluster, contrasts = pd.factorize(self.clusters)
        at = np.broadcast_to(ndtri(share), len(names))[stratum]
        together = np.sqrt(icc) * generator.standard_normal(len(contrasts))[cluster]
        return pd.Series((generator.random(len(stratum)) < ndtr((at + together) / np.sqrt(1 - icc))) * 1.0)


def structure(*strata: list[int]) -> Structure:
    """By stratum the sizes of its clusters, each of its own."""
    rows = [(place, f"{place}/{number}") for place, sizes in enumerate(strata)
            for number, size in enumerate(sizes) for _ in range(size)]  # fmt: skip
    return Structure(*(pd.Series(column) for column in zip(*rows, strict=True)))


@cache
def blimp(term: str = "") -> Structure:
    """The paradigms of BLiMP (of one linguistics term) and the contrasts of their pairs."""
    rows = []
    for path in sorted((SHARED / "data" / "blimp" / "data").glob("*.jsonl.gz")):
        with gzip.open(path, "rt") as lines:
            for pair in map(json.loads, lines):
                if not term or pair["linguistics_term"] == term:
                    rows.append((pair["UID"], contrast(pair["sentence_good"], pair["sentence_bad"])))
    return Structure(*(pd.Series(column) for column in zip(*rows, strict=True)))


def mean(of: Callable[[], Structure], share: float, icc: float, generator: np.random.Generator) -> tuple:
    """The interval of a mean whose strata lie around `share`."""
    design = of()
    shares = _around(share, design)
    found = over_items(design.answers(shares, icc, generator), design.strata, design.clusters)
    return found.low, found.high, float(shares.mean())


def difference(of: Callable[[], Structure], share: float, icc: float, generator: np.random.Generator) -> tuple:
    """That of the difference of two runs that are alike, each with its own preferences among contrasts."""
    found = _compared(of(), share, icc, generator)
    return found.interval.low, found.interval.high, 0.0


def exchange(of: Callable[[], Structure], share: float, icc: float, generator: np.random.Generator) -> tuple:
    return _compared(of(), share, icc, generator).p, np.nan, np.nan


def macro_f1(n: int, gold: tuple[float, ...], right: tuple[float, ...], generator: np.random.Generator) -> tuple:
    """Classes as often as `gold` and right as often as `right`; errors fall on the others by their size."""
    frequent = np.array(gold)
    cells = frequent / (1 - frequent)[:, None] * (1 - np.array(right))[:, None]
    cells[np.diag_indices(len(gold))] = right
    cells *= frequent[:, None]
    drawn = generator.choice(cells.size, n, p=cells.ravel())
    counts = np.eye(cells.size, dtype=np.int64)[drawn].reshape(n, *cells.shape)
    return *of_macro_f1(counts), float(metrics.macro_f1(cells))


def slope(sizes: list[int], icc: float, generator: np.random.Generator) -> tuple:
    """Two milliseconds per bit; words of a sentence share a part of surprisal and of time."""
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    n = len(sentence)

    def normal() -> np.ndarray:
        common = generator.standard_normal(len(sizes))[sentence]
        return np.sqrt(icc) * common + np.sqrt(1 - icc) * generator.standard_normal(n)

    bits = 8 + 2 * normal()
    plain = {"Subtlex_log10": normal(), "length": 5 + normal(), "context_length": 10 + 3 * normal()}
    row = {"item": [f"w{place}" for place in range(n)], "candidate": 0, "label": "word", "gold": None, "context": "a",
           "text": "b", "logprob": -bits * np.log(2), "n_tokens": 1, "n_scored": 1, "n_straddling": 0,
           "contrast": sentence.astype(str), "prev_length": 4.0, **plain}  # fmt: skip
    times = dict.fromkeys((*EYE_TRACKING, *SELF_PACED, *EEG), 200 + 2 * bits + 20 * normal())
    lines = partial_effects(METRICS["eye_tracking"], pd.DataFrame(row | times), PRESETS["pairlens"])
    return lines["slope_low"].iloc[0], lines["slope_high"].iloc[0], 2.0


def condition(sizes: list[int], share: float, icc: float, of: str, generator: np.random.Generator) -> tuple:
    """Accuracy, or the mean difference, of a condition whose items have so many pairs."""
    design = structure(sizes)
    acc = design.answers(share, icc, generator)
    item = pd.factorize(design.clusters)[0]
    common = np.sqrt(icc) * generator.standard_normal(len(sizes))[item]
    diff = 1 + common + np.sqrt(1 - icc) * generator.standard_normal(len(item))
    pairs = pd.DataFrame({"model": "m", "pairid": range(len(item)), "item": item, "acc": acc, "diff": diff,
                          "expected": diff, "unexpected": 0.0, "tie": False, "undecided": False})  # fmt: skip
    row = by_cond(pairs, Columns(), Analysis()).iloc[0]
    return row[f"{of}_low"], row[f"{of}_high"], share if of == "acc" else 1.0


def skewed(n: int, generator: np.random.Generator) -> tuple:
    """The test of an interaction whose values by item are skewed (log-normal), mean 0; 1 where that is said."""
    row = against_zero(generator.lognormal(0, 1, n) - np.exp(0.5))
    return 1.0 if few_items(pd.DataFrame([row])) else row["p"], np.nan, np.nan


def cases() -> Iterator[Case]:
    """All of them; those of BLiMP only where it is."""
    agreement, gap = partial(blimp, "determiner_noun_agreement"), partial(blimp, "filler_gap_dependency")
    twelve = partial(structure, *[[60] + [4] * 10] * 12)
    here = (SHARED / "data" / "blimp").exists()
    designs = [*[("BLiMP determiner-noun", agreement, 0.9)] * here, ("12 paradigms of 60 + 10 x 4", twelve, 0.8)]
    for (about, of, share), icc in product(designs, (0.05, 0.1, 0.2)):
        yield Case(f"{about}, icc {icc}", partial(mean, of, share, icc), 0.93)
        yield Case(f"{about}, difference, icc {icc}", partial(difference, of, share, icc), 0.93)
        yield Case(f"{about}, test, icc {icc}", partial(exchange, of, share, icc), most=0.05)
    for icc in (0.05, 0.1, 0.2) if here else ():
        yield Case(f"BLiMP filler-gap, icc {icc}", partial(mean, gap, 0.7, icc), 0.93)
    for icc in (0.05, 0.2) if here else ():
        yield Case(f"BLiMP, 67 paradigms, icc {icc}", partial(mean, blimp, 0.75, icc), 0.94)
    for k in (5, 8, 12):
        for share, icc in ((0.7, 0.1), (0.7, 0.3), (0.9, 0.1)):
            design = partial(structure, [100] + [3] * k)
            yield Case(
                f"one contrast of 100, {k} of 3, share {share}, icc {icc}", partial(mean, design, share, icc), 0.95
            )
    for n, gold in ((50, (0.85, 0.1, 0.05)), (200, (0.85, 0.1, 0.05)), (1_000, (0.85, 0.1, 0.05)),
                    (100, (0.92, 0.04, 0.04)), (300, (0.92, 0.04, 0.04))):  # fmt: skip
        yield Case(f"macro-F1, n {n}, classes {gold}", partial(macro_f1, n, gold, (0.95, 0.5, 0.4)), 0.93)
    yield Case("macro-F1, n 50, three equal classes", partial(macro_f1, 50, (1 / 3,) * 3, (0.8,) * 3), 0.93)
    for icc in (0.0, 0.2):
        yield Case(
            f"slope, 12 sentences of 4 to 40, icc {icc}", partial(slope, [*range(4, 28, 2), 40][1:], icc), 0.94
        )
        yield Case(f"slope, 40 sentences of 10, icc {icc}", partial(slope, [10] * 40, icc), 0.94)
    for of in ("acc", "diff"):
        for icc in (0.1, 0.4):
            yield Case(f"condition, {of}, 24 items x 4, icc {icc}", partial(condition, [4] * 24, 0.8, icc, of), 0.93)
            yield Case(
                f"condition, {of}, 60 + 15 x 2, icc {icc}", partial(condition, [60] + [2] * 15, 0.8, icc, of), 0.93
            )
    for n in (12, 20, 40):
        yield Case(f"interaction, skewed, {n} items", partial(skewed, n), most=0.06)


def measure(case: Case, draws: int) -> Result:
    """Draw the case so often, the same in every call; of a test, the share of p at most .05 is the `error`."""
    generator = np.random.default_rng(crc32(case.name.encode()))
    low, high, truth = np.array([case.draw(generator) for _ in range(draws)], np.float64).T
    if np.isnan(truth).all():
        return Result(np.nan, np.nan, np.nan, float((low <= 0.05).mean()))
    return counted(low, high, truth)


def _around(share: float, design: Structure) -> np.ndarray:
    n = design.strata.nunique()
    odds = share / (1 - share) * np.exp(np.linspace(-1, 1, n) if n > 1 else np.zeros(1))
    return np.asarray(odds / (1 + odds))


def _compared(design: Structure, share: float, icc: float, generator: np.random.Generator):
    a, b = (design.answers(_around(share, design), icc, generator) for _ in range(2))
    return compare(a, b, design.clusters, design.strata)


if __name__ == "__main__":
    draws, named = asked()
    show(draws, "case ({draws:,} draws)", ((one.name, measure(one, draws)) for one in cases() if named in one.name))
