"""The ways to a broker's log dirs; all of them yield the same plain contents."""
