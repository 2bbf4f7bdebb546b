/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a formula becomes a value in one pass: a reader for each rule of the grammar (formulas.h), which
 * evaluates what it has read. A sum with an index reads its term again for each index. After the first error
 * the text seems to have ended, so that every loop ends. */
#include "formulas.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const binding *bound;
    ph_status status;
    ph_error *err;
} reader;

static const ph_expr zero = 0;

static ph_value nothing(void)
{
    return (ph_value){.rows = 1, .columns = 1, .item = &zero};
}

/* ---- Errors ------------------------------------------------------------------------------------- */

static size_t characters(const char *text, size_t bytes)
{
    size_t n = 0, of = 0;
    for (size_t i = 0; i < bytes; i += of, n++)
        ph_utf8_next(text + i, &of);
    return n;
}

/* shown <- some of the text around a place; which column of it that is. */
static size_t show_text(const char *text, size_t at, char *shown, size_t room)
{
    enum { BEFORE = 50 };
    size_t begin = 0, n = 0, of = 0;
    while (characters(text + begin, at - begin) > BEFORE) {
        ph_utf8_next(text + begin, &of);
        begin += of;
    }
    const int dots = begin > 0;
    n = (size_t)snprintf(shown, room, "%s", dots ? "..." : "");
    const size_t column = n + characters(text + begin, at - begin);
    for (const char *c = text + begin; *c && n + 4 < room; c += of) {
        ph_utf8_next(c, &of);
        memcpy(shown + n, c, of);
        if ((unsigned char)*c < ' ')
            shown[n] = ' ';
        n += of;
    }
    shown[n] = '\0';
    return column;
}

static void fail(reader *r, size_t at, const char *format, ...) PH_PRINTF(3, 4);
static void fail(reader *r, size_t at, const char *format, ...)
{
    char message[256], shown[100];
    va_list words;
    if (r->status)
        return;
    va_start(words, format);
    vsnprintf(message, sizeof message, format, words);
    va_end(words);
    const size_t column = show_text(r->text, at, shown, sizeof shown);
    r->status = ph_fail(r->err, PH_E_PARSE, "%s, column %zu: %s\n    %s\n    %*s^", r->what,
                        characters(r->text, at) + 1, message, shown, (int)column, "");
    r->now = (token){.kind = END, .at = at, .end = at};
}

/* ---- Tokens ------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t name_length(const char *text)
{
    size_t n = 0;
    while (is_letter(text[n]) || is_digit(text[n]) || text[n] == '_')
        n++;
    return n;
}

/* Bytes of the number at text: digits [ "." { digit } ] | "." digits, and an exponent. "1..n" begins with 1. */
static size_t number_length(const char *text)
{
    size_t n = strspn(text, "0123456789");
    if (text[n] == '.' && text[n + 1] != '.')
        n += 1 + strspn(text + n + 1, "0123456789");
    if (text[n] == 'e' || text[n] == 'E') {
        const size_t sign = text[n + 1] == '+' || text[n + 1] == '-',
                     digits = strspn(text + n + 1 + sign, "0123456789");
        n += digits ? 1 + sign + digits : 0;
    }
    return n;
}

static void read_number(reader *r, const char *from, size_t at)
{
    char digits[128];
    const size_t n = number_length(from), behind = name_length(from + n);
    r->now = (token){.kind = NUMBER, .at = at, .end = at + n};
    if (behind)
        fail(r, at, "'%.*s' is neither a number nor a name; for a product write %.*s*%.*s", (int)(n + behind),
             from, (int)n, from, (int)behind, from + n);
    snprintf(digits, sizeof digits, "%.*s", (int)n, from);
    if (!r->status && (n >= sizeof digits || ph_parse_number(digits, &r->now.number)))
        fail(r, at, "the number %.20s... is too long or too large", from);
}

