"""The HTML report of a cluster: one file, readable from disk without a network, written without a JVM."""

from jobs.report.report import write_report

__all__ = ["write_report"]
