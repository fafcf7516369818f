"""Stand-ins for language models: a function of a prompt, and an endpoint on the loopback that is honest or not."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

PAUSE = 0.02  # seconds between the parts of a slow answer


def example(prompt: str) -> str:
    """Answer the example of a prompt, marked up and after some thinking."""
    return f"<think>done</think> I play **{prompt.split('Example: ')[1].split()[0].upper()}**."


class Handler(BaseHTTPRequestHandler):
    """Answers each request as the server's next reply does, the last one for all further requests."""

    server: Any

    def do_POST(self) -> None:
        self.asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.path, self.headers.get("Authorization"), self.asked))
        reply = self.server.replies.pop(0) if len(self.server.replies) > 1 else self.server.replies[0]
        reply(self)

    def log_message(self, *args: Any) -> None:
        """Be quiet."""


Reply = Callable[[Handler], None]


def sends(body: bytes | str, status: int = 200, **headers: str) -> Reply:
    """Send a body."""
    content = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} Any"]
    lines += [
        f"{name.replace('_', '-')}: {value}" for name, value in {"Content_Length": len(content), **headers}.items()
    ]
    return streams("\r\n".join([*lines, "", ""]).encode() + content)


def streams(head: bytes, part: bytes | None = None) -> Reply:
    """Send some bytes, then a part now and then until the server stops; without a part close the connection."""

    def reply(handler: Handler) -> None:
        handler.wfile.write(head)
        while part is not None and not handler.server.stopped.wait(PAUSE):
            handler.wfile.write(part)

    return reply


def says(content: Any, refusal: str | None = None, finish_reason: str = "stop", **more: Any) -> Reply:
    """Send an answer of the chat protocol."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return sends(json.dumps({"choices": [{"message": message, "finish_reason": finish_reason}], **more}))


def good(handler: Handler) -> None:
    """Answer the example."""
    says(example(handler.asked["messages"][0]["content"]))(handler)


@contextmanager
def serving() -> Iterator[Any]:
    """A server with `replies`, what it has `seen`, and the `spec` of an agent that asks it."""
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.handle_error = True, lambda *about: None
    server.replies, server.seen, server.stopped = [good], [], Event()
    server.spec = f"chat:model=tiny:1b,url=http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, args=(PAUSE,))
    thread.start()
    yield server
    server.stopped.set()
    server.shutdown()
    thread.join()
    server.server_close()
