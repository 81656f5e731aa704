"""How large, long and deep the things may be that are given to the program, all in one place.

Each limit lies far above anything that a casino or the law has. They are there so that no file,
however odd, can bring a check down, make it lie or keep it for ever; each is checked where the
thing comes in. docs/limits.md lists them.
"""

from __future__ import annotations

from typing import Final

# ---- values ----------------------------------------------------------------------------------

LARGEST_NUMBER: Final = 10**15
"""The largest number in a log, a rule or an option, above and below the line of a fraction: amounts
in cents, seats, counts, odds. What is made of two of them stays within the 63 bits of the engine,
but for products, which are not told where they are larger."""
LARGEST_SEQ: Final = 2**62
"""The largest sequence number: the difference of two of them is exact."""
LONGEST_DURATION: Final = 10**11
"""The longest length of time, in seconds."""
LONGEST_NUMERAL: Final = 60
"""Characters of a number that is written as text; a longer one is not even read."""

# ---- names and files -------------------------------------------------------------------------

LONGEST_NAME: Final = 255
"""Bytes of the name of a file or folder."""
LONGEST_PATH: Final = 4_096
"""Bytes of a path."""
LARGEST_SIDE_FILE: Final = 4 << 20
"""Bytes of a file of options, waivers, a manifest, a mapping, a schema or a clause map."""
LARGEST_RESULT: Final = 1 << 30
"""Bytes of a saved result, of a report to compare, or of what a night left for the next."""
DEEPEST_DATA: Final = 50
"""How many tables and lists may stand inside one another in TOML, JSON and XML."""
MOST_SHOWN: Final = 100
"""Of how many problems of one file each is shown by itself; the others are counted."""
LONGEST_MESSAGE: Final = 1_000
"""Characters of a message about a side file; a longer one is shown without its middle."""

# ---- logs ------------------------------------------------------------------------------------

LONGEST_LINE: Final = 1 << 20
"""Bytes of a line of a log."""
LARGEST_ARRAY: Final = 256 << 20
"""Bytes of a log that is one JSON array: it is read as a whole."""
LONGEST_XML_VALUE: Final = 4 << 20
"""Bytes of a single value in XES."""

MOST_TIMES_UNPACKED: Final = 500
"""How many times as many bytes a packed log may be unpacked, once it is large: no night repeats
itself that much."""
UNPACKED_ANYHOW: Final = 32 << 20
"""Bytes up to which a packed log is unpacked in any case."""
MOST_WORKERS: Final = 256
"""Processes that a check or a simulation may be given."""

# ---- rules -----------------------------------------------------------------------------------

LARGEST_RULE_FILE: Final = 4_000_000
"""Characters of a rule file."""
LONGEST_RULE_LINE: Final = 100_000
"""Characters of a line of a rule file."""
LARGEST_TABLE: Final = 20_000
"""Entries of a table of the law."""
LONGEST_USE_CHAIN: Final = 100
"""How many files may use one another in a row."""
MOST_MISTAKES: Final = 500
"""Mistakes of a rule file, or of a rulebook, after which the rest of it is not looked at."""
LONGEST_EXAMPLE: Final = 500
"""Events of an example."""
DEEPEST_BRACKETS: Final = 60
"""Brackets inside one another in a rule."""
DEEPEST_RULE: Final = 100
"""Parts of a rule inside one another."""
MOST_LETS: Final = 200
"""Values to which a rule may give a name with `let`."""
LARGEST_RULE: Final = 100_000
"""Parts of an edition of a rule, once every name in it is written out."""
DEEPEST_WRITTEN_OUT: Final = 200
"""Parts of a rule inside one another, once every name in it is written out."""
DEEPEST_GROUPS: Final = 20
"""Groups of events inside one another."""
MOST_EXPANSIONS: Final = 5_000
"""Uses of definitions that a rule may unfold into."""

# ---- house templates -------------------------------------------------------------------------

LARGEST_TEMPLATE_OUTPUT: Final = 100_000_000
"""Characters that a template may write."""
TEMPLATE_SECONDS: Final = 5
"""Processor time of a template."""
TEMPLATE_MEMORY: Final = 1 << 30
"""Bytes of memory of a template, beside the result that it is given."""
