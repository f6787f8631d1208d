"""The board in a page without a server: the interpreter runs in a web worker of the page that shows the game."""