/* What is meant by a character that is not part of the language. */
static const char *meant(const char *c)
{
    static const struct {
        const char *sign, *meant;
    } table[] = {{"×", "cross(a, b)"},
                 {"·", "dot(a, b) or *"},
                 {"−", "-"},
                 {"²", "^2"},
                 {"³", "^3"},
                 {"√", "sqrt()"},
                 {"**", "^"},
                 {"|", "norm()"},
                 {"'", ".T for a transpose, or d() for a rate"},
                 {";", ","},
                 {"{", "("},
                 {"}", ")"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strncmp(c, table[i].sign, strlen(table[i].sign)) == 0)
            return table[i].meant;
    return NULL;
}

static void refuse_sign(reader *r, const char *from, size_t at)
{
    size_t length;
    ph_utf8_next(from, &length);
    if (strncmp(from, "**", 2) == 0)
        length = 2;
    const char *instead = meant(from);
    fail(r, at, "'%.*s' is not part of the language%s%s", (int)length, from, instead ? ": write " : "",
         instead ? instead : "");
}

static void next(reader *r)
{
    size_t at = r->now.end;
    if (r->status)
        return;
    at += strspn(r->text + at, " \t\n\r");
    const char *c = r->text + at;
    if (!*c)
        r->now = (token){.kind = END, .at = at, .end = at};
    else if (is_digit(*c) || (*c == '.' && is_digit(c[1])))
        read_number(r, c, at);
    else if (is_letter(*c))
        r->now = (token){.kind = NAME, .at = at, .end = at + name_length(c)};
    else if (c[0] == '.' && c[1] == '.')
        r->now = (token){.kind = SIGN, .sign = RANGE, .at = at, .end = at + 2};
    else if (strchr("+-*/^()[],.=", *c) && !(c[0] == '*' && c[1] == '*'))
        r->now = (token){.kind = SIGN, .sign = *c, .at = at, .end = at + 1};
    else
        refuse_sign(r, c, at);
}

static token take(reader *r)
{
    const token taken = r->now;
    next(r);
    return taken;
}

static bool is_sign(const reader *r, char sign)
{
    return r->now.kind == SIGN && r->now.sign == sign;
}

/* Takes the sign if it is next. */
static bool accept(reader *r, char sign)
{
    const bool is = is_sign(r, sign);
    if (is)
        next(r);
    return is;
}

/* Takes the sign, which must be next: "to close '('" of column `of`, or, where that is 0, what `why` says. */
static void need(reader *r, char sign, const char *why, size_t of)
{
    char column[32] = "", found[64] = "the end";
    if (accept(r, sign))
        return;
    if (of)
        snprintf(column, sizeof column, " at column %zu", characters(r->text, of - 1) + 1);
    if (r->now.kind != END)
        snprintf(found, sizeof found, "'%.*s'",
                 (int)(r->now.end - r->now.at < 40 ? r->now.end - r->now.at : 40), r->text + r->now.at);
    fail(r, r->now.at, "expected '%s' %s%s, found %s", sign == RANGE ? ".." : (char[]){sign, 0}, why, column,
         found);
}

static bool is_name(const reader *r, const token *t, const char *name)
{
    return t->kind == NAME && t->end - t->at == strlen(name) &&
           memcmp(r->text + t->at, name, t->end - t->at) == 0;
}

/* One level deeper? */
static bool enter(reader *r)
{
    if (r->depth >= PH_FORMULA_DEPTH)
        fail(r, r->now.at, "nested more than %d deep", PH_FORMULA_DEPTH);
    r->depth++;
    return !r->status;
}

/* ---- Values ------------------------------------------------------------------------------------- */

static const char *shape(const ph_value *v, char words[64])
{
    if (v->rank == 0)
        snprintf(words, 64, "a number");
    else if (v->rank == 1)
        snprintf(words, 64, "a vector of %u", (unsigned)v->rows);
    else
        snprintf(words, 64, "a matrix of %u x %u", (unsigned)v->rows, (unsigned)v->columns);
    return words;
}

static size_t items(const ph_value *v)
{
    return (size_t)v->rows * v->columns;
}

static bool same_shape(const ph_value *a, const ph_value *b)
{
    return a->rank == b->rank && a->rows == b->rows && a->columns == b->columns;
}

static bool is_zero(const ph_value *v)
{
    for (size_t i = 0; i < items(v); i++)
        if (v->item[i] != 0)
            return false;
    return true;
}

/* A value of this shape, whose nodes are for the caller to fill in; NULL: there are none, and it is nothing(). */
static ph_expr *make(reader *r, unsigned rank, size_t rows, size_t columns, ph_unit unit, ph_value *v)
{
    *v = nothing();
    if (rows * columns > PH_FORMULA_ITEMS)
        fail(r, r->now.at, "%zu numbers in one value; at most %d", rows * columns, PH_FORMULA_ITEMS);
    ph_expr *item = r->status ? NULL : ph_formulas_room(r->f, (rows * columns + !rows) * sizeof *item);
    if (item)
        *v = (ph_value){rank, (uint32_t)rows, (uint32_t)columns, item, unit};
    return item;
}

static ph_value number(reader *r, ph_expr node, ph_unit unit)
{
    ph_value v;
    ph_expr *item = make(r, 0, 1, 1, unit, &v);
    if (item)
        *item = node;
    return v;
}

static const ph_unit pure = {{0}};

static bool same_unit(const ph_unit *a, const ph_unit *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* a's unit times b's to the power. */
static ph_unit unit_product(const ph_unit *a, const ph_unit *b, int power)
{
    ph_unit unit;
    for (size_t i = 0; i < PH_UNITS; i++)
        unit.of[i] = (int16_t)(a->of[i] + power * b->of[i]);
    return unit;
}

static const ph_unit second = {{0, 0, PH_UNIT_ONE, 0, 0, 0, 0}};

/* Are units of both the same, where they are checked? */
static void agree(reader *r, size_t at, const ph_value *a, const ph_value *b, const char *of)
{
    char one[96], other[96];
    if (!same_unit(&a->unit, &b->unit) && !is_zero(a) && !is_zero(b) && ph_formulas_have_units(r->f))
        fail(r, at, "%s: %s and %s", of, ph_unit_text(&a->unit, one), ph_unit_text(&b->unit, other));
}

static void need_pure(reader *r, size_t at, const ph_value *v, const char *of)
{
    char unit[96];
    if (!same_unit(&v->unit, &pure) && !is_zero(v) && ph_formulas_have_units(r->f))
        fail(r, at, "%s of something in %s: only of a pure number", of, ph_unit_text(&v->unit, unit));
}

static ph_value add(reader *r, enum ph_op op, const ph_value *a, const ph_value *b, size_t at)
{
    char one[64], other[64], unit[80];
    ph_value sum;
    const char sign = op == PH_OP_ADD ? '+' : '-';
    if (!same_shape(a, b))
        fail(r, at, "%s %s %s: both sides of '%c' must have the same shape", shape(a, one),
             op == PH_OP_ADD ? "plus" : "minus", shape(b, other), sign);
    snprintf(unit, sizeof unit, "both sides of '%c' must have the same unit", sign);
    agree(r, at, a, b, unit);
    ph_expr *item = make(r, a->rank, a->rows, a->columns, is_zero(a) ? b->unit : a->unit, &sum);
    for (size_t i = 0; item && i < items(a); i++)
        item[i] = ph_graph_apply(r->g, op, a->item[i], b->item[i]);
    return sum;
}

static ph_value scale(reader *r, ph_expr s, const ph_value *v, ph_unit unit)
{
    ph_value product;
    ph_expr *item = make(r, v->rank, v->rows, v->columns, unit, &product);
    for (size_t i = 0; item && i < items(v); i++)
        item[i] = ph_graph_mul(r->g, s, v->item[i]);
    return product;
}

static ph_value multiply(reader *r, const ph_value *a, const ph_value *b, size_t at)
{
    char one[64], other[64];
    const ph_unit unit = unit_product(&a->unit, &b->unit, 1);
    ph_value product;
    if (a->rank == 0 || b->rank == 0)
        return a->rank == 0 ? scale(r, a->item[0], b, unit) : scale(r, b->item[0], a, unit);
    if (a->rank == 1)
        fail(r, at, "the product of %s and %s: is it dot(a, b), cross(a, b) or outer(a, b)?", shape(a, one),
             shape(b, other));
    else if (a->columns != b->rows)
        fail(r, at, "the product of %s and %s does not exist", shape(a, one), shape(b, other));
    ph_expr *item = make(r, b->rank, a->rows, b->columns, unit, &product);
    for (size_t i = 0; item && i < a->rows; i++)
        for (size_t j = 0; j < b->columns; j++) {
            ph_expr sum = 0;
            for (size_t k = 0; k < a->columns; k++)
                sum = ph_graph_add(
                    r->g, sum, ph_graph_mul(r->g, a->item[i * a->columns + k], b->item[k * b->columns + j]));
            item[i * b->columns + j] = sum;
        }
    return product;
}

static ph_value divide(reader *r, const ph_value *a, const ph_value *b, size_t at)
{
    char words[64];
    ph_value quotient;
    if (b->rank)
        fail(r, at, "division by %s: only by a number", shape(b, words));
    else if (b->item[0] == 0)
        fail(r, at, "division by zero");
    ph_expr *item = make(r, a->rank, a->rows, a->columns, unit_product(&a->unit, &b->unit, -1), &quotient);
    for (size_t i = 0; item && i < items(a); i++)
        item[i] = ph_graph_div(r->g, a->item[i], b->item[0]);
    return quotient;
}

/* unit^exponent, which must be one. */
static ph_unit unit_power(reader *r, const ph_unit *unit, double exponent, size_t at)
{
    char words[96];
    ph_unit power;
    for (size_t i = 0; i < PH_UNITS; i++) {
        const double of = unit->of[i] * exponent;
        if ((of != round(of) || fabs(of) > INT16_MAX) && ph_formulas_have_units(r->f))
            fail(r, at, "%s to the power of %g is no unit", ph_unit_text(unit, words), exponent);
        power.of[i] = (int16_t)(fabs(of) > INT16_MAX ? 0 : of);
    }
    return power;
}

static ph_value power(reader *r, const ph_value *a, const ph_value *b, size_t at)
{
    char words[64];
    double exponent;
    if (a->rank || b->rank)
        fail(r, at, "a power of %s: only of a number%s", shape(a->rank ? a : b, words),
             a->rank == 1 ? ", for a square of a vector write dot(a, a)" : "");
    if (r->status)
        return nothing();
    need_pure(r, at, b, "an exponent");
    if (ph_graph_is_number(r->g, b->item[0], &exponent))
        return number(r, ph_graph_power(r->g, a->item[0], exponent), unit_power(r, &a->unit, exponent, at));
    if (r->g->node[b->item[0]].depends & ~PH_ON_PARAMETERS)
        fail(r, at, "an exponent is a number or made of parameters; else write exp(y*log(x))");
    need_pure(r, at, a, "a power by a parameter");
    return number(
        r,
        ph_graph_apply(r->g, PH_OP_EXP,
                       ph_graph_mul(r->g, b->item[0], ph_graph_apply(r->g, PH_OP_LOG, a->item[0], 0)), 0),
        pure);
}

/* ---- Whole numbers ------------------------------------------------------------------------------ */

enum { LARGEST_WHOLE = 1000000000 };

static int64_t read_whole(reader *r);

static const binding *find_binding(const reader *r, const token *t)
{
    const binding *b = r->bound;
    while (b && (b->length != t->end - t->at || memcmp(b->name, r->text + t->at, b->length) != 0))
        b = b->outer;
    return b;
}

static int64_t whole_primary(reader *r)
{
    const token t = take(r);
    int64_t n = 0;
    if (t.kind == NUMBER) {
        if (t.number != floor(t.number) || t.number > LARGEST_WHOLE ||
            memchr(r->text + t.at, '.', t.end - t.at))
            fail(r, t.at, "an index is a whole number, written without a point");
        return r->status ? 0 : (int64_t)t.number;
    }
    if (t.kind == SIGN && t.sign == '(' && enter(r)) {
        n = read_whole(r);
        need(r, ')', "to close '('", t.at + 1);
        r->depth--;
        return n;
    }
    const binding *bound = t.kind == NAME ? find_binding(r, &t) : NULL;
    ph_name *name = t.kind == NAME && !bound ? ph_formulas_find(r->f, r->text + t.at, t.end - t.at) : NULL;
    if (bound)
        return bound->at;
    if (name && name->whole) {
        name->no_unit = false;
        return name->number;
    }
    if (t.kind == NAME)
        fail(r, t.at, "'%.*s' is no whole number that is known beforehand", (int)(t.end - t.at),
             r->text + t.at);
    else
        fail(r, t.at, "an index is a whole number, an index name, or a sum or product of these");
    return 0;
}

static int64_t whole_within(reader *r, int64_t n, size_t at)
{
    if (n > LARGEST_WHOLE || n < -LARGEST_WHOLE)
        fail(r, at, "a whole number beyond %d", LARGEST_WHOLE);
    return r->status ? 0 : n;
}

static int64_t whole_term(reader *r)
{
    int64_t sign = 1;
    while (is_sign(r, '-') || is_sign(r, '+'))
        sign = take(r).sign == '-' ? -sign : sign;
    int64_t n = sign * whole_primary(r);
    while (is_sign(r, '*')) {
        const size_t at = take(r).at;
        n = whole_within(r, n * whole_primary(r), at);
    }
    return n;
}

static int64_t read_whole(reader *r)
{
    int64_t n = whole_term(r);
    while (is_sign(r, '+') || is_sign(r, '-')) {
        const token sign = take(r);
        const int64_t more = whole_term(r);
        n = whole_within(r, sign.sign == '+' ? n + more : n - more, sign.at);
    }
    return n;
}

/* ---- Names -------------------------------------------------------------------------------------- */

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
    {"if", "is not part of the language: a formula is smooth", false},
    {"atan2", "jumps by 2 pi; of a point on a circle its parts a.x, a.y are the cosine and the sine", true},
    {"angle", "jumps by 2 pi; of a point on a circle its parts a.x, a.y are the cosine and the sine", true},
};

/* Functions of values, with how many arguments they take (0: any number). */
typedef struct function {
    const char *name;
    size_t arguments;
    enum ph_op op; /* of a number, or of two; PH_OP_NUMBER: another */
} function;

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

static const function *find_function(const char *name, size_t length)
{
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (is_word(functions[i].name, name, length))
            return &functions[i];
    return NULL;
}

/* Refuses what has no place in this formula; was it refused? */
static bool refuse(reader *r, const token *t)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (is_name(r, t, refused[i].name) && !(refused[i].rough && r->flags & PH_FORMULA_ROUGH)) {
            fail(r, t->at, "%s %s", refused[i].name, refused[i].why);
            return true;
        }
    return false;
}

