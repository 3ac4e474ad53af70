"""The base of the tests: the programs under test, and clients that speak to them."""
