"""The films that ship with Pairlens, and how one is made from the weights that a training has kept on its way."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.film.measuring import margins, recipe_of
from core.film.pairs import GALLERY, Pair, gallery_pairs
from core.film.reel import COLUMNS
from core.models.cards import CARD
from core.models.checkpoint import TOKENIZER_FILES
from core.settings import ROOT
from core.tables import read_table, write_table
from core.tasks import TASKS
from core.zero_shot import sample

FOLDER = ROOT / "data" / "film"
PAIR = "pair"
"""A film's column with the title of a gallery pair, empty for pairs of the fast set."""
_STEP = re.compile(r"step-(\d+)\.safetensors")


def films() -> dict[str, Path]:
    """The films by the name of the model they are about."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.csv"))}


def read_film(path: Path) -> pd.DataFrame:
    """One film: the columns of `core.film.reel` and `pair`."""
    table = read_table(path)
    numbers = {"step": "int64", "tokens": "int64", "margin": "float64"}
    return table.assign(margin=table["margin"].where(table["margin"] != "")).astype(numbers)


def pairs_of_films() -> tuple[list[Pair], list[str]]:
    """What films are about: the gallery's pairs, with their titles, and the pairs of our sample in BLiMP's format."""
    gallery = gallery_pairs()
    items = TASKS["blimp"].read(sample(TASKS["blimp"]))
    fast = [
        Pair(item.candidates[0].text, item.candidates[1].text, item.groups["UID"].replace("_", " ")) for item in items
    ]
    known = [Pair(pair.good, pair.bad, GALLERY) for pair in gallery]
    return [*known, *fast], [*(pair.group for pair in gallery), *("" for _ in fast)]


def make_film(model: Path, snapshots: Path, report: Callable[[int, int], None] = lambda *_: None) -> pd.DataFrame:
    """Score the pairs with every snapshot of the model in the folder; InputError if there are none.

    A snapshot holds weights only: config and tokenizer are those of the finished model.
    """
    files = sorted(path for path in snapshots.glob("step-*.safetensors") if _STEP.fullmatch(path.name))
    if not files:
        raise InputError("there are no files step-NUMBER.safetensors: train with `snapshots`.", str(snapshots))
    card = json.loads((model / CARD).read_text("utf-8"))
    pairs, titles = pairs_of_films()
    parts = []
    for number, file in enumerate(files, start=1):
        step = int(_STEP.fullmatch(file.name)[1])  # type: ignore[index]
        table = pd.DataFrame([(pair.group, pair.good, pair.bad) for pair in pairs], columns=["group", "good", "bad"])
        found = [round(margin, 3) for margin in _margins_at(model, file, pairs)]
        tokens = step * int(card["recipe"]["batch_tokens"])
        parts.append(table.assign(step=step, tokens=tokens, margin=found, pair=titles))
        report(number, len(files))
    return pd.concat(parts, ignore_index=True)[[*COLUMNS, PAIR]]


def _margins_at(model: Path, weights: Path, pairs: list[Pair]) -> list[float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("config.json", *TOKENIZER_FILES):
            if (model / file).is_file():
                shutil.copyfile(model / file, folder / file)
        shutil.copyfile(weights, folder / "model.safetensors")
        shutil.copyfile(model / CARD, folder / CARD)
        recipe = recipe_of(folder)
        return margins(pairs, recipe, recipe.open())


def write_film(table: pd.DataFrame, name: str, folder: Path = FOLDER) -> Path:
    """Write the film of the model of that name."""
    folder.mkdir(parents=True, exist_ok=True)
    write_table(table, folder / f"{name}.csv")
    return folder / f"{name}.csv"
