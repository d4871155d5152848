"""Golden question sets of the project's own, and the rules that extend them.

What reads any golden set is `eval.golden_set`.
"""

from eval.golden_set import GoldenSet, Question, count_look, load_golden

__all__ = ["GoldenSet", "Question", "count_look", "load_golden"]
