"""The commands: `varve <name>` is the function `<name>` in the module `<name>`."""
