"""The rule language: from the text of a rule to its exact meaning.

parsing -> resolve -> core      text, names and kinds, the form that engines run
formatting, explaining          for the people who write and read rules
rulebooks                       the law itself
"""
