"""Tells whether two tasks are the same but for names and order: hashes of a labelled graph of the content (spec 8).

Rooms, doors, furniture, things, people, secrets, their values, worlds and flags are nodes; so is every statement about
them. ``labelled_graph`` says what the statements are. ``canonical`` is a complete invariant: tasks with the same hash
are isomorphic. ``mechanism`` is coarser: the skeleton of a task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from otherminds.worlds.enacttom.tasks.task_graph import Graph, labelled_graph
from otherminds.worlds.enacttom.types import Task

Colours = list[int]
_COUNTED = ("person", "secret")  # one or several of these is a difference of mechanism
_SEVERAL = 2


def canonical(task: Task) -> str:
    """A hash that two tasks share if and only if one can be renamed and reordered to give the other.

    Names, titles, floor plans, K-goals, certificates and provenance do not count. Limits on messages count whether a
    mechanic or ``talk`` sets them; a note counts in the worlds in which it is given.
    """
    graph = labelled_graph(task)
    return _hash(_Labelling(graph).best)


def mechanism(task: Task) -> str:
    """A hash of the skeleton of a task: who holds what, who needs it, over which lines, under which constraints.

    Beside names and order it ignores how many interchangeable copies there are of anything (of people and secrets: how
    many beyond two), what is audible, private goals and the category.
    """
    graph = labelled_graph(task, is_bare=True)
    colours = list(graph.labels)
    for _ in graph.labels:
        after = [_hash((colours[node], sorted(_capped(graph, node, colours)))) for node in range(len(colours))]
        is_stable = len(set(after)) == len(set(colours))
        colours = after
        if is_stable:
            break
    return _hash(sorted(set(colours)))


def _capped(graph: Graph, node: int, colours: list[str]) -> Iterator[tuple[str, str, int]]:
    """The colours of neighbours without their numbers, except that one person or secret is not several."""
    for (word, colour, label), number in Counter(
        (word, colours[other], graph.labels[other]) for word, other in graph.edges[node]
    ).items():
        yield word, colour, min(number, _SEVERAL) if label in _COUNTED else 1


def _hash(content: Any) -> str:
    return sha256(repr(content).encode()).hexdigest()[:16]


class _Labelling:
    """Searches for the labelling of a graph with the smallest list of edges.

    Colour refinement, and individualisation where it leaves ties. A labelling with the same list of edges as the first
    one is an automorphism. Of nodes that automorphisms exchange only one is tried, so that equal copies cost little.

    Attributes:
        best: labels and edges of the graph by the numbers of the best labelling.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._automorphisms: list[Colours] = []  # the image of each node
        self._first: tuple[Any, Colours] | None = None
        self.best: Any = None
        numbers = {label: at for at, label in enumerate(sorted(set(graph.labels)))}
        self._search(self._refined([numbers[label] for label in graph.labels]), ())

    def _refined(self, colours: Colours) -> Colours:
        """The coarsest refinement in which nodes of one colour have the same numbers of neighbours of each colour."""
        count = len(set(colours))
        while True:
            signs = [
                (colour, tuple(sorted((word, colours[other]) for word, other in near)))
                for colour, near in zip(colours, self._graph.edges, strict=True)
            ]
            numbers = {sign: at for at, sign in enumerate(sorted(set(signs)))}
            if len(numbers) == count:
                return [numbers[sign] for sign in signs]
            colours, count = [numbers[sign] for sign in signs], len(numbers)

    def _search(self, colours: Colours, fixed: tuple[int, ...], is_first: bool = True) -> bool:
        """Try the labellings that refine some colours, until one of them is an image of the first."""
        sizes = Counter(colours)
        tie = min((colour for colour in sizes if sizes[colour] > 1), key=lambda c: (sizes[c], c), default=None)
        if tie is None:
            return self._compare(colours)
        tried: list[int] = []
        for node in (at for at, colour in enumerate(colours) if colour == tie):
            if not self._orbit(node, fixed).isdisjoint(tried):
                continue
            marked = [2 * colour + (colour == tie and at != node) for at, colour in enumerate(colours)]
            if self._search(self._refined(marked), (*fixed, node), is_first and not tried) and not is_first:
                return True  # the automorphism maps all that is left here to something already tried
            tried.append(node)
        return False

    def _orbit(self, node: int, fixed: tuple[int, ...]) -> set[int]:
        """The nodes that a node can be exchanged with by the known automorphisms that leave others as they are."""
        maps = [image for image in self._automorphisms if all(image[other] == other for other in fixed)]
        orbit, new = {node}, [node]
        while new:
            at = new.pop()
            for image in maps:
                for other in (image[at], image.index(at)):
                    if other not in orbit:
                        orbit.add(other)
                        new.append(other)
        return orbit

    def _compare(self, numbers: Colours) -> bool:
        """Keep a labelling if it is the best so far; whether it is an image of the first one."""
        labels = [label for _, label in sorted(zip(numbers, self._graph.labels, strict=True))]
        near = zip(numbers, self._graph.edges, strict=True)
        labelling = labels, sorted((number, word, numbers[other]) for number, edges in near for word, other in edges)
        if self._first is None:
            self._first, self.best = (labelling, numbers), labelling
            return False
        self.best = min(self.best, labelling)
        if labelling != self._first[0]:
            return False
        node_of = {number: node for node, number in enumerate(numbers)}
        self._automorphisms.append([node_of[number] for number in self._first[1]])
        return True
