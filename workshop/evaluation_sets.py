"""Our own evaluation sets, on which the bundled models are measured and never trained.

Their digests go into a model's card when its training text is prepared, so that anybody can check that a figure
refers to the set as it was before the training.
"""

from __future__ import annotations

import csv
import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pairlens.places import bundled
from pairlens.training.packing import open_lines

FOLDERS: Mapping[str, Path] = MappingProxyType(
    {
        "object_participle": bundled("samples", "object_participle"),
        "stories": bundled("samples", "next_sentence"),
        "nli_held_out": bundled("nli"),
        "everyday_english": bundled("samples", "everyday_english"),
        "everyday_french": bundled("samples", "everyday_french"),
        "everyday_portuguese": bundled("samples", "everyday_portuguese"),
    }
)
"""Their folders, by the key of their figures in cards."""
_LINE_FORMATS = (".txt", ".tsv", ".text", ".tab", ".gold", ".conllu", ".tok", ".pred")
_TAG = re.compile(r"<[^>]*>")


def files(key: str) -> list[Path]:
    """The files of a set, by name, without word lists beside them."""
    return sorted(path for path in FOLDERS[key].iterdir() if path.suffix in (".txt", ".tab", ".tsv"))


def digests() -> dict[str, str]:
    """sha256 of each set: of the bytes of its files, by name."""
    return {key: hashlib.sha256(b"".join(path.read_bytes() for path in files(key))).hexdigest() for key in FOLDERS}


def strings() -> Iterator[str]:
    """All texts of the sets, for the filter that keeps them out of training text."""
    for folder in FOLDERS.values():
        yield from benchmark_strings(folder)


def benchmark_strings(folder: Path) -> Iterator[str]:
    """Every string of the JSON and XML files, every cell of the tables and every line of the text files."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        kind = Path(path.name.removesuffix(".gz")).suffix.casefold()
        if kind == ".jsonl":
            for line in open_lines(path):
                yield from _strings_in(json.loads(line) if line.strip() else None)
        elif kind == ".json":
            yield from _strings_in(json.loads("\n".join(open_lines(path))))
        elif kind == ".csv":
            for row in csv.reader(open_lines(path)):
                yield from row
        elif kind == ".xml":
            yield from (html.unescape(_TAG.sub("", line)) for line in open_lines(path))
        elif kind in _LINE_FORMATS:
            yield from open_lines(path)


def _strings_in(value: Any) -> Iterator[str]:
    """All strings inside a JSON value, depth first; the regions of a sentence also joined."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings_in(inner)
    elif isinstance(value, list):
        regions = [inner.get("content") for inner in value if isinstance(inner, dict)]
        if regions and all(isinstance(region, str) for region in regions):
            yield " ".join(filter(None, regions))
        for inner in value:
            yield from _strings_in(inner)
