"""One SQL file per schema version, named 0001_what.sql, 0002_what.sql …

To change the schema, add the next file: it runs once, in one transaction, when a database is opened.
A file that was released is never edited; databases out there already carry what it did.
"""