bool ph_formula_reserved(const char *name, size_t length)
{
    for (size_t i = 0; i < CONSTANTS; i++)
        if (is_word(constants[i], name, length))
            return true;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (is_word(refused[i].name, name, length))
            return true;
    return find_function(name, length) != NULL;
}

/* The name, of those that are known or of functions, that was probably meant; NULL: none. */
static const char *suggest(const reader *r, const char *word, bool of_functions)
{
    if (!word[1]) /* every letter is near to every other one */
        return NULL;
    const size_t n = r->f->n_names;
    const char **known = calloc(n + FUNCTIONS, sizeof *known), *best = NULL;
    for (size_t i = 0; known && i < n && !of_functions; i++)
        known[i] = r->f->names[i].name;
    for (size_t i = 0; known && i < FUNCTIONS; i++)
        known[n + i] = functions[i].name;
    if (known)
        best = ph_suggest(word, known, n + FUNCTIONS);
    free(known);
    return best;
}

static void fail_unknown(reader *r, const token *t)
{
    char word[PH_FORMULA_NAME];
    size_t length = t->end - t->at;
    snprintf(word, sizeof word, "%.*s", (int)length, r->text + t->at);
    length = strlen(word);
    const char part = word[length - 1];
    const size_t stem = length > 2 && word[length - 2] == '_' ? length - 2 : length - 1;
    if (strchr("xyz", part) && stem && ph_formulas_find(r->f, word, stem))
        fail(r, t->at, "unknown name '%s'; is it %.*s.%c?", word, (int)stem, word, part);
    else if (strncmp(word, "omega", 5) == 0)
        fail(r, t->at, "unknown name '%s'; the angular velocity of a factor q is omega(q)", word);
    const char *meant_by = r->status ? NULL : suggest(r, word, false);
    fail(r, t->at, "unknown name '%s'%s%s%s", word, meant_by ? "; is it " : "", meant_by ? meant_by : "",
         meant_by ? "?" : "");
}

