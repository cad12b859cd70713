"""The process that reads pickle weights: `python -m core.models.unpickle TARGET PICKLE...` (see `conversion`)."""

from __future__ import annotations

import pickle
import socket
import sys
from pathlib import Path
from typing import Any, NoReturn


def main(target: Path, sources: list[Path]) -> None:
    """Read tensors, and nothing else, from the pickles and write them to one safetensors file."""
    import torch
    from safetensors.torch import save_file

    _close_the_network()
    tensors: dict[str, torch.Tensor] = {}
    seen: dict[tuple[object, ...], str] = {}
    for source in sources:
        for name, value in _read(source).items():
            if not isinstance(value, torch.Tensor):
                sys.exit(f"{source.name} holds a {type(value).__name__} under '{name}', not weights")
            # Tied weights are one tensor under two names; safetensors keeps a copy of each.
            place = (value.data_ptr(), value.shape, value.stride(), value.dtype)
            shared = seen.setdefault(place, name) != name
            tensors[name] = value.clone().contiguous() if shared else value.contiguous()
    save_file(tensors, target, metadata={"format": "pt"})


def _read(source: Path) -> dict[str, Any]:
    import torch

    try:
        values = torch.load(source, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError:
        sys.exit(f"{source.name} holds more than tensors, which could run code; it was not read")
    except (RuntimeError, EOFError, OSError, ValueError) as error:
        sys.exit(f"{source.name} is damaged ({str(error).splitlines()[0] if str(error) else type(error).__name__})")
    if not isinstance(values, dict):
        sys.exit(f"{source.name} holds a {type(values).__name__}, not named weights")
    return values


def _close_the_network() -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError("this process has no network")

    socket.socket.connect = refuse  # type: ignore[method-assign]
    socket.create_connection = refuse
    socket.getaddrinfo = refuse


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(argument) for argument in sys.argv[2:]])
