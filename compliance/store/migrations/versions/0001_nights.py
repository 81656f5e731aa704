"""Nights, what was found in them, waivers, and the audit trail, which is only added to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Bring the tables into this form."""
    op.create_table(
        "audit",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=200), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("before", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_audit")),
        sa.UniqueConstraint("sha256", name=op.f("uq_audit_sha256")),
    )
    op.create_table(
        "kept_nights",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_kept_nights")),
    )
    op.create_table(
        "rulebook_versions",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("first_used", sa.DateTime(timezone=True), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("reviewer", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_rulebook_versions")),
        sa.UniqueConstraint("number", name=op.f("uq_rulebook_versions_number")),
    )
    op.create_table(
        "tallies",
        sa.Column("casino", sa.String(length=200), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("rule", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("severity", sa.String(length=20), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("casino", "day", "rule", name=op.f("pk_tallies")),
    )
    with op.batch_alter_table("tallies", schema=None) as batch_op:
        batch_op.create_index("ix_tallies_by_day", ["day"], unique=False)
        batch_op.create_index("ix_tallies_of_rule", ["rule", "day"], unique=False)

    op.create_table(
        "waivers",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("rule", sa.String(length=200), nullable=False),
        sa.Column("table_name", sa.String(length=200), nullable=False),
        sa.Column("casino", sa.String(length=200), nullable=False),
        sa.Column("authority", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("expires", sa.Date(), nullable=False),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("withdrawn", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("(fingerprint = '') <> (rule = '')", name=op.f("ck_waivers_names_one")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_waivers")),
    )
    with op.batch_alter_table("waivers", schema=None) as batch_op:
        batch_op.create_index("ix_waivers_of_rule", ["rule"], unique=False)

    op.create_table(
        "renamed_rules",
        sa.Column("old", sa.String(length=200), nullable=False),
        sa.Column("rulebook", sa.String(length=64), nullable=False),
        sa.Column("new", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(
            ["rulebook"], ["rulebook_versions.sha256"], name=op.f("fk_renamed_rules_rulebook")
        ),
        sa.PrimaryKeyConstraint("old", "rulebook", name=op.f("pk_renamed_rules")),
    )
    op.create_table(
        "runs",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("casino", sa.String(length=200), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("rulebook", sa.String(length=64), nullable=False),
        sa.Column("settings", sa.String(length=64), nullable=False),
        sa.Column("before", sa.String(length=64), nullable=True),
        sa.Column("joined", sa.String(length=64), nullable=True),
        sa.Column("kept", sa.String(length=64), nullable=False),
        sa.Column("result", sa.String(length=64), nullable=False),
        sa.Column("verdict", sa.String(length=20), nullable=False),
        sa.Column("exit_code", sa.Integer(), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("time_zone", sa.String(length=100), nullable=False),
        sa.Column("events", sa.BigInteger(), nullable=False),
        sa.Column("quarantined", sa.BigInteger(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["rulebook"], ["rulebook_versions.sha256"], name=op.f("fk_runs_rulebook")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_runs")),
        sa.UniqueConstraint("casino", "day", "revision", name=op.f("uq_runs_casino_day_revision")),
    )
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_runs_rulebook"), ["rulebook"], unique=False)

    op.create_table(
        "deliveries",
        sa.Column("casino", sa.String(length=200), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("channel", sa.String(length=200), nullable=False),
        sa.Column("about", sa.String(length=40), nullable=False),
        sa.Column("run", sa.Integer(), nullable=True),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.number"], name=op.f("fk_deliveries_run")),
        sa.PrimaryKeyConstraint("casino", "day", "channel", "about", name=op.f("pk_deliveries")),
    )
    with op.batch_alter_table("deliveries", schema=None) as batch_op:
        batch_op.create_index("ix_deliveries_by_state", ["state"], unique=False)
    op.create_table(
        "files",
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=1000), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("stamp", sa.String(length=100), nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.number"], name=op.f("fk_files_run")),
        sa.PrimaryKeyConstraint("run", "role", "name", name=op.f("pk_files")),
    )
    with op.batch_alter_table("files", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_files_sha256"), ["sha256"], unique=False)

    op.create_table(
        "findings",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("place", sa.String(length=64), nullable=False),
        sa.Column("casino", sa.String(length=200), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("moment", sa.DateTime(timezone=True), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("rule", sa.String(length=200), nullable=False),
        sa.Column("severity", sa.String(length=20), nullable=False),
        sa.Column("table_name", sa.String(length=200), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("first_run", sa.Integer(), nullable=False),
        sa.Column("last_run", sa.Integer(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("waiver", sa.Integer(), nullable=True),
        sa.Column("document", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["first_run"], ["runs.number"], name=op.f("fk_findings_first_run")),
        sa.ForeignKeyConstraint(["last_run"], ["runs.number"], name=op.f("fk_findings_last_run")),
        sa.ForeignKeyConstraint(["waiver"], ["waivers.number"], name=op.f("fk_findings_waiver")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_findings")),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_findings_fingerprint")),
    )
    with op.batch_alter_table("findings", schema=None) as batch_op:
        batch_op.create_index("ix_findings_by_day", ["day", "position", "id"], unique=False)
        batch_op.create_index(
            "ix_findings_by_night", ["casino", "day", "position", "id"], unique=False
        )
        batch_op.create_index("ix_findings_by_place", ["place"], unique=False)
        batch_op.create_index(
            "ix_findings_by_rule", ["rule", "day", "position", "id"], unique=False
        )
        batch_op.create_index(
            "ix_findings_by_severity", ["severity", "day", "position", "id"], unique=False
        )
        batch_op.create_index(
            "ix_findings_by_status", ["status", "day", "position", "id"], unique=False
        )
        batch_op.create_index(
            "ix_findings_by_table", ["table_name", "day", "position", "id"], unique=False
        )
        batch_op.create_index("ix_findings_by_waiver", ["waiver"], unique=False)

    op.create_table(
        "nights",
        sa.Column("casino", sa.String(length=200), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("published", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.number"], name=op.f("fk_nights_run")),
        sa.PrimaryKeyConstraint("casino", "day", name=op.f("pk_nights")),
    )
    with op.batch_alter_table("nights", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_nights_run"), ["run"], unique=False)

    op.create_table(
        "sightings",
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("finding", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["finding"], ["findings.id"], name=op.f("fk_sightings_finding")),
        sa.ForeignKeyConstraint(["run"], ["runs.number"], name=op.f("fk_sightings_run")),
        sa.PrimaryKeyConstraint("run", "finding", name=op.f("pk_sightings")),
    )
    with op.batch_alter_table("sightings", schema=None) as batch_op:
        batch_op.create_index("ix_sightings_of_finding", ["finding", "run"], unique=False)

    _seal_audit()


def downgrade() -> None:
    """Bring them back into the form before."""
    for table in (
        "sightings",
        "nights",
        "findings",
        "files",
        "deliveries",
        "runs",
        "renamed_rules",
        "waivers",
        "tallies",
        "rulebook_versions",
        "kept_nights",
        "audit",
    ):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_is_only_added_to()")


def _seal_audit() -> None:
    """The database itself refuses to change or take away an entry."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION audit_is_only_added_to() RETURNS trigger LANGUAGE plpgsql AS $$ "
            "BEGIN RAISE EXCEPTION 'the audit trail is only added to'; END $$"
        )
        op.execute(
            "CREATE TRIGGER audit_sealed BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
            "FOR EACH STATEMENT EXECUTE FUNCTION audit_is_only_added_to()"
        )
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER audit_no_{change.lower()} BEFORE {change} ON audit "
            "BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END"
        )
