"""Ended jobs that nobody needs any more: what they scored is in the store, the rest is deleted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.settings import settings

if TYPE_CHECKING:
    from core.store.jobs.folder import Job

_DAY = 86_400


def old(jobs: Sequence[Job]) -> list[Job]:
    """Those of `jobs`, newest first, that ended more than `settings().job_days` days ago.

    Never the newest of its verb: pages still say how that ended, to whoever comes back late.
    """
    newest = {job.arguments[0]: job.id for job in reversed(jobs)}
    return [
        job for job in jobs if job.ended and newest[job.arguments[0]] != job.id and _days(job) > settings().job_days
    ]


def _days(job: Job) -> float:
    """For how long nothing has been written about it."""
    return (time.time() - max(file.stat().st_mtime for file in job.folder.iterdir())) / _DAY
