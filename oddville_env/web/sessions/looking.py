"""Looking around changes nothing, so it waits for play: one look at a time, and half of the time none."""

import asyncio
from time import perf_counter

SHARE = 0.5  # of the server's time that looks may take


class Looking:
    """The lane of looks: `async with` takes a turn. Who plays does not take it, and so never stands behind a look."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._begun = 0.0

    async def __aenter__(self) -> None:
        await self._turn.acquire()
        self._begun = perf_counter()

    async def __aexit__(self, *error: object) -> None:
        took = perf_counter() - self._begun
        asyncio.get_running_loop().call_later(took * (1 - SHARE) / SHARE, self._turn.release)
