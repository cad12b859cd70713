"""Kinds of server, one file each: `DIALECTS[name]` is a function that recognises its kind, or returns None.

Each asks a connection what it is and takes the model of that name (empty: the only one); ModelError for another name.
"""

from collections.abc import Callable

from pairlens.discovery import Registry
from pairlens.servers.connection import Connection
from pairlens.servers.dialect import Dialect

DIALECTS: Registry[Callable[[Connection, str], Dialect | None]] = Registry(__name__, list(__path__), "DIALECT")
