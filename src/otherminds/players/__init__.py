"""The minds of each world. The world's own package registers them."""
