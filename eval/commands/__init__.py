"""The commands of ``edgewiki eval``, one module each; ``eval/command.py`` puts them together."""
