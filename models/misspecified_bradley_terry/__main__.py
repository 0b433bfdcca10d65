"""The command ``python3 -m models.misspecified_bradley_terry``."""

from models.misspecified_bradley_terry import main

if __name__ == "__main__":
    main()
