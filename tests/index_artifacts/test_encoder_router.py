"""Which encoder answers, beside a real server that is slow, dead, wrong-modelled or flapping."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from index_artifacts.encoder import (
    check_probe,
    check_same_model,
    describe,
    encode_question,
    probe_vectors,
)
from index_artifacts.encoder_router import (
    DOWN_SECONDS,
    OF_A_SERVER,
    Backend,
    EncoderRouter,
    Limits,
)
from index_artifacts.encoders import open_encoder
from index_artifacts.errors import ModelError, ModelMissingError
from index_artifacts.remote_encoder import RemoteEncoder
from tests.embeddings_server import EmbeddingsServer, embeddings_server
from tests.functions.conftest import Clock
from tests.tiny_wiki import build

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from index_artifacts.encoder import Encoder

SOON = Limits(probe=0.2, use=0.2, good=30.0)
PATIENT = Limits(probe=60.0, use=60.0, good=30.0)
QUESTION = "Where is the printer?"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    """The encoder that a version was built with."""
    return open_encoder(build(tmp_path_factory.mktemp("version")).model)


@pytest.fixture(scope="module")
def described(own: Encoder) -> dict[str, Any]:
    """What the version's manifest says about it."""
    return describe(own, probe_vectors(own))


@pytest.fixture
def server(own: Encoder) -> Iterator[EmbeddingsServer]:
    """A server that runs the very same model."""
    with embeddings_server(own.encode_passages) as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def local(own: Encoder, described: dict[str, Any], clock: Clock) -> Backend:
    prove = partial(check_same_model, described=described)
    return Backend("local", lambda: own, prove, Limits(), clock)


@pytest.fixture
def remote(
    server: EmbeddingsServer, described: dict[str, Any], clock: Clock
) -> Callable[[Limits], Backend]:
    encoder = RemoteEncoder(
        server.url, "m", query_prefix="", passage_prefix="",
        dimension=described["dimension"], retries=0,
    )  # fmt: skip

    prove = partial(check_probe, described=described)
    return lambda limits: Backend("remote", lambda: encoder, prove, limits, clock)


@pytest.fixture
def router(remote: Callable[[Limits], Backend], local: Backend) -> EncoderRouter:
    """The server first, and patience with a busy machine."""
    return EncoderRouter([remote(PATIENT), local])


def answered_by(router: EncoderRouter, own: Encoder) -> str:
    """The kind of the encoder that answers; whichever it is, the vector is the same."""
    encoder = router()
    vector, cut = encode_question(encoder, QUESTION)
    assert np.allclose(vector, own.encode_query(QUESTION), atol=1e-5)
    assert not cut
    return encoder.kind


def test_the_first_answers_and_the_second_is_not_even_opened(
    server: EmbeddingsServer, router: EncoderRouter, own: Encoder
) -> None:
    assert router.verdicts == {"remote": "unasked", "local": "unasked"}
    assert answered_by(router, own) == "remote"
    assert server.asked[-1] == [QUESTION]
    assert router.verdicts == {"remote": "ready", "local": "unasked"}


def test_a_local_one_that_answers_leaves_the_server_alone(
    server: EmbeddingsServer, remote: Callable[[Limits], Backend], local: Backend, own: Encoder
) -> None:
    assert answered_by(EncoderRouter([local, remote(PATIENT)]), own) == "cooccurrence"
    assert server.asked == []


def test_a_server_is_proved_before_its_first_use_and_once_in_30_seconds(
    server: EmbeddingsServer, router: EncoderRouter, own: Encoder, clock: Clock
) -> None:
    for _ in range(3):
        answered_by(router, own)
    assert len(server.asked) == 2 + 3  # the probe as a passage and as a query, then questions
    clock.now += OF_A_SERVER.good - 0.01
    answered_by(router, own)
    assert len(server.asked) == 6
    clock.now += 0.01
    answered_by(router, own)
    assert len(server.asked) == 6 + 2 + 1


def test_a_failing_server_costs_its_request_nothing_and_rests(
    server: EmbeddingsServer, router: EncoderRouter, own: Encoder, clock: Clock
) -> None:
    assert answered_by(router, own) == "remote"
    server.broken = True
    assert answered_by(router, own) == "cooccurrence"  # the same request
    asked = len(server.asked)
    server.broken = False
    clock.now += DOWN_SECONDS - 0.01
    assert answered_by(router, own) == "cooccurrence"
    assert len(server.asked) == asked
    clock.now += 0.01
    assert answered_by(router, own) == "remote"


def test_a_flapping_server_is_followed(
    server: EmbeddingsServer, router: EncoderRouter, own: Encoder, clock: Clock
) -> None:
    kinds = []
    for server.broken in (False, True, True, False, True, False):
        kinds.append(answered_by(router, own))
        clock.now += DOWN_SECONDS
    here, there = "cooccurrence", "remote"
    assert kinds == [there, here, here, there, here, there]


