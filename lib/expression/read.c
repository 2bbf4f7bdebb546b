/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a formula becomes a value in one pass: a reader for each rule of the grammar (formulas.h), which
 * evaluates what it has read. A sum with an index reads its term again for each index.  */
#include "reader.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Whole numbers ------------------------------------------------------------------------------ */

static ph_value read_sum(reader *r);

static const binding *find_binding(const reader *r, const token *t)
{
    const binding *b = r->bound;
    while (b && (b->length != t->end - t->at || memcmp(b->name, r->text + t->at, b->length) != 0))
        b = b->outer;
    return b;
}

/* A number, which must be a whole one in this range. */
static int64_t whole_number(reader *r, const ph_value *v, size_t at)
{
    enum { LARGEST = 1000000000 };
    double n = 0;
    if (v->rank || !ph_graph_is_number(r->g, v->item[0], &n) || n != floor(n))
        ph_read_fail(r, at, "an index is a whole number");
    else if (fabs(n) > LARGEST)
        ph_read_fail(r, at, "a whole number beyond %d", LARGEST);
    return r->status ? 0 : (int64_t)n;
}

/* A formula whose names are indices and whole parameters. */
static int64_t read_whole(reader *r)
{
    const bool outer = r->whole;
    const size_t at = r->now.at;
    r->whole = true;
    const ph_value v = read_sum(r);
    r->whole = outer;
    return whole_number(r, &v, at);
}

/* ---- Names -------------------------------------------------------------------------------------- */

static ph_value unit_vector(reader *r, size_t k)
{
    ph_value v;
    ph_expr *item = ph_value_make(r, 1, 3, 1, ph_unit_pure, &v);
    if (item)
        item[k] = ph_graph_number(r->g, 1);
    return v;
}

static ph_value identity(reader *r)
{
    ph_value v;
    ph_expr *item = ph_value_make(r, 2, 3, 3, ph_unit_pure, &v);
    for (size_t i = 0; item && i < 3; i++)
        item[4 * i] = ph_graph_number(r->g, 1);
    return v;
}

/* Refuses what has no place in this formula; was it refused? */
static bool refuse(reader *r, const token *t)
{
    bool rough = false;
    const int length = (int)(t->end - t->at);
    const char *why = ph_word_refused(r->text + t->at, (size_t)length, &rough);
    if (!why || (rough && r->flags & PH_FORMULA_ROUGH))
        return false;
    ph_read_fail(r, t->at, "%.*s %s", length, r->text + t->at, why);
    return true;
}

/* The name, of those that are known or of functions, that was probably meant; NULL: none. */
static const char *suggest(const reader *r, const char *word, bool of_functions)
{
    const char other[2] = {(char)(word[0] ^ ' '), '\0'}; /* the same letter, capital or not */
    if (!word[1]) {                                      /* every other letter is as near */
        const ph_name *name = of_functions ? NULL : ph_formulas_find(r->f, other, 1);
        return name ? name->name : NULL;
    }
    size_t n = 0;
    const char **known = calloc(r->f->n_names + PH_OPS + 64, sizeof *known), *best = NULL, *name;
    for (size_t i = 0; known && i < r->f->n_names && !of_functions; i++)
        known[n++] = r->f->names[i].name;
    for (size_t i = 0; known && (name = ph_function_name(i)); i++)
        known[n++] = name;
    if (known)
        best = ph_suggest(word, known, n);
    free(known);
    return best;
}

