"""One pure DataFrame function per derived table: `jobs/tables/<table>.py` holds `<table>(…its inputs…)`."""
