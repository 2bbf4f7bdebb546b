/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of formulas: their shapes and units, sums, products, powers, functions. */
#include "reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ph_expr zero = 0;

ph_value ph_value_nothing(void)
{
    return (ph_value){.rows = 1, .columns = 1, .item = &zero};
}

/* ---- Values ------------------------------------------------------------------------------------- */

const char *ph_value_shape(const ph_value *v, char words[64])
{
    if (v->rank == 0)
        snprintf(words, 64, "a number");
    else if (v->rank == 1)
        snprintf(words, 64, "a vector of %u", (unsigned)v->rows);
    else
        snprintf(words, 64, "a matrix of %u x %u", (unsigned)v->rows, (unsigned)v->columns);
    return words;
}

size_t ph_value_items(const ph_value *v)
{
    return (size_t)v->rows * v->columns;
}

bool ph_value_same_shape(const ph_value *a, const ph_value *b)
{
    return a->rank == b->rank && a->rows == b->rows && a->columns == b->columns;
}

bool ph_value_is_zero(const ph_value *v)
{
    for (size_t i = 0; i < ph_value_items(v); i++)
        if (v->item[i] != 0)
            return false;
    return true;
}

ph_expr *ph_value_make(reader *r, unsigned rank, size_t rows, size_t columns, ph_unit unit, ph_value *v)
{
    *v = ph_value_nothing();
    if (rows * columns > PH_FORMULA_ITEMS)
        ph_read_fail(r, r->now.at, "%zu numbers in one value; at most %d", rows * columns, PH_FORMULA_ITEMS);
    ph_read_charge(r, rows * columns);
    ph_expr *item = r->status ? NULL : ph_formulas_room(r->f, (rows * columns + !rows) * sizeof *item);
    if (item)
        *v = (ph_value){rank, (uint32_t)rows, (uint32_t)columns, item, unit};
    return item;
}

ph_value ph_value_number(reader *r, ph_expr node, ph_unit unit)
{
    ph_value v;
    ph_expr *item = ph_value_make(r, 0, 1, 1, unit, &v);
    if (item)
        *item = node;
    return v;
}

const ph_unit ph_unit_pure = {{0}};

