"""Public data sets (`data/datasets.toml`): which there are, which are on this machine, and how to get the others.

catalogue   each set's contents, licence and terms, its files with their sha256, and where it is: fetched, in a mirror
            folder, to be brought, or not here
fetching    getting one from the mirror folder or the network
"""

from core.files.datasets.catalogue import (
    Dataset,
    File,
    State,
    catalogue,
    located,
    name_of,
    named,
    of_task,
    path_of,
    remove,
    state,
)
from core.files.datasets.fetching import get

__all__ = [
    "Dataset", "File", "State", "catalogue", "get", "located", "name_of", "named", "of_task", "path_of", "remove",
    "state",
]  # fmt: skip
