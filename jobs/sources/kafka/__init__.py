"""The Kafka Admin API and the metadata quorum behind it."""