static ph_value unit_vector(reader *r, size_t k)
{
    ph_value v;
    ph_expr *item = make(r, 1, 3, 1, pure, &v);
    if (item)
        item[k] = ph_graph_number(r->g, 1);
    return v;
}

static ph_value identity(reader *r)
{
    ph_value v;
    ph_expr *item = make(r, 2, 3, 3, pure, &v);
    for (size_t i = 0; item && i < 3; i++)
        item[4 * i] = ph_graph_number(r->g, 1);
    return v;
}

/* The entry of a list, whose index is next. */
static size_t read_entry(reader *r, const ph_name *name, size_t at)
{
    if (!is_sign(r, '['))
        fail(r, at, "this is a list, of which one is meant by an index, as in %s[%lld]", name->name,
             (long long)name->first);
    const size_t bracket = take(r).at, place = r->now.at;
    const int64_t i = read_whole(r);
    if (is_sign(r, ','))
        fail(r, bracket, "one index is meant here");
    need(r, ']', "behind the index", 0);
    if (i < name->first || i >= name->first + (int64_t)name->n)
        fail(r, place, "there is no [%lld]: they go from %lld to %lld", (long long)i, (long long)name->first,
             (long long)name->first + (long long)name->n - 1);
    return r->status ? 0 : (size_t)(i - name->first);
}

