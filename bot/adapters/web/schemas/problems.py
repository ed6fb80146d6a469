"""The one form every refusal and failure takes."""

from pydantic import BaseModel, Field


class ErrorResponse(BaseModel):
    """What went wrong, in words a person can act on."""

    error: str = Field(description="What kind of problem it is: invalid, rate_limited, unavailable, timeout …")
    code: str = Field(description="The same word under its other name.")
    message: str = Field(description="A sentence that says what to do.")
    details: dict[str, object] | None = Field(
        default=None, description="The field, the limit and the length found, where that applies."
    )
    retry_after: int | None = Field(default=None, ge=0, description="Seconds to wait before asking again.")

    @classmethod
    def of(
        cls,
        code: str,
        message: str,
        *,
        details: dict[str, object] | None = None,
        retry_after: int | None = None,
    ) -> "ErrorResponse":
        """The form filled in; empty details are left out."""
        return cls(error=code, code=code, message=message, details=details or None, retry_after=retry_after)
