"""The expressions of a workflow, as far as ours use them; any other is an error, not a guess."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(
    r"\s*(?:(?P<string>'(?:[^']|'')*')|(?P<operator>==|!=|&&|\|\||[!(),])"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_.-]*))"
)
_EMBEDDED = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
_STATUS = ("success", "failure", "cancelled", "always")
# What a forge fills in itself; anything else has to be declared by whoever asks for it.
OPEN = ("github", "secrets", "vars", "env")


class UnknownExpressionError(AssertionError):
    """An expression that this interpreter does not know."""


@dataclass(frozen=True)
class Expressions:
    """Evaluates against ``contexts``; ``status`` is success, failure or cancelled so far."""

    contexts: Mapping[str, Any]
    status: str = "success"

    def condition(self, text: str | None) -> bool:
        """Whether a step or job runs: without a status function, only after success."""
        if text is None:
            return self.status == "success"
        inner = _EMBEDDED.fullmatch(text.strip())
        expression = inner[1] if inner else text
        asks = any(re.search(rf"\b{name}\(", expression) for name in _STATUS)
        return (asks or self.status == "success") and truthy(self.value(expression))

    def filled(self, text: Any) -> str:
        """``text`` with every ``${{ … }}`` replaced."""
        return _EMBEDDED.sub(lambda match: shown(self.value(match[1])), shown(text))

    def value(self, expression: str) -> Any:
        """The value of one expression."""
        tokens = _tokens(expression)
        value = self._either(tokens)
        if tokens:
            raise UnknownExpressionError(f"{expression!r}: {tokens[0]!r} is not understood")
        return value

    def _either(self, tokens: list[str]) -> Any:
        value = self._both(tokens)
        while _took(tokens, "||"):
            other = self._both(tokens)
            value = value if truthy(value) else other
        return value

    def _both(self, tokens: list[str]) -> Any:
        value = self._compared(tokens)
        while _took(tokens, "&&"):
            other = self._compared(tokens)
            value = other if truthy(value) else value
        return value

    def _compared(self, tokens: list[str]) -> Any:
        value = self._single(tokens)
        for operator, equal in (("==", True), ("!=", False)):
            if _took(tokens, operator):
                return (_loose(value) == _loose(self._single(tokens))) == equal
        return value

    def _single(self, tokens: list[str]) -> Any:
        if _took(tokens, "!"):
            return not truthy(self._single(tokens))
        if _took(tokens, "("):
            value = self._either(tokens)
            _need(tokens, ")")
            return value
        token = tokens.pop(0) if tokens else ""
        if token.startswith("'"):
            return token[1:-1].replace("''", "'")
        if tokens[:1] == ["("]:
            del tokens[0]
            _need(tokens, ")")
            return self._called(token)
        return self._looked_up(token)

    def _called(self, name: str) -> bool:
        if name not in _STATUS:
            raise UnknownExpressionError(f"the function {name}() is unknown")
        return name == "always" or self.status == name

    def _looked_up(self, path: str) -> Any:
        name, *parts = path.split(".")
        if name not in self.contexts or not parts:
            raise UnknownExpressionError(f"there is no context for {path!r}")
        value: Any = self.contexts[name]
        for part in parts:
            if isinstance(value, Mapping) and part in value:
                value = value[part]
            elif name in OPEN or parts[0] != part:
                return None
            else:
                raise UnknownExpressionError(f"{path!r}: nobody has declared {part!r}")
        return value


def truthy(value: Any) -> bool:
    """What counts as true in a condition."""
    return value not in (None, "", False, 0)


def shown(value: Any) -> str:
    """A value as text in a field."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _loose(value: Any) -> str:
    """Comparisons look past case, and nothing is the same as an empty string."""
    return shown(value).lower()


def _tokens(expression: str) -> list[str]:
    tokens, at = [], 0
    text = expression.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise UnknownExpressionError(f"{expression!r} is not understood at {text[at:]!r}")
        tokens.append(match[match.lastgroup or 0])
        at = match.end()
    return tokens


def _took(tokens: list[str], wanted: str) -> bool:
    if tokens[:1] == [wanted]:
        del tokens[0]
        return True
    return False


def _need(tokens: list[str], wanted: str) -> None:
    if not _took(tokens, wanted):
        raise UnknownExpressionError(f"{wanted!r} is missing before {tokens[:1]}")
