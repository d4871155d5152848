"""The benchmark: how fast a version is built, opened and asked, and what that costs.

Machines are noisy: every figure comes with its ratio to another one of the same run, and
that ratio is what to compare between machines.
"""
