"""What `varve import` reads of a support bundle: one folder per source that has a reader."""
