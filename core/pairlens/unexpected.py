"""Errors that nobody expected, written down in a bounded log in the home folder, which `doctor` names.

Where the dashboard is shared it has no messages, which may quote what was typed: only kinds of errors and places.
"""

import os
import secrets
import traceback
from contextlib import suppress
from datetime import datetime

from pairlens import sharing
from pairlens.settings import settings

_LARGEST, _LONGEST = 1_000_000, 20_000
"""Bytes of a file, and characters of one error."""


def record(error: BaseException) -> str:
    reference = secrets.token_hex(4)
    places = [*traceback.format_tb(error.__traceback__), f"{type(error).__qualname__}\n"]
    details = "".join(places if sharing.is_shared() else traceback.format_exception(error))
    entry = f"{datetime.now().astimezone().isoformat(timespec='seconds')} {reference}\n{details[-_LONGEST:]}\n"
    path = settings().errors
    with suppress(OSError):  # a full disk, say: the console of the dashboard has it too
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > _LARGEST:
            path.replace(path.with_suffix(".before.log"))
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "wb") as log:
            log.write(entry.encode("utf-8", "backslashreplace"))
    return reference
