/* What a node of the program says, in the order of operations.py. */

#ifndef OPERATIONS_H
#define OPERATIONS_H

enum {
    CONSTANT,
    FIELD,
    MOMENT,
    SEQUENCE,
    TYPE,
    OPTION,
    ARITHMETIC,
    ROUNDING,
    PIP_VALUE,
    RANK,
    SUIT,
    COLOR,
    LARGER,
    SMALLER,
    LOOKUP,
    IF,
    COMPARE,
    FIELD_AGAINST_CONSTANT,
    FIELD_AGAINST_FIELD,
    RECORDED,
    IS_RECORDED,
    ABOUT,
    AND,
    OR,
    NOT,
    HOW_MANY,
    EVERY,
    AGGREGATE,
    IN_ORDER,
    NEXT_SEAT,
    KEPT
};

#endif
