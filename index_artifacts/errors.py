"""Every error that edgewiki raises on purpose, in one tree.

    EdgewikiError
    ├── ConfigError              a setting is missing, unknown or has a wrong value
    ├── SourceError              the wiki itself cannot be read
    │   └── StrictBuildError     --strict, and the build report is not clean
    ├── ModelError               an encoder cannot be prepared or used
    │   ├── ModelMissingError    it is not there yet
    │   ├── ModelMismatchError   it is another model than the version was built with
    │   └── InputTooLongError    an input is longer than the encoder; nothing is ever cut
    ├── StoreError               the object store
    │   ├── NotFoundError        no such object, version or channel
    │   ├── ConflictError        somebody else wrote first
    │   ├── UnsupportedError     the store lacks something that edgewiki needs
    │   └── UnavailableError     the store does not answer, or refuses the credentials
    ├── IntegrityError           bytes are not what the manifest promises
    │   └── SignatureError       a manifest is unsigned, or signed with another key
    ├── PublishRefusedError      the channel would go back to an older commit
    │   └── GateError            the version answers the golden set worse than the live one
    ├── ArtifactError            a verified index still cannot be opened here
    │   └── GraphError           the graph alone cannot be opened
    ├── LanguageModelError       the language model gave nothing that can be used
    ├── LoginError               somebody could not be logged in to the search page
    │   ├── LoginOffError        nobody can: no identity provider is set
    │   ├── LoginOverError       the attempt has expired, was used, or is another browser's
    │   ├── LoginDeniedError     they, or the identity provider, said no
    │   └── ProviderError        the identity provider said what cannot be believed
    │       └── ProviderDownError  it does not answer
    ├── ForbiddenError           the caller may not do this
    ├── BudgetError              the caller has had what it may have for now
    ├── JobError                 a sync job
    │   ├── JobNotFoundError     there is none of that id
    │   └── JobConflictError     it is over, has not begun, or is another runner's
    ├── ForgeError               the forge that keeps the wiki fails or refuses
    │   └── ForgeConflictError   somebody else changed the file first
    └── QueryError               a question that cannot be asked of this version
        ├── DocumentNotFoundError  there is no such page, or it has no such heading
        └── EntityNotFoundError    the graph has no such entity

A message names the thing (file and line, key, setting), its value, and what to do.
"""

import math


class EdgewikiError(Exception):
    """Base of the tree; its text is one sentence fit for a user."""


class ConfigError(EdgewikiError):
    """A setting is missing, unknown or has a wrong value."""


class SourceError(EdgewikiError):
    """The wiki itself cannot be read."""


class StrictBuildError(SourceError):
    """``--strict`` was given and the build report is not clean."""


class ModelError(EdgewikiError):
    """An encoder cannot be prepared or used."""


class ModelMissingError(ModelError):
    """The model's files are not there yet."""


class ModelMismatchError(ModelError):
    """The encoder is another one than the version was built with."""


class InputTooLongError(ModelError):
    """An input has more tokens than the encoder takes; it is refused, never cut."""


class StoreError(EdgewikiError):
    """The object store failed."""


class NotFoundError(StoreError):
    """There is no such object, version or channel."""


class ConflictError(StoreError):
    """A conditional write lost: somebody else wrote first."""


class UnsupportedError(StoreError):
    """The store lacks something that edgewiki needs, such as conditional writes."""


class UnavailableError(StoreError):
    """The store does not answer, or refuses the credentials."""


class IntegrityError(EdgewikiError):
    """Bytes are not what the manifest promises."""


class SignatureError(IntegrityError):
    """A manifest is unsigned, or signed with another key."""


class PublishRefusedError(EdgewikiError):
    """Publishing would move a channel back to an older commit, or is refused by the gate."""


class GateError(PublishRefusedError):
    """The version answers the wiki's golden set worse than the one that is served."""


class ArtifactError(EdgewikiError):
    """A verified index still cannot be opened on this machine."""


class GraphError(ArtifactError):
    """The graph cannot be opened; everything else goes on working."""


class LanguageModelError(EdgewikiError):
    """The language model does not answer, refuses, or gave nothing that can be used."""


class LoginError(EdgewikiError):
    """Somebody could not be logged in to the search page."""


class LoginOffError(LoginError):
    """Nobody can log in: no identity provider is set."""


class LoginOverError(LoginError):
    """The attempt to log in has expired, was used already, or is another browser's."""


class LoginDeniedError(LoginError):
    """Whoever logs in, or the identity provider, said no."""


class ProviderError(LoginError):
    """The identity provider said what cannot be believed."""


class ProviderDownError(ProviderError):
    """The identity provider does not answer."""


class ForbiddenError(EdgewikiError):
    """The caller may not do this; the text says who may, and nothing of what is there."""


class BudgetError(EdgewikiError):
    """The caller has had what it may have for now; ``seconds`` until there is more."""

    def __init__(self, seconds: float) -> None:
        self.seconds = math.ceil(seconds)
        super().__init__(f"no more answers for now: ask again in {self.seconds} s")


class JobError(EdgewikiError):
    """Something is wrong with a sync job."""


class JobNotFoundError(JobError):
    """There is no sync job of that id."""


class JobConflictError(JobError):
    """The sync job is over, has not begun, or is another runner's by now."""


class ForgeError(EdgewikiError):
    """The forge does not answer, refuses, or answered what nobody understands."""


class ForgeConflictError(ForgeError):
    """The file is not what the caller saw: somebody else changed it first."""


class QueryError(EdgewikiError):
    """The question cannot be asked of this version."""


class DocumentNotFoundError(QueryError):
    """There is no such page, or it has no such heading; an unpublished one is none."""


class EntityNotFoundError(QueryError):
    """The graph has no such entity; one that stands on unpublished pages alone is none."""
