"""The choices that compose a skeleton, and who is in every plot."""

from __future__ import annotations

from dataclasses import dataclass

from otherminds.worlds.enacttom.tasks.skeletons.scene import Job, Scene


@dataclass(frozen=True)
class Choices:
    """The choices that compose a skeleton.

    Attributes:
        plot: who relies on whom.
        source: how people come to know, as far as the plot leaves it open.
        job: what the last person has to do.
        bar: what stands in its way.
    """

    plot: str
    source: str
    job: str
    bar: str

    @property
    def name(self) -> str:
        """Such as ``link-told-in-lock``."""
        return "-".join((self.plot, self.source, self.job, self.bar))


def worker(scene: Scene, plan: Choices, values: int) -> tuple[str, Job, str]:
    """A person who walks through the house, its job, and a room for whoever knows what to do."""
    actor = scene.resident(plan.job)
    job = scene.job(actor, plan.job, values, scene.room())
    return actor, job, scene.room()
