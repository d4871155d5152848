"""A real, small language model on the loopback: a weak one, and so an honest adversary.

Gemma 3 270M under llama.cpp repeats itself, cites sources that are not there and runs to its
token limit. It lives in an environment of its own (``make small-model-environment``).
"""

from eval.small_model.process import ENVIRONMENT, NAME, running_small_model

__all__ = ["ENVIRONMENT", "NAME", "running_small_model"]
