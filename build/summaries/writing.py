"""Summaries written by a language model: asked for, checked, kept, and reported where they fail."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from build.summaries.cache import SummaryCache, prompt_key
from build.summaries.checking import LanguageWords, PageCheck
from build.summaries.prompt import SUMMARY_SCHEMA, Reply, beginning, read_reply, summary_prompt
from index_artifacts.errors import LanguageModelError
from index_artifacts.language_model import LanguageModel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from build.config import BuildConfig
    from build.lemmas import Lemmas
    from build.reading import PageReader
    from build.report import Report
    from index_artifacts.answers.chat_model import ChatModel, Message
    from index_artifacts.records import Document
    from index_artifacts.store import Store

KEY_VARIABLE = "EDGEWIKI_SUMMARIES_API_KEY"
"""Where the key of the API is read from; `edgewiki.toml` holds no secret."""

# After so many failures in a row the server is taken for down and asked no more.
MOST_FAILURES = 3
# After so many new summaries the cache is saved, so that a killed build keeps them.
_SAVE_EVERY = 16
_RETRIES, _ANSWER_TOKENS = 1, 1_024
_SPARE_SECONDS = 10.0  # for the pause before a request is repeated

_NOT_ASKED = "not asked"
_INSTEAD = "; its own sentences stand instead"


@dataclass(frozen=True, slots=True)
class Written:
    """A checked summary, keywords where there are any, and the model that wrote them."""

    summary: str
    keywords: tuple[str, ...]
    model: str


@dataclass(frozen=True, slots=True)
class WrittenSummaries:
    """Summaries by the page's path, and what they cost."""

    by_path: dict[str, Written]
    asked: int = 0
    reused: int = 0
    failed: int = 0

    def costs(self) -> dict[str, int]:
        """Requests and summaries, for a script."""
        return {"asked": self.asked, "reused": self.reused, "failed": self.failed}


def write_summaries(
    documents: Sequence[Document],
    reader: PageReader,
    lemmas: Lemmas,
    config: BuildConfig,
    store: Store,
    report: Report,
    progress: Callable[[str, int, int], None],
) -> WrittenSummaries:
    """Summaries of those ``documents`` that lack one, by the model that the settings name, if any.

    Whatever goes wrong is in the report, by page, and raises nothing but `StoreError`.
    """
    if config.summaries != "model":
        return WrittenSummaries({})
    model = LanguageModel(
        config.summaries_url,
        config.summaries_model,
        os.environ.get(KEY_VARIABLE, "").strip(),
        timeout=config.summaries_timeout_seconds,
        retries=_RETRIES,
        max_tokens=_ANSWER_TOKENS,
    )
    writer = SummaryWriter(model, SummaryCache(store, model.name), lemmas, config, report)
    return writer.write([d for d in documents if reader.wants_summary(d)], progress)


@dataclass(frozen=True, slots=True)
class _Task:
    document: Document
    messages: list[Message]
    key: str
    check: PageCheck


class SummaryWriter:
    """Asks ``model`` for what ``cache`` does not hold, a few pages at a time."""

    def __init__(
        self,
        model: ChatModel,
        cache: SummaryCache,
        lemmas: Lemmas,
        config: BuildConfig,
        report: Report,
    ) -> None:
        self._model, self._cache, self._config, self._report = model, cache, config, report
        self._words = _words_by_language(lemmas)
        self._lock = Lock()
        self._failures_in_a_row = 0
        self._sent = 0

    def write(
        self, documents: Sequence[Document], progress: Callable[[str, int, int], None]
    ) -> WrittenSummaries:
        """Checked summaries by path. What failed a check is asked for again by the next build."""
        found: dict[str, Written] = {}
        missing = []
        for document in documents:
            task = self._task(document)
            kept = self._cache.get(task.key)
            if kept and not task.check.why_refused(kept.summary):
                found[document.path] = self._written(task, kept)
            else:
                missing.append(task)
        reused = len(found)
        failed = self._write_missing(missing, found, progress)
        return WrittenSummaries(found, self._sent, reused, failed)

    def _write_missing(
        self,
        missing: Sequence[_Task],
        found: dict[str, Written],
        progress: Callable[[str, int, int], None],
    ) -> int:
        left_out = failed = 0
        pool = ThreadPoolExecutor(self._config.summaries_workers)
        try:
            for number, (task, outcome) in enumerate(
                zip(missing, pool.map(self._ask, missing), strict=True), 1
            ):
                if outcome == _NOT_ASKED:
                    left_out += 1
                elif isinstance(outcome, Reply):
                    found[task.document.path] = self._written(task, outcome)
                    self._cache.put(task.key, outcome)
                else:
                    failed += 1
                    path = task.document.path
                    self._report.add("note", "summary-failed", path, f"{outcome}{_INSTEAD}")
                if number % _SAVE_EVERY == 0:
                    self._cache.save()
                progress("summarising", number, len(missing))
        finally:
            pool.shutdown(cancel_futures=True)
            self._cache.save()
        if left_out:
            reason = (
                f"{self._model.name} failed {MOST_FAILURES} times in a row and was asked no more: "
                f"{left_out} pages keep their own sentences; build again once it answers"
            )
            self._report.add("note", "summary-model-down", ".", reason)
        return failed + left_out

    def _task(self, document: Document) -> _Task:
        most = self._config.summaries_max_tokens
        messages = summary_prompt(document, most)
        text = beginning(document.body, most)
        check = PageCheck(document, text, self._words(document.language), self._config.languages)
        return _Task(document, messages, prompt_key(messages), check)

    def _ask(self, task: _Task) -> Reply | str:
        """What the model wrote, or why that is of no use. Runs in several threads."""
        with self._lock:
            if self._failures_in_a_row >= MOST_FAILURES:
                return _NOT_ASKED
            self._sent += 1
        try:
            seconds = self._config.summaries_timeout_seconds * (1 + _RETRIES) + _SPARE_SECONDS
            completion = self._model.complete(task.messages, SUMMARY_SCHEMA, seconds)
        except LanguageModelError as error:
            with self._lock:
                self._failures_in_a_row += 1
            return str(error)
        with self._lock:
            self._failures_in_a_row = 0
        if completion.cut:
            return "the language model was cut at its token limit"
        try:
            reply = read_reply(completion.text)
        except LanguageModelError as error:
            return str(error)
        refused = task.check.why_refused(reply.summary)
        return f"what the language model wrote was refused: {refused}" if refused else reply

    def _written(self, task: _Task, reply: Reply) -> Written:
        return Written(reply.summary, task.check.tags(reply), self._model.name)


def _words_by_language(lemmas: Lemmas) -> Callable[[str], LanguageWords]:
    @cache
    def of(language: str) -> LanguageWords:
        return LanguageWords(lemmas, language)

    return of
