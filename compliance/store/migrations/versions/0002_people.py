"""What people say of findings and nights, and who may."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Bring the tables into this form."""
    op.create_table(
        "accounts",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("shown_as", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("secret", sa.Text(), nullable=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_accounts")),
    )
    op.create_table(
        "sign_offs",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("account", sa.String(length=200), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.name"], name=op.f("fk_sign_offs_account")),
        sa.ForeignKeyConstraint(["run"], ["runs.number"], name=op.f("fk_sign_offs_run")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_sign_offs")),
    )
    with op.batch_alter_table("sign_offs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_offs_run"), ["run"], unique=False)

    op.create_table(
        "assignments",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("finding", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=200), nullable=False),
        sa.Column("account", sa.String(length=200), nullable=False),
        sa.Column("due", sa.Date(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.name"], name=op.f("fk_assignments_account")
        ),
        sa.ForeignKeyConstraint(["finding"], ["findings.id"], name=op.f("fk_assignments_finding")),
        sa.ForeignKeyConstraint(["owner"], ["accounts.name"], name=op.f("fk_assignments_owner")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_assignments")),
    )
    with op.batch_alter_table("assignments", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_assignments_finding"), ["finding"], unique=False)
        batch_op.create_index(batch_op.f("ix_assignments_owner"), ["owner"], unique=False)

    op.create_table(
        "comments",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("finding", sa.String(length=64), nullable=False),
        sa.Column("account", sa.String(length=200), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.name"], name=op.f("fk_comments_account")),
        sa.ForeignKeyConstraint(["finding"], ["findings.id"], name=op.f("fk_comments_finding")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_comments")),
    )
    with op.batch_alter_table("comments", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_comments_finding"), ["finding"], unique=False)

    op.create_table(
        "reviews",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("finding", sa.String(length=64), nullable=False),
        sa.Column("account", sa.String(length=200), nullable=False),
        sa.Column("decision", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.name"], name=op.f("fk_reviews_account")),
        sa.ForeignKeyConstraint(["finding"], ["findings.id"], name=op.f("fk_reviews_finding")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_reviews")),
    )
    with op.batch_alter_table("reviews", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reviews_finding"), ["finding"], unique=False)


def downgrade() -> None:
    """Bring them back into the form before."""
    for table in (
        "reviews",
        "comments",
        "assignments",
        "sign_offs",
        "accounts",
    ):
        op.drop_table(table)
