"""A household in pictures: the floor plan, one turn as a drawing, an episode as a page."""