static ph_value read_name(reader *r, const token *t)
{
    const char *word = r->text + t->at;
    const size_t length = t->end - t->at;
    const binding *bound = find_binding(r, t);
    const ph_name *name = bound ? NULL : ph_formulas_find(r->f, word, length);
    if (bound)
        return number(r, ph_graph_number(r->g, (double)bound->at), pure);
    if (name)
        return name->list ? name->value[read_entry(r, name, t->at)] : *name->value;
    if (is_name(r, t, "pi"))
        return number(r, ph_graph_number(r->g, 3.14159265358979323846), pure);
    if (is_name(r, t, "t"))
        return number(r, ph_graph_leaf(r->g, PH_OP_TIME, 0), second);
    for (size_t k = 0; k < 3; k++)
        if (is_name(r, t, constants[2 + k]))
            return unit_vector(r, k);
    if (is_name(r, t, "identity"))
        return identity(r);
    if (find_function(word, length) && !refuse(r, t))
        fail(r, t->at, "'%.*s' is a function: write %.*s(...)", (int)length, word, (int)length, word);
    if (!r->status && !refuse(r, t))
        fail_unknown(r, t);
    return nothing();
}

/* ---- Functions ---------------------------------------------------------------------------------- */

static ph_value read_sum(reader *r);

static void need_shape(reader *r, size_t at, const char *of, const ph_value *v, bool right, const char *only)
{
    char words[64];
    if (!right)
        fail(r, at, "%s of %s: only of %s", of, shape(v, words), only);
}

static ph_value function_of_numbers(reader *r, const function *f, const ph_value *a, const size_t *at)
{
    const bool keeps = f->op == PH_OP_ABS || f->op == PH_OP_MIN || f->op == PH_OP_MAX;
    for (size_t i = 0; i < f->arguments; i++)
        need_shape(r, at[i], f->name, &a[i], a[i].rank == 0, "a number");
    if (f->arguments == 2)
        agree(r, at[1], &a[0], &a[1], "both must have the same unit");
    else if (!keeps && f->op != PH_OP_SQRT)
        need_pure(r, at[0], &a[0], f->name);
    if (r->status)
        return nothing();
    const ph_unit unit = keeps                 ? a[0].unit
                         : f->op == PH_OP_SQRT ? unit_power(r, &a[0].unit, 0.5, at[0])
                                               : pure;
    return number(r, ph_graph_apply(r->g, f->op, a[0].item[0], f->arguments == 2 ? a[1].item[0] : 0), unit);
}

static ph_value function_of_vectors(reader *r, const function *f, const ph_value *a, size_t at)
{
    char one[64], other[64];
    const ph_unit unit = unit_product(&a[0].unit, &a[1].unit, 1);
    const bool cross = strcmp(f->name, "cross") == 0;
    const ph_expr *x = a[0].item, *y = a[1].item;
    const size_t n = a[0].rows;
    ph_value v;
    if (a[0].rank != 1 || !same_shape(&a[0], &a[1]) || (cross && n != 3))
        fail(r, at, "%s of %s and %s: two vectors of %s", f->name, shape(&a[0], one), shape(&a[1], other),
             cross ? "3" : "one length");
    if (r->status)
        return nothing();
    if (strcmp(f->name, "dot") == 0)
        return number(r, ph_graph_dot(r->g, x, y, n), unit);
    ph_expr *item = make(r, cross ? 1 : 2, n, cross ? 1 : n, unit, &v);
    for (size_t i = 0; item && i < n; i++)
        for (size_t j = 0; j < n && !cross; j++)
            item[i * n + j] = ph_graph_mul(r->g, x[i], y[j]);
    for (size_t i = 0; item && i < 3 && cross; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        item[i] = ph_graph_sub(r->g, ph_graph_mul(r->g, x[j], y[k]), ph_graph_mul(r->g, x[k], y[j]));
    }
    return v;
}

static ph_value diagonal(reader *r, const ph_value *a, size_t n, size_t at)
{
    ph_value v;
    for (size_t i = 0; i < n; i++) {
        if (a[i].rank)
            fail(r, at, "diag takes numbers, as in diag(J[1], J[2], J[3])");
        agree(r, at, &a[0], &a[i], "the numbers of diag must have the same unit");
    }
    ph_expr *item = make(r, 2, n, n, n ? a[0].unit : pure, &v);
    for (size_t i = 0; item && i < n; i++)
        item[i * (n + 1)] = a[i].item[0];
    return v;
}

/* S(a), with S(a) b = a x b. */
static ph_value hat_map(reader *r, const ph_value *a)
{
    ph_value v;
    ph_expr *item = make(r, 2, 3, 3, a->unit, &v);
    for (size_t i = 0; item && i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        item[3 * k + j] = a->item[i];
        item[3 * j + k] = ph_graph_scale(r->g, -1, a->item[i]);
    }
    return v;
}

/* Its inverse, of the skew part of a matrix. */
static ph_value vee_map(reader *r, const ph_value *a)
{
    ph_value v;
    ph_expr *item = make(r, 1, 3, 1, a->unit, &v);
    for (size_t i = 0; item && i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        item[i] = ph_graph_scale(r->g, 0.5, ph_graph_sub(r->g, a->item[3 * k + j], a->item[3 * j + k]));
    }
    return v;
}

