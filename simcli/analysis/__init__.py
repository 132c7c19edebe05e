"""What the deals of a run say, and how sure it is: estimates, intervals, tests, the verdict."""
