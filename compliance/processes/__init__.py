"""The processes that share the work of a run."""