static void fail_unknown(reader *r, const token *t)
{
    char word[PH_FORMULA_NAME];
    size_t length = t->end - t->at;
    snprintf(word, sizeof word, "%.*s", (int)length, r->text + t->at);
    length = strlen(word);
    const char part = word[length - 1], *behind = r->text + t->end;
    const size_t stem = length > 2 && word[length - 2] == '_' ? length - 2 : length - 1;
    if (strchr("xyz", part) && stem && ph_formulas_find(r->f, word, stem))
        ph_read_fail(r, t->at, "unknown name '%s'; is it %.*s.%c?", word, (int)stem, word, part);
    else if (strncmp(word, "omega", 5) == 0)
        ph_read_fail(r, t->at, "unknown name '%s'; the angular velocity of a factor q is omega(q)", word);
    else if (*behind == '.' && behind[1 + strspn(behind + 1, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '(')
        ph_read_fail(r, t->at, "unknown name '%s'; functions have no prefix: sin(x), dot(a, b)", word);
    else if (strcmp(word, "e") == 0)
        ph_read_fail(r, t->at, "unknown name 'e'; the exponential function is exp(x)");
    const char *meant_by = r->status ? NULL : suggest(r, word, false);
    ph_read_fail(r, t->at, "unknown name '%s'%s%s%s", word, meant_by ? "; is it " : "",
                 meant_by ? meant_by : "", meant_by ? "?" : "");
}

/* The entry of a list, whose index is next. */
static size_t read_entry(reader *r, const ph_name *name, size_t at)
{
    if (!ph_read_is_sign(r, '['))
        ph_read_fail(r, at, "this is a list, of which one is meant by an index, as in %s[%lld]", name->name,
                     (long long)name->first);
    const size_t bracket = ph_read_take(r).at, place = r->now.at;
    const int64_t i = read_whole(r);
    if (ph_read_is_sign(r, ','))
        ph_read_fail(r, bracket, "one index is meant here");
    ph_read_need(r, ']', "behind the index", 0);
    const bool there = i >= name->first && i < name->first + (int64_t)name->n;
    if (!there && !r->dry)
        ph_read_fail(r, place, "there is no [%lld]: they go from %lld to %lld", (long long)i,
                     (long long)name->first, (long long)name->first + (long long)name->n - 1);
    return r->status || !there ? 0 : (size_t)(i - name->first);
}

static ph_value read_name(reader *r, const token *t)
{
    const char *word = r->text + t->at;
    const size_t length = t->end - t->at;
    const binding *bound = find_binding(r, t);
    ph_name *name = bound ? NULL : ph_formulas_find(r->f, word, length);
    const bool whole = bound || (r->whole && name && name->whole);
    if (whole && name)
        name->no_unit = false;
    if (name)
        name->used = true;
    if (whole)
        return ph_value_number(r, ph_graph_number(r->g, (double)(bound ? bound->at : name->number)),
                               ph_unit_pure);
    if (r->whole)
        ph_read_fail(r, t->at, "'%.*s' is no whole number that is known beforehand", (int)length, word);
    if (name)
        return name->list ? name->value[read_entry(r, name, t->at)] : *name->value;
    if (ph_read_is_name(r, t, "pi"))
        return ph_value_number(r, ph_graph_number(r->g, 3.14159265358979323846), ph_unit_pure);
    if (ph_read_is_name(r, t, "t"))
        return ph_value_number(r, ph_graph_leaf(r->g, PH_OP_TIME, 0), ph_unit_second);
    if (length == 2 && word[0] == 'e' && word[1] >= '1' && word[1] <= '3')
        return unit_vector(r, (size_t)(word[1] - '1'));
    if (ph_read_is_name(r, t, "identity"))
        return identity(r);
    if (ph_function_find(word, length) && !refuse(r, t))
        ph_read_fail(r, t->at, "'%.*s' is a function: write %.*s(...)", (int)length, word, (int)length, word);
    if (!r->status && !refuse(r, t))
        fail_unknown(r, t);
    return ph_value_nothing();
}

/* ---- Functions ---------------------------------------------------------------------------------- */

/* Its name has been read, "(" taken. */
static ph_value angular_velocity(reader *r, size_t at)
{
    const token t = ph_read_take(r);
    const ph_name *name = t.kind == NAME ? ph_formulas_find(r->f, r->text + t.at, t.end - t.at) : NULL;
    if (!name || name->kind != PH_NAME_FACTOR || name->n_omega == 0) {
        ph_read_fail(r, t.at, "omega is of a factor S1, S2 or SO3 by its name");
        return ph_value_nothing();
    }
    const size_t entry = name->list ? read_entry(r, name, t.at) : 0, n = name->n_omega;
    ph_read_need(r, ')', "to close omega(", at + 1);
    ph_value v;
    ph_expr *item = ph_value_make(r, n > 1, n, 1, ph_unit_product(&ph_unit_pure, &ph_unit_second, -1), &v);
    for (size_t i = 0; item && i < n; i++)
        item[i] =
            name->n ? ph_graph_leaf(r->g, PH_OP_OMEGA, r->f->factors[name->factor + entry].omega + i) : 0;
    return v;
}

/* sum(i=a..b, term): the reader goes back to the term for each i. */
static ph_value read_indexed_sum(reader *r, size_t at)
{
    const token name = ph_read_take(r);
    const char *word = r->text + name.at;
    const size_t length = name.end - name.at;
    ph_value sum = ph_value_nothing();
    if (name.kind != NAME || !ph_read_is_sign(r, '='))
        ph_read_fail(r, name.at, "sum needs an index: sum(i=1..n, term)");
    else if (find_binding(r, &name) || ph_formulas_find(r->f, word, length) ||
             ph_formula_reserved(word, length))
        ph_read_fail(r, name.at, "the index '%.*s' has a meaning already", (int)length, word);
    ph_read_next(r);
    const int64_t first = read_whole(r);
    ph_read_need(r, RANGE, "between the bounds of the index", 0);
    const int64_t last = read_whole(r);
    if (last - first >= PH_FORMULA_TERMS)
        ph_read_fail(r, at, "a sum of %lld terms; at most %d", (long long)(last - first + 1),
                     PH_FORMULA_TERMS);
    ph_read_need(r, ',', "behind the bounds of the index", 0);
    const token term = r->now;
    binding index = {word, length, first, r->bound};
    r->bound = &index;
    const bool outer = r->dry;
    r->dry = outer || last < first;
    do {
        r->now = term;
        const ph_value v = read_sum(r);
        sum = index.at == first ? v : ph_value_add(r, PH_OP_ADD, &sum, &v, term.at);
    } while (++index.at <= last && !r->status);
    r->bound = index.outer;
    if (last < first) /* zeros of the shape and the unit of a term */
        (void)ph_value_make(r, sum.rank, sum.rows, sum.columns, sum.unit, &sum);
    r->dry = outer;
    ph_read_need(r, ')', "to close sum(", at + 1);
    return sum;
}

static ph_value read_call(reader *r, const token *t)
{
    enum { MOST = 16 };
    const char *word = r->text + t->at;
    const size_t length = t->end - t->at;
    const function *f = ph_function_find(word, length);
    ph_value a[MOST];
    size_t at[MOST], n = 0;
    char name[PH_FORMULA_NAME], close[PH_FORMULA_NAME + 16];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    if (refuse(r, t))
        return ph_value_nothing();
    if (!f && (ph_formulas_find(r->f, word, length) || find_binding(r, t)))
        ph_read_fail(r, t->at, "'%s' is no function: for a product write %s*(...)", name, name);
    const char *meant_by = f || r->status ? NULL : suggest(r, name, true);
    if (!f)
        ph_read_fail(r, t->at, "unknown function '%s'%s%s%s", name, meant_by ? "; is it " : "",
                     meant_by ? meant_by : "", meant_by ? "?" : "");
    ph_read_next(r);
    if (r->status)
        return ph_value_nothing();
    if (strcmp(f->name, "sum") == 0)
        return read_indexed_sum(r, t->at);
    if (strcmp(f->name, "omega") == 0)
        return angular_velocity(r, t->at);
    if (!ph_read_is_sign(r, ')'))
        do {
            at[n] = r->now.at;
            a[n++] = read_sum(r);
        } while (n < MOST && ph_read_accept(r, ','));
    snprintf(close, sizeof close, "to close %s(", name);
    ph_read_need(r, ')', close, t->at + 1);
    if (f->arguments && n != f->arguments)
        ph_read_fail(r, t->at, "%s takes %zu argument%s, here are %zu", f->name, f->arguments,
                     f->arguments > 1 ? "s" : "", n);
    if (r->status)
        return ph_value_nothing();
    return ph_value_apply(r, f, a, n, t->at, at);
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
            ph_read_fail(r, r->now.at, "a list of more than %d entries", MOST);
        else
            entry[n++] = read_sum(r);
    } while (ph_read_accept(r, ','));
    ph_read_need(r, ']', "to close '['", bracket->at + 1);
    ph_unit unit = entry[0].unit;
    for (size_t i = 0, known = 0; i < n; i++) {
        if (!ph_value_same_shape(&entry[0], &entry[i]))
            ph_read_fail(r, bracket->at, "entries of different shape: %s, %s", ph_value_shape(&entry[0], one),
                         ph_value_shape(&entry[i], other));
        if (known && !ph_value_is_zero(&entry[i]))
            ph_value_agree(r, bracket->at,
                           &(ph_value){.rows = 1, .columns = 1, .item = entry[i].item, .unit = unit},
                           &entry[i], "entries must have the same unit");
        if (!known && !ph_value_is_zero(&entry[i]))
            unit = entry[i].unit, known = 1;
    }
    if (entry[0].rank > 1)
        ph_read_fail(r, bracket->at, "a list of matrices is no matrix");
    const size_t columns = entry[0].rank ? entry[0].rows : 1;
    ph_expr *item = ph_value_make(r, entry[0].rank + 1, n, columns, unit, &v);
    for (size_t i = 0; item && i < n; i++)
        memcpy(item + i * columns, entry[i].item, columns * sizeof *item);
    return v;
}

static ph_value read_primary(reader *r)
{
    enum { A_VALUE = 128 };
    const token t = ph_read_take(r);
    ph_value v = ph_value_nothing();
    if (!ph_read_charge(r, A_VALUE))
        return v;
    if (r->whole && t.kind == NUMBER && memchr(r->text + t.at, '.', t.end - t.at))
        ph_read_fail(r, t.at, "an index is a whole number, written without a point");
    if (t.kind == NUMBER)
        return ph_value_number(r, ph_graph_number(r->g, t.number), ph_unit_pure);
    if (t.kind == NAME)
        return ph_read_is_sign(r, '(') ? read_call(r, &t) : read_name(r, &t);
    if (t.kind == SIGN && t.sign == '(') {
        v = read_sum(r);
        ph_read_need(r, ')', "to close '('", t.at + 1);
        return v;
    }
    if (t.kind == SIGN && t.sign == '[')
        return read_vector(r, &t);
    if (r->whole)
        ph_read_fail(r, t.at, "an index is a whole number, an index name, or a sum or product of these");
    else if (t.kind == END)
        ph_read_fail(r, t.at, "an expression is missing here");
    else
        ph_read_fail(r, t.at, "an expression cannot begin with '%s'",
                     t.sign == RANGE ? ".." : (char[]){t.sign, 0});
    return v;
}

/* v.x, v.y, v.z, M.T */
static ph_value read_part(reader *r, const ph_value *v)
{
    const token t = ph_read_take(r);
    const char part = t.kind == NAME && t.end - t.at == 1 ? r->text[t.at] : 0;
    const size_t k = part >= 'x' && part <= 'z' ? (size_t)(part - 'x') : 3;
    char words[64];
    ph_value transpose;
    if (k < 3) {
        if (v->rank != 1 || k >= v->rows || v->rows > 3)
            ph_read_fail(r, t.at, ".%c of %s%s", part, ph_value_shape(v, words),
                         v->rank == 2 ? ": a column is B*e3, an entry B[3,3]" : "");
        return r->status ? ph_value_nothing() : ph_value_number(r, v->item[k], v->unit);
    }
    if (part != 'T')
        ph_read_fail(r, t.at, "behind '.' stands x, y, z or T (transpose); others are indices [k]");
    else if (v->rank != 2)
        ph_read_fail(r, t.at, ".T of %s: only of a matrix", ph_value_shape(v, words));
    ph_expr *item = ph_value_make(r, 2, v->columns, v->rows, v->unit, &transpose);
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
        if (n < v->rank && (i < 1 || i > size[n]) && !r->dry)
            ph_read_fail(r, place, "index %lld of 1 to %u", (long long)i, (unsigned)size[n]);
        else if (n < v->rank)
            at = at * size[n] + (i < 1 || i > size[n] ? 0 : (size_t)i - 1);
        n++;
    } while (ph_read_accept(r, ','));
    ph_read_need(r, ']', "behind the index", 0);
    if (n != v->rank)
        ph_read_fail(r, bracket, "%zu %s for %s", n, n > 1 ? "indices" : "index", ph_value_shape(v, words));
    return r->status ? ph_value_nothing() : ph_value_number(r, v->item[at], v->unit);
}

