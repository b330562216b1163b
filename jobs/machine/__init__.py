"""What the machine brings: Java, the jars, the Spark session."""
