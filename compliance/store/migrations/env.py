"""What Alembic runs: the migrations, on the connection that it was given."""

from __future__ import annotations

from alembic import context

from compliance.store.tables import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    # SQLite changes a table by making it anew.
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
