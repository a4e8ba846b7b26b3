"""The browser app: choices, state, caches, widgets and figures."""
