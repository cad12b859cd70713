"""What a phone is told: the step that is shown, its own choice, and nothing of the answer before it is shown."""

from __future__ import annotations

from typing import Any

from core.studies.classroom.classroom import AHEAD, OPEN, Classroom, offered
from core.studies.classroom.shares import tally
from core.studies.lesson import Step


def told(room: Classroom, phone: str) -> dict[str, Any]:
    """As JSON. `stage`: joined (the class has not begun), ahead, open, revealed, end."""
    known: dict[str, Any] = {"turn": room.turn, "title": room.lesson.title, "language": room.lesson.language}
    if room.ended or room.at > room.last:
        return known | {"stage": "end"}
    if (step := room.step) is None:
        return known | {"stage": "joined"}
    known |= {"stage": room.stage, "step": room.at, "steps": room.last}
    if room.stage == AHEAD:
        return known
    texts = [{"choice": choice, "text": text} for choice, text in offered(room, room.at).items()]
    known |= {"question": step.question, "prefix": step.prefix, "choices": texts}
    known |= {"mine": room.votes[room.at - 1].get(phone, "")}
    return known if room.stage == OPEN else known | {"answer": _answer(room, step)}


def _answer(room: Classroom, step: Step) -> dict[str, Any]:
    counted, answer = tally(room, room.at), room.answers[room.at - 1]
    return {
        "votes": counted.votes,
        "counts": dict(counted.counts),
        "model": room.model,
        "model_choice": answer.choice,
        "lead": answer.lead,
        "expected": step.expected,
        "notice": step.notice,
    }
