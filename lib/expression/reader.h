/* SPDX-License-Identifier: BSD-3-Clause */
/* A formula while it is read: its tokens (token.c), the words of the language (words.c), values and what may be done with
 * them (value.c), the grammar (read.c). After the first error the text seems to have ended, so that every loop ends. */
#ifndef PH_EXPRESSION_READER_H
#define PH_EXPRESSION_READER_H

#include "formulas.h"

typedef enum token_kind { END, NUMBER, NAME, SIGN } token_kind;

enum { RANGE = 'r' }; /* the sign ".." */

typedef struct token {
    token_kind kind;
    char sign;
    size_t at, end; /* bytes of the text */
    double number;
} token;

/* An index with its number; those outside of it. */
typedef struct binding {
    const char *name;
    size_t length;
    int64_t at;
    const struct binding *outer;
} binding;

typedef struct reader {
    ph_formulas *f;
    ph_graph *g;
    const char *what, *text;
    unsigned flags, depth;
    token now;
    bool whole; /* is it an index? */
    bool dry;   /* is only the shape wanted, of a term that a sum has none of? */
    const binding *bound;
    ph_status status;
    ph_error *err;
} reader;

/* ---- Tokens, errors ----------------------------------------------------------------------------- */

/* The first failure, at a byte of the text, is what r->err says, with the text and a caret. */
/* Of the graph, if it has failed. */
ph_status ph_read_failed(const reader *r);
void ph_read_fail(reader *r, size_t at, const char *format, ...) PH_PRINTF(3, 4);
void ph_read_next(reader *r);  /* r->now <- the next token */
token ph_read_take(reader *r); /* r->now, which is left behind */
bool ph_read_is_sign(const reader *r, char sign);
bool ph_read_accept(reader *r, char sign); /* takes the sign if it is next */
/* Takes the sign, which must be next: "to close '('" of column `of`, or, where that is 0, what `why` says. */
void ph_read_need(reader *r, char sign, const char *why, size_t of);
bool ph_read_is_name(const reader *r, const token *t, const char *name);
bool ph_read_charge(reader *r,
                    size_t work); /* of what formulas may take in all; false: too much, a failure */
bool ph_read_enter(reader *r);    /* one level deeper? */

/* ---- Words -------------------------------------------------------------------------------------- */

/* Functions of values, with how many arguments they take (0: any number). */
typedef struct function {
    const char *name;
    size_t arguments;
    enum ph_op op; /* of a number, or of two; PH_OP_NUMBER: another */
} function;

const function *ph_function_find(const char *name, size_t length); /* NULL: none */
const char *ph_function_name(size_t i);                            /* NULL beyond the last */
/* Why a word has no place in what is differentiated, NULL: it has one; *rough: elsewhere it has. */
const char *ph_word_refused(const char *name, size_t length, bool *rough);

/* ---- Values ------------------------------------------------------------------------------------- */

extern const ph_unit ph_unit_pure, ph_unit_second;

ph_value ph_value_nothing(void); /* what stands for a value after a failure: a number */
const char *ph_value_shape(const ph_value *v, char words[64]); /* "a vector of 3" */
/* A value of this shape, whose nodes are for the caller to fill in; NULL: there are none, and it is ph_value_nothing(). */
ph_expr *ph_value_make(reader *r, unsigned rank, size_t rows, size_t columns, ph_unit unit, ph_value *v);
ph_value ph_value_number(reader *r, ph_expr node, ph_unit unit);
/* Failures are those of the reader, at a place of the text. */
bool ph_value_same_shape(const ph_value *a, const ph_value *b);
void ph_value_agree(reader *r, size_t at, const ph_value *a, const ph_value *b,
                    const char *of); /* in units */
ph_value ph_value_add(reader *r, enum ph_op op, const ph_value *a, const ph_value *b, size_t at);
ph_value ph_value_scale(reader *r, ph_expr s, const ph_value *v, ph_unit unit);
ph_value ph_value_multiply(reader *r, const ph_value *a, const ph_value *b, size_t at);
ph_value ph_value_divide(reader *r, const ph_value *a, const ph_value *b, size_t at);
ph_value ph_value_power(reader *r, const ph_value *a, const ph_value *b, size_t at);
/* f of the arguments, which stand at `at` each. */
ph_value ph_value_apply(reader *r, const function *f, const ph_value *a, size_t n, size_t at,
                        const size_t *inside);

#endif
