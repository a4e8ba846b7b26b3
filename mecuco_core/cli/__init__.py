"""The command `mecuco`: words in, words and files out. No numbers are made here."""
