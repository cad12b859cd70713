"""vLLM: `prompt_logprobs` of `/v1/completions`, by token id; the own token stands among the unmarked.

Its values are those before any temperature (`--logprobs-mode raw_logprobs`, the usual one).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from pairlens.errors import ModelError
from pairlens.servers.connection import Connection, RefusedError
from pairlens.servers.dialect import Dialect, Prompt, Question, Served
from pairlens.servers.dialects._answers import WINDOW, model_of, object_at


class _Vllm(Dialect):
    rows, most_top = 64, 20

    def _prompts(self, questions: Sequence[Question], top: int, temperature: float) -> list[Prompt]:
        request = {
            "model": self.served.model, "prompt": [list(question.ids) for question in questions], "max_tokens": 1,
            "temperature": temperature, "prompt_logprobs": top,
        }  # fmt: skip
        choices = sorted(self._connection.ask("/v1/completions", request)["choices"], key=itemgetter("index"))
        if len(choices) != len(questions):
            raise ModelError(f"{self.served.software} gives {len(choices)} answers to {len(questions)} texts.")
        return [self._read(question, choice, top) for question, choice in zip(questions, choices, strict=True)]

    def _read(self, question: Question, choice: dict[str, object], top: int) -> Prompt:
        values = choice.get("prompt_logprobs")
        places = [
            {int(id): float(value["logprob"]) for id, value in (place or {}).items()}
            for place in (values if isinstance(values, list) else ())
        ]
        own = [place.get(id) if place else None for place, id in zip(places, question.ids, strict=False)]
        own += [None] * (len(places) - len(own))
        return self._prompt(question, question.ids, own, places[question.first :], top)

    def pieces(self, text: str) -> list[tuple[int, str | bytes]] | None:
        request = {"model": self.served.model, "prompt": text, "add_special_tokens": False, "return_token_strs": True}
        try:
            answer = self._connection.ask("/tokenize", request)
        except RefusedError:
            return None
        names = answer.get("token_strs")
        return [*zip(answer["tokens"], names, strict=True)] if names else None

    def start(self) -> int | None:
        request = {"model": self.served.model, "prompt": "a", "add_special_tokens": True}
        try:
            with_symbol = self._connection.ask("/tokenize", request)["tokens"]
            plain = self._connection.ask("/tokenize", {**request, "add_special_tokens": False})["tokens"]
        except RefusedError:
            return None
        return int(with_symbol[0]) if len(with_symbol) > len(plain) else None


def DIALECT(connection: Connection, model: str) -> _Vllm | None:  # noqa: N802 - the constant of a registry
    version = (object_at(connection, "/version") or {}).get("version")
    if not version:
        return None
    entry = model_of(connection, model)
    window = int(entry.get("max_model_len") or WINDOW) - 1  # one place is for the token that every request makes
    return _Vllm(connection, Served(f"vLLM {version}", str(entry["id"]), window))
