"""Records of single deals: built, told in words, checked. They drive the engine and hold no rules."""
