"""`class`: a lesson for a class, whose phones vote over the local network."""

import os
import re
import socket
import sys
from ipaddress import ip_address
from typing import Annotated

import typer
from rich.progress import MofNCompleteColumn

from pairlens.cli import console
from pairlens.errors import InputError
from pairlens.messages import counted
from pairlens.models import catalogue, find
from pairlens.places import environment, python
from pairlens.studies.lesson import Lesson, file_of, read

_SERVER = "pages.components.classroom.server"
_ELSEWHERE = ("192.0.2.1", 9)
"""An address that is nobody's, kept for documents: to ask which of this machine's addresses leads out of it."""
_HERE = "127.0.0.1"
_ADDRESS = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")


def class_(
    lesson: Annotated[
        str, typer.Argument(help="A .toml, a table of pairs, or the name of a lesson that ships.", show_default=False)
    ] = "",
    model: Annotated[str, console.model_option("--model", "-m")] = "",
    address: Annotated[
        str, typer.Option("--address", help="The address that phones open, if the one found is not right.")
    ] = "",
    port: Annotated[int, typer.Option("--port", min=1, max=65_535, help="The port.")] = 8501,
    new: Annotated[
        bool, typer.Option("--new", help="Begin a new class, even if one with this lesson was just interrupted.")
    ] = False,
    until_eof: Annotated[
        bool, typer.Option("--until-eof", help="End when the input ends: for a program that begins a class.")
    ] = False,
) -> None:
    """Hold a lesson with a class: phones on the local network vote, the teacher reveals what a model says.

    The model answers all steps before the class begins. Phones get one small page and nothing else of Pairlens; the
    rest needs the teacher's link, which is printed. A class that was interrupted continues with the same command.
    """
    from pairlens.studies.classroom import kept

    chosen = read(file_of(lesson))
    if address and not _ADDRESS.fullmatch(address):
        raise InputError(f"'{address}' is no address of a machine: it looks like 192.168.1.20")
    address = address or _own_address()
    bind = _HERE if address in (_HERE, "localhost") else "0.0.0.0"
    _check_free(bind, port)
    readers = (model for model in catalogue() if model.bundled and model.kind == "causal")
    own = (reader.name for reader in readers if chosen.language in reader.card["language"].split())
    answering = model or chosen.model or next(own, "english-small")
    find(answering)
    unfinished = "" if new else kept.unfinished(chosen, answering)
    name = unfinished or _begin(chosen, answering)
    room = kept.read(name)
    if unfinished:
        console.say(f"This continues the class of {room.begun[11:16]}. --new begins another one.")
    typer.echo(f"{chosen.title}: {counted(room.last, 'step')}, answered by {room.model}.")
    typer.echo(f"You:      http://{_HERE}:{port}/teacher?key={room.key}")
    typer.echo(f"Students: http://{address}:{port}   code {room.code}")
    typer.echo("Open the first link and keep this window open. Ctrl-C ends the server; all votes are kept.")
    sys.stdout.flush()
    _become_server(name, bind, address, str(port), *["eof"] * until_eof)


def _begin(lesson: Lesson, model: str) -> str:
    from pairlens.store import Store
    from pairlens.studies.classroom import kept
    from pairlens.studies.classroom.shares import answers

    with console.progress_bar(MofNCompleteColumn()) as bar:
        steps = bar.track(answers(lesson, model, Store()), total=len(lesson.steps), description=f"{model} answers")
        return kept.begin(lesson, model, tuple(steps))


def _own_address() -> str:
    """This machine's address on the network that leads out of it; connecting a datagram socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
            own = str(probe.getsockname()[0])
        except OSError:
            own = _HERE
    if ip_address(own).is_loopback:
        console.say(
            "This machine is in no network: only it can join. Connect it to a network, or name its address "
            "(--address)."
        )
    return own


def _check_free(bind: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((bind, port))
        except OSError as error:
            raise InputError(
                f"port {port} cannot be used ({error.strerror}): end what runs there, or take another one, --port "
                f"{port + 1}"
            ) from None


def _become_server(*arguments: str) -> None:
    """This process becomes the server: the memory that the model took is free again, and Ctrl-C ends it."""
    os.environ["PAIRLENS_SHARED"] = "on"
    command = python(_SERVER, *arguments)
    os.execve(command[0], command, environment())
