"""Any other server whose `/v1/completions` honours `echo`: values by place alone, since it names no ids."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from pairlens.errors import ModelError
from pairlens.servers.connection import Connection, RefusedError
from pairlens.servers.dialect import Dialect, Prompt, Question, Served
from pairlens.servers.dialects._answers import WINDOW, model_of, object_at

_WITHOUT = {
    "/api/version": "Ollama gives no log-probabilities of given text",
    "/info": "TGI takes texts and cuts them itself, and tells nothing of them without --enable-prefill-logprobs",
}
_REMEDY = "Serve the model with vLLM, SGLang or llama.cpp, or load its folder or its GGUF file."


class _Completions(Dialect):
    rows, most_top = 16, 0

    def _prompts(self, questions: Sequence[Question], top: int, temperature: float) -> list[Prompt]:  # noqa: ARG002
        request = {
            "model": self.served.model, "prompt": [list(question.ids) for question in questions], "max_tokens": 1,
            "temperature": temperature, "echo": True, "logprobs": 1,
        }  # fmt: skip
        choices = sorted(self._connection.ask("/v1/completions", request)["choices"], key=itemgetter("index"))
        return [self._read(question, choice) for question, choice in zip(questions, choices, strict=True)]

    def _read(self, question: Question, choice: dict[str, Any]) -> Prompt:
        values = (choice.get("logprobs") or {}).get("token_logprobs") or []
        n = len(question.ids)
        values = values[:n] if len(values) == n + 1 else values  # without the token that follows
        return self._prompt(question, [None] * len(values), values)


def DIALECT(connection: Connection, model: str) -> _Completions | None:  # noqa: N802 - the constant of a registry
    for path, why in _WITHOUT.items():
        about = object_at(connection, path) or {}
        if ("version" in about) if path == "/api/version" else ("max_total_tokens" in about):
            raise ModelError(f"What answers at {connection.place} cannot score: {why}. {_REMEDY}")
    entry = model_of(connection, model)
    try:
        connection.ask("/v1/completions", {"model": entry["id"], "prompt": "a", "max_tokens": 1}, patient=False)
    except RefusedError as error:
        if error.status not in (404, 405):
            raise
        raise ModelError(
            f"What answers at {connection.place} only chats (it has no /v1/completions): it scores no given text. "
            f"{_REMEDY}"
        ) from None
    window = int(entry.get("max_model_len") or WINDOW) - 1
    return _Completions(connection, Served("a server with /v1/completions", str(entry["id"]), window))
