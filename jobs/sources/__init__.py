"""Collectors: one package per source, no Spark.

A source is a folder `<name>/` with
- `settings.py`: `Settings`, a pydantic model, cheap to import; the field `<name>` of a cluster in varve.yaml;
- `collect.py`: `collect(settings, landing)`, reads the source and lands its tables;
- `probe.py`: `probe(settings)`, says for `varve doctor` what can be reached.
Its tables are those in `schemas/` that name it as their source.
"""
