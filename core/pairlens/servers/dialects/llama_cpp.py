"""llama.cpp's server, which tells nothing about given text: each token is forced by a grammar of token ids.

With `post_sampling_probs` off the values are those before grammar and temperature. One request per text, at the speed
of generation. A token that is a part of a character cannot be forced: it is looked up among all of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from pairlens.servers.connection import Connection, RefusedError
from pairlens.servers.dialect import Dialect, Ids, Prompt, Question, Served
from pairlens.servers.dialects._answers import model_of, object_at
from pairlens.types import UNSCORED


class _LlamaCpp(Dialect):
    rows, most_top = 1, 50

    def __init__(self, connection: Connection, served: Served, n_tokens: int) -> None:
        self._connection, self.served, self._n_tokens = connection, served, n_tokens
        self._parts: set[int] = set()

    def _prompts(self, questions: Sequence[Question], top: int, temperature: float) -> list[Prompt]:
        return [self._answer(question, top, temperature) for question in questions]

    def _answer(self, question: Question, top: int, temperature: float) -> Prompt:
        before, n = question.ids[: question.first], len(question.ids)
        places, done = list[dict[str, Any]](), question.first
        while done < n:
            end = next((place for place in range(done, n) if question.ids[place] in self._parts), n)
            try:
                places += self._forced(question.ids[:done], question.ids[done:end], max(top, 1), temperature)
            except RefusedError:
                if not (new := {id for id in question.ids[done:end] if self._is_part(id)}):
                    raise
                self._parts |= new
                continue
            if end < n:
                places.append(self._looked_up(question.ids[:end], question.ids[end]))
            done = end + 1
        ids = [*before, *(place.get("id") for place in places)]
        values = [None, *[UNSCORED] * (question.first - 1), *(place.get("logprob") for place in places)]
        tops = [{token["id"]: token["logprob"] for token in place.get("top_logprobs", ())} for place in places]
        return self._prompt(question, ids, values, tops, top)

    def _forced(self, prompt: Ids, forced: Ids, top: int, temperature: float = 0.0) -> list[dict[str, Any]]:
        if not forced:
            return []
        request = {
            "prompt": list(prompt), "n_predict": len(forced), "n_probs": top, "temperature": temperature,
            "grammar": f"root ::= {' '.join(f'<[{id}]>' for id in forced)}", "post_sampling_probs": False,
            "cache_prompt": True,
        }  # fmt: skip
        answer = self._connection.ask("/completion", request, hopeless="grammar")
        return answer.get("completion_probabilities") or []

    def _looked_up(self, prompt: Ids, id: int) -> dict[str, Any]:
        """The same for a single token, by its value among all where another one is forced."""
        every = self._forced(prompt, (self._whole,), self._n_tokens)[0]
        values = {place["id"]: place["logprob"] for place in every["top_logprobs"]}
        return {"id": id, "logprob": values.get(id)}

    def _is_part(self, id: int) -> bool:
        """Whether a token is a part of a character: the server cannot force it, even alone."""
        try:
            self._forced((self._whole,), (id,), 1)
        except RefusedError:
            return True
        return False

    @cached_property
    def _whole(self) -> int:
        """A token of whole characters."""
        return int(self._connection.ask("/tokenize", {"content": ".", "add_special": False})["tokens"][-1])

    def pieces(self, text: str) -> list[tuple[int, str | bytes]] | None:
        """The bytes that each stands for, which come as numbers where a character is cut."""
        tokens = self._connection.ask("/tokenize", {"content": text, "add_special": False, "with_pieces": True})
        pieces = [(int(token["id"]), token["piece"]) for token in tokens["tokens"]]
        return [(id, piece.encode() if isinstance(piece, str) else bytes(piece)) for id, piece in pieces]

    def start(self) -> int | None:
        tokens = [
            self._connection.ask("/tokenize", {"content": "a", "add_special": special})["tokens"]
            for special in (True, False)
        ]
        return int(tokens[0][0]) if len(tokens[0]) > len(tokens[1]) else None


def DIALECT(connection: Connection, model: str) -> _LlamaCpp | None:  # noqa: ARG001, N802 - a server has one model
    about = object_at(connection, "/props") or {}
    if "default_generation_settings" not in about:
        return None
    window = int(about["default_generation_settings"]["n_ctx"])
    facts = {"quantisation": about["model_ftype"]} if about.get("model_ftype") else {}
    name = str(about.get("model_alias") or about.get("model_path") or "").rpartition("/")[2]
    entry = model_of(connection, "")
    served = Served(f"llama.cpp {about.get('build_info', '')}".strip(), name, window, facts)
    return _LlamaCpp(connection, served, int((entry.get("meta") or {}).get("n_vocab", 0)))
