"""Readers that behave badly, in a module that imports next to nothing: each runs in a process of its own."""

import os
import sys
import time

from pairlens.errors import InputError


def wait(path):
    """A reader that says whether it is still there."""
    with path.open("wb", buffering=0) as said:
        said.write(b"begun")
        time.sleep(15)
        said.write(b", and still there")


def leave():
    os._exit(0)


def bug():
    raise ValueError("bug")


def refuse():
    """A reader that says much before it says why there is no answer."""
    sys.stderr.write("careful\n" * 150_000)
    raise InputError("it is damaged", "a.csv")


def fill():
    return [bytes(1 << 20) for _ in range(1 << 10)]


def burn():
    while True:
        pass
