"""Everything Footnote keeps in SQLite. No SQL is written outside this package."""
