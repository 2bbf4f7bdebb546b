/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of the language of formulas. */
#include "reader.h"

#include <string.h>

static const struct {
    const char *name, *why; /* not in what is differentiated */
    bool rough;             /* allowed elsewhere */
} refused[] = {
    {"abs", "has a corner at 0, and a Lagrangian has to be smooth; sqrt(x^2 + c^2) is smooth", true},
    {"min", "has a corner, and a Lagrangian has to be smooth", true},
    {"max", "has a corner, and a Lagrangian has to be smooth", true},
    {"sign", "jumps; tanh(x/c) is smooth", false},
    {"floor", "jumps", false},
    {"mod", "jumps", false},
    {"pow", "is not part of the language: write a^b", false},
    {"if", "is not part of the language: a formula is smooth", false},
    {"atan2", "jumps by 2 pi; of a point on a circle its parts a.x, a.y are the cosine and the sine", true},
    {"angle", "jumps by 2 pi; of a point on a circle its parts a.x, a.y are the cosine and the sine", true},
};

static const function functions[] = {
#define OF_ONE(op, name, f) {name, 1, PH_OP_##op},
#define OF_TWO(op, name, f) {name, 2, PH_OP_##op},
    PH_FUNCTION_LIST(OF_ONE) PH_PAIR_LIST(OF_TWO)
#undef OF_ONE
#undef OF_TWO
        {"dot", 2, PH_OP_NUMBER},
    {"cross", 2, PH_OP_NUMBER},
    {"outer", 2, PH_OP_NUMBER},
    {"norm", 1, PH_OP_NUMBER},
    {"hat", 1, PH_OP_NUMBER},
    {"vee", 1, PH_OP_NUMBER},
    {"trace", 1, PH_OP_NUMBER},
    {"diag", 0, PH_OP_NUMBER},
    {"d", 1, PH_OP_NUMBER},
    {"angle", 1, PH_OP_NUMBER},
    {"omega", 1, PH_OP_NUMBER},
    {"sum", 0, PH_OP_NUMBER},
};
static const char *const constants[] = {"pi", "t", "e1", "e2", "e3", "identity"};

enum {
    FUNCTIONS = sizeof functions / sizeof functions[0],
    CONSTANTS = sizeof constants / sizeof constants[0]
};

static bool is_word(const char *word, const char *name, size_t length)
{
    return strlen(word) == length && memcmp(word, name, length) == 0;
}

const function *ph_function_find(const char *name, size_t length)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (is_word(functions[i].name, name, length))
            return &functions[i];
    return NULL;
}

const char *ph_function_name(size_t i)
{
    return i < FUNCTIONS ? functions[i].name : NULL;
}

const char *ph_word_refused(const char *name, size_t length, bool *rough)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (is_word(refused[i].name, name, length)) {
            *rough = refused[i].rough;
            return refused[i].why;
        }
    return NULL;
}

bool ph_formula_reserved(const char *name, size_t length)
{
    bool rough;
    for (size_t i = 0; i < CONSTANTS; i++)
        if (is_word(constants[i], name, length))
            return true;
    return ph_word_refused(name, length, &rough) || ph_function_find(name, length);
}
