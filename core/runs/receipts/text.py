"""A receipt as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def as_json(receipt: Mapping[str, Any]) -> str:
    """JSON for people too: in the receipt's order, unscored numbers as null, a line end at its end."""
    return json.dumps(receipt, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
