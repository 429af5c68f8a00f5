; A cup on two tables.
(define (problem two_tables)
  (:domain home)
  (:objects ann ben - agent kitchen - room table_1 table_2 shelf_1 - furniture cup_1 - object)
  (:init (agent_in_room ann kitchen) (agent_in_room ben kitchen) (is_in_room table_1 kitchen)
         (is_in_room table_2 kitchen) (is_in_room shelf_1 kitchen) (is_on_top cup_1 shelf_1))
  (:goal (and (K ann (is_on_top cup_1 table_1))
              (K ben (is_on_top cup_1 table_2)))))
