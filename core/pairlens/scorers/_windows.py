"""Windows over texts that are longer than a model can see."""

from collections.abc import Iterator

from pairlens.errors import PolicyError
from pairlens.models import Loaded
from pairlens.policies import Policy


def size(network: Loaded, policy: Policy) -> int:
    if policy.window == 1:
        raise PolicyError("A window of 1 token leaves nothing to predict from: take 2 or more.")
    if policy.window > network.window:
        raise PolicyError(
            f"A window of {policy.window} tokens is more than the {network.window} that '{network.name}' can see."
        )
    return policy.window or network.window


def strided(total: int, window: int, stride: int, windows: str = "full") -> Iterator[tuple[int, int, int]]:
    """Windows over `total` tokens, as start, end and the first token that is in no earlier window.

    Each window after the first adds `step` new tokens and keeps at least one earlier token, from which the first new
    one is predicted. The last one is as long as the others, or starts at a multiple of the step (`windows`).
    """
    start, end = 0, min(total, window)
    yield start, end, 0
    while end < total:
        new, start = end, start + step(window, stride)
        end = min(total, start + window)
        yield start if windows == "stride" else end - window, end, new


def begins(place: int, total: int, window: int, stride: int, windows: str = "full") -> int:
    """Where the one of these windows starts in which the token at `place` is new; what follows all counts as one."""
    start = first_with(place, window, step(window, stride))
    return start if windows == "stride" else max(0, min(start, max(total, place) - window))


def first_with(place: int, window: int, stride: int) -> int:
    """The first multiple of the stride at which a window starts that holds the token at `place`."""
    return max(0, ((place - window) // stride + 1) * stride)


def step(window: int, stride: int) -> int:
    """The number of new tokens of each window after the first: `stride`, or half a window if that is 0."""
    return max(1, min(stride or window // 2, window - 1))


def centred(total: int, window: int, place: int) -> tuple[int, int]:
    """Start and end of the window of at most `window` tokens around `place`, centred where the ends allow it."""
    start = max(0, min(place - window // 2, total - window))
    return start, min(total, start + window)
