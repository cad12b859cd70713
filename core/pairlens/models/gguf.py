"""GGUF files, llama.cpp's format of rounded weights: their names, and what they say before their numbers.

A model's name is the path of its file, and after `#` the model (a folder, catalogue name or hub id) whose tokenizer
reads texts for it: `./model-Q8_0.gguf#english-small`.
"""

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pairlens.errors import ModelError

SUFFIX = ".gguf"
_ARCHITECTURES = {
    "llama", "qwen2", "qwen2moe", "qwen3", "qwen3moe", "qwen35", "qwen35moe", "gpt-oss", "lfm2", "falcon", "phi3",
    "bloom", "stablelm", "gpt2", "starcoder2", "mamba", "nemotron", "gemma2", "gemma3", "gemma4", "minimax-m2", "deci"
}  # fmt: skip
"""The causal ones that transformers reads (`transformers.integrations.ggml` and `.gguf`)."""
_NAME = re.compile(rf"(.+?\{SUFFIX})(?:#(.*))?", re.IGNORECASE | re.DOTALL)
_PART = re.compile(r"-\d{5}-of-\d{5}$")


def named(name: str) -> tuple[str, str]:
    """The file and the model with the tokenizer in a name; any other name as it is, and an empty one."""
    match = _NAME.fullmatch(name)
    return (match[1], (match[2] or "").strip()) if match else (name, "")


def is_file(path: Path) -> bool:
    """Whether a model's place is a GGUF file, which need not exist."""
    return path.suffix.lower() == SUFFIX and not path.is_dir()


@dataclass(frozen=True, slots=True)
class Header:
    """Metadata; tokens seen at once (0: not known); tensors' shapes; the weights' type in llama.cpp's words."""

    metadata: Mapping[str, Any]
    architecture: str
    context: int
    shapes: Mapping[str, tuple[int, ...]]
    parameters: int
    quantisation: str


def header(path: Path, name: str) -> Header:
    """What the file says; ModelError, in which `name` names the model, for one that cannot be used."""
    try:
        status = path.stat()
        read = _header(path, status.st_size, status.st_mtime_ns, status.st_ino)
    except ImportError:
        raise ModelError(f"'{name}' needs a package that is not here: pip install 'gguf>=0.19'") from None
    except OSError as error:
        raise ModelError(f"'{name}': the file {path} cannot be read ({error.strerror or error}).") from None
    except Exception as error:  # the package reads whatever follows as numbers, types and lengths
        why = " ".join(str(error).split())
        raise ModelError(f"'{name}' is no GGUF file, or one that is damaged or cut short ({why}).") from None
    if _PART.search(path.stem) or read.metadata.get("split.count", 1) not in (0, 1):
        raise ModelError(f"'{name}' is a part of a model: join the parts with `llama-gguf-split --merge` first.")
    if read.architecture not in _ARCHITECTURES:
        raise ModelError(f"'{name}': GGUF files of '{read.architecture}' models are not read as causal models.")
    scaling = read.metadata.get(f"{read.architecture}.rope.scaling.type", "none")
    if "rope_freqs.weight" in read.shapes or scaling != "none":
        raise ModelError(f"'{name}' has scaled positions, which are not read from GGUF: take its original.")
    return read


@lru_cache(maxsize=32)
def _header(path: Path, *_: int) -> Header:
    from gguf import GGUFReader, LlamaFileType

    class Reader(GGUFReader):  # type: ignore[misc]
        """Ends with its file: the package goes on for as long as a length in it says, which may be any number."""

        def _get(self, place: int, *form: Any, **order: Any) -> Any:
            if place >= len(self.data):
                raise ValueError("it ends too early")
            return super()._get(place, *form, **order)

    reader = Reader(path)
    metadata = {key: field.contents() for key, field in reader.fields.items()}
    numbers = Counter[str]()
    for tensor in reader.tensors:
        numbers[tensor.tensor_type.name] += int(tensor.n_elements)
    names = {kind.value: kind.name.partition("_")[2] for kind in LlamaFileType}
    stated, most = names.get(metadata.get("general.file_type"), ""), numbers.most_common(1)[0][0]
    # A file may say Q4_K_M, of which it should have tensors (Q4_K), and have none: rows of other widths than 256.
    quantisation = stated if re.sub(r"_(?:XS|[SML])$", "", stated) in numbers else most
    shapes = {tensor.name: tuple(map(int, tensor.shape[::-1])) for tensor in reader.tensors}
    architecture = str(metadata["general.architecture"])
    context = int(metadata.get(f"{architecture}.context_length", 0))
    return Header(metadata, architecture, context, shapes, numbers.total(), quantisation)


@contextmanager
def source(place: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """What `from_pretrained` takes for a model's place; of a GGUF file nothing that lies beside it is looked at."""
    if not is_file(place):
        yield place, {}
        return
    with tempfile.TemporaryDirectory() as nothing:
        yield Path(nothing), {"gguf_file": str(place)}


def refuse_unused(read: Header, module: Any, name: str) -> None:
    """ModelError if transformers left out some of the file's numbers, silently, so that the network is another."""
    used = sum(weights.numel() for weights in module.parameters())
    if used < read.parameters:
        raise ModelError(f"'{name}': only {used:,} of its {read.parameters:,} numbers are read: take its original.")
