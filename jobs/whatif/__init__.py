"""What would happen if brokers went away, by Kafka's own rules of election. Nothing here needs a JVM."""
