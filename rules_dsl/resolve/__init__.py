"""From syntax trees to core rules: names bound, types checked, everything wrong collected."""
