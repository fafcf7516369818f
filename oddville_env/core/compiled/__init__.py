"""Compiled code: the decorator of kernels, their cache on disk, and threads."""
