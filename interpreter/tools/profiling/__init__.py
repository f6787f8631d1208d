"""Profile play by the author's own lines, and report requirements that never refuse; play stays unchanged."""
