"""What Kafka writes into a log dir, file by file: bytes in, a value or a ParseError out."""
