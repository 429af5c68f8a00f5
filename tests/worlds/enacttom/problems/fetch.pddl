; Nobody is asked to know anything, and yet the one who can read the board must tell.
(define (problem fetch)
  (:domain household)
  (:objects
    ann ben - agent
    porch study hall kitchen - room
    board shelf table1 table2 table3 - furniture
    d1 d2 d3 - door
    cup - item)
  (:init
    (agent_in_room ann porch)
    (agent_in_room ben hall)
    (is_in_room board study) (is_sign board)
    (is_in_room shelf hall) (is_surface shelf)
    (is_in_room table1 kitchen) (is_surface table1)
    (is_in_room table2 kitchen) (is_surface table2)
    (is_in_room table3 kitchen) (is_surface table3)
    (leads d1 porch study) (is_in_room d1 porch) (is_in_room d1 study)
    (is_open d1) (is_unlocked d1)
    (leads d2 porch hall) (is_in_room d2 porch) (is_in_room d2 hall)
    (is_open d2) (is_unlocked d2)
    (leads d3 hall kitchen) (is_in_room d3 hall) (is_in_room d3 kitchen)
    (is_open d3) (is_unlocked d3)
    (is_on_top cup shelf) (is_in_room cup hall)
    (is_restricted ann kitchen)
    (is_restricted ben study)
    (can_communicate ann ben))
  (:goal (is_on_top cup table1))
  (:horizon 5)
  (:message-limits (ann 1) (ben 0))
  (:hidden (table1 :as target :among table1 table2 table3 :shown board)))
