"""What can go on at a cursor in rules and documents, and of what type it is. Must not speak the protocol."""
