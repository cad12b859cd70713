"""What most tasks leave as it is; a task states the rest."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.types import Item, Prediction, Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseTask:
    """The fields of `core.types.Task`, which says what they mean; those without a default here have none anywhere."""

    name: str
    title: str
    about: str
    topic: Topic
    rules: tuple[str, ...]
    groups: tuple[str, ...]
    noun: str = "pair"
    averaged: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ("accuracy",)
    version: int = 1
    paper: str = ""
    cites: tuple[str, ...] = ()
    sets: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    prediction: Prediction = "text"
    confidential: bool = False
    compared: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()
    clusters: str = "contrast"
    guessed: bool = False
    same_text: bool = False
    any_table: bool = False
    language: str = ""
    instead: str = ""
    page: str = ""
    page_compares: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTask(BaseTask):
    """A task whose items a function reads, the same for whoever asks."""

    read: Callable[[Path], Iterable[Item]]
