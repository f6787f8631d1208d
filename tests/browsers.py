"""The browser of the system in which tests look at pages, if there is one. Tests nothing."""

from __future__ import annotations

import shutil

# The shell is the same browser without windows, and takes a quarter less time over the same pages.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
NO_BROWSER = "no browser: install the package `chromium` of the system"
