"""Commands of EnactToM: tasks, PDDL audit, tables and figures."""
