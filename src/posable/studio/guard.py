"""Access control: only pages served by the studio itself, opened with its start-up address, may use it.

Against other sites in the same browser: the Host header (DNS rebinding) and the Origin must be our own, the cookie is
SameSite=Strict, and pages have a content policy. Against other users of the machine: the token of the address.
"""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_STRANGER = "Access denied: open the address that `posable studio` printed when it started.\n"


class Guard:
    """ASGI middleware: accepts requests of our own page with our cookie, and sets that cookie for the address's token.

    hosts: allowed Host headers, "127.0.0.1:8000". token: the start-up secret.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...], token: str) -> None:
        self.app, self.hosts, self.token = app, hosts, token
        self.cookie = f"posable_{hosts[0].rpartition(':')[2]}"  # cookies ignore ports, so their names must not

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        answer = self._answer(scope)
        if answer is None:
            await self.app(scope, receive, with_headers if scope["type"] == "http" else send)
        elif scope["type"] == "http":
            await answer(scope, receive, with_headers)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": "not allowed"})

    def _answer(self, scope: Scope) -> Any:
        """The refusal of a request; None where it is allowed."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host not in self.hosts:
            return PlainTextResponse(f"The studio answers to {self.hosts[0]} only.\n", 400)
        origin = headers.get("origin")
        if origin != f"http://{host}" and (origin is not None or scope["type"] == "websocket"):
            return PlainTextResponse("Requests from other sites are refused.\n", 403)
        if self._is_known(headers):
            return (
                None if "token=" not in scope.get("query_string", b"").decode("latin-1") else RedirectResponse("/", 303)
            )
        return self._let_in(scope)

    def _is_known(self, headers: Headers) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        own = cookies.get(self.cookie)
        return own is not None and secrets.compare_digest(own.value.encode(), self.token.encode())

    def _let_in(self, scope: Scope) -> Any:
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if (
            scope["type"] == "http"
            and scope["path"] == "/"
            and secrets.compare_digest(given.encode(), self.token.encode())
        ):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
            return answer
        return PlainTextResponse(_STRANGER, 403)
