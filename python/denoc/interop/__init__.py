"""To and from other libraries, each in a module of its own that needs nothing until it is called."""
