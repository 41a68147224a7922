"""Attacks on posable: damaged files, odd arguments, kills, full disks, names that steer terminals, shared caches."""
