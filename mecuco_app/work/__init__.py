"""Tasks, jobs, worker processes, caches and limits."""