static ph_value read_postfix(reader *r)
{
    ph_value v = read_primary(r);
    while (ph_read_is_sign(r, '.') || ph_read_is_sign(r, '[')) {
        const token sign = ph_read_take(r);
        v = sign.sign == '.' ? read_part(r, &v) : read_index(r, &v, sign.at);
    }
    return v;
}

static ph_value read_unary(reader *r);

static ph_value read_power(reader *r)
{
    ph_value base = read_postfix(r);
    if (ph_read_is_sign(r, '^')) {
        const size_t at = ph_read_take(r).at;
        if (ph_read_enter(r)) {
            const ph_value exponent = read_unary(r);
            r->depth--;
            base = ph_value_power(r, &base, &exponent, at);
        }
    }
    return base;
}

static ph_value read_unary(reader *r)
{
    bool minus = false;
    while (ph_read_is_sign(r, '+') || ph_read_is_sign(r, '-'))
        minus ^= ph_read_take(r).sign == '-';
    const ph_value v = read_power(r);
    return minus ? ph_value_scale(r, ph_graph_number(r->g, -1), &v, v.unit) : v;
}

static ph_value read_term(reader *r)
{
    ph_value v = read_unary(r);
    while (ph_read_is_sign(r, '*') || ph_read_is_sign(r, '/')) {
        const token sign = ph_read_take(r);
        const ph_value by = read_unary(r);
        v = sign.sign == '*' ? ph_value_multiply(r, &v, &by, sign.at) : ph_value_divide(r, &v, &by, sign.at);
        if (r->whole)
            whole_number(r, &v, sign.at);
    }
    return v;
}