def test_a_silent_server_is_given_up_at_its_probe_and_in_the_middle(
    server: EmbeddingsServer,
    remote: Callable[[Limits], Backend],
    local: Backend,
    own: Encoder,
) -> None:
    server.silent = True
    backend = remote(SOON)
    router = EncoderRouter([backend, local])
    assert answered_by(router, own) == "cooccurrence"
    assert backend.verdict == "down"
    late = remote(Limits(probe=60.0, use=0.2, good=30.0))
    server.silent = False
    assert late.ready()
    server.silent = True
    assert answered_by(EncoderRouter([late, local]), own) == "cooccurrence"
    assert late.verdict == "down"


def test_a_dead_server_is_no_error_while_another_encoder_answers(
    described: dict[str, Any], local: Backend, own: Encoder, clock: Clock
) -> None:
    dead = RemoteEncoder("http://127.0.0.1:9", "m", dimension=3, retries=0)
    prove = partial(check_probe, described=described)
    router = EncoderRouter([Backend("remote", lambda: dead, prove, PATIENT, clock), local])
    assert answered_by(router, own) == "cooccurrence"
    assert router.verdicts == {"remote": "down", "local": "ready"}


def test_a_server_with_another_model_is_refused_aloud_and_never_asked_again(
    server: EmbeddingsServer,
    router: EncoderRouter,
    own: Encoder,
    clock: Clock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server.turned = True
    assert answered_by(router, own) == "cooccurrence"
    (error,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert "the remote encoder is refused for this version" in error.getMessage()
    assert "another model" in error.getMessage()
    server.turned = False
    asked = len(server.asked)
    clock.now += 1_000_000
    assert answered_by(router, own) == "cooccurrence"
    assert len(server.asked) == asked
    assert router.verdicts["remote"] == "refused"
    assert QUESTION not in [text for inputs in server.asked for text in inputs]


def test_a_server_that_comes_back_with_another_model_is_refused(
    server: EmbeddingsServer, router: EncoderRouter, own: Encoder, clock: Clock
) -> None:
    assert answered_by(router, own) == "remote"
    server.turned = True
    clock.now += OF_A_SERVER.good
    assert answered_by(router, own) == "cooccurrence"
    assert router.verdicts["remote"] == "refused"


def test_vectors_of_another_length_are_another_model(
    server: EmbeddingsServer, router: EncoderRouter, own: Encoder
) -> None:
    assert answered_by(router, own) == "remote"
    server.embed = lambda texts: [[1.0, 2.0]] * len(texts)
    assert answered_by(router, own) == "cooccurrence"
    assert router.verdicts["remote"] == "refused"


def test_where_none_answers_the_error_says_what_each_is(
    server: EmbeddingsServer, remote: Callable[[Limits], Backend], clock: Clock
) -> None:
    def missing() -> Encoder:
        raise ModelMissingError("no model")

    server.broken = True
    local = Backend("local", missing, lambda _: None, Limits(), clock)
    router = EncoderRouter([remote(PATIENT), local])
    for _ in range(2):
        with pytest.raises(ModelError, match="remote is down, local is down"):
            router()
    assert len(server.asked) == 1
    with pytest.raises(ModelError, match="none is to be asked"):
        EncoderRouter([])()


def test_a_question_that_is_too_long_is_no_failure_of_the_encoder(
    router: EncoderRouter, own: Encoder
) -> None:
    encoder = router()
    vector, cut = encode_question(encoder, "printer " * 2_000)
    assert (vector.shape, cut, encoder.kind) == ((1, own.dimension), True, "remote")
    assert router.verdicts["remote"] == "ready"


def test_passages_are_encoded_by_the_next_one_too(
    server: EmbeddingsServer, router: EncoderRouter, own: Encoder
) -> None:
    encoder = router()
    server.broken = True
    texts = ["Printers need paper.", "Tomatoes grow."]
    assert np.allclose(encoder.encode_passages(texts), own.encode_passages(texts), atol=1e-5)
    assert encoder.kind == "cooccurrence"


def test_while_one_request_looks_the_others_go_by_what_is_known(
    server: EmbeddingsServer, router: EncoderRouter, own: Encoder, clock: Clock
) -> None:
    server.broken = True
    assert answered_by(router, own) == "cooccurrence"
    server.broken, server.silent = False, True
    clock.now += DOWN_SECONDS
    asked = len(server.asked)
    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(answered_by, router, own)
        server.wait_for_request(asked + 1)
        assert answered_by(router, own) == "cooccurrence"
        server.silent = False
        assert looking.result() == "remote"


def test_first_requests_at_once_prove_it_once(
    server: EmbeddingsServer, router: EncoderRouter, own: Encoder
) -> None:
    together = threading.Barrier(8)

    def ask(_: int) -> str:
        together.wait()
        return answered_by(router, own)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(8))) == {"remote"}
    assert len(server.asked) == 2 + 8
