"""What a bucket answers, or does not, told as a disk would tell it: by an `OSError`."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from simcli.errors import RunError, refusal
from simcli.rules.wording import printable_path

CHECK = "check credentials, region and endpoint as boto3 takes them from the environment"
SIGN_IN = "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
MAKE_ONE = "make it first, or check AWS_ENDPOINT_URL"


class Unchanged(OSError):
    """An object is still the one that was read before."""


class Outrun(OSError):
    """An object is not what a conditional write demands: absent, or the one that was read."""


@contextmanager
def os_errors() -> Iterator[None]:
    """Turn what the client raises into an `OSError`.

    Raises
    ------
    FileNotFoundError
        There is no such object.
    Unchanged, Outrun
        The condition of a read or of a write does not hold.
    PermissionError
        The service refuses, or there are no credentials; asking again would not help.
    OSError
        The service does not answer, or cannot do it now.
    """
    from botocore.exceptions import (
        BotoCoreError,
        ClientError,
        ConnectionError,
        HTTPClientError,
        IncompleteReadError,
        NoCredentialsError,
    )

    try:
        yield
    except ClientError as error:
        raise _told_by_service(error.response) from None
    except NoCredentialsError:
        raise PermissionError(errno.EACCES, f"no credentials – {SIGN_IN}") from None
    except (HTTPClientError, ConnectionError, IncompleteReadError) as error:
        raise OSError(errno.EIO, f"no answer from {_address(error)}") from None
    except BotoCoreError as error:  # a profile that is not there, a token that has run out
        raise PermissionError(errno.EACCES, f"{_one_line(error)} – {CHECK}") from None
    except ValueError as error:  # an endpoint that is no address
        raise PermissionError(errno.EACCES, f"{_one_line(error)} – {CHECK}") from None


def _told_by_service(answer: dict[str, Any]) -> OSError:
    """Return the error that an answer of the service stands for."""
    status = int(answer["ResponseMetadata"]["HTTPStatusCode"])
    code = str(answer["Error"].get("Code", status))
    reason = printable_path(f"{code} {answer['Error'].get('Message', '')}".strip())
    if status == HTTPStatus.NOT_MODIFIED:
        return Unchanged(reason)
    if code == "NoSuchBucket":
        return PermissionError(errno.EACCES, f"there is no such bucket – {MAKE_ONE}")
    if status == HTTPStatus.NOT_FOUND:
        return FileNotFoundError(errno.ENOENT, reason)
    if status in (HTTPStatus.PRECONDITION_FAILED, HTTPStatus.CONFLICT):
        return Outrun(reason)
    if status < HTTPStatus.INTERNAL_SERVER_ERROR and status != HTTPStatus.TOO_MANY_REQUESTS:
        return PermissionError(errno.EACCES, f"{reason} – {CHECK}")
    return OSError(errno.EIO, f"the service cannot do it now: {reason}")


def _address(error: Any) -> str:
    """Return the address that a request went to, without what was asked of it."""
    url = urlsplit(str(error.kwargs.get("endpoint_url", "")))
    return printable_path(f"{url.scheme}://{url.netloc}") if url.netloc else "the service"


def _one_line(error: Exception) -> str:
    return printable_path(" ".join(str(error).split()))


@contextmanager
def refusals(where: str, done: str) -> Iterator[None]:
    """Turn what a bucket refuses into an `InputError`, and its silence into a `RunError`.

    Parameters
    ----------
    where : str
        Its URL.
    done : str
        What is done to it: read or written.
    """
    try:
        yield
    except PermissionError as error:
        message = f"expected a bucket that can be {done}, got: {error.strerror}"
        raise refusal(printable_path(where), message) from None
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        message = f"{error.strerror} – complete parts stay; give the command again to go on"
        raise RunError(f"{printable_path(where)}: {message}") from None
