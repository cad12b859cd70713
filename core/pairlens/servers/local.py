"""llama.cpp within this process: a server of its own on this machine's loopback, for one file."""

from __future__ import annotations

from pathlib import Path

from pairlens.errors import ModelError
from pairlens.servers.connection import Connection
from pairlens.settings import settings

_SLOTS = 4


def connection_to(file: Path) -> Connection:
    """A connection that keeps its server, which ends with it; ModelError without `xllamacpp`, or for another file.

    Attention is computed and cached in 32 bits: as it is usual, in 16, token values are up to 0.004 nats off.
    """
    try:
        import xllamacpp
    except ImportError:
        raise ModelError(
            f"'{file}' is to be read by llama.cpp, which is not installed: pip install 'xllamacpp>=2026.10' (or name "
            "the file without llamacpp: in front)."
        ) from None
    parameters = xllamacpp.CommonParams()
    parameters.model.path, parameters.port, parameters.hostnames = str(file), 0, ["127.0.0.1"]
    parameters.n_ctx, parameters.n_parallel, parameters.kv_unified = 0, _SLOTS, True  # each may fill all of it
    parameters.warmup, parameters.verbosity = False, 0
    parameters.cache_type_k = parameters.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    parameters.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    if settings().threads:
        parameters.cpuparams.n_threads = settings().threads
    try:
        server = xllamacpp.Server(parameters)
    except Exception as error:  # its own kinds; llama.cpp says the reason on stderr
        raise ModelError(f"'{file}' cannot be read by llama.cpp: {error}.") from error
    return Connection(str(server.listening_address), str(file), server)
