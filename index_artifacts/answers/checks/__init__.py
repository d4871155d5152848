"""The checks of an answer, one a module: each says why a claim fails, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.answers.checks.citations import check_citations
from index_artifacts.answers.checks.completeness import check_completeness
from index_artifacts.answers.checks.confusions import (
    check_defence,
    check_page_author,
    check_study_year,
)
from index_artifacts.answers.checks.figures import check_figures
from index_artifacts.answers.checks.instructions import check_instruction
from index_artifacts.answers.checks.names import check_names, check_titles
from index_artifacts.answers.checks.negation import check_negation
from index_artifacts.answers.checks.quotes import check_quote
from index_artifacts.answers.checks.wording import check_wording

if TYPE_CHECKING:
    from collections.abc import Callable

    from index_artifacts.answers.claims import Claim
    from index_artifacts.answers.grounds import Grounds

    Check = Callable[[Claim, Grounds], str]

CHECKS: dict[str, Check] = {
    "citations": check_citations,
    "quote": check_quote,
    "instruction": check_instruction,
    "figures": check_figures,
    "names": check_names,
    "titles": check_titles,
    "negation": check_negation,
    "wording": check_wording,
    "page_author": check_page_author,
    "study_year": check_study_year,
    "defence": check_defence,
    "completeness": check_completeness,
}
"""Name → check of one claim, in the order in which they run; the first that fails is told."""

__all__ = ["CHECKS"]
