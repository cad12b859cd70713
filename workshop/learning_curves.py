"""`python -m workshop.learning_curves NAME --snapshots FOLDER`: a model's learning curves, from
the weights that its training kept."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from pairlens.errors import InputError
from pairlens.evaluation.zero_shot import sample
from pairlens.files.tables import write_table
from pairlens.models import find
from pairlens.models.cards import CARD
from pairlens.models.checkpoint import TOKENIZER_FILES
from pairlens.studies import gallery
from pairlens.tasks import TASKS
from pairlens.training.learning_curves import COLUMNS, FOLDER, PAIR, read_curves
from pairlens.training.recorder import margins, recipe_of
from pairlens.training.watched_pairs import GALLERY, WatchedPair
from workshop.program import run

_STEP = re.compile(r"step-(\d+)\.safetensors")


def gallery_pairs() -> list[WatchedPair]:
    """The pairs of the gallery for which one sentence is the better one, with the example's title as their group."""
    return [
        WatchedPair(*((a, b) if example.expected == "A" else (b, a)), group=example.title)
        for example in gallery.examples()
        if example.expected in ("A", "B") and not example.at and example.language == "en"
        for a, b in example.pairs
    ]


def watched_pairs() -> tuple[list[WatchedPair], list[str]]:
    """The gallery's pairs with their titles, and the pairs of our sample in BLiMP's format without one."""
    worked = gallery_pairs()
    items = TASKS["blimp"].read(sample(TASKS["blimp"]))
    fast = [
        WatchedPair(item.candidates[0].text, item.candidates[1].text, item.groups["UID"].replace("_", " "))
        for item in items
    ]
    known = [WatchedPair(pair.good, pair.bad, GALLERY) for pair in worked]
    return [*known, *fast], [*(pair.group for pair in worked), *("" for _ in fast)]


def make_curves(model: Path, snapshots: Path, report: Callable[[int, int], None] = lambda *_: None) -> pd.DataFrame:
    """Score the pairs with every snapshot of the model in the folder; InputError if there are none.

    A snapshot holds weights only: config and tokenizer are those of the finished model. Steps and tokens of a model
    that it started from are counted.
    """
    files = sorted(path for path in snapshots.glob("step-*.safetensors") if _STEP.fullmatch(path.name))
    if not files:
        raise InputError("there are no files step-NUMBER.safetensors: train with `snapshots`.", str(snapshots))
    card = json.loads((model / CARD).read_text("utf-8"))
    earlier = card.get("before", {}).get("training", {"steps": 0, "tokens_seen": 0})
    pairs, titles = watched_pairs()
    parts = []
    for number, file in enumerate(files, start=1):
        own = int(file.stem.removeprefix("step-"))
        table = pd.DataFrame([(pair.group, pair.good, pair.bad) for pair in pairs], columns=["group", "good", "bad"])
        found = [round(margin, 3) for margin in _margins_at(model, file, pairs)]
        step, tokens = own + earlier["steps"], own * int(card["recipe"]["batch_tokens"]) + earlier["tokens_seen"]
        parts.append(table.assign(step=step, tokens=tokens, margin=found, pair=titles))
        report(number, len(files))
    return pd.concat(parts, ignore_index=True)[[*COLUMNS, PAIR]]


def _margins_at(model: Path, weights: Path, pairs: list[WatchedPair]) -> list[float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("config.json", *TOKENIZER_FILES):
            if (model / file).is_file():
                shutil.copyfile(model / file, folder / file)
        shutil.copyfile(weights, folder / "model.safetensors")
        shutil.copyfile(model / CARD, folder / CARD)
        recipe = recipe_of(folder)
        return margins(pairs, recipe, recipe.open())


def write_curves(table: pd.DataFrame, name: str, folder: Path = FOLDER) -> Path:
    """Write the curves of the model of that name."""
    folder.mkdir(parents=True, exist_ok=True)
    write_table(table, folder / f"{name}.csv")
    return folder / f"{name}.csv"


def main(
    name: Annotated[str, typer.Argument(help="A model of the catalogue.")],
    snapshots: Annotated[Path, typer.Option(help="Folder with step-NUMBER.safetensors.")],
    model: Annotated[Path | None, typer.Option(help="Its folder, if it is not in the catalogue.")] = None,
    before: Annotated[Path | None, typer.Option(help="Curves of the model that it started from, put first.")] = None,
) -> None:
    """Score the gallery and a fast set of our own at every snapshot, and write data/learning_curves/NAME.csv."""

    def show(done: int, total: int) -> None:
        print(f"{done} of {total}", file=sys.stderr)

    curves = make_curves(model or find(name).folder, snapshots, show)
    print(write_curves(pd.concat([read_curves(before), curves]) if before else curves, name))


if __name__ == "__main__":
    run(main)
