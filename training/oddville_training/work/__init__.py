"""Work that processes share: jobs, workers on this machine or on a cluster, and agents of somebody else."""
