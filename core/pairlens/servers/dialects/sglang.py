"""SGLang: `/generate` with `return_logprob`, triples of log-probability, id and text, as documented."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pairlens.servers.connection import Connection
from pairlens.servers.dialect import Dialect, Prompt, Question, Served
from pairlens.servers.dialects._answers import WINDOW, object_at


class _Sglang(Dialect):
    rows, most_top = 64, 20

    def _prompts(self, questions: Sequence[Question], top: int, temperature: float) -> list[Prompt]:
        request = {
            "input_ids": [list(question.ids) for question in questions], "return_logprob": True,
            "logprob_start_len": 0, "top_logprobs_num": top,
            "sampling_params": {"max_new_tokens": 1, "temperature": temperature},
        }  # fmt: skip
        answers = self._connection.ask("/generate", request)
        rows = answers if isinstance(answers, list) else [answers]
        return [self._read(question, row, top) for question, row in zip(questions, rows, strict=True)]

    def _read(self, question: Question, row: dict[str, Any], top: int) -> Prompt:
        about = row.get("meta_info") or {}
        triples = about.get("input_token_logprobs") or []
        values, ids = ([triple[column] for triple in triples] for column in (0, 1))
        places = (about.get("input_top_logprobs") or [])[question.first :] if top else []
        tops = [{id: value for value, id, *_ in place or ()} for place in places]
        return self._prompt(question, ids, values, tops, top)


def DIALECT(connection: Connection, model: str) -> _Sglang | None:  # noqa: ARG001, N802 - a server has one model
    about = object_at(connection, "/get_model_info") or {}
    if "is_generation" not in about:
        return None
    settings_of = object_at(connection, "/get_server_info") or {}
    window = int(settings_of.get("context_length") or WINDOW) - 1
    facts = {name: settings_of[name] for name in ("dtype", "quantization") if settings_of.get(name)}
    version = settings_of.get("version", "of unknown version")
    return _Sglang(connection, Served(f"SGLang {version}", str(about.get("model_path", "")), window, facts))