static ph_value rate(reader *r, const ph_value *a, size_t at)
{
    unsigned depends = 0;
    ph_value v;
    for (size_t i = 0; i < items(a); i++)
        depends |= r->g->node[a->item[i]].depends;
    if (depends & PH_ON_V)
        fail(r, at, "d() of something that depends on velocities is an acceleration; L has none");
    else if (depends & PH_ROUGH)
        fail(r, at, "d() of something with a corner or a jump");
    ph_expr *item = make(r, a->rank, a->rows, a->columns, unit_product(&a->unit, &second, -1), &v);
    if (item)
        ph_graph_forward(r->g, a->item, items(a), &r->f->rates, item);
    return v;
}

/* Its name has been read, "(" taken. */
static ph_value angular_velocity(reader *r, size_t at)
{
    const token t = take(r);
    const ph_name *name = t.kind == NAME ? ph_formulas_find(r->f, r->text + t.at, t.end - t.at) : NULL;
    if (!name || name->kind != PH_NAME_FACTOR || r->f->factors[name->factor].n_omega == 0) {
        fail(r, t.at, "omega is of a factor S1, S2 or SO3 by its name");
        return nothing();
    }
    const ph_formula_factor *factor =
        &r->f->factors[name->factor + (name->list ? read_entry(r, name, t.at) : 0)];
    need(r, ')', "to close omega(", at + 1);
    ph_value v;
    ph_expr *item = make(r, factor->n_omega > 1, factor->n_omega, 1, unit_product(&pure, &second, -1), &v);
    for (size_t i = 0; item && i < factor->n_omega; i++)
        item[i] = ph_graph_leaf(r->g, PH_OP_OMEGA, factor->omega + i);
    return v;
}

static ph_value function_of_one(reader *r, const function *f, const ph_value *a, size_t at, size_t inside)
{
    const bool square = a->rank == 2 && a->rows == a->columns, three = a->rows == 3;
    ph_expr trace = 0;
    if (strcmp(f->name, "d") == 0)
        return rate(r, a, at);
    if (strcmp(f->name, "norm") == 0) {
        need_shape(r, inside, f->name, a, a->rank == 1, "a vector");
        return number(r, ph_graph_apply(r->g, PH_OP_SQRT, ph_graph_dot(r->g, a->item, a->item, items(a)), 0),
                      a->unit);
    }
    if (strcmp(f->name, "angle") == 0) {
        need_shape(r, inside, f->name, a, a->rank == 1 && a->rows == 2,
                   "a vector of 2, as a point on a circle is");
        return r->status ? nothing()
                         : number(r, ph_graph_apply(r->g, PH_OP_ATAN2, a->item[1], a->item[0]), pure);
    }
    if (strcmp(f->name, "hat") == 0) {
        need_shape(r, inside, f->name, a, a->rank == 1 && three, "a vector of 3");
        return r->status ? nothing() : hat_map(r, a);
    }
    if (strcmp(f->name, "vee") == 0) {
        need_shape(r, inside, f->name, a, square && three, "a matrix of 3 x 3");
        return r->status ? nothing() : vee_map(r, a);
    }
    need_shape(r, inside, f->name, a, square, "a square matrix");
    for (size_t i = 0; i < a->rows && !r->status; i++)
        trace = ph_graph_add(r->g, trace, a->item[i * (a->rows + 1)]);
    return number(r, trace, a->unit);
}

/* sum(i=a..b, term): the reader goes back to the term for each i. */
static ph_value read_indexed_sum(reader *r, size_t at)
{
    const token name = take(r);
    const char *word = r->text + name.at;
    const size_t length = name.end - name.at;
    ph_value sum = nothing();
    if (name.kind != NAME || !is_sign(r, '='))
        fail(r, name.at, "sum needs an index: sum(i=1..n, term)");
    else if (find_binding(r, &name) || ph_formulas_find(r->f, word, length) ||
             ph_formula_reserved(word, length))
        fail(r, name.at, "the index '%.*s' has a meaning already", (int)length, word);
    next(r);
    const int64_t first = read_whole(r);
    need(r, RANGE, "between the bounds of the index", 0);
    const int64_t last = read_whole(r);
    if (last - first >= PH_FORMULA_TERMS)
        fail(r, at, "a sum of %lld terms; at most %d", (long long)(last - first + 1), PH_FORMULA_TERMS);
    need(r, ',', "behind the bounds of the index", 0);
    const token term = r->now;
    binding index = {word, length, first, r->bound};
    r->bound = &index;
    for (; index.at <= last && !r->status; index.at++) {
        r->now = term;
        const ph_value v = read_sum(r);
        sum = index.at == first ? v : add(r, PH_OP_ADD, &sum, &v, term.at);
    }
    r->bound = index.outer;
    for (unsigned open = 0; last < first && r->now.kind != END && (open || !is_sign(r, ')'));
         next(r)) /* over it */
        open += (unsigned)is_sign(r, '(') - (unsigned)is_sign(r, ')');
    need(r, ')', "to close sum(", at + 1);
    return sum;
}

