"""What is served, and a look at the pointer on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functions.app import VERSION
from index_artifacts.store import open_store
from tests.functions.documents.conftest import publish_from

if TYPE_CHECKING:
    from tests.functions.documents.conftest import Installation


def test_statistics_are_those_of_the_version(wiki: Installation) -> None:
    stats = wiki.ask("guest", "GET", "/stats").json()
    assert stats["engine"] == f"edgewiki {VERSION}"
    assert stats["revision"] == wiki.forge.repository.head
    assert (stats["documents"], stats["collections"], stats["chunks"]) == (4, 2, 4)
    assert stats["tokens"] > 20
    assert stats["words"] > 20
    assert stats["languages"] == {"en": 4}
    assert (stats["encoder"], stats["refresh_failed"]) == ("cooccurrence", False)
    assert 0 <= stats["checked_seconds_ago"] < 600
    assert 0 <= stats["age_seconds"] <= stats["commit_age_seconds"]


def test_a_reload_finds_what_was_published_and_says_what_fails(wiki: Installation) -> None:
    first = wiki.ask("root", "POST", "/reload").json()
    assert (first["status"], first["previous_version"]) == ("unchanged", first["index_version"])
    wiki.forge.repository.commit({"pages/new.md": b"# New\n\nSomething else.\n"})
    version = publish_from(wiki.folder / "wiki.git", wiki.folder / "store", wiki.folder)
    assert wiki.ask("guest", "GET", "/stats").json()["index_version"] == first["index_version"]
    second = wiki.ask("root", "POST", "/reload").json()
    assert second == {
        "status": "changed", "reason": "",
        "previous_version": first["index_version"], "index_version": version,
    }  # fmt: skip

    pointer = wiki.folder / "store" / "channels" / "latest.json"
    assert open_store(f"file://{wiki.folder / 'store'}").read("channels/latest.json").data
    pointer.write_text("no pointer")
    third = wiki.ask("root", "POST", "/reload").json()
    assert (third["status"], third["index_version"]) == ("failed", version)
    assert "store" not in third["reason"]
    assert wiki.ask("guest", "GET", "/stats").json()["refresh_failed"] is True
    assert wiki.ask("ana", "POST", "/reload").status_code == 403
