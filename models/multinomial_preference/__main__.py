"""The command ``python3 -m models.multinomial_preference``."""

from models.multinomial_preference import main

if __name__ == "__main__":
    main()
