; The household for classical planners: what can be done, with nothing hidden. Who must know what is proved elsewhere.
; A thing has one place; containers must be open; nobody enters, and so nobody crosses, a room it is barred from.
(define (domain household)
  (:requirements :adl :typing)
  (:types agent room item - object furniture door - item)
  (:predicates
    (is_on_top ?x - item ?f - furniture) (is_inside ?x - item ?f - furniture)
    (is_in_room ?x - item ?r - room) (is_on_floor ?x - item) (is_held_by ?x - item ?a - agent)
    (agent_in_room ?a - agent ?r - room)
    (is_open ?f - item) (is_closed ?f - item) (is_locked ?f - item) (is_unlocked ?f - item)
    (is_powered_on ?f - furniture) (is_powered_off ?f - furniture)
    (is_restricted ?a - agent ?r - room) (can_communicate ?a - agent ?b - agent)
    (is_inverse ?f - item) (mirrors ?f - item ?g - item)
    (controls ?f - item ?g - item) (controls_closed ?f - item ?g - item)
    (controls_unlocked ?f - item ?g - item) (controls_locks ?f - item ?g - item)
    (is_surface ?f - furniture) (is_container ?f - furniture) (is_switch ?f - furniture) (is_sign ?f - furniture)
    (connected ?r - room ?q - room) (leads ?d - door ?r - room ?q - room) (is_one_way ?d - door))

  (:action walk
    :parameters (?a - agent ?from - room ?to - room)
    :precondition (and (agent_in_room ?a ?from) (not (= ?from ?to)) (not (is_restricted ?a ?to))
      (or (connected ?from ?to) (connected ?to ?from)
          (exists (?d - door) (and (is_open ?d) (not (is_locked ?d))
            (or (leads ?d ?from ?to) (and (leads ?d ?to ?from) (not (is_one_way ?d))))))))
    :effect (and (agent_in_room ?a ?to) (not (agent_in_room ?a ?from))))

  (:action pick_up
    :parameters (?a - agent ?x - item ?f - furniture ?r - room)
    :precondition (and (agent_in_room ?a ?r) (is_in_room ?f ?r) (is_in_room ?x ?r)
      (not (exists (?y - item) (is_held_by ?y ?a)))
      (or (is_on_top ?x ?f) (and (is_inside ?x ?f) (is_open ?f))))
    :effect (and (is_held_by ?x ?a) (not (is_on_top ?x ?f)) (not (is_inside ?x ?f)) (not (is_in_room ?x ?r))))

  (:action pick_up_from_floor
    :parameters (?a - agent ?x - item ?r - room)
    :precondition (and (agent_in_room ?a ?r) (is_in_room ?x ?r) (is_on_floor ?x)
      (not (exists (?y - item) (is_held_by ?y ?a))))
    :effect (and (is_held_by ?x ?a) (not (is_on_floor ?x)) (not (is_in_room ?x ?r))))

  (:action put_on
    :parameters (?a - agent ?x - item ?f - furniture ?r - room)
    :precondition (and (is_held_by ?x ?a) (agent_in_room ?a ?r) (is_in_room ?f ?r) (is_surface ?f))
    :effect (and (is_on_top ?x ?f) (is_in_room ?x ?r) (not (is_held_by ?x ?a))))

  (:action put_in
    :parameters (?a - agent ?x - item ?f - furniture ?r - room)
    :precondition (and (is_held_by ?x ?a) (agent_in_room ?a ?r) (is_in_room ?f ?r) (is_container ?f) (is_open ?f))
    :effect (and (is_inside ?x ?f) (is_in_room ?x ?r) (not (is_held_by ?x ?a))))

  ; What is opened by hand may open, close, unlock or lock something else; a mirror follows.
  (:action make_open
    :parameters (?a - agent ?f - item ?r - room)
    :precondition (and (agent_in_room ?a ?r) (is_in_room ?f ?r) (is_closed ?f) (not (is_locked ?f)))
    :effect (and (is_open ?f) (not (is_closed ?f))
      (forall (?g - item) (when (or (mirrors ?f ?g) (mirrors ?g ?f) (controls ?f ?g)) (and (is_open ?g) (not (is_closed ?g)))))
      (forall (?g - item) (when (controls_closed ?f ?g) (and (is_closed ?g) (not (is_open ?g)))))
      (forall (?g - item) (when (controls_unlocked ?f ?g) (and (is_unlocked ?g) (not (is_locked ?g)))))
      (forall (?g - item) (when (controls_locks ?f ?g) (and (is_locked ?g) (not (is_unlocked ?g)))))))

  (:action make_closed
    :parameters (?a - agent ?f - item ?r - room)
    :precondition (and (agent_in_room ?a ?r) (is_in_room ?f ?r) (is_open ?f))
    :effect (and (is_closed ?f) (not (is_open ?f))
      (forall (?g - item) (when (or (mirrors ?f ?g) (mirrors ?g ?f)) (and (is_closed ?g) (not (is_open ?g)))))))

  (:action switch_on
    :parameters (?a - agent ?f - furniture ?r - room)
    :precondition (and (agent_in_room ?a ?r) (is_in_room ?f ?r) (is_powered_off ?f))
    :effect (and (is_powered_on ?f) (not (is_powered_off ?f))
      (forall (?g - furniture) (when (or (mirrors ?f ?g) (mirrors ?g ?f)) (and (is_powered_on ?g) (not (is_powered_off ?g)))))
      (forall (?g - item) (when (controls ?f ?g) (and (is_open ?g) (not (is_closed ?g)))))
      (forall (?g - item) (when (controls_closed ?f ?g) (and (is_closed ?g) (not (is_open ?g)))))
      (forall (?g - item) (when (controls_unlocked ?f ?g) (and (is_unlocked ?g) (not (is_locked ?g)))))
      (forall (?g - item) (when (controls_locks ?f ?g) (and (is_locked ?g) (not (is_unlocked ?g)))))))

  (:action switch_off
    :parameters (?a - agent ?f - furniture ?r - room)
    :precondition (and (agent_in_room ?a ?r) (is_in_room ?f ?r) (is_powered_on ?f))
    :effect (and (is_powered_off ?f) (not (is_powered_on ?f))
      (forall (?g - furniture) (when (or (mirrors ?f ?g) (mirrors ?g ?f)) (and (is_powered_off ?g) (not (is_powered_on ?g)))))))
)
