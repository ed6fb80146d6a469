"""What `footnote doctor` looks at. Each check says what it found and what to do; no secret is ever shown."""
