"""The system's browser in which tests open pages, if there is one."""

from __future__ import annotations

import shutil

# The shell is the same browser without windows, and takes a quarter less time over the same pages.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
NO_BROWSER = "no browser: install the package `chromium` of the system"
