"""Files that an exported game needs besides its own; made by `build.py` of the project's folder `.ci/kit`."""
