"""ToMi: stories of people, rooms and containers, with questions about who believes what."""
