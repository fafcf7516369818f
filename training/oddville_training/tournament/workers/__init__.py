"""Who plays the games of a tournament: processes and machines, and agents in processes of their own."""
