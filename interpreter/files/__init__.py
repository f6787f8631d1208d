"""Access to local files: shipped data, caches, and untrusted files. Independent of their contents."""
