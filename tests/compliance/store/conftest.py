"""The stores that these tests use."""

from tests.compliance.store_places import postgres, store, store_place

__all__ = ["postgres", "store", "store_place"]
