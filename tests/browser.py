"""Headless Chromium, driven over its DevTools protocol by two pipes: no library is needed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from collections import deque
from select import select
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

# The flags after the third keep it from asking anybody for anything.
_FLAGS = (
    "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu", "--disable-quic",
    "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb",
)  # fmt: skip
_SECONDS = 30.0


def find_chromium() -> str | None:
    """The browser's program, or None where this machine has none."""
    named = os.environ.get("EDGEWIKI_CHROMIUM")
    known = ("chromium", "chromium-browser", "google-chrome")
    return named or next((path for name in known if (path := shutil.which(name))), None)


class BrowserError(Exception):
    """The browser refused a command, a script failed, or it took too long."""


class Browser:
    """A browser with one page. ``trouble`` is what the page complained of, ``requests`` what it
    asked for: the addresses of everything but itself.
    """

    def __init__(self, program: str, profile: Path, width: int = 1280, height: int = 800) -> None:
        self.trouble: list[str] = []
        self.requests: list[str] = []
        self._number, self._buffer, self._read = 0, b"", deque[dict[str, Any]]()
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # The protocol's pipes are its file descriptors 3 and 4, by definition.
        script = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        size = f"--window-size={width},{height}"
        self._process = subprocess.Popen(
            ["bash", "-c", script, "bash", program, *_FLAGS, size, f"--user-data-dir={profile}"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self._session = ""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        os.close(self._out)
        os.close(self._in)
        self._process.terminate()
        self._process.wait(_SECONDS)

    def open(self, address: str, *, dark: bool = False) -> None:
        """Load a page and forget what another complained of."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        calm = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.send("Emulation.setEmulatedMedia", features=[scheme, calm])
        self._events()
        self.trouble.clear()
        self.requests.clear()
        self.send("Page.navigate", url=address)
        self.wait_for("document.readyState === 'complete'")
        self.requests = [url for url in self.requests if url.partition("#")[0] != address]

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        done = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in done:
            raise BrowserError(f"{script}: {done['exceptionDetails']}")
        return done["result"].get("value")

    def wait_for(self, script: str, seconds: float = _SECONDS) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > end:
                raise BrowserError(f"not true within {seconds} s: {script}")
            time.sleep(0.02)

    def move(self, x: float, y: float) -> None:
        """Move the mouse to a point of the window."""
        self._mouse("mouseMoved", x, y)

    def click(self, x: float, y: float) -> None:
        """Click a point of the window with the real mouse's events."""
        self.move(x, y)
        self._mouse("mousePressed", x, y, button="left", clickCount=1)
        self._mouse("mouseReleased", x, y, button="left", clickCount=1)

    def click_on(self, selector: str) -> None:
        """Click the middle of the first element that a CSS selector names."""
        found = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2] })()"
        )
        self.click(*found)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.send("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Press and release a key, such as Enter."""
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowRight": 39, "Tab": 9}
        code = codes.get(key, ord(key[0]))
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        at = {"key": key, "windowsVirtualKeyCode": code}
        self.send(
            "Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **at
        )
        self.send("Input.dispatchKeyEvent", type="keyUp", **at)

    def screenshot(self, path: Path) -> None:
        """Write what the window shows as a PNG."""
        shot = self.send("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result; what happened meanwhile is noted."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        return self._await(lambda answer: answer.get("id") == self._number, method)

    def _await(self, wanted: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
        end = time.monotonic() + _SECONDS
        while (left := end - time.monotonic()) > 0:
            self._receive(left)
            while self._read:
                message = self._read.popleft()
                if wanted(message):
                    if "error" in message:
                        raise BrowserError(f"{what}: {message['error']['message']}")
                    result: dict[str, Any] = message["result"]
                    return result
                self._note(message)
        raise BrowserError(f"{what}: no answer within {_SECONDS} s")

    def _events(self) -> None:
        """Note everything that has arrived until now."""
        self.send("Runtime.evaluate", expression="1")

    def _receive(self, seconds: float) -> None:
        if not self._read and select([self._in], [], [], seconds)[0]:
            data = os.read(self._in, 1 << 20)
            if not data:
                raise BrowserError("the browser has ended")
            *whole, self._buffer = (self._buffer + data).split(b"\0")
            self._read.extend(json.loads(part) for part in whole)

    def _note(self, event: dict[str, Any]) -> None:
        name, about = event.get("method", ""), event.get("params", {})
        if name == "Runtime.exceptionThrown":
            self.trouble.append(json.dumps(about["exceptionDetails"]))
        elif name == "Runtime.consoleAPICalled" and about["type"] in {"error", "warning"}:
            self.trouble.append(json.dumps(about["args"]))
        elif name == "Log.entryAdded":
            self.trouble.append(about["entry"]["text"])
        elif name == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])

    def _mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
