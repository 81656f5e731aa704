"""What every way of judging shares: circumstances, absent values, and how a check is written."""
