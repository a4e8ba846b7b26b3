"""Everything that becomes points: bundled sets, OpenML, files and manifolds."""
