"""What a map shows: colours, selection, sampling, captions."""
