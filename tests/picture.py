"""The words of a report that its picture in the README shows: cover and verdict.

python -m tests.picture report.html
"""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path


def words_of_cover(page: str) -> str:
    """The verdict and what it rests on, line by line, as a reader of the picture sees them."""
    verdict = re.search(r'<div class="verdict.*?</div>\s*</div>', page, re.S)
    assert verdict is not None
    text = re.sub(r"<[^>]+>", " ", re.sub(r"</(strong|p)>", "\n", verdict.group()))
    lines = (" ".join(line.split()) for line in html.unescape(text).splitlines())
    return "".join(f"{line}\n" for line in lines if line)


if __name__ == "__main__":
    sys.stdout.write(words_of_cover(Path(sys.argv[1]).read_text("utf-8")))
