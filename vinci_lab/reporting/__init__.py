"""Reports: a run as one self-contained HTML page and summary tables."""

from __future__ import annotations

from vinci_lab.reporting.study import write_study
from vinci_lab.reporting.summary import Summary, summarize

__all__ = ["Summary", "summarize", "write_study"]
