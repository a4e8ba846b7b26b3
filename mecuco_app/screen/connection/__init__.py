"""Which browser is connected: its cookie, and its open tabs; state stands on it."""
