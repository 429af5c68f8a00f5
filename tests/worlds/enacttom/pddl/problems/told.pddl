; Ann is told which table, and cannot go there. Ben can, and is not told.
(define (problem told)
  (:domain home)
  (:objects ann ben - agent hall kitchen - room table_1 table_2 table_3 shelf_1 - furniture cup_1 - object)
  (:init (agent_in_room ann hall) (agent_in_room ben hall)
         (is_in_room shelf_1 hall) (is_on_top cup_1 shelf_1)
         (is_in_room table_1 kitchen) (is_in_room table_2 kitchen) (is_in_room table_3 kitchen)
         (is_restricted ann kitchen))
  (:goal (K ben (is_on_top cup_1 table_2))))
