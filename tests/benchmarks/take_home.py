"""How far a page of `take-home` is from Pairlens, and how fast it answers: prints the table of docs/teaching.md.

    python -m tests.benchmarks.take_home --data ../shared/data

Decisions and margins under rounded weights are compared pair by pair with those under the model's own: all pairs of
BLiMP's fast set (QFrBLiMP in French), our samples, and sentences as people type them, with phones' apostrophes,
missing marks and slips. Python scores both. The page, in a real Chromium, is asked some of the pairs of each set
(`--asked`): column *page* is the largest difference from Python with the same weights. Times are taken with the
processor slowed down by four.
"""

import random
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from selenium.webdriver import Chrome

import pairlens
from pairlens import measures
from pairlens.store import Store
from pairlens.studies.compare.pair import compare
from pairlens.studies.generator import as_pairs, find, generate
from pairlens.studies.lesson import Lesson, Step
from pairlens.studies.take_home.making import take_home
from pairlens.tasks import TASKS
from tests.browser.visitor import start
from tests.rounded_scorer import rounded_scorer

Pairs = Sequence[tuple[str, str]]
ROOT = Path(__file__).resolve().parents[2]
SETS = {
    "english-small": ("en", "blimp", "babylm/evaluation_data/fast_eval/blimp_fast"),
    "french-small": ("fr", "qfrblimp", "qfrblimp/datastore/QFrBLiMP/release/qfrblimp.jsonl.gz"),
}
"""The language of each model, the task whose pairs it is measured on, and their place among public data."""
_TEMPLATES = {
    "en": ("agreement", "attraction", "attraction_relative", "reflexive", "determiner_noun", "polarity"),
    "fr": ("agreement_fr", "participle_fr", "gender_fr"),
}
_ASK = """const done = arguments[1];
Promise.all(arguments[0].map(async ([a, b]) => (await pairlens.compare(a, b)).bits)).then(done);"""
_SLOW = 4
LESSON = Lesson("Measured", (Step(pair=("One dog barks.", "One dog bark.")),))


def main(
    data: Annotated[Path, typer.Option(help="Folder with babylm and qfrblimp.")] = ROOT / "shared" / "data",
    models: Annotated[list[str], typer.Option("--model", help="Both bundled ones by default.")] = [*SETS],  # noqa: B006
    most: Annotated[int, typer.Option(help="At most so many pairs of a set, for a trial.")] = 1 << 20,
    asked: Annotated[int, typer.Option(help="Pairs of each set that the page is asked.")] = 200,
) -> None:
    heads = ("model", "pairs", "n", "mean difference", "largest", "other decisions", "widest of these", "page")
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.html"
            page.write_text(take_home(LESSON, model), "utf-8")
            with opened(page, Path(folder)) as driver:
                found = sets(model, data)
                for name, pairs in found.items():
                    print(row(model, name, pairs[:most], driver, asked), flush=True)
                print(times(page, driver, found["as typed"][0]), flush=True)


@contextmanager
def opened(page: Path, folder: Path) -> Iterator[Chrome]:
    driver = start(folder / "profile")
    try:
        driver.set_script_timeout(600)
        driver.get(page.as_uri())
        yield driver
    finally:
        driver.quit()


def sets(model: str, data: Path) -> Mapping[str, Pairs]:
    """The pairs of a model's language, by the name of their source; without the public ones if they are not there."""
    language, task, place = SETS[model]
    files = {f"{TASKS[task].title}, public": data / place, "our samples of it": ROOT / "data" / "samples" / task}
    found = {name: _read(task, path) for name, path in files.items() if path.exists()}
    return {**found, "as typed": typed(language, 500)}


def _read(task: str, path: Path) -> Pairs:
    return [(one.text, other.text) for one, other in (item.candidates for item in TASKS[task].read(path))]


def typed(language: str, number: int) -> Pairs:
    """Pairs from our templates, each typed in one of several ways; always the same ones."""
    chance = random.Random(1)
    tables = [as_pairs(generate(find(name), 24, seed), name) for name in _TEMPLATES[language] for seed in range(1, 9)]
    made = sorted({pair for one in tables for pair in zip(one["sentence_good"], one["sentence_bad"], strict=True)})
    ways = _ways(chance)
    return [(way(a), way(b)) for a, b in chance.sample(made, min(number, len(made))) for way in [chance.choice(ways)]]


def _ways(chance: random.Random) -> list[Callable[[str], str]]:
    def slip(text: str) -> str:
        return f"{text[:4]}{text[5:]}"

    return [
        str, str.lower, str.upper, slip,
        lambda text: text.rstrip("."), lambda text: text.rstrip(".") + "!!", lambda text: text.rstrip(".") + "…",
        lambda text: f"“{text}”", lambda text: text.replace("'", "’") + " 🙂",
        lambda text: f" {text.replace(' ', '  ', 1)}",
        lambda text: f"It’s true — {text}",
    ]  # fmt: skip


def row(model: str, name: str, pairs: Pairs, driver: Chrome, asked: int) -> str:
    """A line of the table. Differences are in bits."""
    own, rounded = leads(model, pairs)
    apart = [abs(one - other) for one, other in zip(own, rounded, strict=True)]
    turned = [abs(one) for one, other in zip(own, rounded, strict=True) if np.sign(one) != np.sign(other)]
    places = random.Random(1).sample(range(len(pairs)), min(asked, len(pairs)))
    page = max(
        abs(bits - rounded[place]) for place in places for bits in driver.execute_async_script(_ASK, [pairs[place]])
    )
    cells = (
        model, name, f"{len(pairs):,}", f"{statistics.mean(apart):.4f}", f"{max(apart):.3f}", str(len(turned)),
        f"{max(turned):.3f}" if turned else "–", f"{page:.5f} ({len(places)})",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def leads(model: str, pairs: Pairs) -> tuple[list[float], list[float]]:
    """The leads that Python gives with the model's own weights and with rounded ones, in bits."""
    recipe = pairlens.recipe(model)
    found = []
    for scorer in (recipe.open(), rounded_scorer(recipe)):
        with tempfile.TemporaryDirectory() as folder:
            store = Store(Path(folder), shipped=None)
            compared = compare(pairs, recipe, store, lambda scorer=scorer: scorer)  # type: ignore[misc]
        found.append([measures.bits(one.margin) for one in compared])
    return found[0], found[1]


def times(page: Path, driver: Chrome, pair: tuple[str, str]) -> str:
    """How long a slow processor takes, median of five visits."""
    driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": _SLOW})
    visits = []
    for _ in range(5):
        driver.get("about:blank")
        driver.get(page.as_uri())
        took = driver.execute_async_script(
            """const [pair, done] = arguments, now = () => performance.now();
            pairlens.ready.then(async () => {
              const ready = now();
              await pairlens.compare(...pair);
              const first = now();
              await pairlens.compare(...pair.map((text) => `So ${text}`));
              done([ready, first - ready, now() - first]);
            });""",
            pair,
        )
        visits.append(took)
    ms = [f"{statistics.median(some):.0f} ms" for some in zip(*visits, strict=True)]
    return (
        f"{page.stat().st_size / 1e6:.1f} MB; ready {ms[0]} after opening, first answer {ms[1]}, next {ms[2]} "
        f"(processor {_SLOW} times slower)"
    )


if __name__ == "__main__":
    typer.run(main)
