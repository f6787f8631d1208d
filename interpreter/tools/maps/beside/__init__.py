"""What stands below a map on its sheet: the row of turns, and boxes with who waits in them. Must not draw the map."""
