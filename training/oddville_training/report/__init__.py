"""The report of a tournament: tables, ratings and pictures, as a page to read and as files to go on with."""

from oddville_training.report.make import make_report

__all__ = ["make_report"]
