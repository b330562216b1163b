"""The small files beside every partition in the brokers' log dirs."""
