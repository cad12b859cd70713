"""Which requests runs name: these scores are kept. Deleted runs that can still be restored name theirs too."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreError
from core.store.keys import marks_in
from core.store.runs import whole
from core.store.store import Store


def marks_named(store: Store) -> NDArray[np.uint64]:
    """The marks (`core.store.keys`) of all requests that runs name, in order; StoreError if a run is damaged."""
    folder = store.folder / "runs"
    found = []
    for path in folder.glob("[!.]*/items.parquet"):
        with suppress(FileNotFoundError), whole(path):  # it may have been deleted a moment ago
            found.append(marks_in(path))
    for path in folder.glob(".deleted/*/*/items.parquet"):
        with suppress(FileNotFoundError, StoreError), whole(path):
            found.append(marks_in(path))
    return np.sort(np.concatenate([np.empty(0, np.uint64), *found]))
