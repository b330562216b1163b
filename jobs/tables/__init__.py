"""One module per derived table: `from_<source>(…)` makes its rows from its inputs, for each source it can follow.

The functions are pure. They leave out what their source cannot know; see `jobs.tables.parts.conform`.
"""
