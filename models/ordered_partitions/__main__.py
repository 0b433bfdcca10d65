"""The command ``python3 -m models.ordered_partitions``."""

from models.ordered_partitions import main

if __name__ == "__main__":
    main()
