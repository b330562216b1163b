"""Steps that several tables share."""
