"""The services that need a key: their clients, and the one place each where their errors become ours."""
