"""Another program's scores as a run, marked "as stated by the file".

    texts       texts with their tokens and log-probabilities; the format of `data/programs/score_anywhere.py`
    token_table any table with a row per token or text: recognised columns (NLPScholar, minicons), or named ones
    logs        logs of lm-evaluation-harness and inspect-ai, tables of verdicts
    predictions predictions of BabyLM's pipeline and of StereoSet's programs, with the data that they are of
    sources     files, recognised by their content and stored

What such a file states of its model and policy cannot be checked. Its scores are therefore never mixed with ours:
they have a fingerprint of their own, and the run's signature says `scorer:stated-...`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn, cast

from pairlens import identity
from pairlens.errors import InputError, ModelError, PolicyError
from pairlens.evaluation import evaluate
from pairlens.evaluation.imported_scores.texts import Stated, is_own, read_own
from pairlens.evaluation.imported_scores.token_table import Columns, read_token_table
from pairlens.evaluation.requests import plan
from pairlens.files.tables import ending
from pairlens.policies import Policy
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.store.files import sha256
from pairlens.tasks import TASKS
from pairlens.tasks._pair_columns import LABEL, Roles, completed, named, pairs_in
from pairlens.tasks.pairs import pair, with_columns
from pairlens.types import PLAIN, Candidate, Extras, Item, Model, Request, Scorer, ScorerKind, TokenScores

__all__ = ["Columns", "Roles", "Stated", "import_scores"]
STATED = "as stated by the file"
_KINDS = ("causal", "masked")
_READS = {"causal": ("first_token", "dtype"), "masked": ("pll", "dtype")}


@dataclass(frozen=True)
class Repeater:
    stated: Stated

    @property
    def about(self) -> Mapping[str, object]:
        """The provenance of the scores, as far as the file states it."""
        unknown: dict[str, object] = {"device": "", "versions": {}, "python": "", "batch_texts": None, "written": ""}
        return {**unknown, **self.stated.about, "stated": True}

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:  # noqa: ARG002
        """Masses at word ends, entropies and ranks are not stated."""
        return [self._scores(request) for request in requests]

    def _scores(self, request: Request) -> TokenScores:
        for key in ((request.context, request.continuation), request.text):
            if key in self.stated.scores:
                return self.stated.scores[key]
            if key in self.stated.refused:
                raise InputError(self.stated.refused[key])
        raise InputError("the file states no scores of it")


def import_scores(
    source: Path,
    store: Store,
    *,
    title: str = "",
    model: str = "",
    kind: str = "",
    policy: Mapping[str, object] | None = None,
    columns: Columns | None = None,
    roles: Roles | None = None,
) -> str:
    """Store the scores in a file as a run of the task `pairs` and return its id; the same file gives the same run.

    `columns` and `roles` name the columns that are not recognised; `policy` has the policy fields that the file does
    not state. Sentences that are not in pairs are stored singly. InputError with file and line for what cannot be
    used.
    """
    if kind and kind not in _KINDS:
        raise PolicyError(f"--kind takes {' or '.join(_KINDS)}, not '{kind}'.")
    if ending(source) in (".jsonl", ".ndjson") and is_own(source):
        stated = read_own(source)
    else:
        stated = read_token_table(source, columns or Columns(), model=model, kind=kind)
    return store_stated(stated, store, sha256(source), source.name, title, policy=policy, roles=roles)


def store_stated(
    stated: Stated,
    store: Store,
    digest: str,
    file: str,
    title: str = "",
    *,
    policy: Mapping[str, object] | None = None,
    roles: Roles | None = None,
) -> str:
    """Store what a file states, whose content has this `digest`, as a run, and return its id."""
    printable = "".join(sign if sign.isprintable() else " " for sign in stated.model)
    name = " ".join(printable.split())  # a signature is one line, without control characters
    stated = replace(stated, model=name, policy={**stated.policy, **(policy or {})})
    grouped = Roles(group=roles.group) if roles and len(roles.group) > 1 else Roles()
    task = with_columns(TASKS[stated.task], grouped)
    planned = plan(task, stated.items or _items(stated, roles or Roles(), file), _recipe(stated, digest))
    data = str(stated.about.get("input") or file)
    repeater = cast(Scorer, Repeater(stated))
    context = evaluate.Context(store, data, title or f"{data}, {STATED}", scorer=lambda: repeater)
    for _ in evaluate.run(planned, context):
        continue
    origin = {"file": file, "sha256": digest, **stated.about}
    store.update({**store.manifest(planned.run_id), "stated": origin})
    return planned.run_id


def _recipe(stated: Stated, content: str) -> Recipe:
    """A recipe whose fingerprint depends on the file's `content` and how it was read, so that it is never ours."""
    name = identity.WHOLE if stated.items else f"stated-{stated.kind}" if stated.kind else "stated"
    reads = () if stated.items else _READS.get(stated.kind, ("first_token",))
    title = f"log-probabilities {STATED}"
    kind = ScorerKind(name=name, version=1, title=title, accepts=frozenset(), reads=reads, open=_cannot_open)
    made_of = identity.digest(identity.canonical([content, stated.model, dict(stated.about)]))
    model = Model(stated.model, kind.name, Path(), stated.weights, "", made_of, stated.revision)
    policy = Policy(name=f"pairlens, {STATED}", text="as-typed").but(**stated.policy)
    return Recipe(model, kind, policy)


def _cannot_open(model: Model, policy: Policy) -> NoReturn:  # noqa: ARG001
    raise ModelError(f"The scores of '{model.name}' are {STATED}: there is nothing to score with.")


def _items(stated: Stated, roles: Roles, where: str) -> Iterator[Item]:
    """The table's pairs; without pairs, one item per sentence."""
    names: list[Any] = [str(name) for name in stated.table.columns]
    if {"good", "bad"} <= {*names} or named(names, LABEL) or roles != Roles():
        columns = completed(stated.table, roles, where)
        for number, (_, good, bad, groups) in enumerate(pairs_in(stated.table, columns, where)):
            yield pair(f"pair_{number}", good, bad, groups)
        return
    for number, text in enumerate(stated.table["sentence"]):
        yield Item(f"sentence_{number}", (Candidate(text, "sentence"),), None, {"UID": "sentences", "contrast": text})
