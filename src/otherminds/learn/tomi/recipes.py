"""How each network is trained: the public settings of ToM-bAbI's authors (spec 10)."""

from __future__ import annotations

from dataclasses import dataclass

from otherminds.core.errors import UserError

PAPER = ("memnn", "entnet", "relnet")  # the models of the paper's tables


@dataclass(frozen=True)
class Recipe:
    """How a model is trained.

    The loss is summed over a batch, not averaged: that is what the published limits on gradients are made for.
    """

    epochs: int = 100
    batch: int = 32
    learning_rate: float = 0.01  # of Adam
    halve_every: int = 0  # epochs after which the learning rate is halved, again and again; 0: never
    warm_up: int = 0  # steps in which the learning rate rises from 0
    anneal: bool = False  # the learning rate falls to 0 towards the end, along a cosine
    clip: float = 40.0  # longest gradient
    gradient_noise: float = 0.0  # standard deviation of what is added to every entry of the gradient
    weight_decay: float = 0.0
    last: int = 50  # how many sentences of a story are read
    parts: int = 1  # of an epoch
    validate_every: int = 1  # so many parts, after which there is also a checkpoint

    def __post_init__(self) -> None:
        """Refuse a training whose end would not be validated."""
        if self.epochs * self.parts % self.validate_every:
            raise UserError(
                f"{self.epochs} epochs of {self.parts} parts each cannot be validated every {self.validate_every} "
                f"parts; choose other epochs, or another validate_every"
            )


# Published optimisers are kept. What differs: EntNet and RelNet get weight decay, without which both know the training
# stories by heart after ten epochs and answer others worse than "always reality"; EntNet then needs half of its 200
# epochs. RelNet's 2,256 steps lie between those at which the published one stops; it is at its best for a short time
# only, so it is validated twice an epoch. MemNN is validated every ten epochs, as public programs of it are.
RECIPES: dict[str, Recipe] = {
    "memnn": Recipe(epochs=100, gradient_noise=1e-3, validate_every=10),
    "entnet": Recipe(epochs=100, halve_every=25, weight_decay=0.3, last=70),
    "relnet": Recipe(epochs=12, learning_rate=0.002, weight_decay=0.5, last=20, parts=2),
    "transformer": Recipe(
        epochs=60, batch=64, learning_rate=1e-3, warm_up=200, anneal=True, weight_decay=0.01, last=70
    ),
}
