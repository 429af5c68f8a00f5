"""EnactToM: household tasks with private information and scarce messages.

Read ``types``, ``grounded_task``, ``rules`` and ``observe`` first; ``grounding`` makes a task playable, ``session``
plays an episode, ``world`` opens it. Importing this package registers everything that belongs to the world and imports
none of it.
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
    "oracle": ("oracle:Oracle", "follows a policy that is proved to succeed; the ceiling"),
    "tracker": (
        "tracker:Tracker",
        "plans with what others know, up to a given depth; takes a decisive step only when it knows that it is right",
    ),
    "bounded": ("bounded:Bounded", "a tracker that forgets, plans only a few turns ahead and sometimes acts at random"),
    "selfish": ("motives:Selfish", "a tracker that pursues its private goal first"),
    "discloser": (
        "motives:Discloser",
        "a tracker that reveals its private goal and what it knows too early",
    ),
    "greedy": ("greedy:Greedy", "assumes that everybody knows what it knows, and guesses everything else"),
    "decoupled": ("greedy:decoupled", "answers probes like a deep tracker, but acts like greedy"),
}
register_all("mind", _MINDS, "otherminds.worlds.enacttom.minds.{}", "enacttom")
TASKS = {  # of the suite classic: the number of each kind, and what it is about
    "able": (5, "delegation: which of two people can act on the only message?"),
    "handed_on": (5, "a relay: through whom can a message reach the person who needs it?"),
    "informed": (2, "delegation: which of two people has read what the message leaves out?"),
    "lock": (2, "only somebody else can read where the thing belongs, and can unlock the place"),
    "message": (8, "two people need the only message: which of them has already read a note?"),
    "mirror": (2, "only somebody else can read where the thing belongs; two pieces of furniture change together"),
    "mixed_1": (3, "a private goal in addition to the shared one, depth 1"),
    "mixed_2": (3, "a private goal in addition to the shared one, depth 2"),
    "mixed_3": (3, "a private goal in addition to the shared one, depth 3"),
    "one_link": (4, "a chain of two acts: does the second person know enough to follow?"),
    "placement": (5, "only somebody else can read where the thing belongs"),
    "stale": (5, "something is put away after the others have left"),
    "trusted": (3, "a relay: who can be trusted to pass the message on?"),
    "two_links": (11, "a chain of three acts: does the second person know that the third will follow?"),
}
_NUMBERED = {f"{kind}-{at + 1}": about for kind, (number, about) in TASKS.items() for at in range(number)}
_TITLES = {"cup": "Ann can read where the cup belongs; Ben has the cup", **_NUMBERED}
register_all("task", _TITLES, "otherminds.worlds.enacttom.tasks.read:SHIPPED[{}]", "enacttom")
_SKELETONS = {  # plots; the skeletons of each add a source, a job and a bar, such as link-told-in-lock
    "gated": "the person who can read the instruction cannot go there: depth 1",
    "relay": "the instruction is passed on over one-way lines: depth 1",
    "link": "a lever is harmful unless somebody out of sight does the right thing: depth 2",
    "watch": "a board says what to do; the person at the lever must learn who has read it: depth 2",
    "share": "one message for two people, one of whom has been told already: depth 2",
    "divide": "two messages for two people, whose sender must keep track of who knows what: depth 2",
    "rounds": "three messages for three people, whose sender must keep track of who knows what: depth 2",
    "visit": "one message for two people, one of whom must be seen reading a board first: depth 2",
    "chain": "two levers and a job, each right only if the next one follows: depth 3",
    "lookout": "as chain, but a board says what to do, and who saw it read passes that on: depth 3",
    "through": "one message; at most one of two recipients knows that a third person can be relied on: depth 3",
}
register_all("skeleton", _SKELETONS, "otherminds.worlds.enacttom.tasks.skeletons.plots:PLOTS[{}]", "enacttom")
_SUITES = {
    "standard": "150 tasks in whole houses, evolved against bounded minds",
    "hard": "150 tasks in whole houses, evolved against selfish and bounded minds",
    "classic": "62 small tasks that play in seconds (cup, able-1, ...)",
    "task": "only the task set with --set task=; a folder of task files is also a suite",
}
register_all("suite", _SUITES, "otherminds.worlds.enacttom.world:EnactToM", "enacttom")
_TABLES = {
    "published": "the published table, with recorded results added",
    "minds": "every measure of the recorded episodes",
    "statistics": "how deep, large and varied the tasks of suites are",
}
register_all("table", _TABLES, "otherminds.worlds.enacttom.cli.results:table", "enacttom")
_COMMANDS = {
    "new task": ("tasks:new_task", "write a task file to start from"),
    "new house": ("houses:new_house", "generate a house from a seed"),
    "generate enacttom": ("tasks:generate", "generate proved tasks"),
    "author enacttom": ("author:author", "let a language model write tasks"),
    "export enacttom": ("export:export", "make a split of the benchmark from a pool of evolved tasks"),
    "audit enacttom": ("audit:audit", "audit the claimed depth of PDDL problems"),
    "audit tasks": ("author:audit_tasks", "let a council of language models score the quality of tasks"),
    "table enacttom": ("results:table", "tabulate recorded episodes"),
    "figure enacttom": ("results:figure", "plot recorded episodes"),
}
register_all("command", _COMMANDS, "otherminds.worlds.enacttom.cli.{}", "enacttom")
_PROOFS = "proves how deep a mind must look for each task"
register(Entry("verifier", "enacttom", "otherminds.worlds.enacttom.cli.tasks:VERIFIER", _PROOFS, world="enacttom"))
_BRED = "evolves household tasks; each is proved and judged"
_TARGET = "otherminds.worlds.enacttom.evolve:TaskBreeder"
register(Entry("breeder", "enacttom", _TARGET, _BRED, world="enacttom", extra="verify"))
_INSPECT_TASKS = {
    "enacttom_author": ("write:enacttom_author", "write household tasks with the verifier's tools"),
    "enacttom_council": ("assess:enacttom_council", "score the quality of household tasks"),
}
register_all("inspect task", _INSPECT_TASKS, "otherminds.worlds.enacttom.author.{}", "enacttom", "llm")
