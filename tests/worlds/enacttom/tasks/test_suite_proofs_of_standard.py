"""Every task of this split is proved and judged anew. Each split has a file, so that two cores share the work."""

import pytest

from otherminds.worlds.enacttom.tasks.read import task_names
from tests.worlds.enacttom.tasks.splits import check_certificate, check_verdicts

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", task_names("standard"))
def test_the_certificate_holds(name: str) -> None:
    check_certificate(name)


@pytest.mark.parametrize("name", task_names("standard"))
def test_every_criterion_is_met(name: str) -> None:
    check_verdicts(name)
