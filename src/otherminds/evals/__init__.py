"""Tables and statistics."""
