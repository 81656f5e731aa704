"""Secrets never stand in the settings, and are read only where nobody else can read them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from compliance.api.secrets import Secret, Secrets, SecretUnknown
from compliance.notices import Channels, NoticeSettings

SECRET = "hunter2-hunter2"  # noqa: S105 - of nobody


def _said(words: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as refused:
        NoticeSettings.model_validate({"name": "n"} | words)
    assert SECRET not in str(refused.value)
    return str(refused.value)


def _mail(**words: Any) -> dict[str, Any]:
    known = {"host": "h", "sender": "a@b.example", "to": ["c@d.example"]}
    return {"mail": known | words}


def test_a_password_in_the_settings_is_refused_and_not_repeated() -> None:
    said = _said(_mail(user="u", password=SECRET))
    assert 'a secret does not stand in this file; write { env = "NAME" }' in said


@pytest.mark.parametrize(
    "url",
    [
        f"https://hooks.slack.com/services/{SECRET}",
        f"https://casino.webhook.office.com/{SECRET}",
        f"https://user:{SECRET}@casino.example/",
        f"https://casino.example/?key={SECRET}",
    ],
)
def test_an_address_that_is_itself_a_key_is_refused_in_the_settings(url: str) -> None:
    assert "whoever has this address can use it" in _said({"webhook": {"url": url}})


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({"webhook": {"url": "http://casino.example/"}}, "can be read on its way"),
        ({"webhook": {"url": "ftp://casino.example/"}}, "begins with https://"),
        (_mail(user="u", password={"env": "P"}, security="none"), "not sent unencrypted"),
        (_mail(user="u"), "user and password go together"),
        (_mail(user="u", password={"env": "P", "file": "f"}), "a secret has one place"),
        (_mail(to=["duty@casino.example\nBcc: x@y.example"]), "plain mail address"),
        ({}, "a channel has one way"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(words: dict[str, Any], why: str) -> None:
    assert why in _said(words)


def test_two_channels_of_one_name_are_refused() -> None:
    one = {"name": "n"} | _mail()
    with pytest.raises(ValidationError, match="two channels are called n"):
        TypeAdapter(Channels).validate_python([one, one])


def test_a_secret_comes_from_the_environment() -> None:
    secrets = Secrets(environment={"P": SECRET, "EMPTY": ""})
    assert secrets.of(Secret(env="P")) == SECRET
    assert SECRET not in repr(secrets)
    for name in ("EMPTY", "NONE"):
        with pytest.raises(SecretUnknown, match=f"has no {name}, or it is empty"):
            secrets.of(Secret(env=name))


def test_a_secret_in_a_file_is_read_from_the_folder_of_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(SECRET + "\n")
    file.chmod(0o600)
    assert Secrets(tmp_path).of(Secret(file=Path("key"))) == SECRET


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o622])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "key"
    file.write_text(SECRET)
    file.chmod(mode)
    with pytest.raises(SecretUnknown, match="chmod 600") as refused:
        Secrets(tmp_path).of(Secret(file=Path("key")))
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"\n", b"one\ntwo\n", b"\xff\xfe", b"x" * 20_000])
def test_a_file_that_holds_no_single_line_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "key"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(SecretUnknown, match="does not hold one line"):
        Secrets(tmp_path).of(Secret(file=Path("key")))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SecretUnknown, match="cannot be read: No such file"):
        Secrets(tmp_path).of(Secret(file=Path("key")))


def test_a_pipe_to_which_nobody_writes_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "password", 0o600)
    with pytest.raises(SecretUnknown, match="is no plain file"):
        Secrets(tmp_path).of(Secret(file=Path("password")))
