; The planner knows which table. Nobody else does.
(define (problem untold)
  (:domain home)
  (:objects ann ben - agent kitchen - room table_1 table_2 table_3 shelf_1 - furniture cup_1 - object)
  (:init (agent_in_room ann kitchen) (agent_in_room ben kitchen) (is_in_room shelf_1 kitchen)
         (is_in_room table_1 kitchen) (is_in_room table_2 kitchen) (is_in_room table_3 kitchen)
         (is_on_top cup_1 shelf_1))
  (:goal (K ann (K ben (is_on_top cup_1 table_2)))))
