"""What a training runs on: device, threads, half precision, a compiler."""

from __future__ import annotations

import shutil

import torch

from core.models import loading
from core.settings import settings


def ready_device() -> torch.device:
    """The device that the settings name, with as many threads as they say; ModelError for one that is not there.

    Where they leave it open it is CUDA's if there is one; Apple's is for those who ask for it by name.
    """
    loading.limit_threads()
    if settings().device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return loading.pick_device()


def has_bfloat16(device: torch.device) -> bool:
    """True where half-precision arithmetic is in hardware."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu.get_capabilities().get("avx512_bf16", False))


def can_compile() -> bool:
    """True where `torch.compile` finds a C++ compiler."""
    return any(shutil.which(name) for name in ("g++", "clang++", "c++"))
