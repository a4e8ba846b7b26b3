"""The engine of MeCuCo, room by room. People write `import mecuco as mc`."""

__version__ = "0.2.0"
