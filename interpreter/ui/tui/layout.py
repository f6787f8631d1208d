"""Style sheet of the screen for wide and small windows."""

WIDE = (110, 30)  # minimum columns and rows for panels beside the map

CSS = """
Screen { layout: vertical; background: $background; }
#top { height: 1; background: $primary; color: $text; text-style: bold; }
#body { height: 1fr; layout: horizontal; }
#left { width: 1fr; height: 100%; }
#map { height: 1fr; scrollbar-size: 1 1; }
#place, #news { height: 2; }
#place { text-style: bold; }
#right { width: 48; height: 100%; border-left: solid $primary; }
#tabs { height: auto; max-height: 2; background: $panel; }
#orders { height: 2fr; }
#sheet { height: 2fr; border-top: solid $primary; }
#talk { height: 2fr; border-top: solid $primary; }
.lines { scrollbar-size: 1 1; overflow-x: hidden; scrollbar-gutter: stable; padding: 0 0 0 1; }
#bottom { height: 1; }
#prompt { width: auto; max-width: 60%; text-style: bold; }
#line { width: 1fr; height: 1; border: none; padding: 0; }
#keys { height: 1; background: $panel; color: $text-muted; }
Screen.small #body { layout: vertical; }
Screen.small #left { width: 100%; height: 1fr; }
Screen.small #right { width: 100%; border-left: none; }
Screen.small #orders, Screen.small #sheet, Screen.small #talk { height: 1fr; border: none; display: none; }
Screen.small.-orders #orders, Screen.small.-sheet #sheet, Screen.small.-talk #talk { display: block; }
Screen.small #place { height: 1; }
Screen.small #tabs { dock: top; }
Screen.small #map { scrollbar-size-horizontal: 0; }
Screen.alone #right { display: none; }
Screen.plain #right { border-left: ascii $primary; }
Screen.plain #sheet, Screen.plain #talk { border-top: ascii $primary; }
Screen.plain.small #right { border-left: none; }
Screen.plain.small #sheet, Screen.plain.small #talk { border: none; }
"""
