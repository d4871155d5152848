"""Profiles: the packaged ones, one of a user's own, and bad ones, refused with their line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from build.graph.profile import globs_pattern
from build.graph.profiles import load_profiles, packaged
from index_artifacts.errors import ConfigError

if TYPE_CHECKING:
    from tests.build.graph.conftest import Compile

# A ship's crew instead of students: another vocabulary, other words for everything.
CREW = r"""
works = ["voyage"]
scope = ["crew/**"]
reads = ["Person", "Work"]

[words.kind]
voyage = ['voyage', 'plavba']

[[subjects]]
name = "sailor"
type = "Person"
paths = ["crew/**"]
shape = "name"
works = true

[[subjects]]
name = "port"
type = "Topic"
categories = ["port"]

[[blocks]]
name = "voyage"
patterns = ['(?P<kind>{kind}) of (?P<year>{year}){end}']

[[labels]]
name = "captain"
sets = "supervisor"
patterns = ['captain', 'kapitan']

[[labels]]
name = "ship"
sets = "title"
patterns = ['ship']

[[statements]]
name = "joined"
where = "person"
patterns = ['joined the crew in (?P<start_year>{year})']

[[links]]
name = "port"
to = ["port"]
"""


def test_a_profile_of_ones_own_reads_another_vocabulary(compile_pages: Compile) -> None:
    built = compile_pages(
        {
            "my/crew.toml": CREW,
            "crew/mate.md": "# Ann Bonny\n\nJoined the crew in 1919.\n\n## Voyage of 1921\n\n"
            "Ship: *The Walrus*\n\nCaptain: John Silver\n\nTo [port](../ports/nassau.md).\n",
            "ports/nassau.md": "---\ncategory: port\n---\n# Nassau\n\nAn island.\n",
        },
        "my/crew.toml",
    )
    voyage = "thesis:ann-bonny/voyage-1921"
    assert built.entities["person:ann-bonny"].attributes == {"start_year": 1919}
    assert built.entities[voyage].type == "Work"
    assert built.entities[voyage].attributes == {
        "kind": "voyage", "title": "The Walrus", "year": 1921,
    }  # fmt: skip
    assert built.edges("HAS_WORK") == [("person:ann-bonny", voyage)]
    assert built.edges("SUPERVISED") == [("person:john-silver", voyage)]
    assert built.edges("ABOUT") == [(voyage, "topic:nassau")]
    assert built.entities[voyage].provenance[0].rule == "crew/voyage"


def test_the_profile_in_the_readme_works(compile_pages: Compile) -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    section = readme.partition("### Profiles of the knowledge graph")[2]
    example = section.partition("```toml\n")[2].partition("```")[0]
    page = "# Ann Bonny\n\n## Voyage of 1921\n\nCaptain: John Silver\n"
    built = compile_pages({"crew.toml": example, "crew/ann.md": page}, "crew.toml")
    assert built.edges("SUPERVISED") == [
        ("person:john-silver", "thesis:ann-bonny/voyage-1921"),
    ]  # fmt: skip


def test_the_packaged_profiles_are_sound(tmp_path: Path) -> None:
    assert packaged() == ["generic", "thesis"]
    loaded = load_profiles(packaged(), tmp_path)
    assert [profile.name for profile in loaded] == ["generic", "thesis"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("works = [\n", 1, "not valid TOML"),
        ("scope = []\nsize = 3\n", 2, "size"),
        ("\n[[labels]]\nname = 'a'\nsets = 'title'\npatterns = ['(']\n", 5, "regular expression"),
        (
            "[[labels]]\nname = 'a'\nsets = 'title'\npatterns = [\n  'ok',\n  '[a-',\n]\n",
            6,
            "'[a-' is no regular expression",
        ),
        ("[[labels]]\nname = 'a'\nsets = 'colour'\npatterns = ['x']\n", 3, "colour"),
        ("[[labels]]\nname = 'a'\nsets = 'title'\npatterns = ['{no}']\n", 4, "'no'"),
        ("[[labels]]\nname = 'a'\nsets = 'title'\n", 1, "patterns"),
        ("[[labels]]\nname = 'A b'\nsets = 'title'\npatterns = ['x']\n", 2, "name"),
        (
            "[[labels]]\nname = 'a'\nsets = 'title'\npatterns = ['x']\n\n"
            "[[labels]]\nname = 'b'\nsets = 'title'\nwords = ['x']\npatterns = ['x']\n",
            9,
            "words",
        ),
        ("works = []\n\n[words.kind]\na = ['x']\nb = ['y', '*']\n", 5, "'*'"),
        ("[words.kind]\na = ['{kind}']\n", 2, "names itself"),
        ("closing = [\n 'a',\n '(b',\n]\n", 3, "'(b'"),
        ("[[links]]\nname = 'l'\nto = ['nowhere']\n", 3, "nowhere"),
        ("[[blocks]]\nname = 'l'\npatterns = ['x']\nsets = { year = 1 }\n", 4, "'year'"),
    ],
)
def test_a_bad_profile_is_refused_with_its_file_and_line(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(ConfigError) as refused:
        load_profiles(["bad.toml"], tmp_path)
    assert str(refused.value).startswith(f"{tmp_path / 'bad.toml'}:{line}: ")
    assert said in str(refused.value)


@pytest.mark.parametrize("name", ["mine.toml", "thesys"])
def test_a_profile_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=rf"there is no '{name}'; known are generic, thesis"):
        load_profiles([name], tmp_path)


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("**", "a/b.md", True),
        ("**/students/**", "students/a/b.md", True),
        ("**/students/**", "x/students/a.md", True),
        ("**/students/**", "my-students/a.md", False),
        ("students/*/*", "students/2019/a.md", True),
        ("students/*/*", "students/2019/a/b.md", False),
        ("bp????", "bp2022", True),
        ("bp????", "bp20222", False),
        ("a.b", "axb", False),
    ],
)
def test_globs_stop_at_slashes(glob: str, path: str, matches: bool) -> None:
    pattern = globs_pattern((glob,))
    assert pattern
    assert bool(pattern.match(path)) is matches
