"""The lives of a topic: deleted and created again it is another topic of the same name."""

IS_RECREATED = """coalesce(before.czxid <> after.czxid,
      before.czxid IS NULL AND after.czxid IS NULL AND coalesce(before.topic_id <> after.topic_id, false))"""
"""A row of `topics_changes` is of a topic that was deleted and created again.

Its znode is another one; the Admin API, which tells no znode, gives another topic id.
"""

RECREATED = f"SELECT topic FROM topics_changes WHERE op = 'update' AND {IS_RECREATED}"
"""Topics that began another life: nothing of theirs is to be compared with what was before."""
