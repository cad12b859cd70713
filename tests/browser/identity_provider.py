"""A tiny identity provider (OpenID Connect): whoever comes is the `person` of this moment."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT = "pairlens"


class Provider(ThreadingHTTPServer):
    """Its key, the codes it has given out, and the person who is at the browser."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.key = RSAKey.generate_key(2048, {"kid": "1", "use": "sig", "alg": "RS256"})
        self.codes: dict[str, dict[str, str]] = {}
        self.person = ""

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def secrets(self) -> str:
        """The section of Streamlit's secrets.toml."""
        values = {
            "redirect_uri": "http://127.0.0.1:{port}/oauth2callback", "cookie_secret": secrets.token_hex(32),
            "client_id": CLIENT, "client_secret": "secret",
            "server_metadata_url": f"{self.issuer}/.well-known/openid-configuration",
        }  # fmt: skip
        return "[auth]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())


class _Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path == "/authorize":
            code = secrets.token_hex(16)
            self.server.codes[code] = {"sub": self.server.person, "nonce": asked["nonce"]}
            self.send_response(302)
            back = urlencode({"code": code, "state": asked["state"]})
            self.send_header("Location", f"{asked['redirect_uri']}?{back}")
            self.end_headers()
        elif address.path == "/jwks":
            self._say({"keys": [self.server.key.as_dict(private=False)]})
        else:
            issuer = self.server.issuer
            paths = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "jwks"}
            self._say({
                "issuer": issuer, **{name: f"{issuer}/{path}" for name, path in paths.items()},
                "response_types_supported": ["code"], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
            })  # fmt: skip

    def do_POST(self) -> None:
        asked = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        person, now = self.server.codes.pop(asked["code"][0]), int(time.time())
        claims = {
            "iss": self.server.issuer, "aud": CLIENT, "iat": now, "exp": now + 600,
            "email": f"{person['sub']}@example.org", **person,
        }  # fmt: skip
        token = jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.server.key)
        self._say({"access_token": "x", "token_type": "Bearer", "expires_in": 600, "id_token": token})

    def _say(self, answer: object) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_: object) -> None:
        """Nothing on the test's output."""


@contextmanager
def provide() -> Iterator[Provider]:
    """A provider that answers until the end of the block."""
    provider = Provider()
    Thread(target=provider.serve_forever, daemon=True).start()
    yield provider
    provider.shutdown()
