"""Tells people what a night came to: one message for each night and channel, or none.

notice = build_notice(summary, settings)
delivery = deliver(notice, settings, Secrets.of_machine(folder))

Nothing is stored here. Whoever calls knows which nights were told already.
"""

from compliance.api.secrets import Secret, Secrets, SecretUnknown
from compliance.notices.deliver import deliver
from compliance.notices.delivery import Delivered, Delivery, Undelivered
from compliance.notices.notice import Attachment, Notice, build_notice
from compliance.notices.settings import Channels, Mail, NoticeSettings, Webhook
from compliance.notices.summary import NightSummary

__all__ = [
    "Attachment",
    "Channels",
    "Delivered",
    "Delivery",
    "Mail",
    "NightSummary",
    "Notice",
    "NoticeSettings",
    "Secret",
    "SecretUnknown",
    "Secrets",
    "Undelivered",
    "Webhook",
    "build_notice",
    "deliver",
]
