"""The server of one class: Streamlit for the teacher, a few routes for phones. `pairlens class` starts it.

python -m pages.components.classroom.server NAME BIND ADDRESS PORT
"""

from __future__ import annotations

import logging
import sys

import streamlit as st
from starlette.middleware import Middleware

from core.settings import ROOT
from core.studies.classroom.kept import opened
from pages.components.classroom.only_the_teacher import OnlyTheTeacher
from pages.components.classroom.phone_routes import routes
from pages.components.classroom.served import Served, serve


def main(name: str, bind: str, address: str, port: str) -> None:
    """Serve a class until Ctrl-C; `bind` is where to listen, `address` what phones open."""
    dashboard = str(ROOT / "app.py")
    sys.argv[:] = [dashboard]  # Streamlit looks for its settings beside the program that was started
    logging.getLogger("core.sharing").setLevel(logging.ERROR)  # that it is shared is no news to the teacher
    with opened(name) as kept:
        served = Served(kept, f"http://{address}:{port}")
        serve(served)
        phones = routes(served)
        guard = Middleware(OnlyTheTeacher, key=kept.see(lambda room: room.key), open_to_all=phones)
        app = st.App(dashboard, routes=phones, middleware=[guard])
        app.run(config={"server.address": bind, "server.port": int(port), "logger.hideWelcomeMessage": True})


if __name__ == "__main__":
    main(*sys.argv[1:])
