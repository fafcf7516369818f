"""What all routes share: errors as PROTOCOL.md has them, and limits for the size and time of a body."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from oddville_env.core.errors import GameError
from oddville_env.web.refusal import STATUS, RefusalError

LONGEST_UPLOAD = 1_000_000  # bytes
UPLOAD_S = 10.0  # seconds


def with_errors(answer: Callable[..., Awaitable[Response]]) -> Callable[..., Awaitable[Response]]:
    """Turn errors into answers as PROTOCOL.md has them."""

    @wraps(answer)
    async def answered(*args: Any) -> Response:
        try:
            return await answer(*args)
        except GameError as error:
            refusal = error if isinstance(error, RefusalError) else RefusalError("bad_request", str(error))
            return JSONResponse({"error": refusal.plain()}, STATUS.get(refusal.code, 400))

    return answered


async def json_body(request: Request) -> bytes:
    """The body of a request with the content type of JSON; raises RefusalError."""
    if request.headers.get("content-type", "").split(";")[0] != "application/json":
        raise RefusalError("bad_request", "the content type must be application/json")
    body = b""
    try:
        async with asyncio.timeout(UPLOAD_S):
            async for part in request.stream():
                body += part
                if len(body) > LONGEST_UPLOAD:
                    raise RefusalError("too_large", f"a request may have {LONGEST_UPLOAD} bytes")
    except ClientDisconnect:
        raise RefusalError("bad_request", "the connection ended before the request did") from None
    except TimeoutError:
        raise RefusalError("bad_request", f"the request did not end within {UPLOAD_S:g} seconds") from None
    return body
