"""The Paper page: the published tables beside ours."""
