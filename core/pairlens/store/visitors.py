"""Whose the uploads, runs and jobs of a shared dashboard are.

home/visitors/<visitor>/runs/<run id>, .../uploads/<folder>    empty files: these are hers

A visitor is a keyed hash of what her browser or her sign-in says about her; that itself is stored nowhere. The pages
say who asks (`told_by`), in a job the environment does. The command line, and a dashboard of one's own, have no
visitors: they see everything.
"""

import hashlib
import hmac
import os
from collections.abc import Callable, Collection, Iterable
from typing import Literal

from pairlens.errors import StoreError
from pairlens.settings import settings
from pairlens.sharing import parsed
from pairlens.store.files import secret, system_errors

Kind = Literal["runs", "uploads"]
EVERYTHING = ""
"""Asks where there are no visitors, and sees everything."""
NOBODY = "nobody"
"""Asks in a shared dashboard without being known, and sees nothing."""
OPERATOR = "operator"
"""Owns what no visitor owns; recorded only where a visitor owns the same thing."""
VARIABLE = "PAIRLENS_VISITOR"
"""The environment variable that tells a job's process whose job it is."""


_asks: Callable[[], str] = lambda: os.environ.get(VARIABLE, EVERYTHING)  # noqa: E731


def told_by(asks: Callable[[], str]) -> None:
    """From now on this function says who asks: a visitor, EVERYTHING or NOBODY."""
    global _asks
    _asks = asks


def current() -> str:
    return _asks()


def visitor(identity: str) -> str:
    """The visitor behind what a browser or a sign-in says, as 32 hex digits."""
    return hmac.new(secret(settings().home).encode(), identity.encode(), hashlib.sha256).hexdigest()[:32]


def short(who: Iterable[str]) -> str:
    """What the operator's lists call these visitors; empty where there are none."""
    return ", ".join(sorted(one[:6] for one in who if one not in (OPERATOR, EVERYTHING)))


def claim(kind: Kind, name: str, *, new: bool) -> None:
    """Note that this is, perhaps among others, whoever asks' own; `new`: it was not here before."""
    if (who := current()) == NOBODY or (who != EVERYTHING and may_change(kind, name)):
        return
    known = owners(kind, name)
    claiming = {who} if new or known else {who, OPERATOR}
    if who == EVERYTHING:
        claiming = {OPERATOR} if known else set()
    with system_errors(settings().visitors, "written"):
        for owner in claiming - known:
            mark = settings().visitors / owner / kind / name
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()


def give_up(kind: Kind, name: str) -> bool:
    """Whoever asks (without visitors, anybody) does not own this any more. Returns whether nobody does."""
    demand(kind, name)
    who, known = current(), owners(kind, name)
    gone = known if who == EVERYTHING else {who}
    forget(kind, name, gone)
    return known <= gone


def forget(kind: Kind, name: str, who: Iterable[str] = ()) -> None:
    """These, by default all who own this, do so no more."""
    for one in who or owners(kind, name):
        (settings().visitors / one / kind / name).unlink(missing_ok=True)


def owners(kind: Kind, name: str) -> set[str]:
    """The visitors who own this, and OPERATOR where the operator does too; empty if it is only the operator's."""
    return {one.name for one in settings().visitors.glob("*") if (one / kind / name).exists()}


def told_to_operator(kind: Kind, names: Iterable[str]) -> list[str]:
    """Whose each of these is (`short`), where everything is seen; else nothing of any."""
    if current() != EVERYTHING:
        return ["" for _ in names]
    owned = {one.name: _owned(one.name, kind) for one in settings().visitors.glob("*")}
    return [short(who for who, names_owned in owned.items() if name in names_owned) for name in names]


def demand(kind: Kind, name: str) -> None:
    """StoreError if whoever asks may read this, by its link, but not change it."""
    if not may_change(kind, name):
        raise StoreError(f"'{name}' is somebody else's: you can read it, but not change or delete it.")


def may_change(kind: Kind, name: str) -> bool:
    who = current()
    return who == EVERYTHING or (who != NOBODY and (settings().visitors / who / kind / name).exists())


def listed(kind: Kind, names: Collection[str], who: str | None = None) -> Collection[str]:
    """Those of these names that somebody, by default who asks now, finds in lists."""
    who = current() if who is None else who
    if who == EVERYTHING:
        return names
    if who == NOBODY:
        return ()
    owned = _owned(who, kind)
    if kind == "runs" and parsed(settings().allowed).may("runs"):
        of_visitors = set().union(*(_owned(one.name, kind) for one in settings().visitors.glob("*")))
        owned |= {*names} - of_visitors | _owned(OPERATOR, kind)
    return owned.intersection(names)


def _owned(owner: str, kind: Kind) -> set[str]:
    return {mark.name for mark in (settings().visitors / owner / kind).glob("*")}
