"""The process and its machine: packages, threads, signals, progress."""
