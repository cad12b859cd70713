"""A lesson taken elsewhere: to a class, by a server of its own, and home, as one file."""

import socket
import subprocess
import time
from dataclasses import dataclass
from threading import Thread

import streamlit as st

from pages.components.lesson.show import Opened
from pages.components.shared import notices, resources
from pairlens.errors import InputError
from pairlens.evaluation.command import line
from pairlens.places import environment, is_served, python
from pairlens.sharing import is_shared
from pairlens.store import uploads
from pairlens.studies.lesson import Lesson, written
from pairlens.studies.take_home.making import take_home

_PAUSE = 0.1


@dataclass(frozen=True)
class _Class:
    """A class under way: its server, and the two addresses that it printed."""

    server: subprocess.Popen[str]
    teacher: str
    students: str


def offer_class(opened: Opened, model: str) -> None:
    """A button that begins a class, with its links; where the dashboard is shared, the command that does."""
    with st.popover("Hold it with a class", icon=":material/groups:"), st.container(width=420):
        if is_shared():
            notices.text("A class has a server of its own. Type this in a terminal on the teacher's computer:")
            options = [] if model == opened.lesson.model else ["--model", model]
            st.code(line(["class", opened.name or "lesson.toml", *options]), language="bash", wrap_lines=True)
            return
        classes, key = _classes(), written(opened.lesson) + model
        if (held := classes.get(key)) and held.server.poll() is None:
            _show_class(held)
        elif st.button("Begin the class", type="primary", icon=":material/play_arrow:", key="begin_class"):
            with notices.explained_errors(), st.spinner(f"{model} answers all steps …"):
                classes[key] = _begin(opened, model)
                st.rerun()
        notices.text(
            "The model answers all steps, then the page for the projector has a QR code by which phones in the same "
            "network join. They vote, and nobody sees the model's answer before you show it. Votes are kept.",
            "pl-quiet",
        )


def _show_class(held: _Class) -> None:
    st.link_button("Open the projector's page", held.teacher, type="primary", icon=":material/co_present:")
    notices.write("Students: $address", address=held.students)
    if st.button("End the class", icon=":material/stop_circle:", key="end_class"):
        held.server.terminate()
        held.server.wait()
        st.rerun()


@st.cache_resource(show_spinner=False)
def _classes() -> dict[str, _Class]:
    """By lesson and model, those that were begun here; their servers end with this one, since their input does."""
    return {}


def _begin(opened: Opened, model: str) -> _Class:
    """The class as `pairlens class` begins it, on a free port; InputError with its sentence if it cannot."""
    with socket.socket() as probe:
        probe.bind(("", 0))
        port = probe.getsockname()[1]
    lesson = opened.name or str(uploads.keep([("lesson.toml", written(opened.lesson).encode())]))
    command = python("pairlens", "class", lesson, "--model", model, "--port", str(port), "--until-eof")
    server = subprocess.Popen(
        command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    printed: list[str] = []
    for text in server.stdout or ():
        printed.append(text.strip())
        if text.startswith("Students:"):
            Thread(target=server.stdout.read if server.stdout else None, daemon=True).start()  # it prints on
            teacher = next(one for one in printed if one.startswith("You:")).partition(":")[2].strip()
            while server.poll() is None and not is_served(port):  # what was printed is true a moment later
                time.sleep(_PAUSE)
            return _Class(server, teacher, text.partition(":")[2].strip())
    raise InputError(printed[-1].removeprefix("pairlens: ") if printed else "the class did not begin")


def offer_page(lesson: Lesson, model: str) -> None:
    """The file, made as soon as it is asked for, or why this model has none."""
    popover = st.popover("Take it home", icon=":material/home:", key="take_home", on_change="rerun")
    with popover, st.container(width=420), notices.explained_errors():
        if popover.open:
            page = _page(lesson, model)
            notices.write(
                "One HTML file of $size with the lesson and $model. It opens in any browser, on a phone too, and "
                "needs no network. Numbers may differ a little, since weights are rounded.",
                size=notices.size(len(page)), model=model,
            )  # fmt: skip
            st.download_button(
                "Download", page, "lesson.html", "text/html", type="primary", on_click="ignore", key="get_page",
                icon=":material/download:",
            )  # fmt: skip


@resources.remembered("Making the file …", 4, {Lesson: written})
def _page(lesson: Lesson, model: str) -> bytes:
    return take_home(lesson, model).encode()
