"""Convert pickle weights to safetensors, once, in a process of its own without network.

A pickle can run code when it is read. `torch.load(weights_only=True)` reads nothing but tensors and containers, and
what slips through is confined to a short-lived process with a minimal environment.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from core.errors import ModelError
from core.models import cards, checkpoint, digests, hub, resolve
from core.settings import ROOT, settings

_MINUTES = 60


def convert(source: str, destination: Path | None = None) -> Path:
    """Write the model of `source`, a folder or hub id with pickle weights, to a new folder and return it.

    By default the folder is among this machine's models, under the source's last name. Its card.json records the
    sha256 of the pickle and of the safetensors. It appears complete or not at all. Raises ModelError.
    """
    folder, name = _source(source)
    pickles = _pickles(folder, source)
    target = (destination or settings().models / name).expanduser().resolve()
    if target.exists():
        raise ModelError(f"{target} exists already; name another folder with --output, or use the model as it is.")
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        partial.mkdir(parents=True)
        _unpickle(pickles, partial / "model.safetensors", source)
        for file in ("config.json", "generation_config.json", *checkpoint.TOKENIZER_FILES):
            if (folder / file).is_file():
                shutil.copyfile(folder / file, partial / file)
        _write_card(partial, target.name, source, {path.name: digests.of_file(path) for path in pickles})
        partial.rename(target)
    except OSError as error:
        raise ModelError(f"{target} cannot be written: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return target


def _source(source: str) -> tuple[Path, str]:
    """Folder and last name of the source."""
    if resolve.is_folder(source):
        folder = Path(source).expanduser().resolve()
        return folder, folder.name
    repo, revision = resolve.hub_id(source)
    return hub.snapshot(repo, revision, weights=hub.PICKLES), repo.split("/")[1]


def _pickles(folder: Path, source: str) -> list[Path]:
    index = folder / "pytorch_model.bin.index.json"
    if index.is_file():
        return checkpoint.parts(index, source)
    if not (folder / "pytorch_model.bin").is_file():
        raise ModelError(f"'{source}' has no pytorch_model.bin in {folder}: there is nothing to convert.")
    return [folder / "pytorch_model.bin"]


def _unpickle(pickles: list[Path], target: Path, source: str) -> None:
    command = [sys.executable, "-m", "core.models.unpickle", str(target), *map(str, pickles)]
    environment = {"PATH": os.defpath, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "HOME": str(target.parent)}
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60 * _MINUTES, check=False
        )
    except subprocess.TimeoutExpired:
        raise ModelError(f"'{source}' was not converted within {_MINUTES} minutes.") from None
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"the process ended with status {done.returncode}"])[-1]
        raise ModelError(f"'{source}' cannot be converted: {reason}")


def _write_card(folder: Path, name: str, source: str, pickles: Mapping[str, str]) -> None:
    config = checkpoint.read(folder, source).config
    offered = checkpoint.kinds(config)
    if not offered:
        raise ModelError(f"'{source}' has no head that scores or classifies texts.")
    card = {
        "name": name,
        "title": name,
        "kind": offered[0],
        "description": f"Converted from the pickle weights of {source}.",
        "converted": {
            "source": source,
            "pickle_sha256": dict(pickles),
            "safetensors_sha256": digests.of_file(folder / "model.safetensors"),
        },
    }
    (folder / cards.CARD).write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", "utf-8")
