; Anybody can open the fridge. That one knows that another knows that a third knows it asks for nothing.
(define (problem decorative)
  (:domain home)
  (:objects ann ben cleo - agent kitchen hall - room fridge_1 - furniture)
  (:init (agent_in_room ann kitchen) (agent_in_room ben kitchen) (agent_in_room cleo hall)
         (is_in_room fridge_1 kitchen) (is_closed fridge_1))
  (:goal (K ann (K ben (K cleo (is_open fridge_1))))))
