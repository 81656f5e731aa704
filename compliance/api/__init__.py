"""A check as a whole, for whoever asks: Python code, the command line, other shells.

request -> run_check -> result     what is asked, files opened and checked, what came of it

`import compliance` offers the functions for Python (docs/python.md).
"""
