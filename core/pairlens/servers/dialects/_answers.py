"""What the answers of several kinds of server have in common."""

from collections.abc import Mapping
from typing import Any

from pairlens.errors import ModelError
from pairlens.servers.connection import Connection, RefusedError

WINDOW = 2048
"""Tokens that a server sees at once that does not say it: no model of these years sees fewer."""


def object_at(connection: Connection, path: str) -> Mapping[str, Any] | None:
    """What is at this path, as an object; None where the server knows no such path."""
    try:
        answer = connection.ask(path, patient=False)
    except RefusedError:
        return None
    return answer if isinstance(answer, dict) else None


def model_of(connection: Connection, wanted: str) -> Mapping[str, Any]:
    """The entry of `/v1/models` for this name, or the only one; ModelError with the names that there are."""
    listed = (object_at(connection, "/v1/models") or {}).get("data") or ()
    known = {str(entry.get("id")): entry for entry in listed if isinstance(entry, dict)}
    if wanted in known or (not wanted and len(known) == 1):
        return known[wanted or next(iter(known))]
    if not known:
        raise ModelError(f"What answers at {connection.place} is no server of language models.")
    names = ", ".join(known)
    if wanted:
        raise ModelError(f"The server at {connection.place} has no model '{wanted}'. It has: {names}.")
    raise ModelError(f"The server at {connection.place} has several models, add #NAME to its address: {names}.")
