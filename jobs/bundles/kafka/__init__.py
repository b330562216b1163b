"""What a support bundle tells of the metadata quorum."""
