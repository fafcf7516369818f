"""The report of a tournament: tables, ratings and pictures, as a page to read and as files to go on with."""
