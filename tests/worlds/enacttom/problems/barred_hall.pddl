; The hall lies between the porch and the kitchen, and nobody may enter it.
(define (problem barred_hall)
  (:domain home)
  (:objects ann ben - agent porch hall kitchen - room box_1 - furniture)
  (:init (agent_in_room ann porch) (agent_in_room ben porch) (is_in_room box_1 kitchen) (is_closed box_1)
         (connected porch hall) (connected hall kitchen) (is_restricted ann hall) (is_restricted ben hall))
  (:goal (K ann (is_open box_1))))
