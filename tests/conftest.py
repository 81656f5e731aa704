"""Settings for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# Where a change lands, the same cases are drawn each time: a new one is for the long runs to find.
settings.register_profile("landing", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("landing")
