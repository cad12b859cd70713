"""Models that a server holds: what identifies them, and how texts are cut for them."""

from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path

from pairlens import servers, sharing
from pairlens.errors import ModelError
from pairlens.identity import canonical, digest
from pairlens.messages import Message
from pairlens.servers import local
from pairlens.servers.connection import Connection
from pairlens.settings import settings
from pairlens.types import Model

_SECONDS = 60
"""How long what a server says of itself is believed by pages, which ask at every click."""


def described(address: servers.Address, name: str, tokenizer: str) -> Model:
    """The model at this address, as its server states it; ModelError if nothing there can score given text.

    `tokenizer` is the digest of the one that the address names, empty if the server is to cut texts.

    What identifies it is what the server says: software with version, name, precision, sizes. A server that holds
    other weights under the same name cannot be told from it.
    """
    served = dialect_of(address).served
    known = {"software": served.software, "model": served.model, **served.facts}
    if not tokenizer and dialect_of(address).pieces("a") is None:
        raise ModelError(
            f"The server at {address.place} does not tell its tokens: name a model or a folder that has its "
            "tokenizer: http://HOST:PORT?tokenizer=MODEL."
        )
    stated = ", ".join(f"{key} {value}" for key, value in served.facts.items())
    server = ", ".join(filter(None, (served.software, stated)))
    about = f"{served.model or 'A model'} at {address.place}, by {server}"
    card = {"kind": "served", "description": about, "context": served.window, "server": server}
    config, nowhere = digest(canonical({"window": served.window})), settings().cache / "servers"
    own = digest(canonical(known))
    return Model(name, "served", nowhere, own, tokenizer or own, config, card=card)


def state_of(model: Model) -> Message:
    """Whether its server has passed the self-test in this process, and when (UTC)."""
    passed = connection_to(servers.parsed(model.name)).passed
    if not passed:
        return Message("self-test before the first number")
    return Message("self-test passed {moment}", moment=passed.replace("T", " ").replace("+00:00", " UTC"))


def dialect_of(address: servers.Address) -> servers.Dialect:
    """The server at this address, asked what it is once a minute; ModelError if it does not answer."""
    return _dialect(address, int(time.monotonic() / _SECONDS))


@lru_cache(maxsize=4)
def _dialect(address: servers.Address, _minute: int) -> servers.Dialect:
    return servers.recognised(connection_to(address), address.model)


def connection_to(address: servers.Address) -> Connection:
    """The same one each time, of a file until the file changes."""
    if not address.file:
        return _connection(address)
    file = sharing.rights().path(address.file).resolve()
    if not file.is_file():
        raise ModelError(f"There is no file {file}.")
    return _connection(address, file, file.stat().st_size, file.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _connection(address: servers.Address, file: Path | None = None, *_: int) -> Connection:
    return local.connection_to(file) if file else Connection(address.base, address.place)
