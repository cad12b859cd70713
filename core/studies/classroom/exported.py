"""Votes as a table, without anything that identifies a person or a phone."""

from __future__ import annotations

import csv
import io

from core.studies.classroom.classroom import Classroom
from core.studies.classroom.shares import tally

COLUMNS = ("step", "choice", "votes")


def votes_csv(room: Classroom) -> str:
    """`votes.csv`: a row per step (from 1) and choice (A, B, a form, a word), for every step with votes."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for number in range(1, room.last + 1):
        counted = tally(room, number)
        if counted.votes:
            rows.writerows((number, choice, n) for choice, n in counted.counts.items())
    return text.getvalue()
