"""SGLang: `/generate` with `return_logprob`, triples of log-probability, id and text, as documented."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pairlens.servers.connection import Connection
from pairlens.servers.dialect import Prompt, Question, Served, checked, in_known_form
from pairlens.servers.dialects._answers import WINDOW, likeliest, told


class _Sglang:
    rows, most_top = 64, 20

    def __init__(self, connection: Connection, served: Served) -> None:
        self._connection, self.served = connection, served

    @in_known_form
    def answers(self, questions: Sequence[Question], top: int = 0, temperature: float = 0.0) -> list[Prompt]:
        asked = {
            "input_ids": [list(question.ids) for question in questions], "return_logprob": True,
            "logprob_start_len": 0, "top_logprobs_num": top,
            "sampling_params": {"max_new_tokens": 1, "temperature": temperature},
        }  # fmt: skip
        answers = self._connection.ask("/generate", asked)
        rows = answers if isinstance(answers, list) else [answers]
        return [self._prompt(question, row, top) for question, row in zip(questions, rows, strict=True)]

    def _prompt(self, question: Question, row: dict[str, Any], top: int) -> Prompt:
        about = row.get("meta_info") or {}
        triples = about.get("input_token_logprobs") or []
        values, ids = ([triple[column] for triple in triples] for column in (0, 1))
        places = (about.get("input_top_logprobs") or [])[question.first :] if top else []
        tops = [{id: value for value, id, *_ in place or ()} for place in places]
        return checked(question, ids, values, [likeliest(place, top) for place in tops], self.served.software)

    def pieces(self, text: str) -> None:  # noqa: ARG002 - it tells ids alone
        return None

    def start(self) -> None:
        return None


def DIALECT(connection: Connection, model: str) -> _Sglang | None:  # noqa: ARG001, N802 - a server has one model
    about = told(connection, "/get_model_info") or {}
    if "is_generation" not in about:
        return None
    settings_of = told(connection, "/get_server_info") or {}
    window = int(settings_of.get("context_length") or WINDOW) - 1
    facts = {name: settings_of[name] for name in ("dtype", "quantization") if settings_of.get(name)}
    version = settings_of.get("version", "of unknown version")
    return _Sglang(connection, Served(f"SGLang {version}", str(about.get("model_path", "")), window, facts))
