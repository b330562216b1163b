"""How metadata gets into the lake and out again."""
