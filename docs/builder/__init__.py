"""What `make docs` needs beside Sphinx: reference pages, equations, and a check of the site."""
