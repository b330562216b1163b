"""How Varve talks to ZooKeeper: a session, its credentials, and reads over the wire."""
