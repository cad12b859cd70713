"""Public data sets (`data/datasets.toml`): which there are, which are on this machine, and how to get the others.

catalogue   each set's contents, licence and terms, and its files with their sha256
places      where a set is: fetched, in a mirror folder, to be brought, or not here
fetching    getting one from the mirror folder or the network
"""

from core.files.datasets.catalogue import Dataset, File, catalogue, named, of_task
from core.files.datasets.fetching import get
from core.files.datasets.places import State, located, name_of, path_of, remove, state

__all__ = [
    "Dataset", "File", "State", "catalogue", "get", "located", "name_of", "named", "of_task", "path_of", "remove",
    "state",
]  # fmt: skip
