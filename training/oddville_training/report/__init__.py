"""The report of a tournament: tables, ratings and pictures, as a page and as files."""

from oddville_training.report.make import make_report

__all__ = ["make_report"]
