"""A page on which an author clicks where places lie on a scanned map, and gets the lines for the drawing."""
