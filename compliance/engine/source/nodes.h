/* Generated from compliance/plan/nodes.py: change that file, then make this one anew. */

#ifndef NODES_H
#define NODES_H

#include <stdint.h>

enum {
    NODE_CONSTANT,
    NODE_FIELD,
    NODE_MOMENT,
    NODE_SEQUENCE,
    NODE_TYPE_NAME,
    NODE_OPTION,
    NODE_ARITHMETIC,
    NODE_ROUNDING,
    NODE_FUNCTION,
    NODE_LOOKUP,
    NODE_CHOICE,
    NODE_COMPARISON,
    NODE_RECORDED,
    NODE_ABOUT,
    NODE_ALL_OF,
    NODE_ANY_OF,
    NODE_NEGATION,
    NODE_HOW_MANY,
    NODE_EVERY,
    NODE_AGGREGATE,
    NODE_IN_ORDER,
    NODE_NEXT_SEAT,
    NODE_MEMO,
    NODE_SEEN_FROM,
    NODE_PATTERN,
    NODE_EDGE,
    NODE_EVENTS,
    NODE_INTERVAL,
    NODE_LOOKOUT,
    NODE_ITEMS,
    NODE_NUMBERS,
    NODE_EXEMPTION,
    NODE_ELECTION,
    NODE_SLICING,
    NODE_TRIGGERS,
    NODE_EDITION,
};

typedef struct {
    int64_t kind, number;
} ConstantNode;

typedef struct {
    int64_t kind, var, column;
} FieldNode;

typedef struct {
    int64_t kind, var;
} MomentNode;

typedef struct {
    int64_t kind, var;
} SequenceNode;

typedef struct {
    int64_t kind, var;
} TypeNameNode;

typedef struct {
    int64_t kind, var, option;
} OptionNode;

typedef struct {
    int64_t kind, sign, left, right, gives;
} ArithmeticNode;

typedef struct {
    int64_t kind, way, value, unit;
} RoundingNode;

typedef struct {
    int64_t kind, function, left, right;
} FunctionNode;

typedef struct {
    int64_t kind, table, row, column;
} LookupNode;

typedef struct {
    int64_t kind, condition, then, otherwise;
} ChoiceNode;

typedef struct {
    int64_t kind, sign, left, right;
} ComparisonNode;

typedef struct {
    int64_t kind, value, known, lookout;
} RecordedNode;

typedef struct {
    int64_t kind, value, target, tolerance, relative, rounded;
} AboutNode;

typedef struct {
    int64_t kind, size;
    int64_t items[];
} AllOfNode;

typedef struct {
    int64_t kind, size;
    int64_t items[];
} AnyOfNode;

typedef struct {
    int64_t kind, part;
} NegationNode;

typedef struct {
    int64_t kind, bound, count, events;
} HowManyNode;

typedef struct {
    int64_t kind, events, condition;
} EveryNode;

typedef struct {
    int64_t kind, function, events, value, money;
} AggregateNode;

typedef struct {
    int64_t kind, events, value, direction, start;
} InOrderNode;

typedef struct {
    int64_t kind, direction, start, events, value;
} NextSeatNode;

typedef struct {
    int64_t kind, node, memo;
} MemoNode;

typedef struct {
    int64_t kind, var, node;
} SeenFromNode;

typedef struct {
    int64_t kind, pool, wider, plain, election, size;
    int64_t items[];
} PatternNode;

typedef struct {
    int64_t kind, own, pattern, costly, ties, size;
    int64_t items[];
} EdgeNode;

typedef struct {
    int64_t kind, at, edge, reach, inclusive, interval, which, since, before, within, at_least, per, size;
    int64_t items[];
} EventsNode;

typedef struct {
    int64_t kind, opens, closes;
} IntervalNode;

typedef struct {
    int64_t kind, types, size;
    int64_t items[];
} LookoutNode;

typedef struct {
    int64_t kind, size;
    int64_t items[];
} ItemsNode;

typedef struct {
    int64_t kind, size;
    int64_t items[];
} NumbersNode;

typedef struct {
    int64_t kind, condition, size;
    int64_t items[];
} ExemptionNode;

typedef struct {
    int64_t kind, condition, size;
    int64_t items[];
} ElectionNode;

typedef struct {
    int64_t kind, number, interval, keys, columns, relevant, borders;
} SlicingNode;

typedef struct {
    int64_t kind, number, wider, condition;
} TriggersNode;

typedef struct {
    int64_t kind, source, trigger, since, ends, slicing, begins, expires, triggers, applies, plain, requires, excuses, quotes, elections, lookout;
} EditionNode;

