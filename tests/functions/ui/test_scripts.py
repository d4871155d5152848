"""The page's scripts: what of them needs no browser, by Node's own test runner."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from functions.ui.assets import assets
from functions.ui.page import SAID_BY_SCRIPTS

SCRIPTS = Path(__file__).with_name("scripts")
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.test.mjs")), ids=lambda path: path.stem)
def test_a_script_does_what_its_tests_say(script: Path) -> None:
    assert NODE
    done = subprocess.run(
        [NODE, "--test", "--test-reporter=tap", script], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # A file without tests passes too.
    assert int(re.findall(r"^# pass (\d+)", done.stdout, re.MULTILINE)[-1]) > 1


def test_the_page_carries_the_words_of_its_scripts_and_no_others() -> None:
    said = {
        name
        for file, (content, _) in assets().items()
        if file.endswith(".mjs")
        for name in re.findall(r'say\(\s*"(\w+)"', content.decode())
    }
    chosen = {"from_graph", "from_pages", "wrong_key", "needs_key"}  # by a condition
    assert said | chosen == set(SAID_BY_SCRIPTS)


def test_scripts_neither_store_nor_evaluate() -> None:
    for file, (content, _) in assets().items():
        words = (
            r"localStorage|sessionStorage|document\.cookie|innerHTML|outerHTML|\beval\b|indexedDB"
        )
        assert not re.search(words, content.decode()), file
