"""Convert pickle weights to safetensors, once, in a process of its own without network.

A pickle can run code when it is read: `torch.load(weights_only=True)` reads nothing but tensors and containers, and
what slips through is confined to a short-lived process with a minimal environment.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from pairlens.errors import ModelError
from pairlens.models import cards, checkpoint, digests, hub, loading, next_sentence, resolve, spreading
from pairlens.places import environment, python
from pairlens.settings import settings

_MINUTES = 60
_BERT_HEAD = "cls.seq_relationship.weight"
_BASES = (*next_sentence.ARCHITECTURES, "bert")


def convert(source: str, destination: Path | None = None, base: str = "") -> Path:
    """Write the model of `source`, a folder or hub id with pickle weights, to a new folder and return it; ModelError.

    By default the folder is among this machine's models. It appears complete or not at all, with the sha256 of the
    pickle in its card.json. `source` may also be a file with a checkpoint of `pairlens.models.next_sentence`, or of a
    BERT for next sentences: config and tokenizer are those of the model `base`, on which the training started.
    """
    file = Path(source).expanduser().resolve()
    if base and not file.is_file():
        state = "is a folder" if file.is_dir() else "does not exist"
        raise ModelError(f"{file} {state}: only a checkpoint in one file has a --base.")
    if file.is_file() and not base:
        raise ModelError(checkpoint.only_a_file(source))
    if base:
        folder, name = _base(base), file.stem
    elif resolve.is_folder(source):
        folder, name = file, file.name
    else:
        repo, revision = resolve.hub_id(source)
        folder, name = hub.snapshot(repo, revision, weights=hub.PICKLES), repo.split("/")[1]
    pickles = [file] if base else _pickles(folder, source)
    target = _target((destination or settings().models / name).expanduser().resolve())
    partial = target.with_name(f".{os.getpid()}-{id(target)}")  # which no backup holds, and `store gc` clears
    try:
        partial.mkdir(parents=True)
        _unpickle(pickles, partial / "model.safetensors", source)
        for copied in ("config.json", "generation_config.json", *checkpoint.TOKENIZER_FILES):
            if (folder / copied).is_file():
                shutil.copyfile(folder / copied, partial / copied)
        if base:
            _name_head(partial, source, base)
        _write_card(partial, target.name, source, base, {path.name: digests.of_file(path) for path in pickles})
        partial.rename(target)
    except OSError as error:
        raise ModelError(f"{target} cannot be written: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return target


def _base(name: str) -> Path:
    """The folder of the model that a checkpoint was trained over; ModelError for one that none stands on."""
    model = resolve.find(name)
    config = model.folder / "config.json"
    kind = (checkpoint.read_json(config, name) if config.is_file() else {}).get("model_type") or model.kind
    if kind not in _BASES:
        raise ModelError(f"No next-sentence checkpoint stands on '{name}' ({kind}): known are {', '.join(_BASES)}.")
    return model.folder


def _target(folder: Path) -> Path:
    """The folder to write; ModelError for one that exists, or whose name a bundled model has in the catalogue."""
    if folder.exists():
        raise ModelError(f"{folder} exists already; name another folder with --output, or use the model as it is.")
    if folder.parent == settings().models.resolve() and (cards.bundled_models() / folder.name).is_dir():
        raise ModelError(f"'{folder.name}' is the name of a bundled model: name another folder with --output.")
    return folder


def _pickles(folder: Path, source: str) -> list[Path]:
    index = folder / "pytorch_model.bin.index.json"
    if index.is_file():
        return checkpoint.parts(index, source)
    if not (folder / "pytorch_model.bin").is_file():
        raise ModelError(f"'{source}' has no pytorch_model.bin in {folder}: there is nothing to convert.")
    return [folder / "pytorch_model.bin"]


def _unpickle(pickles: list[Path], target: Path, source: str) -> None:
    command = python("pairlens.models.unpickle", str(os.getpid()), str(target), *map(str, pickles))
    own = {"PATH": os.defpath, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "HOME": str(target.parent)}
    try:
        done = subprocess.run(
            command, env=environment(own), capture_output=True, text=True, timeout=60 * _MINUTES, check=False
        )
    except subprocess.TimeoutExpired:
        raise ModelError(f"'{source}' was not converted within {_MINUTES} minutes.") from None
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"the process ended with status {done.returncode}"])[-1]
        raise ModelError(f"'{source}' cannot be converted: {reason}")


def _name_head(folder: Path, source: str, base: str) -> None:
    """Let the config say what head the weights have; ModelError if they have none, or do not fit the base."""
    shapes = checkpoint.shapes(folder / "model.safetensors")
    config = checkpoint.read_json(folder / "config.json", base)
    if _BERT_HEAD in shapes:
        config["architectures"] = ["BertForNextSentencePrediction"]
    elif any(name.startswith(next_sentence.HEAD) for name in shapes):
        config |= next_sentence.fields(config, loading.load_tokenizer(resolve.find(base)), source)
    else:
        raise ModelError(f"'{source}' has no head for next sentences: only such checkpoints are converted alone.")
    if "wte.weight" in shapes:
        config["vocab_size"] = shapes["wte.weight"][0]  # the program gives a GPT-2 one more token, for padding
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", "utf-8")
    reason = f"'{source}' does not fit '{base}': name the model that was trained further."
    try:
        module = loading.load(resolve.find(folder), "next-sentence").module
    except ModelError as error:
        raise error if spreading.is_wanted() else ModelError(reason) from error
    # Weights of layers that the base has not would be left out in silence; of a layer it has, an old buffer may be.
    layers = {name for name, _ in getattr(module, "base", module).named_modules()}
    if any(name.rpartition(".")[0] not in layers for name in shapes if not name.startswith(next_sentence.HEAD)):
        raise ModelError(reason)


def _write_card(folder: Path, name: str, source: str, base: str, pickles: Mapping[str, str]) -> None:
    config = checkpoint.read(folder, source).config
    offered = checkpoint.kinds(config)
    if not offered:
        raise ModelError(f"'{source}' has no head that scores or classifies texts.")
    card = {
        "name": name,
        "title": name,
        "kind": offered[0],
        "description": f"Converted from the pickle weights of {source}{f', trained over {base}' if base else ''}.",
        "converted": {
            "source": source,
            "pickle_sha256": dict(pickles),
            "safetensors_sha256": digests.of_file(folder / "model.safetensors"),
        },
    }
    (folder / cards.CARD).write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", "utf-8")
