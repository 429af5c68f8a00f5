"""Write the tables and figures of the documentation from ``results/``; with ``--check``, only compare."""

from __future__ import annotations

import sys

from docs.figures import drawings
from docs.tables import ROOT, pages


def main() -> int:
    stale = []
    for path, fresh in {**pages(), **drawings()}.items():
        if not path.exists() or path.read_text("utf-8") != fresh:
            stale.append(str(path.relative_to(ROOT)))
            if "--check" not in sys.argv:
                path.write_text(fresh, "utf-8")
    print("\n".join(stale) or "all tables and figures match results/")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
