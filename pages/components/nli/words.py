"""The words of the page Entailment, in English and Portuguese (`words.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

import streamlit as st

from core.files.labels import TITLES, Cell, Rule, code
from pages.components.nli.in_portuguese import in_portuguese

LANGUAGES = {"English": "en", "Português": "pt"}
KEY = "lang"
_HEADINGS = {
    "pt": ("Acarretamento", "O que se segue de uma frase, sejam quais forem os rótulos dos dados e do modelo?"),
}


@dataclass(frozen=True, slots=True)
class Words:
    """Every text of the page in one language."""

    language: str

    def __call__(self, key: str, **values: object) -> str:
        """The text of that name, with `$name` replaced."""
        return Template(_texts()[key][self.language]).substitute(values)

    def of(self, sentence: str) -> str:
        """A sentence of `core`, or of a control that other pages have too, in this language."""
        return in_portuguese(sentence) if self.language == "pt" else sentence

    def label(self, name: str) -> str:
        """A label, or several that count as one (`entailment or paraphrase`)."""
        titles = TITLES[self.language]
        return self("or").join(titles.get(part, part).lower() for part in name.split(" or "))

    def labels(self, names: Iterable[str], between: str = ", ") -> str:
        """Several labels."""
        return between.join(map(self.label, names))

    def gold_rule(self, cell: Cell) -> str:
        """What becomes of the gold labels, in a sentence."""
        merged = {name: [label for label in cell.gold if cell.gold[label] == name] for name in cell.classes}
        changed = {name: labels for name, labels in merged.items() if labels != [name]}
        if not changed:
            return self("gold_unchanged")
        joined = (
            self("gold_merged", labels=self.labels(labels, self("and")), name=self.label(name))
            for name, labels in changed.items()
        )
        return " ".join(joined)

    def answer_rules(self, cell: Cell) -> list[str]:
        """What the model's answers amount to, a sentence each."""
        plain = all(rule.forward == (rule.label,) and not rule.reverse for rule in cell.rules)
        said = [self("answers_unchanged")] if plain else [self._rule(rule) for rule in cell.rules]
        return [sentence[:1].upper() + sentence[1:] for sentence in said]

    def _rule(self, rule: Rule) -> str:
        forward, name = self.labels(rule.forward, self("or")), self.label(rule.label)
        if rule.reverse:
            reverse = self.labels(rule.reverse, self("or"))
            return self("rule_both", forward=forward, reverse=reverse, name=name)
        if len(rule.forward) > 1:
            letters = self("or").join(map(code, rule.forward))
            return self("rule_either", letters=letters, forward=forward, name=name)
        return self("rule_one", forward=forward, name=name)


@cache
def _texts() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def translated_heading() -> tuple[str, str] | None:
    """Title and question in the visitor's language, which is chosen below them; None in English."""
    chosen = st.session_state.get(KEY) or st.query_params.get(KEY, "")
    return _HEADINGS.get(LANGUAGES.get(chosen, ""))


def choose_words() -> Words:
    """The language of the page, shared in its link."""
    named = st.segmented_control(
        "Language · Idioma", list(LANGUAGES), default="English", required=True, key=KEY, bind="query-params",
        label_visibility="collapsed",
    )  # fmt: skip
    return Words(LANGUAGES[named])
