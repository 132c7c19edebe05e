"""The rules engine: compiled, numbers only (docs/architecture.md).

A deal in play is one int64 array, the *state*, whose slots are named in `layout`. `deal` fills it,
`legal` asks what may be done, `apply` does it and goes on to the next seat that has a choice.
"""
