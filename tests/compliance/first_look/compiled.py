"""What is tested only where a part of the checker was compiled."""

from __future__ import annotations

import pytest

from compliance.first_look.library import library

compiled_only = pytest.mark.skipif(library() is None, reason="there is no compiled first look here")
