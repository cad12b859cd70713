"""The process that reads pickle weights: `python -m pairlens.models.unpickle PARENT TARGET PICKLE...` (see
`conversion`).

It ends with the process PARENT, which may be killed.
"""

import os
import pickle
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

_SCALAR: Any = np.float64(0).__reduce__()[0]
_NUMBERS: list[Any] = [np.dtype, np.dtypes.Float64DType, _SCALAR, (_SCALAR, "numpy.core.multiarray.scalar")]
"""What a number of numpy is made of, today and before numpy 2: programs save their accuracy beside the weights."""

_DAMAGED = "is damaged, or not a checkpoint that torch saved"


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
    """What is in a pickle by name, without the names of what a training program wraps a network in."""
    import torch

    try:
        with torch.serialization.safe_globals(_NUMBERS):
            values = torch.load(source, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError:
        sys.exit(f"{source.name} holds more than tensors, which could run code, or is no checkpoint; it was not read")
    except OSError as error:
        sys.exit(f"{source.name} cannot be read ({error.strerror or type(error).__name__})")
    except (RuntimeError, EOFError, ValueError, LookupError, AttributeError, TypeError) as error:
        # Only these words are torch's: the rest of what it says is advice to read the file unsafely.
        what = "holds a program (TorchScript), not weights" if "TorchScript" in str(error) else _DAMAGED
        sys.exit(f"{source.name} {what}")
    if isinstance(values, dict):
        values = values.get("model_state_dict", values)
    if not isinstance(values, dict):
        sys.exit(f"{source.name} holds a {type(values).__name__}, not named weights")
    return {str(name).removeprefix("module.").removeprefix("core_model."): value for name, value in values.items()}


def _end_with(parent: int) -> None:
    """Where a process keeps the number of its dead parent (Windows) it ends by itself."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _close_the_network() -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError("this process has no network")

    socket.socket.connect = refuse  # type: ignore[method-assign]
    socket.create_connection = refuse
    socket.getaddrinfo = refuse


if __name__ == "__main__":
    threading.Thread(target=_end_with, args=[int(sys.argv[1])], daemon=True).start()
    main(Path(sys.argv[2]), [Path(argument) for argument in sys.argv[3:]])
