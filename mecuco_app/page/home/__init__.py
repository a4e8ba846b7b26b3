"""Parts of the Home page: four ways to data, and a quick look at the current dataset."""