typedef struct {
    int64_t parts, is_node, has_items, has_nodes;
} NodeShape;

static const NodeShape NODE_SHAPES[] = {
    {1, 0, 0, 0},
    {2, 0, 0, 0},
    {1, 0, 0, 0},
    {1, 0, 0, 0},
    {1, 0, 0, 0},
    {2, 0, 0, 0},
    {4, 6, 0, 0},
    {3, 6, 0, 0},
    {3, 6, 0, 0},
    {3, 6, 0, 0},
    {3, 7, 0, 0},
    {3, 6, 0, 0},
    {3, 5, 0, 0},
    {5, 7, 0, 0},
    {0, 0, 1, 1},
    {0, 0, 1, 1},
    {1, 1, 0, 0},
    {3, 6, 0, 0},
    {2, 3, 0, 0},
    {4, 6, 0, 0},
    {4, 11, 0, 0},
    {4, 14, 0, 0},
    {2, 1, 0, 0},
    {2, 2, 0, 0},
    {4, 14, 1, 0},
    {4, 14, 1, 0},
    {11, 962, 1, 0},
    {2, 3, 0, 0},
    {1, 1, 1, 0},
    {0, 0, 1, 1},
    {0, 0, 1, 0},
    {1, 1, 1, 1},
    {1, 1, 1, 0},
    {6, 56, 0, 0},
    {3, 6, 0, 0},
    {15, 32151, 0, 0},
};

enum {
    SIGN_EQUAL,
    SIGN_UNEQUAL,
    SIGN_LESS,
    SIGN_AT_MOST,
    SIGN_MORE,
    SIGN_AT_LEAST,
};

enum {
    CALCULATION_PLUS,
    CALCULATION_MINUS,
    CALCULATION_TIMES,
    CALCULATION_DIVIDED,
};

enum {
    RESULT_NUMBER,
    RESULT_LENGTH,
    RESULT_MOMENT,
};

enum {
    WAY_UP,
    WAY_DOWN,
    WAY_NEAREST,
};

enum {
    REACH_PAST,
    REACH_FUTURE,
    REACH_WHOLE,
};

enum {
    WHICH_THIS,
    WHICH_PREVIOUS,
    WHICH_NEXT,
};

enum {
    PER_EACH,
    PER_LATEST,
    PER_EARLIEST,
};

enum {
    BOUND_EXACTLY,
    BOUND_AT_LEAST,
    BOUND_AT_MOST,
};

enum {
    DIRECTION_CLOCKWISE,
    DIRECTION_COUNTERCLOCKWISE,
};

enum {
    AGGREGATE_FIRST,
    AGGREGATE_LAST,
    AGGREGATE_COUNT,
    AGGREGATE_SUM,
    AGGREGATE_SMALLEST,
    AGGREGATE_LARGEST,
    AGGREGATE_DISTINCT,
    AGGREGATE_BLACKJACK_TOTAL,
    AGGREGATE_HARD_TOTAL,
    AGGREGATE_IS_SOFT,
    AGGREGATE_BACCARAT_POINTS,
    AGGREGATE_POKER_RANK,
    AGGREGATE_LOW_POKER_RANK,
    AGGREGATE_POKER_CLASS,
};

enum {
    FUNCTION_PIP_VALUE,
    FUNCTION_RANK,
    FUNCTION_SUIT,
    FUNCTION_COLOR,
    FUNCTION_LARGER,
    FUNCTION_SMALLER,
    FUNCTION_DATE,
    FUNCTION_HOUR,
    FUNCTION_SIZE,
    FUNCTION_BLACKJACK_TOTAL,
    FUNCTION_HARD_TOTAL,
    FUNCTION_IS_SOFT,
    FUNCTION_BACCARAT_POINTS,
    FUNCTION_POKER_RANK,
    FUNCTION_LOW_POKER_RANK,
    FUNCTION_POKER_CLASS,
};

enum {
    STATE_KNOWN,
    STATE_NOTHING,
    STATE_MISSING,
    STATE_OPEN,
    STATE_BOUNDED,
};

enum {
    VERDICT_COMPLIED,
    VERDICT_VIOLATED,
    VERDICT_EXCUSED,
    VERDICT_OPEN,
    VERDICT_UNDETERMINED,
};

enum {
    PART_FOUND,
    PART_SINCE,
    PART_BEFORE,
    PART_COUNTED,
    PART_UNCLEAR,
    PART_LACKS,
};

#endif
