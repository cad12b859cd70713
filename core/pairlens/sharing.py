"""What a visitor may do: everything on one's own machine; on a shared dashboard, what its operator names.

`PAIRLENS_ALLOWED` names folders, models on the hub and single rights. Whether a dashboard is shared is found by the
pages (`pages/components/shared/rights.py`) and holds for the process from then on: the command line is never bounded.
"""

import logging
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from pairlens.errors import InputError, unknown
from pairlens.messages import Message
from pairlens.places import FOLDER
from pairlens.settings import settings

WORDS: Mapping[str, Message] = {
    "hub": Message("Models on the hub cannot be named here"),
    "fetch": Message("Data sets cannot be fetched here"),
    "train": Message("Models cannot be trained here"),
    "import": Message("Runs cannot be imported here"),
    "housekeeping": Message("Housekeeping is closed here"),
    "runs": Message("Other people's runs are not shown here"),
}
"""The rights that can be named, and what is said where one is missing."""
_WHY = Message("this dashboard is shared, and its operator has not allowed it (PAIRLENS_ALLOWED).")
NO_SERVER = Message("This dashboard is shared, and asks only the servers that its operator names (PAIRLENS_ALLOWED).")
_OUTSIDE = Message(
    "This dashboard is shared: files on the server are read only from folders that its operator names "
    "(PAIRLENS_ALLOWED)."
)
_FOLDER_STARTS = ("/", "./", "../", "~")
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9_][\w.-]*(?:@[\w./-]+)?")
_SHARED: list[str] = []
"""By what it was seen first."""


@dataclass(frozen=True, slots=True)
class Rights:
    """`folders`, whose data and models may be named by path, `hub_models`, `servers` that may be asked, by their
    origin, and words of `WORDS`; or everything.
    """

    everything: bool = False
    folders: tuple[Path, ...] = ()
    hub_models: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    servers: frozenset[str] = frozenset()

    def may(self, word: str) -> bool:
        return self.everything or word in self.words

    def need(self, word: str) -> None:
        if not self.may(word):
            raise InputError(why_not(word))

    @property
    def names_paths(self) -> bool:
        return self.everything or bool(self.folders)

    @property
    def names_models(self) -> bool:
        return self.names_paths or bool(self.hub_models or self.servers) or self.may("hub")

    def may_ask(self, base: str) -> bool:
        """Whether a server may be asked: this dashboard connects nowhere else, whatever a visitor's words mean."""
        return self.everything or origin_of(base) in self.servers

    def may_name(self, repo: str, revision: str = "") -> bool:
        """Whether a model on the hub may be named; one that is named without a revision may be named with any."""
        return self.may("hub") or bool({repo, f"{repo}@{revision}"} & self.hub_models)

    def path(self, name: str) -> Path:
        """The file or folder that a visitor names; InputError in one sentence if it is outside of the folders.

        No links may lead out of them, and Pairlens' own home folder and Streamlit's secrets stay closed in any case.
        """
        try:
            path = Path(name.strip()).expanduser()
            if self.everything:
                return path
            path = path.resolve()
            inside = self._is_inside(path) and all(map(self._is_inside, _links(path)))
        except (OSError, RuntimeError, ValueError):  # no such user, a loop of links, a null character
            raise InputError(
                Message("This is not a path that can be opened.") if self.everything else _OUTSIDE
            ) from None
        if not inside:
            raise InputError(_OUTSIDE)
        return path

    def _is_inside(self, path: Path) -> bool:
        """Whether it lies in the folders, and neither in nor around those whose files nobody may name."""
        path = path.resolve()
        started = Path.cwd() / ".streamlit"  # only where it is: the folder around it may be one that is allowed
        settings_of_streamlit = (FOLDER / ".streamlit", _user_home() / ".streamlit", *([started] * started.exists()))
        private = (settings().home.resolve(), *(one.resolve() for one in settings_of_streamlit))
        if any(path.is_relative_to(one) or one.is_relative_to(path) for one in private):
            return False
        return any(path.is_relative_to(folder.resolve()) for folder in self.folders)


