"""How Varve talks to Kafka: connections to brokers and controllers, logins, and replies over the wire."""
