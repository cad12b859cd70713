"""A model server in this process, right or wrong in one way, that answers like vLLM, SGLang or `/v1/completions`.

Its numbers are plain transformers': one text at a time, without our batches.
"""

import json
import threading
import time
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pairlens.places import bundled

FOLDER = bundled("models", "english-small")
WINDOW = 128


@cache
def network():
    import torch
    import transformers

    transformers.utils.logging.set_verbosity_error()
    torch.set_num_threads(1)
    return transformers.AutoModelForCausalLM.from_pretrained(FOLDER).eval()


@cache
def rows(ids, temperature=1.0):
    """The log-probabilities (tokens but the first, vocabulary) after each token."""
    import torch

    with torch.no_grad():
        logits = network()(torch.tensor([ids])).logits[0, :-1].double()
    return torch.log_softmax(logits / temperature, -1)


class Fault:
    """What is wrong with the server; `asked` counts the requests for scores."""

    def __init__(self, name=""):
        self.name, self.asked = name, 0

    def values(self, ids, temperature=0.0, top=0):
        """Per token the log-probabilities of itself and of the `top` likeliest, by id; None for the first."""
        wrong, told = self.name, list(ids)
        if wrong == "another text":
            told = [*ids[:2], ids[1], *ids[2:-1]]
        table = rows(tuple(told), temperature if wrong == "tempered" and temperature else 1.0)
        places = [None]
        for row, id in zip(table, told[1:], strict=True):
            best = row.topk(max(top, 1)).indices.tolist()
            shown = best if wrong == "likeliest only" else {id, *best[:top]}
            places.append({one: row[one].item() for one in shown})
        if wrong == "displaced":
            own = [place and place[id] for place, id in zip(places, told, strict=True)]
            places = [None, *({id: value} for id, value in zip(told[1:], [*own[2:], own[1]], strict=True))]
        if wrong == "zeros":
            places = [None, *(dict.fromkeys(place, 0.0) for place in places[1:])]
        return places[:4] if wrong == "truncated" else places


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        """Nothing."""

    def do_GET(self):
        known = {
            "vllm": {"/version": {"version": "0.32.0"}},
            "sglang": {
                "/get_model_info": {"model_path": "small", "is_generation": True},
                "/get_server_info": {"version": "0.5", "context_length": WINDOW, "dtype": "float32"},
            },
            "ollama": {"/api/version": {"version": "0.12"}},
            "tgi": {"/info": {"model_id": "small", "max_total_tokens": WINDOW}},
            "elsewhere": {},
        }.get(self.server.dialect, {})
        if self.server.dialect not in ("elsewhere", "ollama", "tgi"):
            known["/v1/models"] = {"data": [{"id": "small", "max_model_len": WINDOW}]}
        if self.server.dialect == "elsewhere":
            self.send_response(302)
            self.send_header("Location", "http://169.254.169.254/latest")
            self.end_headers()
            return
        self._reply(known.get(self.path))

    def do_POST(self):
        self.server.seen.append(self.headers.get("Authorization"))
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fault, path = self.server.fault, (self.server.dialect, self.path)
        if path == ("vllm", "/tokenize"):
            return self._reply(None)
        fault.asked += 1
        if fault.name == "always 500" or (fault.name == "some 500" and fault.asked % 3 == 0):
            return self._reply({"error": "out of memory"}, 500)
        if fault.name == "cut connection" and fault.asked % 4 == 0:
            return self.connection.close()
        if fault.name == "another form":
            return self._reply({"object": "text_completion", "choices": [{"text": "!"}]})
        if fault.name == "slow":
            time.sleep(0.05)
        if fault.name == "dies" and fault.asked > self.server.lives:
            return self._reply({"error": "gone"}, 503)
        if path == ("sglang", "/generate"):
            return self._reply([self._of_sglang(ids, asked) for ids in asked["input_ids"]])
        if self.path == "/v1/completions" and self.server.dialect in ("vllm", "completions"):
            prompts = asked["prompt"]
            rows = [("a",)] if prompts == "a" else prompts
            return self._reply({"choices": [self._choice(place, ids, asked) for place, ids in enumerate(rows)]})
        return self._reply(None)

    def _choice(self, place, ids, asked):
        fault, choice = self.server.fault, {"index": place, "text": ""}
        if ids == ("a",):
            return choice
        if self.server.dialect == "vllm":
            values = fault.values(ids, asked["temperature"], asked["prompt_logprobs"])
            shown = [v and {str(id): {"logprob": one, "rank": 1} for id, one in v.items()} for v in values]
            return choice | {"prompt_logprobs": shown}
        own = [v and v.get(id, 0.0) for v, id in zip(fault.values(ids), ids, strict=False)]
        values = [-0.1] if fault.name == "echo ignored" else [*own, -0.1]
        return choice | {"logprobs": {"token_logprobs": values}}

    def _of_sglang(self, ids, asked):
        values = self.server.fault.values(ids, top=asked["top_logprobs_num"])
        own = [[v and v[id], id, None] for v, id in zip(values, ids, strict=True)]
        tops = [v and [[one, id, None] for id, one in v.items()] for v in values]
        return {"meta_info": {"input_token_logprobs": own, "input_top_logprobs": tops}}

    def _reply(self, answer, status=200):
        body = json.dumps(answer).encode()
        self.send_response(404 if answer is None else status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def fake_server(dialect="vllm", fault="", lives=10**9):
    """The server while it runs: `address`, `fault.asked`, `seen` (its requests' keys)."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.dialect, server.fault, server.lives, server.seen = dialect, Fault(fault), lives, []
    server.address = f"http://127.0.0.1:{server.server_port}?tokenizer=english-small"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
