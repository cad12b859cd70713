"""Which requests a candidate makes, and how their scores combine into the candidate's score.

A rule is a short list of weighted requests; the candidate's log-probability is the weighted sum of theirs. A rule
that counts ends adds the log-probability that a word ends where its request does: *acceptée* is a prefix of
*acceptées*, and without that term never the less likely of the two. A rule for shared words scores whole texts and
counts only the tokens that an item's two candidates have in common (`pairlens.store.Store`). A request of weight 0
does not count, but is scored and stored with the others: cases of StereoSet divide by it
(`pairlens.studies.stereoset.cases`).

`pmi` subtracts the log-probability of a text without its context, so that frequency alone does not win: the result is
the pointwise mutual information of text and context, in nats. It corrects for "surface form competition" (Holtzman et
al. 2021); their domain premise is empty here, as in lm-evaluation-harness (`acc_mutual_info`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from pairlens.types import Candidate, Request


@dataclass(frozen=True, slots=True)
class Rule:
    """`terms(candidate)` are the requests, `weights` their factors, in the same order.

    `ends`: the end of the word after each request counts. `forms`: only one form is scored, marked in the candidate's
    text by the region `form`. `shared`: only the tokens that an item's two candidates share count. `both_sides`: the
    model must see what follows a word. `asks` names a region: items whose candidates lack it are not asked.
    """

    name: str
    about: str
    weights: tuple[float, ...]
    terms: Callable[[Candidate], tuple[Request, ...]]
    ends: bool = False
    forms: bool = False
    shared: bool = False
    both_sides: bool = False
    asks: str = ""

    @property
    def subtracts(self) -> bool:
        return any(weight < 0 for weight in self.weights)


def _whole(candidate: Candidate) -> tuple[Request, ...]:
    return (Request("", candidate.context + candidate.text),)


def _form(candidate: Candidate) -> tuple[Request, ...]:
    _, end = candidate.regions.get("form", (0, len(candidate.text)))
    return (Request(candidate.context, candidate.text[:end]),)


def _in_gap(candidate: Candidate, *, spaced: bool = True) -> tuple[Request, ...]:
    """The region `word`, given the text around it; the space before it is part of the word if `spaced`."""
    text = candidate.text
    start, end = candidate.regions.get("word", (0, len(text)))
    start = len(text[:start].rstrip()) if spaced else start
    return (Request(candidate.context + text[:start], text[start:end], text[end:]),)


def _next(candidate: Candidate) -> tuple[Request, ...]:
    start, end = candidate.regions["next"]
    return (Request(candidate.context + candidate.text[:start], candidate.text[start:end]),)


def _cases(candidate: Candidate, *, spaced: bool = True) -> tuple[Request, ...]:
    """The text after its context, the context alone, the text alone, with or without the space before it."""
    context, text = candidate.context, candidate.text
    alone = text if spaced else text.removeprefix(" ")
    return Request(context, text), Request("", context or text), Request("", alone)


def _with_and_without(candidate: Candidate) -> tuple[Request, ...]:
    """The text after its context, and after nothing but the white space that ends the context.

    So both count the same characters, and a space before a word stays there. Without context, both are the same.
    """
    context, text = candidate.context, candidate.text
    return Request(context, text), Request(context[len(context.rstrip()) :], text)


_ABOUT_CASES = "log p(text | context), and beside it those of the context alone and of the text alone"
_ABOUT_GAP = "log p(word | what stands before and after it)"
_in_unspaced_gap, _unspaced_cases = partial(_in_gap, spaced=False), partial(_cases, spaced=False)

_LISTED = (
    Rule("joint", "log p(context + text): the whole text", (1.0,), _whole),
    Rule("conditional", "log p(text | context)", (1.0,), lambda one: (Request(one.context, one.text),)),
    Rule("word", "log p(form and the end of the word | context)", (1.0,), _form, ends=True, forms=True),
    Rule("form", "log p(form | context), whatever follows", (1.0,), _form, forms=True),
    Rule("shared", "the words that both sentences share, each hidden in turn", (1.0,), _whole, shared=True),
    Rule("gap", _ABOUT_GAP, (1.0,), _in_gap, both_sides=True),
    Rule("gap_unspaced", f"{_ABOUT_GAP}, without the space before it", (1.0,), _in_unspaced_gap, both_sides=True),
    Rule("next", "log p(word | what stands before it)", (1.0,), _next, asks="next"),
    Rule("cases", _ABOUT_CASES, (1.0, 0.0, 0.0), _cases),
    Rule("cases_unspaced", f"{_ABOUT_CASES} without a space before it", (1.0, 0.0, 0.0), _unspaced_cases),
    Rule("pmi", "PMI: log p(text | context) - log p(text)", (1.0, -1.0), _with_and_without),
)
RULES: Mapping[str, Rule] = MappingProxyType({rule.name: rule for rule in _LISTED})
