"""What the command exits with: 0 done, else a number that says where it failed."""

from __future__ import annotations

from index_artifacts import errors

# The first that fits decides; 2 is also what a wrong flag exits with.
EXIT_CODES: tuple[tuple[type[errors.EdgewikiError], int], ...] = (
    (errors.ConfigError, 2),
    (errors.QueryError, 2),
    (errors.SourceError, 3),
    (errors.ModelError, 4),
    (errors.LanguageModelError, 4),
    (errors.NotFoundError, 5),
    (errors.StoreError, 6),
    (errors.IntegrityError, 7),
    (errors.GateError, 9),
    (errors.PublishRefusedError, 8),
    (errors.EdgewikiError, 1),
)


def exit_code(error: errors.EdgewikiError) -> int:
    """The exit code of ``error``."""
    return next(code for kind, code in EXIT_CODES if isinstance(error, kind))