static ph_value read_call(reader *r, const token *t)
{
    enum { MOST = 16 };
    const char *word = r->text + t->at;
    const size_t length = t->end - t->at;
    const function *f = find_function(word, length);
    ph_value a[MOST];
    size_t at[MOST], n = 0;
    char name[PH_FORMULA_NAME], close[PH_FORMULA_NAME + 16];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (refuse(r, t))
        return nothing();
    if (!f && (ph_formulas_find(r->f, word, length) || find_binding(r, t)))
        fail(r, t->at, "'%s' is no function: for a product write %s*(...)", name, name);
    const char *meant_by = f || r->status ? NULL : suggest(r, name, true);
    if (!f)
        fail(r, t->at, "unknown function '%s'%s%s%s", name, meant_by ? "; is it " : "",
             meant_by ? meant_by : "", meant_by ? "?" : "");
    next(r);
    if (r->status)
        return nothing();
    if (strcmp(f->name, "sum") == 0)
        return read_indexed_sum(r, t->at);
    if (strcmp(f->name, "omega") == 0)
        return angular_velocity(r, t->at);
    while (!is_sign(r, ')') && n < MOST && !r->status) {
        at[n] = r->now.at;
        a[n++] = read_sum(r);
        if (!accept(r, ','))
            break;
    }
    snprintf(close, sizeof close, "to close %s(", name);
    need(r, ')', close, t->at + 1);
    if (f->arguments && n != f->arguments)
        fail(r, t->at, "%s takes %zu argument%s, here are %zu", f->name, f->arguments,
             f->arguments > 1 ? "s" : "", n);
    if (r->status)
        return nothing();
    if (f->op != PH_OP_NUMBER)
        return function_of_numbers(r, f, a, at);
    return f->arguments == 2   ? function_of_vectors(r, f, a, t->at)
           : f->arguments == 1 ? function_of_one(r, f, a, t->at, at[0])
                               : diagonal(r, a, n, t->at);
}

/* ---- Rules of the grammar ----------------------------------------------------------------------- */

/* [a, b, ...]: of numbers a vector, of vectors a matrix of these rows. */
static ph_value read_vector(reader *r, const token *bracket)
{
    enum { MOST = 64 };
    ph_value entry[MOST], v;
    char one[64], other[64];
    size_t n = 0;
    do {
        if (n == MOST)
            fail(r, r->now.at, "a list of more than %d entries", MOST);
        else
            entry[n++] = read_sum(r);
    } while (accept(r, ','));
    need(r, ']', "to close '['", bracket->at + 1);
    ph_unit unit = entry[0].unit;
    for (size_t i = 0, known = 0; i < n; i++) {
        if (!same_shape(&entry[0], &entry[i]))
            fail(r, bracket->at, "entries of different shape: %s, %s", shape(&entry[0], one),
                 shape(&entry[i], other));
        if (known && !is_zero(&entry[i]))
            agree(r, bracket->at, &(ph_value){.rows = 1, .columns = 1, .item = entry[i].item, .unit = unit},
                  &entry[i], "entries must have the same unit");
        if (!known && !is_zero(&entry[i]))
            unit = entry[i].unit, known = 1;
    }
    if (entry[0].rank > 1)
        fail(r, bracket->at, "a list of matrices is no matrix");
    const size_t columns = entry[0].rank ? entry[0].rows : 1;
    ph_expr *item = make(r, entry[0].rank + 1, n, columns, unit, &v);
    for (size_t i = 0; item && i < n; i++)
        memcpy(item + i * columns, entry[i].item, columns * sizeof *item);
    return v;
}

static ph_value read_primary(reader *r)
{
    const token t = take(r);
    ph_value v = nothing();
    if (!r->status && r->f->visits-- == 0) {
        r->f->visits = 0;
        fail(r, t.at, "the formulas are too long with their sums written out");
    }
    if (r->status)
        return v;
    if (t.kind == NUMBER)
        return number(r, ph_graph_number(r->g, t.number), pure);
    if (t.kind == NAME)
        return is_sign(r, '(') ? read_call(r, &t) : read_name(r, &t);
    if (t.kind == SIGN && t.sign == '(') {
        v = read_sum(r);
        need(r, ')', "to close '('", t.at + 1);
        return v;
    }
    if (t.kind == SIGN && t.sign == '[')
        return read_vector(r, &t);
    if (t.kind == END)
        fail(r, t.at, "an expression is missing here");
    else
        fail(r, t.at, "an expression cannot begin with '%s'", t.sign == RANGE ? ".." : (char[]){t.sign, 0});
    return v;
}

/* v.x, v.y, v.z, M.T */
static ph_value read_part(reader *r, const ph_value *v)
{
    const token t = take(r);
    const char part = t.kind == NAME && t.end - t.at == 1 ? r->text[t.at] : 0;
    const size_t k = part >= 'x' && part <= 'z' ? (size_t)(part - 'x') : 3;
    char words[64];
    ph_value transpose;
    if (k < 3) {
        if (v->rank != 1 || k >= v->rows || v->rows > 3)
            fail(r, t.at, ".%c of %s%s", part, shape(v, words),
                 v->rank == 2 ? ": a column is B*e3, an entry B[3,3]" : "");
        return r->status ? nothing() : number(r, v->item[k], v->unit);
    }
    if (part != 'T')
        fail(r, t.at, "behind '.' stands x, y, z or T (transpose); others are indices [k]");
    else if (v->rank != 2)
        fail(r, t.at, ".T of %s: only of a matrix", shape(v, words));
    ph_expr *item = make(r, 2, v->columns, v->rows, v->unit, &transpose);
    for (size_t i = 0; item && i < v->columns; i++)
        for (size_t j = 0; j < v->rows; j++)
            item[i * v->rows + j] = v->item[j * v->columns + i];
    return transpose;
}

