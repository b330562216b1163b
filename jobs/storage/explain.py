"""What is wrong with an object store, said so that somebody can mend it. No message holds a credential."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

from jobs.errors import VarveError

_STATUS = re.compile(r"<Code>(\w+)</Code>|status code: (\d+ [\w ]+)")
_KEYS = "compare access_key, secret_key and the rights on the bucket"
NO_ANSWER = "the store does not answer: compare storage.endpoint, and whether this host reaches it"
_REMEDIES = {
    "NoSuchBucket": "there is no such bucket: compare the name in `lake` and the endpoint, or create it",
    "InvalidAccessKeyId": f"the store does not know the access key: {_KEYS}",
    "SignatureDoesNotMatch": f"the secret key does not fit the access key: {_KEYS}",
    "AccessDenied": f"the store refused it: {_KEYS}",
    "RequestTimeTooSkewed": "this host's clock is off by more than the store allows: synchronise it",
    "ExpiredToken": "the session's token has expired: get a new one",
    "PermanentRedirect": "the bucket is in another region: name it as storage.region",
}


class StoreError(VarveError):
    """An object store did not do what it was asked."""


@contextmanager
def explained(location: str) -> Iterator[None]:
    """Raises StoreError for what the store refuses or does not answer, with the location and what to do."""
    try:
        yield
    except (BaseError, FileNotFoundError, ValueError) as error:
        raise StoreError(f"{location}: {_what_to_do(error)}") from None


def _what_to_do(error: Exception) -> str:
    told = str(error)
    codes = [code or status for code, status in _STATUS.findall(told)]
    for code in reversed(codes):
        if remedy := _REMEDIES.get(code):
            return remedy
    if isinstance(error, PermissionDeniedError | UnauthenticatedError):
        return f"the store refused it ({codes[-1] if codes else 'no reason given'}): {_KEYS}"
    if "error sending request" in told:
        return NO_ANSWER
    if "AWS_" in told or "instance credentials" in told or "169.254.169.254" in told:
        return f"no credentials were found: set storage.access_key and secret_key, or AWS_*; {_KEYS}"
    return f"the store answered {codes[-1]}" if codes else _first_line(told)


def _first_line(told: str) -> str:
    return told.split("\n")[0]
