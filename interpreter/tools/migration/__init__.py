"""Files of an older format brought to the newest, comments kept. Must not guess what was meant, nor write."""
