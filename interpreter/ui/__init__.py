"""User interfaces. No interface decides legality or depends on another one."""
