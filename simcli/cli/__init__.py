"""The commands, one file each: parse, make one call, print."""
