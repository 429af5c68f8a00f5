"""Questions in files: reading, writing and correcting them. ``items`` says what a question holds."""
