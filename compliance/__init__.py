"""The checker: reads table event logs, replays them against the rules and decides."""