static bool same_unit(const ph_unit *a, const ph_unit *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

ph_unit ph_unit_product(const ph_unit *a, const ph_unit *b, int power)
{
    ph_unit unit;
    for (size_t i = 0; i < PH_UNITS; i++) {
        const int of = a->of[i] + power * b->of[i];
        unit.of[i] = (int16_t)(of > INT16_MAX ? INT16_MAX : of < -INT16_MAX ? -INT16_MAX : of);
    }
    return unit;
}

const ph_unit ph_unit_second = {{0, 0, PH_UNIT_ONE, 0, 0, 0, 0}};

void ph_value_agree(reader *r, size_t at, const ph_value *a, const ph_value *b, const char *of)
{
    char one[96], other[96];
    if (!same_unit(&a->unit, &b->unit) && !ph_value_is_zero(a) && !ph_value_is_zero(b) &&
        ph_formulas_have_units(r->f))
        ph_read_fail(r, at, "%s: %s and %s", of, ph_unit_text(&a->unit, one), ph_unit_text(&b->unit, other));
}

static void need_pure(reader *r, size_t at, const ph_value *v, const char *of)
{
    char unit[96];
    if (!same_unit(&v->unit, &ph_unit_pure) && !ph_value_is_zero(v) && ph_formulas_have_units(r->f))
        ph_read_fail(r, at, "%s of something in %s: only of a pure number", of, ph_unit_text(&v->unit, unit));
}

ph_value ph_value_add(reader *r, enum ph_op op, const ph_value *a, const ph_value *b, size_t at)
{
    char one[64], other[64], unit[80];
    ph_value sum;
    const char sign = op == PH_OP_ADD ? '+' : '-';
    if (!ph_value_same_shape(a, b))
        ph_read_fail(r, at, "%s %s %s: both sides of '%c' must have the same shape", ph_value_shape(a, one),
                     op == PH_OP_ADD ? "plus" : "minus", ph_value_shape(b, other), sign);
    snprintf(unit, sizeof unit, "both sides of '%c' must have the same unit", sign);
    ph_value_agree(r, at, a, b, unit);
    ph_expr *item =
        ph_value_make(r, a->rank, a->rows, a->columns, ph_value_is_zero(a) ? b->unit : a->unit, &sum);
    for (size_t i = 0; item && i < ph_value_items(a); i++)
        item[i] = ph_graph_apply(r->g, op, a->item[i], b->item[i]);
    return sum;
}

ph_value ph_value_scale(reader *r, ph_expr s, const ph_value *v, ph_unit unit)
{
    ph_value product;
    ph_expr *item = ph_value_make(r, v->rank, v->rows, v->columns, unit, &product);
    for (size_t i = 0; item && i < ph_value_items(v); i++)
        item[i] = ph_graph_mul(r->g, s, v->item[i]);
    return product;
}

ph_value ph_value_multiply(reader *r, const ph_value *a, const ph_value *b, size_t at)
{
    char one[64], other[64];
    const ph_unit unit = ph_unit_product(&a->unit, &b->unit, 1);
    ph_value product;
    if (a->rank == 0 || b->rank == 0)
        return a->rank == 0 ? ph_value_scale(r, a->item[0], b, unit) : ph_value_scale(r, b->item[0], a, unit);
    if (a->rank == 1)
        ph_read_fail(r, at, "the product of %s and %s: is it dot(a, b), cross(a, b) or outer(a, b)?",
                     ph_value_shape(a, one), ph_value_shape(b, other));
    else if (a->columns != b->rows)
        ph_read_fail(r, at, "the product of %s and %s does not exist", ph_value_shape(a, one),
                     ph_value_shape(b, other));
    ph_read_charge(r, (size_t)4 * a->rows * a->columns * b->columns);
    ph_expr *item = ph_value_make(r, b->rank, a->rows, b->columns, unit, &product);
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

ph_value ph_value_divide(reader *r, const ph_value *a, const ph_value *b, size_t at)
{
    char words[64];
    ph_value quotient;
    if (b->rank)
        ph_read_fail(r, at, "division by %s: only by a number", ph_value_shape(b, words));
    else if (b->item[0] == 0 && !r->dry)
        ph_read_fail(r, at, "division by zero");
    ph_expr *item =
        ph_value_make(r, a->rank, a->rows, a->columns, ph_unit_product(&a->unit, &b->unit, -1), &quotient);
    for (size_t i = 0; item && i < ph_value_items(a); i++)
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
            ph_read_fail(r, at, "%s to the power of %g is no unit", ph_unit_text(unit, words), exponent);
        power.of[i] = (int16_t)(fabs(of) > INT16_MAX ? 0 : of);
    }
    return power;
}

ph_value ph_value_power(reader *r, const ph_value *a, const ph_value *b, size_t at)
{
    char words[64];
    double exponent;
    if (a->rank || b->rank)
        ph_read_fail(r, at, "a power of %s: only of a number%s", ph_value_shape(a->rank ? a : b, words),
                     a->rank == 1 ? ", for a square of a vector write dot(a, a)" : "");
    if (r->status)
        return ph_value_nothing();
    need_pure(r, at, b, "an exponent");
    if (ph_graph_is_number(r->g, b->item[0], &exponent))
        return ph_value_number(r, ph_graph_power(r->g, a->item[0], exponent),
                               unit_power(r, &a->unit, exponent, at));
    if (r->g->node[b->item[0]].depends & ~PH_ON_PARAMETERS)
        ph_read_fail(r, at, "an exponent is a number or made of parameters; else write exp(y*log(x))");
    need_pure(r, at, a, "a power by a parameter");
    if (a->item[0] == 0)
        ph_read_fail(r, at, "a power of zero by a parameter");
    return ph_value_number(
        r,
        ph_graph_apply(r->g, PH_OP_EXP,
                       ph_graph_mul(r->g, b->item[0], ph_graph_apply(r->g, PH_OP_LOG, a->item[0], 0)), 0),
        ph_unit_pure);
}

/* ---- Functions ------ */

static void need_shape(reader *r, size_t at, const char *of, const ph_value *v, bool right, const char *only)
{
    char words[64];
    if (!right)
        ph_read_fail(r, at, "%s of %s: only of %s", of, ph_value_shape(v, words), only);
}

static ph_value function_of_numbers(reader *r, const function *f, const ph_value *a, const size_t *at)
{
    const bool keeps = f->op == PH_OP_ABS || f->op == PH_OP_MIN || f->op == PH_OP_MAX;
    for (size_t i = 0; i < f->arguments; i++)
        need_shape(r, at[i], f->name, &a[i], a[i].rank == 0,
                   a[i].rank == 1 && a[i].rows == 2
                       ? "a number; of a point a on a circle, a.x and a.y are the cosine and the sine"
                       : "a number");
    if (f->arguments == 2)
        ph_value_agree(r, at[1], &a[0], &a[1], "both must have the same unit");
    else if (!keeps && f->op != PH_OP_SQRT)
        need_pure(r, at[0], &a[0], f->name);
    if (r->status)
        return ph_value_nothing();
    const ph_unit unit = keeps                 ? a[0].unit
                         : f->op == PH_OP_SQRT ? unit_power(r, &a[0].unit, 0.5, at[0])
                                               : ph_unit_pure;
    return ph_value_number(r, ph_graph_apply(r->g, f->op, a[0].item[0], f->arguments == 2 ? a[1].item[0] : 0),
                           unit);
}

static ph_value function_of_vectors(reader *r, const function *f, const ph_value *a, size_t at)
{
    char one[64], other[64];
    const ph_unit unit = ph_unit_product(&a[0].unit, &a[1].unit, 1);
    const bool cross = strcmp(f->name, "cross") == 0;
    const ph_expr *x = a[0].item, *y = a[1].item;
    const size_t n = a[0].rows;
    ph_value v;
    if (a[0].rank != 1 || !ph_value_same_shape(&a[0], &a[1]) || (cross && n != 3))
        ph_read_fail(r, at, "%s of %s and %s: two vectors of %s", f->name, ph_value_shape(&a[0], one),
                     ph_value_shape(&a[1], other), cross ? "3" : "one length");
    if (r->status)
        return ph_value_nothing();
    if (strcmp(f->name, "dot") == 0)
        return ph_value_number(r, ph_graph_dot(r->g, x, y, n), unit);
    ph_expr *item = ph_value_make(r, cross ? 1 : 2, n, cross ? 1 : n, unit, &v);
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
    if (n == 0)
        ph_read_fail(r, at, "diag takes numbers, as in diag(J[1], J[2], J[3]); here are none");
    for (size_t i = 0; i < n; i++) {
        if (a[i].rank)
            ph_read_fail(r, at, "diag takes numbers, as in diag(J[1], J[2], J[3])");
        ph_value_agree(r, at, &a[0], &a[i], "the numbers of diag must have the same unit");
    }
    ph_expr *item = ph_value_make(r, 2, n, n, n ? a[0].unit : ph_unit_pure, &v);
    for (size_t i = 0; item && i < n; i++)
        item[i * (n + 1)] = a[i].item[0];
    return v;
}

/* S(a), with S(a) b = a x b. */
static ph_value hat_map(reader *r, const ph_value *a)
{
    ph_value v;
    ph_expr *item = ph_value_make(r, 2, 3, 3, a->unit, &v);
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
    ph_expr *item = ph_value_make(r, 1, 3, 1, a->unit, &v);
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
    for (size_t i = 0; i < ph_value_items(a); i++)
        depends |= r->g->node[a->item[i]].depends;
    if (depends & PH_ON_V)
        ph_read_fail(r, at, "d() of something that depends on velocities is an acceleration; L has none");
    else if (depends & PH_ROUGH)
        ph_read_fail(r, at, "d() of something with a corner or a jump");
    else if (depends & PH_ON_Z && r->f->n_factors && r->f->factors[0].kind == PH_FACTOR_SPIN)
        ph_read_fail(r, at,
                     "d() of spins: they have no velocities, and their energy depends on where they are");
    ph_read_charge(r, r->g->n / 16); /* all of the graph is looked at */
    ph_expr *item =
        ph_value_make(r, a->rank, a->rows, a->columns, ph_unit_product(&a->unit, &ph_unit_second, -1), &v);
    if (item)
        ph_graph_forward(r->g, a->item, ph_value_items(a), &r->f->rates, item);
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
        return ph_value_number(
            r, ph_graph_apply(r->g, PH_OP_SQRT, ph_graph_dot(r->g, a->item, a->item, ph_value_items(a)), 0),
            a->unit);
    }
    if (strcmp(f->name, "angle") == 0) {
        need_shape(r, inside, f->name, a, a->rank == 1 && a->rows == 2,
                   "a vector of 2, as a point on a circle is");
        return r->status ? ph_value_nothing()
                         : ph_value_number(r, ph_graph_apply(r->g, PH_OP_ATAN2, a->item[1], a->item[0]),
                                           ph_unit_pure);
    }
    if (strcmp(f->name, "hat") == 0) {
        need_shape(r, inside, f->name, a, a->rank == 1 && three, "a vector of 3");
        return r->status ? ph_value_nothing() : hat_map(r, a);
    }
    if (strcmp(f->name, "vee") == 0) {
        need_shape(r, inside, f->name, a, square && three, "a matrix of 3 x 3");
        return r->status ? ph_value_nothing() : vee_map(r, a);
    }
    need_shape(r, inside, f->name, a, square, "a square matrix");
    for (size_t i = 0; i < a->rows && !r->status; i++)
        trace = ph_graph_add(r->g, trace, a->item[i * (a->rows + 1)]);
    return ph_value_number(r, trace, a->unit);
}

ph_value ph_value_apply(reader *r, const function *f, const ph_value *a, size_t n, size_t at,
                        const size_t *inside)
{
    if (f->op != PH_OP_NUMBER)
        return function_of_numbers(r, f, a, inside);
    return f->arguments == 2   ? function_of_vectors(r, f, a, at)
           : f->arguments == 1 ? function_of_one(r, f, a, at, inside[0])
                               : diagonal(r, a, n, at);
}
