"""Parts of the Explore page, each drawing one `Scene`."""
