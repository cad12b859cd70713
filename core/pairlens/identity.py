"""Hashes of everything that determines a score, so that a score requested twice is looked up.

`fingerprint` identifies a scorer on a model under a policy, `request_key` one text under one fingerprint. Names,
paths, devices, batch sizes and library versions are provenance: they are stored with the scores.
"""

import hashlib
import json
from collections.abc import Iterable

from pairlens.policies import Policy
from pairlens.types import Model, Request, ScorerKind

_SHORT = 7
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: object) -> str:
    """JSON with sorted keys and no spaces: equal values give equal text."""
    return _ENCODER.encode(value)


def digest(text: str) -> str:
    """sha256 of a text, in hex. Lone surrogates, as in JSON and names of files, count as UTF-8 would write them."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fingerprint(kind: ScorerKind, model: Model, policy: Policy) -> str:
    """Identifies everything that determines a log-probability except the text: 64 hex digits."""
    digests = {name: getattr(model, name) for name in ("weights", "tokenizer", "config", "code")}
    chosen = {"scorer": kind.name, "version": kind.version, "policy": policy.scoring(kind.reads)}
    return digest(canonical({**digests, **chosen}))


def request_key(fingerprint: str, request: Request, salt: str = "") -> str:
    """Identifies one text under one fingerprint, at any temperature; a secret `salt` protects confidential texts."""
    after = [request.after] if request.after else []
    return digest(canonical([fingerprint, request.context, request.continuation, salt, *after]))


def dataset_hash(lines: Iterable[str]) -> str:
    state = hashlib.sha256()
    for line in lines:
        state.update(line.encode("utf-8", "surrogatepass"))
        state.update(b"\n")
    return state.hexdigest()


WHOLE = "stated-texts"
"""The scorer of texts whose scores another program stated as wholes, without tokens or how it read them."""


def signature(
    task: str, version: int, rule: str, data: str, kind: ScorerKind, model: Model, policy: Policy, release: str
) -> str:
    """One line that says how a number was computed, in the manner of sacreBLEU (Post 2018); no usual `rule`."""
    name = model.name + (f"@{model.revision[:_SHORT]}" if model.revision else "")
    read = policy.scoring(kind.reads)
    chosen = {field: str(getattr(policy, field) or "") for field in read}
    parts = {
        "task": f"{task}.v{version}",
        "rule": rule,
        "data": data[:_SHORT],
        "scorer": f"{kind.name}.v{kind.version}",
        "first": chosen.get("first_token") or ("unknown" if kind.name == WHOLE else None),
        "decoder": str(read.get("decoder", "")),
        "pll": chosen.get("pll"),
        "tokens": chosen.get("tokens"),
        "words": str(read.get("words_by", "")),
        "value": policy.sentence_value,
        "ties": policy.ties,
        "text": policy.text + (f"+{policy.detokenise}" if policy.detokenise else ""),
        "space": "leading" if policy.leading_space else "",
        "window": chosen.get("window"),
        "stride": chosen.get("stride"),
        "windows": chosen.get("windows"),
        "model": f"{name}#{model.weights[:_SHORT]}",
        "code": model.code,
        "server": str(model.card.get("server", "")).replace("|", "/"),
        "quantisation": str(model.card.get("quantisation", "")),
        "dtype": chosen.get("dtype"),
        "v": release,
    }
    return "|".join(f"{key}:{value}" for key, value in parts.items() if value)
