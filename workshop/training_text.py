"""Generated training text: thousands of sentences from templates, and pairs to watch while a model learns.

    python -m workshop.training_text

writes `english.txt.gz` and `pairs.tsv` into `data/samples/train` from its `templates.toml`.
"""

from __future__ import annotations

import gzip
import random
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairlens.analysis.experiment import EXPECTED
from pairlens.files.tables import write_table
from pairlens.places import bundled
from pairlens.studies.generator.template import Template, as_pairs, generate
from workshop.exclusion import exclusion

if TYPE_CHECKING:
    import pandas as pd

FOLDER = bundled("samples", "train")
TEXT, PAIRS = FOLDER / "english.txt.gz", FOLDER / "pairs.tsv"
SEED = 1


def watched_pairs(content: dict[str, Any]) -> pd.DataFrame:
    """The pairs to watch: `group`, `good`, `bad`."""
    import pandas as pd

    parts = []
    for entry in content["pairs"]:
        table = generate(Template(entry["text"], content["language"]), entry["items"], SEED)
        pairs = as_pairs(table, entry["group"])
        parts.append(pairs.rename(columns={"UID": "group", "sentence_good": "good", "sentence_bad": "bad"}))
    return pd.concat(parts, ignore_index=True)[["group", "good", "bad"]]


def sentences(content: dict[str, Any], without: set[str]) -> list[str]:
    """The sentences of all templates in one random order, without those in `without` and those of the gallery.

    Every template makes pairs, of which the expected sentence is taken; the region is the full sentence, so that
    sentences may share a beginning.
    """
    made = []
    for text in content["texts"]:
        table = generate(Template(f"*{text}*", content["language"]), content["sentences"], SEED)
        made += table.loc[table["comparison"] == EXPECTED, "sentence"].tolist()
    forbidden = exclusion(without)
    kept = [sentence for sentence in dict.fromkeys(made) if not forbidden.forbids(sentence)]
    random.Random(SEED).shuffle(kept)
    return kept


def write(folder: Path = FOLDER) -> None:
    """Write both files."""
    content = tomllib.loads((FOLDER / "templates.toml").read_text("utf-8"))
    pairs = watched_pairs(content)
    text = "\n".join(sentences(content, {*pairs["good"], *pairs["bad"]})) + "\n"
    (folder / TEXT.name).write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))
    write_table(pairs, folder / PAIRS.name)


if __name__ == "__main__":
    write()
