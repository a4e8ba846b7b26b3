"""Widgets: each shows one choice of the view and writes it back; labels for people live here."""