static ph_value read_sum(reader *r)
{
    if (!ph_read_enter(r))
        return ph_value_nothing();
    ph_value v = read_term(r);
    while (ph_read_is_sign(r, '+') || ph_read_is_sign(r, '-')) {
        const token sign = ph_read_take(r);
        const ph_value more = read_term(r);
        v = ph_value_add(r, sign.sign == '+' ? PH_OP_ADD : PH_OP_SUB, &v, &more, sign.at);
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
    if (ph_read_is_sign(r, '='))
        ph_read_fail(r, r->now.at,
                     "'=' has a place in velocity constraints only; a formula is one expression");
    else if (ph_read_is_sign(r, ')') || ph_read_is_sign(r, ']'))
        ph_read_fail(r, r->now.at, "this '%c' closes nothing", r->now.sign);
    else
        ph_read_fail(r, r->now.at, "expected an operator, found '%.*s'; is a * missing?", length, left);
}

/* ---- Texts -------------------------------------------------------------------------------------- */

static reader begin(ph_formulas *f, const char *what, const char *text, unsigned flags, ph_error *err)
{
    reader r = {.f = f, .g = &f->graph, .what = what, .text = text ? text : "", .flags = flags, .err = err};
    if (!text)
        ph_read_fail(&r, 0, "there is no text (it is NULL)");
    else if (strlen(text) > PH_FORMULA_LONGEST) {
        r.text = "";
        ph_read_fail(&r, 0, "the formula has %zu characters; at most %d", strlen(text), PH_FORMULA_LONGEST);
    }
    ph_read_next(&r);
    return r;
}

static ph_status end(reader *r)
{
    read_end(r);
    return r->status ? r->status : (r->status = ph_read_failed(r));
}

static ph_status read_text(reader *r, ph_value *value)
{
    char words[64];
    ph_value v = read_sum(r);
    if (r->flags & PH_FORMULA_EQUATION && ph_read_is_sign(r, '=')) {
        const size_t at = ph_read_take(r).at;
        const ph_value right = read_sum(r);
        if (right.rank || right.item[0] != 0) /* 0 is a zero of any shape */
            v = ph_value_add(r, PH_OP_SUB, &v, &right, at);
    }
    read_end(r);
    if (r->flags & PH_FORMULA_NUMBER && v.rank)
        ph_read_fail(r, 0, "this is %s; a number is expected", ph_value_shape(&v, words));
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
