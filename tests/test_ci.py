"""What runs before a change lands is what the README tells people to run."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from tests.tree import ROOT, text_of

SCRIPTS = ["lock", "picture", "run", "setup", "test"]


def _commands(script: str) -> list[str]:
    lines = (line.strip() for line in text_of(script).splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def test_the_landing_check_is_exactly_the_readme_test_command() -> None:
    blocks = re.findall(r"```sh\n(.*?)\n```", text_of("README.md"), flags=re.DOTALL)
    assert _commands(".ci/run") == [blocks[1]] == ["bash .ci/test"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_is_valid_bash_and_may_be_run(script: str) -> None:
    path = ROOT / ".ci" / script
    assert os.access(path, os.X_OK)
    subprocess.run(["bash", "-n", str(path)], check=True)


def test_the_readme_names_only_pages_that_belong_to_the_tree() -> None:
    links = re.findall(r"\]\((?!https:)([^)#]+)", text_of("README.md"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
