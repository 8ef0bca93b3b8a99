"""What the window stands on: the session, background work and models."""
