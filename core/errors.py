"""What can go wrong, sorted by who can do something about it."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self


class FootnoteError(Exception):
    """Anything we foresaw. *details* are safe to show: they carry limits and names, never secrets."""

    code: ClassVar[str] = "failed"
    http_status: ClassVar[int] = 500

    def __init__(self, message: str, *, details: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details or {})
        self.retry_after: int | None = None


class QuestionError(FootnoteError):
    """The member can ask differently; the message says how."""

    code = "invalid"
    http_status = 422


class UnknownBook(QuestionError):
    """A book was named that is not in the library."""

    code = "unknown_book"
    http_status = 404


class UnknownSession(QuestionError):
    """A session was named that does not exist, or was forgotten."""

    code = "unknown_session"
    http_status = 404


class RateLimited(FootnoteError):
    """A member or a group asked more than its share; waiting *retry_after* seconds helps."""

    code = "rate_limited"
    http_status = 429

    def __init__(self, message: str, *, retry_after: int, details: Mapping[str, object] | None = None) -> None:
        super().__init__(message, details=details)
        self.retry_after = retry_after


class ServiceError(FootnoteError):
    """Only time can help: something we depend on did not do its part."""

    code = "unavailable"
    http_status = 503

    def __init__(self, service: str, reason: str, *, retry_after: int | None = None) -> None:
        super().__init__(f"{service}: {reason}", details={"service": service})
        self.service = service
        self.reason = reason
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[type[Self], tuple[str, str], dict[str, Any]]:
        # Errors cross to and from processes of our own, and Exception would be made again from its text alone.
        return type(self), (self.service, self.reason), self.__dict__


class ServiceBusy(ServiceError):
    """The service asked us to slow down."""


class ServiceDown(ServiceError):
    """The service cannot be reached, or answers with failures."""


class ServiceTimeout(ServiceError):
    """The service took longer than we may let a member wait."""

    code = "timeout"
    http_status = 504


class LibraryError(FootnoteError):
    """A book cannot be taken in as asked; the leader can act on the message."""

    code = "library"
    http_status = 422


class LeadsElsewhere(LibraryError):
    """A page of a site has moved to another site."""

    code = "leads_elsewhere"


class UnreadableFile(LibraryError):
    """Nothing can be read from a file; the message says why, and the rest of its book still goes in."""

    code = "unreadable_file"


class IndexMismatch(LibraryError):
    """The index was built with another embedding model; the message names the command that repairs it."""

    code = "index_mismatch"
    http_status = 409


class SettingsError(FootnoteError):
    """Only the operator can help; the message lists every problem found, one a line."""

    code = "settings"


class DataInUse(FootnoteError):
    """Another process already works in this data folder."""

    code = "data_in_use"
