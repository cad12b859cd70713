"""Which requests runs name: these scores are kept. Deleted runs that can still be restored name theirs too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.store.keys import marks_in
from core.store.store import Store


def marks_named(store: Store) -> NDArray[np.uint64]:
    """The marks (`core.store.keys`) of all requests that runs name, in order."""
    folder = store.folder / "runs"
    found = []
    for pattern in ("[!.]*/items.parquet", ".deleted/*/*/items.parquet"):
        for path in folder.glob(pattern):
            try:
                found.append(marks_in(path))
            except FileNotFoundError:  # the run was deleted a moment ago
                continue
    return np.sort(np.concatenate([np.empty(0, np.uint64), *found]))
