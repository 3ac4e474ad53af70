"""What the tests stand on: the programs under test, and the ways to speak to them."""
