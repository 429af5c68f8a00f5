"""The worlds. Each sub-package registers its world, minds, suites, tables and commands; no list names them all."""
