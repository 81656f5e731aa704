"""A result with all that it rests on, in one file that can be handed over, verified and signed.

pack_bundle(Packed(...), path) -> open_bundle(path) -> its files, none of which was altered
"""
