"""Language models that were never trained on labels, asked in words which of three fits a pair best.

A request puts premise and hypothesis into a sentence and scores the words that stand for the labels,
log p(word | prompt), as Brown et al. 2020 do ("Language models are few-shot learners", appendix G). Small models say
little this way: the number says how far a prompt gets, not what the model knows.

Calibrated (Zhao et al. 2021, "Calibrate before use"), each word's log-probability is reduced by what it is when both
texts are a content-free `N/A`: a word that is likely whatever is asked wins less often.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.errors import PolicyError, unknown
from core.files.labels.systems import CONTRADICTION, ENTAILMENT, NEUTRAL
from core.types import Candidate

SYSTEM = "sick"
"""The labels that are asked about."""
CONTENT_FREE = "N/A"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question about $premise and $hypothesis, and the word that answers it for each label."""

    name: str
    title: str
    before: str
    between: str
    after: str
    words: Mapping[str, str]

    def candidates(self, premise: str, hypothesis: str) -> tuple[Candidate, ...]:
        """One per label, with the same context."""
        context = f"{self.before}{premise}{self.between}{hypothesis}{self.after}"
        return tuple(Candidate(f" {word}", label, context) for label, word in self.words.items())


def _words(entailment: str, contradiction: str, neutral: str) -> Mapping[str, str]:
    return MappingProxyType({ENTAILMENT: entailment, CONTRADICTION: contradiction, NEUTRAL: neutral})


PROMPTS: Mapping[str, Prompt] = MappingProxyType(
    {
        prompt.name: prompt
        for prompt in (
            Prompt(
                "english", "English", "", " Question: ", " True, false or neither? Answer:",
                _words("true", "false", "neither"),
            ),
            Prompt(
                "portuguese", "Português", "", " Pergunta: ", " Verdadeiro, falso ou nenhum dos dois? Resposta:",
                _words("verdadeiro", "falso", "nenhum"),
            ),
        )
    }
)  # fmt: skip


def prompt_named(name: str) -> Prompt:
    """The prompt of that name; PolicyError with the choices."""
    if name not in PROMPTS:
        raise PolicyError(unknown("prompt", name, PROMPTS))
    return PROMPTS[name]
