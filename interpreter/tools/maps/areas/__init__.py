"""Maps of areas: outlines, shared borders, lettering, landscape and the sheet they are drawn on."""
