"""Plans: what to do, step by step, with the commands of this cluster. They are printed; Varve runs none of them."""
