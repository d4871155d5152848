"""A query in words, so that whoever asked sees how the question was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from index_artifacts.graph import query as q
from index_artifacts.graph.answers import SCALARS

if TYPE_CHECKING:
    from index_artifacts.graph.query import Condition, Query
    from index_artifacts.graph.tables import GraphTables


def describe_query(query: Query, tables: GraphTables) -> str:
    """Such as ``list work where supervisor is Peter Zelenák, year is 2024``."""
    said = [_condition(condition, tables) for condition in query.conditions]
    said += ["in one " + _all_of(group, tables) for group in query.groups]
    said += [f"never {_all_of(group, tables)}" for group in query.without]
    if query.same:
        slots = " and ".join(query.same.slots)
        said.append(f"the same {slots} as where {_all_of(query.same.of, tables)}")
    if query.missing:
        said.append(f"{query.missing} is not stated")
    if query.excluded:
        said.append(f"other than {_names(query.excluded, query.asked, tables)}")
    if query.compared:
        compared = [
            _names(c.values, c.slot, tables) or str(c.years[0].first) for c in query.compared
        ]
        said.append(f"compared are {' and '.join(compared)}")
    form = f"{query.form} {query.asked}"
    if query.form in {q.MOST, q.LEAST, q.MORE, q.FEWER}:
        form += f" by number of {query.per}"
    elif query.form in {q.FIRST, q.LAST, q.EARLIER, q.LATER}:
        form += f" by {query.by}"
    return f"{form} where {', '.join(said)}" if said else form


def _all_of(conditions: tuple[Condition, ...], tables: GraphTables) -> str:
    return " and ".join(_condition(condition, tables) for condition in conditions)


def _condition(condition: Condition, tables: GraphTables) -> str:
    verb = "is not" if condition.negated else "is"
    named = _names(condition.values, condition.slot, tables)
    dated = " or ".join(
        str(years.first) if years.first == years.last else f"{years.first} to {years.last}"
        for years in condition.years
    )
    return f"{condition.slot} {verb} {named or dated}"


def _names(values: frozenset[Any], slot: str, tables: GraphTables) -> str:
    if slot in SCALARS:
        return " or ".join(sorted(str(value) for value in values))
    nodes = tables.nodes(values)
    return " or ".join(nodes[value].name for value in sorted(values) if value in nodes)
