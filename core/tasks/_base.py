"""What most tasks leave as it is; a task states the rest."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.types import Prediction, Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseTask:
    """The fields of `core.types.Task`, which says what they mean; those without a default here have none anywhere."""

    name: str
    title: str
    about: str
    noun: str
    topic: Topic
    rules: tuple[str, ...]
    groups: tuple[str, ...]
    averaged: tuple[str, ...]
    metrics: tuple[str, ...]
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
