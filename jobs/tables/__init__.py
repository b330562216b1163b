"""One module a derived table: `from_zookeeper(…)` and `from_kafka(…)` make its rows from its inputs of that source.

The functions are pure. A column that a source cannot know is left out; see `jobs.tables.parts.conform`.
"""
