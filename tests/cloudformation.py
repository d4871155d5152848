"""A template as CloudFormation reads it: parameters filled in, conditions and rules decided."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
FUNCTION = "AWS::Serverless::Function"
STACK = {"AWS::Partition": "aws", "AWS::Region": "eu-central-1", "AWS::AccountId": "123456789012",
         "AWS::StackName": "edgewiki", "AWS::URLSuffix": "amazonaws.com"}  # fmt: skip
NOTHING = object()


class _Loader(yaml.SafeLoader):
    """Reads the short forms (!Ref x) as what they stand for."""


def _long_form(loader: _Loader, name: str, node: yaml.Node) -> Any:
    value: Any
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        assert isinstance(node, yaml.MappingNode)
        value = loader.construct_mapping(node, deep=True)
    if name == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {name if name in ("Ref", "Condition") else f"Fn::{name}": value}


_Loader.add_multi_constructor("!", _long_form)


@cache
def read_template(name: str = "template.yaml") -> dict[str, Any]:
    """The template as it is written, with long forms."""
    template: dict[str, Any] = yaml.load((ROOT / name).read_text(), _Loader)
    return template


class Deployed:
    """What a template makes of ``parameters``; the others have their defaults."""

    def __init__(self, name: str = "template.yaml", **parameters: str) -> None:
        self._template = read_template(name)
        defaults = {
            key: str(declared["Default"])
            for key, declared in self._template["Parameters"].items()
            if "Default" in declared
        }
        unknown = set(parameters) - set(self._template["Parameters"])
        assert not unknown, f"no parameters of {name}: {unknown}"
        self.parameters = {**defaults, **parameters}
        self.resources = self._existing("Resources")
        self.outputs = self._existing("Outputs")

    @property
    def functions(self) -> dict[str, dict[str, Any]]:
        """Properties of the functions, with those of Globals."""
        common = self._filled(self._template["Globals"]["Function"])
        return {name: {**common, **made} for name, made in self.of_type(FUNCTION).items()}

    def of_type(self, kind: str) -> dict[str, dict[str, Any]]:
        """Properties of the resources of one type."""
        return {
            name: made.get("Properties", {})
            for name, made in self.resources.items()
            if made["Type"] == kind
        }

    def variables(self, function: str) -> dict[str, Any]:
        """The environment of a function, that of Globals too."""
        common = self._filled(self._template["Globals"]["Function"])["Environment"]["Variables"]
        own = self.functions[function]["Environment"]["Variables"]
        return {**common, **own}

    def statements(self, policy: str) -> list[dict[str, Any]]:
        """What a policy says, each with lists of actions and resources."""
        written = self.resources[policy]["Properties"]["PolicyDocument"]["Statement"]
        return [
            {**each, **{part: _as_list(each[part]) for part in ("Action", "Resource")}}
            for each in written
        ]

    def rights(self, function: str) -> list[dict[str, Any]]:
        """Everything that a function's policies say."""
        policies = [policy["Ref"] for policy in self.functions[function].get("Policies", [])]
        return [each for policy in policies for each in self.statements(policy)]

    def broken_rules(self) -> list[str]:
        """The descriptions of the assertions that would stop the deployment."""
        return [
            assertion["AssertDescription"]
            for rule in self._template["Rules"].values()
            if self._holds(rule["RuleCondition"])
            for assertion in rule["Assertions"]
            if not self._holds(assertion["Assert"])
        ]

    def _existing(self, section: str) -> dict[str, Any]:
        return {
            name: self._filled({key: part for key, part in made.items() if key != "Condition"})
            for name, made in self._template[section].items()
            if "Condition" not in made or self._holds({"Condition": made["Condition"]})
        }

    def _holds(self, condition: Any) -> bool:
        ((name, value),) = condition.items()
        if name == "Condition":
            return self._holds(self._template["Conditions"][value])
        if name == "Fn::Not":
            return not self._holds(value[0])
        if name == "Fn::Equals":
            first, second = (str(self._filled(each)) for each in value)
            return first == second
        assert name in ("Fn::And", "Fn::Or"), name
        return (all if name == "Fn::And" else any)(self._holds(each) for each in value)

    def _filled(self, value: Any) -> Any:
        if isinstance(value, list):
            filled = [self._filled(each) for each in value]
            return [each for each in filled if each is not NOTHING]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((name, inner),) = value.items()
            if name == "Fn::If":
                holds = self._holds({"Condition": inner[0]})
                return self._filled(inner[1] if holds else inner[2])
            if name == "Ref":
                return self._named(inner, value)
            if name == "Fn::Sub":
                return re.sub(r"\$\{([^}]+)\}", self._part, inner)
            if name == "Fn::Join":
                separator, parts = inner[0], _as_list(self._filled(inner[1]))
                return separator.join(parts)
        filled_items = {key: self._filled(part) for key, part in value.items()}
        return {key: part for key, part in filled_items.items() if part is not NOTHING}

    def _named(self, name: str, reference: dict[str, str]) -> Any:
        if name == "AWS::NoValue":
            return NOTHING
        return {**STACK, **self.parameters}.get(name, reference)

    def _part(self, match: re.Match[str]) -> str:
        return {**STACK, **self.parameters}.get(match[1], match[0])


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
