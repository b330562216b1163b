"""Whether what is in the lake is right: a suite per table, run by Great Expectations on Spark."""
