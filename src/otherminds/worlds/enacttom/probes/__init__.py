"""What people are asked during an episode, when, and which acts commit them."""
