"""What ``otherminds new scenario`` writes: a small scenario that holds, with every field explained."""

TEMPLATE = """\
# A theory-of-mind test of SymmToM. Prove it with: otherminds verify THIS-FILE
# Play it with:  otherminds table symmtom battery --mind planner,planner-0 --suite THIS-FILE
about: >
  Left has told red its piece, or has kept silent. Told, red has little to gain on the left and walks past it to the
  top; untold, the left is nearer and worth more.
order: 0  # the least order of belief that passes all cases: 0 own memory, 1 what others know, 2 what they think
setting: n3_w6_c3  # agents, width of the board, pieces
# switches: {competitive: 2}  # any other parameter of the world
agents:  # the tested one first; cells are [x, y] from the lower left
  red: {at: [1, 2], base: [5, 3], pieces: [2]}
  left: {at: [0, 2], base: [0, 5], pieces: [0]}
  top: {at: [5, 5], base: [2, 0], pieces: [1]}
choices:  # what decides the trial: 'red near top', 'top knows 0 2', 'red tells top', 'red home'; a list for any of them
  top: red near top
  left: red near left
cases:  # twins: other histories that lead to the same board by the same last turn, and ask for another choice
  told:
    right: top
    turns: 3  # that the best player needs
    history:  # turn by turn: right, left, up, down, 'say 0', 'right say 0'; who is left out stays and is silent
      - {left: say 0}
      - {red: right}
      - {red: right}
  untold:
    right: left
    turns: 2
    # at: {red: [1, 2]}  # other places to start from
    # weight: 1  # how often this case is drawn, against the others
    history:
      - {}
      - {red: right}
      - {red: right}
# trial: {top: [left, left, say 1]}  # what others do in the trial; the last is repeated; else they stay and are silent
horizon: trial  # up to where the right choice is the best: the whole trial, or the next encounter
# limit: 30  # turns of the trial; five times the width if left out
# reproduction only: why it is kept without a twin, if it has none
"""
