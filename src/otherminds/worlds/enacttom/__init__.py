"""EnactToM: household tasks with private information and scarce messages.

Read ``types``, ``ground``, ``rules`` and ``observe`` first; ``session`` plays an episode, ``world`` opens it. Importing
this package registers everything that belongs to the world and imports none of it.
"""

from __future__ import annotations

from otherminds.core.registry import Entry, register, register_all

register(
    Entry(
        "world",
        "enacttom-v0",
        "otherminds.worlds.enacttom.world:EnactToM",
        "household tasks with private information and scarce messages; how deep must a mind look?",
    )
)
_MINDS = {
    "oracle": ("oracle:Oracle", "follows a proved policy of any depth: the ceiling"),
    "tracker": ("tracker:Tracker", "plans by itself with who knows what to a depth, and commits only to what it knows"),
    "bounded": ("bounded:Bounded", "a tracker that forgets, plans a few turns ahead, and errs now and then"),
    "selfish": ("motives:Selfish", "pursues its private goal first, and is a tracker otherwise"),
    "discloser": (
        "motives:Discloser",
        "tells its private goal and what it knows too early, and is a tracker otherwise",
    ),
    "greedy": ("greedy:Greedy", "assumes that everybody knows what it knows, and guesses the rest"),
    "decoupled": ("greedy:decoupled", "answers like a deep tracker, and acts like the greedy mind"),
}
register_all("mind", _MINDS, "otherminds.worlds.enacttom.minds.{}", "enacttom")
TASKS = {  # the files of enacttom/tasks: the number of each kind, and what it is about
    "able": (5, "delegation: who of two can act on the one message?"),
    "handed_on": (5, "a relay: through whom does word reach who needs it?"),
    "informed": (2, "delegation: who of two has read what the message leaves out?"),
    "lock": (2, "put something away that is locked behind a board that another reads"),
    "message": (8, "one message for two who need it: which of them has read a note already?"),
    "mirror": (2, "put something where only another can read that it belongs; two things change together"),
    "mixed_1": (3, "a wish of one's own beside the common goal, depth 1"),
    "mixed_2": (3, "a wish of one's own beside the common goal, depth 2"),
    "mixed_3": (3, "a wish of one's own beside the common goal, depth 3"),
    "one_link": (4, "a chain of two acts: does the other know enough to follow?"),
    "placement": (5, "put something where only another can read that it belongs"),
    "stale": (5, "something was put away after the others had left"),
    "trusted": (3, "a relay: who can be trusted to hand it on?"),
    "two_links": (11, "a chain of three acts: does the next know that the last will follow?"),
}
_NUMBERED = {f"{kind}-{at + 1}": about for kind, (number, about) in TASKS.items() for at in range(number)}
_TITLES = {"cup": "Ann can read where the cup belongs, Ben has it", **_NUMBERED}
register_all("task", _TITLES, "otherminds.worlds.enacttom.tasks.read:SHIPPED[{}]", "enacttom")
_SKELETONS = {  # plots; the skeletons of each add a source, a job and a bar, such as link-told-in-lock
    "gated": "the person who can read the instruction cannot go there: depth 1",
    "relay": "the instruction is passed on over one-way lines: depth 1",
    "able": "one message, and one of two people can reach the place: depth 1",
    "link": "a lever does harm unless somebody out of sight does the right thing: depth 2",
    "share": "one message for two people, one of whom has been told already: depth 2",
    "divide": "two messages for two people, from somebody who keeps track: depth 2",
    "chain": "two levers and a job, each right only if the next follows: depth 3",
    "through": "one message, and two people who may know that a third can be relied on: depth 3",
}
register_all("skeleton", _SKELETONS, "otherminds.worlds.enacttom.tasks.skeletons.plots:PLOTS[{}]", "enacttom")
_SUITES = {
    "standard": "every shipped task in its contrast worlds",
    "task": "the world's task alone; a folder of task files is a suite of its own",
}
register_all("suite", _SUITES, "otherminds.worlds.enacttom.world:EnactToM", "enacttom")
_TABLES = {"published": "the published table", "minds": "every measure of records"}
register_all("table", _TABLES, "otherminds.worlds.enacttom.cli.results:table", "enacttom")
_COMMANDS = {
    "new task": ("tasks:new_task", "write a task file to start from"),
    "new house": ("houses:new_house", "draw a house by seed"),
    "generate enacttom": ("tasks:generate", "generate proved tasks"),
    "author enacttom": ("author:author", "let a language model write tasks"),
    "audit enacttom": ("audit:audit", "audit the claimed depth of PDDL problems"),
    "audit tasks": ("author:audit_tasks", "let a council of language models score the quality of tasks"),
    "table enacttom": ("results:table", "tables of records"),
    "figure enacttom": ("results:figure", "figures of records"),
}
register_all("command", _COMMANDS, "otherminds.worlds.enacttom.cli.{}", "enacttom")
_PROOFS = "proves how deep a mind must look for each task"
register(Entry("verifier", "enacttom", "otherminds.worlds.enacttom.cli.tasks:VERIFIER", _PROOFS, world="enacttom"))
_BRED = "household tasks, proved and judged"
_TARGET = "otherminds.worlds.enacttom.evolve:TaskBreeder"
register(Entry("breeder", "enacttom", _TARGET, _BRED, world="enacttom", extra="verify"))
_INSPECT_TASKS = {
    "enacttom_author": ("write:enacttom_author", "write household tasks with the verifier's tools"),
    "enacttom_council": ("assess:enacttom_council", "score the quality of household tasks"),
}
register_all("inspect task", _INSPECT_TASKS, "otherminds.worlds.enacttom.author.{}", "enacttom", "llm")
