"""What an answer of boto3 means: the one table from its errors to edgewiki's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from botocore.exceptions import (
    ClientError,
    NoCredentialsError,
    NoRegionError,
    ParamValidationError,
    PartialCredentialsError,
)

from index_artifacts.errors import (
    ConfigError,
    ConflictError,
    EdgewikiError,
    NotFoundError,
    UnavailableError,
    UnsupportedError,
)

Right = Literal["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:ListBucket"]

_BAD_CREDENTIALS = {
    "ExpiredToken",
    "InvalidAccessKeyId",
    "InvalidToken",
    "RequestTimeTooSkewed",
    "SignatureDoesNotMatch",
}
_WRONG_REGION = {"301", "PermanentRedirect", "AuthorizationHeaderMalformed"}
_UNKNOWN_HEADER = {"NotImplemented", "InvalidArgument", "InvalidRequest", "400", "501"}


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked of the server, for the message when it fails."""

    right: Right
    bucket: str
    key: str
    endpoint: str
    conditional: bool = False

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.key} at {self.endpoint}"


def status_of(error: ClientError) -> int:
    """Return the HTTP status, 0 where there was no answer."""
    return int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def was_retried(error: ClientError) -> bool:
    """Tell whether boto3 had sent the request before, and got no usable answer."""
    return int(error.response.get("ResponseMetadata", {}).get("RetryAttempts", 0)) > 0


def explain(error: Exception, request: Request) -> EdgewikiError:
    """Return the error to raise instead of boto3's."""
    if isinstance(error, ClientError):
        return _explain_answer(error, request)
    if isinstance(error, NoCredentialsError | PartialCredentialsError):
        return UnavailableError(
            f"{request}: {error}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE "
            "or a role"
        )
    if isinstance(error, ParamValidationError | NoRegionError):
        return ConfigError(f"{request}: {error}".replace("\n", " "))
    return UnavailableError(f"{request} does not answer: {error}")


def _explain_answer(error: ClientError, request: Request) -> EdgewikiError:
    code, status = str(error.response.get("Error", {}).get("Code", "")), status_of(error)
    if code == "NoSuchBucket":
        return NotFoundError(
            f"there is no bucket {request.bucket!r} at {request.endpoint}: create it, or correct "
            "the store's URL"
        )
    if code in _BAD_CREDENTIALS:
        return UnavailableError(
            f"{request}: the credentials are refused ({code}): check the access key, its secret, "
            "a session token's age and this machine's clock"
        )
    if code in _WRONG_REGION:
        return UnavailableError(
            f"{request}: the bucket lies in another region ({code}): set EDGEWIKI_S3_REGION"
        )
    if status == 404:
        return _explain_absence(request)
    if status in {409, 412}:
        return ConflictError(f"{request} was written by somebody else ({code})")
    if status in {401, 403}:
        return _explain_refusal(request, code)
    if status == 501 or (status == 400 and request.conditional and code in _UNKNOWN_HEADER):
        return _explain_unknown(request, code)
    return UnavailableError(f"{request} answered {status}: {error}")


def _explain_absence(request: Request) -> EdgewikiError:
    if request.right == "s3:PutObject":  # only a PUT with If-Match finds nothing to replace
        return ConflictError(f"{request} was deleted by somebody else")
    return NotFoundError(f"there is no {request}")


def _explain_refusal(request: Request, code: str) -> EdgewikiError:
    doubt = (
        "; without s3:ListBucket on the bucket, S3 gives the same answer for an object that is "
        "not there"
        if request.right == "s3:GetObject"
        else ""
    )
    return UnavailableError(
        f"{request}: the credentials lack the right {request.right} ({code}){doubt}"
    )


def _explain_unknown(request: Request, code: str) -> EdgewikiError:
    return UnsupportedError(
        f"{request.endpoint} does not know the request for {request.key} ({code}), most likely "
        "its If-Match or If-None-Match: use a server that has conditional writes, or set "
        "EDGEWIKI_S3_CONDITIONAL_WRITES=off and never publish twice at once"
    )
