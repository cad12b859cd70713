"""Where the parts of Pairlens are, and how a process of its own is started.

In a clone `app.py`, `pages/`, `data/` and `locale/` lie beside the source folder `core/`, also if the clone is
installed with `pip install -e`; an installed wheel holds them inside the package.
"""

import gc
import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_data_path

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "bundled"
IN_CLONE = not _INSTALLED.is_dir()
FOLDER = _PACKAGE.parents[1] if IN_CLONE else _INSTALLED
"""The folder that holds `app.py`, `pages/`, `data/` and `locale/`."""
HOME = FOLDER / ".pairlens" if IN_CLONE else user_data_path("pairlens", appauthor=False)
"""Where results are kept unless `PAIRLENS_HOME` says so: in the clone, else in the user's folder for data."""


def bundled(*names: str) -> Path:
    """A file or folder of `data/`: the models, samples and tables that come along."""
    return FOLDER.joinpath("data", *names)


def script() -> Path:
    """The command `pairlens` of this environment, if Pairlens is installed there."""
    return Path(sys.executable).with_name("pairlens.exe" if os.name == "nt" else "pairlens")


def program() -> str:
    """How to call the command line: `pairlens` where it is installed, else as it is done in the folder of a clone."""
    return "pairlens" if script().exists() else "PYTHONPATH=core python -m pairlens"


def spare_processor() -> None:
    """A program says that torch's threads, which it may load, shall not wait in a loop, and seldom looks for garbage.

    The loop takes the processor from whoever else needs it; the variable is read when torch is loaded. As often as
    usual, the search takes an eighth of the time in which transformers is loaded, and a tenth of a dashboard's.
    """
    gc.set_threshold(max(10_000, gc.get_threshold()[0]))
    if not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & os.environ.keys():
        os.environ["GOMP_SPINCOUNT"] = "4000"


def python(module: str, *arguments: str) -> list[str]:
    """The command that runs a module in a process of its own, which needs `environment` and any folder to be in.

    No module is looked for in that folder (`-P`): files of its may be named like modules of the standard library.
    """
    return [sys.executable, "-P", "-m", module, *arguments]


def is_served(port: int) -> bool:
    """Whether a process of this machine answers at a port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def environment(own: Mapping[str, str] = os.environ) -> dict[str, str]:
    """`own` with the paths on which a child finds `pairlens` and `pages`."""
    paths = [*([str(_PACKAGE.parent)] if IN_CLONE else []), str(FOLDER), *filter(None, [own.get("PYTHONPATH")])]
    return {**own, "PYTHONPATH": os.pathsep.join(paths)}
