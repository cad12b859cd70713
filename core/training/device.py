"""The device, threads, half precision and compiler of a training."""

from __future__ import annotations

import shutil

import torch

from core.models import loading, spreading
from core.settings import settings


def ready_device() -> torch.device:
    """The device of the settings, with their number of threads; ModelError for a missing device, and for several.

    `auto` is CUDA if there is one; Apple's is used only when asked for by name.
    """
    spreading.refuse_training()
    loading.limit_threads()
    if settings().device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return loading.pick_device()


def has_bfloat16(device: torch.device) -> bool:
    """Whether the hardware has half-precision arithmetic."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu.get_capabilities().get("avx512_bf16", False))


def can_compile() -> bool:
    """Whether `torch.compile` finds a C++ compiler."""
    return any(shutil.which(name) for name in ("g++", "clang++", "c++"))
