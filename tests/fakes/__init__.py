"""Local stand-ins for what thinks, costs money or belongs to someone else."""
