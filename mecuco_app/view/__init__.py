"""What a visitor has chosen, as frozen values, and the link that holds them."""
