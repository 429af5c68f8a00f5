"""EnactToM: household tasks with private information and scarce messages."""
