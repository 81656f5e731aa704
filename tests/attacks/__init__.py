"""The standing attack suite: what strangers send and bad nights bring, and what is said of it."""