/* v[i], M[i,j] */
static ph_value read_index(reader *r, const ph_value *v, size_t bracket)
{
    const uint32_t size[2] = {v->rows, v->columns};
    size_t n = 0, at = 0;
    char words[64];
    do {
        const size_t place = r->now.at;
        const int64_t i = read_whole(r);
        if (n < v->rank && (i < 1 || i > size[n]))
            fail(r, place, "index %lld of 1 to %u", (long long)i, (unsigned)size[n]);
        else if (n < v->rank)
            at = at * size[n] + (size_t)i - 1;
        n++;
    } while (accept(r, ','));
    need(r, ']', "behind the index", 0);
    if (n != v->rank)
        fail(r, bracket, "%zu %s for %s", n, n > 1 ? "indices" : "index", shape(v, words));
    return r->status ? nothing() : number(r, v->item[at], v->unit);
}

static ph_value read_postfix(reader *r)
{
    ph_value v = read_primary(r);
    while (is_sign(r, '.') || is_sign(r, '[')) {
        const token sign = take(r);
        v = sign.sign == '.' ? read_part(r, &v) : read_index(r, &v, sign.at);
    }
    return v;
}

static ph_value read_unary(reader *r);

static ph_value read_power(reader *r)
{
    ph_value base = read_postfix(r);
    if (is_sign(r, '^')) {
        const size_t at = take(r).at;
        if (enter(r)) {
            const ph_value exponent = read_unary(r);
            r->depth--;
            base = power(r, &base, &exponent, at);
        }
    }
    return base;
}

static ph_value read_unary(reader *r)
{
    bool minus = false;
    while (is_sign(r, '+') || is_sign(r, '-'))
        minus ^= take(r).sign == '-';
    const ph_value v = read_power(r);
    return minus ? scale(r, ph_graph_number(r->g, -1), &v, v.unit) : v;
}

static ph_value read_term(reader *r)
{
    ph_value v = read_unary(r);
    while (is_sign(r, '*') || is_sign(r, '/')) {
        const token sign = take(r);
        const ph_value by = read_unary(r);
        v = sign.sign == '*' ? multiply(r, &v, &by, sign.at) : divide(r, &v, &by, sign.at);
    }
    return v;
}

static ph_value read_sum(reader *r)
{
    if (!enter(r))
        return nothing();
    ph_value v = read_term(r);
    while (is_sign(r, '+') || is_sign(r, '-')) {
        const token sign = take(r);
        const ph_value more = read_term(r);
        v = add(r, sign.sign == '+' ? PH_OP_ADD : PH_OP_SUB, &v, &more, sign.at);
    }
    r->depth--;
    return v;
}

static void read_end(reader *r)
{
    const char *left = r->text + r->now.at;
    const int length = (int)(r->now.end - r->now.at < 40 ? r->now.end - r->now.at : 40);
    if (r->status || r->now.kind == END)
        return;
    if (is_sign(r, '='))
        fail(r, r->now.at, "'=' has a place in velocity constraints only; a formula is one expression");
    else if (is_sign(r, ')') || is_sign(r, ']'))
        fail(r, r->now.at, "this '%c' closes nothing", r->now.sign);
    else
        fail(r, r->now.at, "expected an operator, found '%.*s'; is a * missing?", length, left);
}

/* ---- Texts -------------------------------------------------------------------------------------- */

static reader begin(ph_formulas *f, const char *what, const char *text, unsigned flags, ph_error *err)
{
    reader r = {.f = f, .g = &f->graph, .what = what, .text = text, .flags = flags, .err = err};
    if (strlen(text) > PH_FORMULA_LONGEST) {
        r.text = "";
        fail(&r, 0, "the formula has %zu characters; at most %d", strlen(text), PH_FORMULA_LONGEST);
    }
    next(&r);
    return r;
}

static ph_status end(reader *r)
{
    read_end(r);
    if (!r->status && r->g->failed)
        r->status = r->g->failed == PH_E_NO_MEMORY
                        ? ph_fail(r->err, PH_E_NO_MEMORY, "out of memory")
                        : ph_fail(r->err, PH_E_RANGE, "%s: the formulas have more than %d operations",
                                  r->what, PH_MAX_NODES);
    return r->status;
}

static ph_status read_text(reader *r, ph_value *value)
{
    char words[64];
    ph_value v = read_sum(r);
    if (r->flags & PH_FORMULA_EQUATION && is_sign(r, '=')) {
        const size_t at = take(r).at;
        const ph_value right = read_sum(r);
        v = add(r, PH_OP_SUB, &v, &right, at);
    }
    read_end(r);
    if (r->flags & PH_FORMULA_NUMBER && v.rank)
        fail(r, 0, "this is %s; a number is expected", shape(&v, words));
    *value = v;
    return end(r);
}

ph_status ph_formulas_read(ph_formulas *f, const char *what, const char *text, unsigned flags,
                           ph_value *value, ph_error *err)
{
    reader r = begin(f, what, text, flags, err);
    return read_text(&r, value);
}

ph_status ph_formulas_read_at(ph_formulas *f, const char *what, const char *text, const char *index,
                              int64_t at, ph_value *value, ph_error *err)
{
    reader r = begin(f, what, text, 0, err);
    const binding bound = {index, strlen(index), at, NULL};
    r.bound = &bound;
    return read_text(&r, value);
}

ph_status ph_formulas_read_whole(ph_formulas *f, const char *what, const char *text, int64_t *n,
                                 ph_error *err)
{
    reader r = begin(f, what, text, 0, err);
    *n = read_whole(&r);
    return end(&r);
}
