"""Work that processes share: jobs, workers on this machine or on a cluster, and a sandbox for external agents."""