def share(why: str) -> None:
    """From now on others than this machine's user are served; the log says once by what that was seen."""
    if not _SHARED:
        _SHARED.append(why)
        logging.getLogger(__name__).warning(
            "This dashboard is shared: %s. Visitors may do what PAIRLENS_ALLOWED names; PAIRLENS_SHARED=off trusts "
            "everybody who reaches it.", why,
        )  # fmt: skip


def is_shared() -> bool:
    return bool(_SHARED)


def why_shared() -> str:
    return "".join(_SHARED[:1])


def rights() -> Rights:
    return parsed(settings().allowed) if is_shared() else Rights(everything=True)


def without_places(text: str) -> str:
    """A text for a visitor: on a shared dashboard, without the folders in which Pairlens and its files are."""
    if is_shared():
        for place in (settings().home.resolve(), settings().home, FOLDER, _user_home()):
            if place.is_absolute() and place != Path(place.anchor):
                text = re.sub(rf"{re.escape(str(place))}(/|\b)", "", text)
    return text


@lru_cache(maxsize=8)
def parsed(text: str) -> Rights:
    """The rights that a setting names, separated by commas; InputError for an unknown one."""
    entries = {entry.strip() for entry in text.split(",")} - {""}
    folders = {entry for entry in entries if entry.startswith(_FOLDER_STARTS)}
    models = {entry for entry in entries - folders if _HUB_NAME.fullmatch(entry)}
    servers = {entry for entry in entries if entry.lower().startswith(("http://", "https://"))}
    words = entries - folders - models - servers
    try:
        opened = tuple(Path(folder).expanduser() for folder in sorted(folders))
    except RuntimeError:
        raise InputError(
            "it names the home folder of a user who is not here (~)", "Environment variable PAIRLENS_ALLOWED"
        ) from None
    for word in sorted(words - WORDS.keys()):
        raise InputError(
            f"{unknown('right', word, WORDS)} A folder begins with / or ~, a model on the hub is written ORG/NAME, a "
            "server http://HOST:PORT.",
            "Environment variable PAIRLENS_ALLOWED",
        )
    try:
        origins = frozenset(map(origin_of, servers))
    except ValueError as error:
        raise InputError(
            f"it names a server by no address: {error}", "Environment variable PAIRLENS_ALLOWED"
        ) from None
    return Rights(False, opened, frozenset(models), frozenset(words), origins)


def origin_of(address: str) -> str:
    """`http://HOST:PORT` of an address, as browsers compare origins (RFC 6454); ValueError without host or port.

    >>> origin_of("HTTP://LocalHost/v1")
    'http://localhost:80'
    """
    parts = urlsplit(address)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    if usual is None or not parts.hostname:
        raise ValueError("it has no host after http:// or https://")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}:{parts.port or usual}"


def why_not(word: str) -> Message:
    return Message("{what}: {why}", what=WORDS[word], why=_WHY)


def _user_home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a container's user without one
        return FOLDER


def _links(path: Path) -> Iterator[Path]:
    """The symbolic links in a folder and in those that they lead to, or beside a file under its name."""
    if not path.is_dir():
        stem = path.name.partition(".")[0]
        beside = path.parent.iterdir() if path.parent.is_dir() else ()
        yield from (one for one in beside if one.name.startswith(stem) and one.is_symlink())
        return
    waiting, known = [path], {path}
    while waiting:
        for folder, folders, files in os.walk(waiting.pop()):
            for one in (Path(folder, name) for name in (*folders, *files)):
                if one.is_symlink():
                    yield one  # whoever goes on has found it inside
                    if (leads_to := one.resolve()).is_dir() and leads_to not in known:
                        known.add(leads_to)
                        waiting.append(leads_to)
