"""What runs in the browser, and what it sends back."""
