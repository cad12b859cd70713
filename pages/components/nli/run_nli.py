"""Models whose answers are not all here yet: what asking takes, the button that starts it as a job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.runs.estimate import duration_in_words, estimate
from core.runs.requests import Plan
from core.settings import settings
from core.store import jobs
from core.studies.nli.runs import NliRequest
from core.studies.nli.zero_shot import Prompt
from pages.components.nli import resources as kept
from pages.components.nli.results import Answering, DataSet
from pages.components.nli.words import Words
from pages.components.shared import notices, resources
from pages.components.shared.jobs import show_command


@dataclass(frozen=True)
class Missing:
    """A model and a data set about which it has not been asked, all or in part."""

    data: DataSet
    by: Answering
    asked: NliRequest
    mode: str

    @property
    def planned(self) -> Plan:
        """The questions."""
        return kept.planned(self.data.read(), self.asked, self.mode)

    def arguments(self) -> list[str]:
        """The command line that asks them."""
        asked = self.asked
        given = ["nli", "predict", "--gold", str(self.data.path.resolve()), "--model", asked.recipe.model.name]
        if self.data.system:
            given += ["--gold-system", self.data.system]
        if self.data.part:
            given += ["--split", self.data.part]
        for role, column in self.data.columns.items():
            given += ["--column", f"{role}={column}"]
        if isinstance(asked.asks, Prompt):
            given += ["--prompt", asked.asks.name] + (["--calibrate"] if asked.calibrated else [])
        else:
            meanings = ",".join(f"{name}={label}" for name, label in asked.reading.labels.items())
            given += ["--labels", meanings, "--model-system", asked.reading.system]
        output = settings().home.resolve() / "reports" / "nli" / f"{self.planned.run_id}.csv"
        return [*given, "--mode", self.mode, "--output-file", str(output)]


def run_nli(say: Words, missing: Sequence[Missing]) -> None:
    """Say how long it takes, how the latest attempt ended, and offer to start it; nothing while all is under way."""
    commands = [one.arguments() for one in missing]
    latest = [jobs.latest(each) for each in commands]
    idle = [
        (one, command, job)
        for one, command, job in zip(missing, commands, latest, strict=True)
        if job is None or job.ended
    ]
    if not idle:
        return
    _say_what_it_takes(say, [one for one, _, _ in idle])
    for _, _, job in idle:
        if job and job.state in ("failed", "lost"):
            notices.error(say(job.error))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(say("Ask the models"), type="primary", icon=":material/play_arrow:", key="run_nli"):
            for one, command, _ in idle:
                _start(one, command)
            st.rerun()
        show_command((command for _, command, _ in idle), say("The same from the command line"))


def _start(one: Missing, command: list[str]) -> None:
    settings().home.joinpath("reports", "nli").mkdir(parents=True, exist_ok=True)
    jobs.start(command, f"{one.data.name} · {one.by.name}")


def _say_what_it_takes(say: Words, idle: Sequence[Missing]) -> None:
    store = resources.store()
    plans = [one.planned for one in idle]
    expected = [estimate(planned.missing(store), planned.recipe, store) for planned in plans]
    for one, planned, each in zip(idle, plans, expected, strict=True):
        said = say(
            "{model} on {data}: {n:,} questions, about {time} here.",
            model=one.by.name, data=one.data.name, n=planned.n_items, time=duration_in_words(each.seconds),
        )  # fmt: skip
        notices.write("$said", said=said)
