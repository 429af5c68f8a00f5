"""Tasks in words, and words back into tasks: what people are told, and what messages may say."""
