"""The command ``python3 -m models.partitioned_preference``."""

from models.partitioned_preference import main

if __name__ == "__main__":
    main()
