"""What a casino keeps of all its nights: runs, findings, waivers, people's words, an audit trail.

One SQLite file, or a PostgreSQL database; the same tables and the same answers on both.

    open_store -> record_night -> list_findings, diff, trend
"""
