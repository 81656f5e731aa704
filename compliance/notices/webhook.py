"""Sends a notice to an address of the web: as plain JSON, or as Slack and Teams want it."""

from __future__ import annotations

import json
import ssl
from http.client import HTTPException
from typing import IO, Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from compliance.api.secrets import Secret, Secrets
from compliance.notices.delivery import Delivered, Delivery, Undelivered
from compliance.notices.line import Line, lost, trusted
from compliance.notices.notice import Notice
from compliance.notices.settings import Webhook, checked_address
from reports.hidden_characters import one_line

_PASSING: Final = (408, 425, 429, 500, 502, 503, 504)
_LONGEST_SLACK: Final = 2_900


class _NoOtherPlace(HTTPRedirectHandler):
    """What is meant for one server is not carried to another."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        return None


def send_to_web(notice: Notice, webhook: Webhook, secrets: Secrets, line: Line) -> Delivery:
    """Post the message."""
    url = secrets.of(webhook.url) if isinstance(webhook.url, Secret) else webhook.url
    try:
        url = checked_address(url.strip())
    except ValueError as problem:
        return Undelivered(f"The address of the web cannot be used: {problem}.", False)
    # The rest of the address may be a key, and is told to nobody.
    server = f"The server {urlsplit(url).hostname}"
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "table-compliance",
        "Idempotency-Key": notice.number,
    }
    if webhook.token is not None:
        headers["Authorization"] = f"Bearer {secrets.of(webhook.token)}"
    body = json.dumps(body_of(notice, webhook)).encode()
    folder, authorities = secrets.folder, webhook.authorities
    context = trusted(None if authorities is None else folder / authorities)
    opener = build_opener(_NoOtherPlace, HTTPSHandler(context=context))
    request = Request(url, body, headers, method="POST")  # noqa: S310 - checked above
    line.all_out = True
    try:
        with opener.open(request, timeout=line.seconds):
            return Delivered()
    except HTTPError as problem:
        with problem:
            return _refused(server, problem)
    except URLError as problem:
        reason = problem.reason
        before = isinstance(reason, ConnectionRefusedError | ssl.SSLError)
        failed = reason if isinstance(reason, OSError) else OSError(str(reason))
        return lost(server, failed, all_out=not before)
    except OSError as problem:
        return lost(server, problem, all_out=True)
    except HTTPException as problem:
        what = type(problem).__name__
        return Undelivered(f"{server} gave no answer that can be read ({what}).", True, True)


def body_of(notice: Notice, webhook: Webhook) -> dict[str, Any]:
    """What is posted."""
    if webhook.format == "slack":
        return {"text": f"*{_slack(notice.subject)}*\n{_slack(notice.text)[:_LONGEST_SLACK]}"}
    if webhook.format == "teams":
        lines = [line for line in notice.text.splitlines() if line.strip()]
        blocks = [{"type": "TextBlock", "text": line, "wrap": True} for line in lines]
        title = {"type": "TextBlock", "text": notice.subject, "weight": "bolder", "wrap": True}
        card = {"type": "AdaptiveCard", "version": "1.4", "body": [title, *blocks]}
        kind = "application/vnd.microsoft.card.adaptive"
        return {"type": "message", "attachments": [{"contentType": kind, "content": card}]}
    night = notice.summary
    return {
        "schema_version": "1",
        "number": notice.number,
        "subject": notice.subject,
        "text": notice.text,
        "casino": night.casino,
        "day": night.day.isoformat(),
        "verdict": night.verdict,
        "violations": {item.value: number for item, number in night.violations.items()},
        "new": {item.value: number for item, number in night.new.items()},
        "recurring": night.recurring,
        "resolved": night.resolved,
        "reopened": night.reopened,
        "waived": night.waived,
        "defects": night.defects,
        "undetermined": night.undetermined,
        "quarantined": night.quarantined,
    }


def _slack(text: str) -> str:
    """The three signs that Slack would take for its own."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _refused(server: str, problem: HTTPError) -> Undelivered:
    if 300 <= problem.code < 400:
        said = "it sends elsewhere; give the address that it now has"
        return Undelivered(f"{server} did not take the message: {said}.", False)
    said = one_line(str(problem.reason))[:200]
    return Undelivered(
        f"{server} did not take the message: {problem.code} {said}.", problem.code in _PASSING
    )
