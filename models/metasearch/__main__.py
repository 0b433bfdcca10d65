"""The command ``python3 -m models.metasearch``."""

from models.metasearch import main

if __name__ == "__main__":
    main()
