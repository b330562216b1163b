"""What `varve import` reads of a support bundle: a folder for each source that can be read from one; see `bundle_readers`."""
