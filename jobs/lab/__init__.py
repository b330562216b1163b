"""Real ZooKeeper and Kafka on this machine, for the demo and the integration tests."""
