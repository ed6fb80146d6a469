"""The `footnote` command: what an operator types. Each command stands in a file of its own in bot/cli/."""

from bot.cli.app import main

if __name__ == "__main__":
    main()
