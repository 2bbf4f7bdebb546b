/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy of spins by the parts of ph_spins, which can be split. Its terms of first and second degree are
 *     b . s + sum_(i < j) s_i . A_ij s_j + (1/2) sum_i s_i . A_ii s_i,
 * and with the eigenvalues l1 <= l2 <= l3 of the symmetric part of A_ij, their eigenvectors a_k, and the vector d of its
 * antisymmetric part
 *     s_i . A_ij s_j = l2 s_i . s_j + sum_k (l_k - l2) (a_k . s_i) (a_k . s_j) + d . (s_i x s_j):
 * exchange, bonds along axes, twist. A_ii are anisotropies, b is the field, a constant is added. All other terms stay formulas. */
#include "forces.h"

#include <polhode/kit/rotation.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Second derivatives --------------------------------------------------------------------------- */

/* The blocks d2H/ds_row ds_column that are not 0, column <= row. */
typedef struct blocks {
    size_t n, room;
    uint32_t *row, *column;
    ph_expr *item; /* (9 n) */
} blocks;

static bool grow(blocks *of)
{
    const size_t room = of->room ? 2 * of->room : 64;
    uint32_t *row = realloc(of->row, room * sizeof *row);
    of->row = row ? row : of->row;
    uint32_t *column = row ? realloc(of->column, room * sizeof *column) : NULL;
    of->column = column ? column : of->column;
    ph_expr *item = column ? realloc(of->item, 9 * room * sizeof *item) : NULL;
    of->item = item ? item : of->item;
    of->room = item ? room : of->room;
    return item != NULL;
}

static void release(blocks *of)
{
    free(of->row);
    free(of->column);
    free(of->item);
}

/* slope (nz) <- the gradient of H; of <- its second derivative. */
static ph_status find_blocks(ph_formula_builder *b, ph_expr H, ph_expr *slope, blocks *of)
{
    ph_graph *g = &b->f->graph;
    const size_t nz = b->f->nz;
    const ph_expr *z = ph_formula_leaves(b, PH_OP_Z);
    ph_expr *line = ph_formula_nodes(b, 3 * nz);
    if (!z || !line)
        return ph_formula_no_memory(b->err);
    ph_graph_reverse(g, H, z, nz, slope);
    for (uint32_t i = 0; i < nz / 3 && !g->failed; i++) {
        const size_t below = 3 * ((size_t)i + 1); /* the triangle */
        unsigned depends = 0;
        for (size_t k = 0; k < 3; k++)
            depends |= g->node[slope[3 * i + k]].depends;
        if (!(depends & PH_ON_Z))
            continue;
        for (size_t k = 0; k < 3; k++)
            ph_graph_reverse(g, slope[3 * i + k], z, below, line + k * nz);
        for (uint32_t j = 0; j <= i; j++) {
            ph_expr item[9], any = 0;
            for (size_t k = 0; k < 9; k++)
                any |= item[k] = line[k / 3 * nz + 3 * j + k % 3];
            if (!any)
                continue;
            if (of->n == of->room && !grow(of))
                return ph_formula_no_memory(b->err);
            of->row[of->n] = i, of->column[of->n] = j;
            memcpy(of->item + 9 * of->n++, item, sizeof item);
        }
    }
    return ph_formula_failed(b);
}

/* ---- Parts -------------------------------------------------------------------------------------- */

enum { MOST_GROUPS = 64 };
static const double negligible = 16 * DBL_EPSILON;

typedef struct part {
    uint32_t i, j, group; /* i == j: an anisotropy */
    double c;
} part;

/* Bonds and anisotropies as they are found; a group of these has the kind AXIAL and no bond of two spins. */
typedef struct parts {
    ph_bonds group[MOST_GROUPS];
    bool of_one[MOST_GROUPS];
    size_t n_groups, n, room;
    part *list;
} parts;

/* The group with this axis, up to its sign, which *c takes; MOST_GROUPS: there are too many. */
static size_t find_group(parts *p, ph_bond_kind kind, bool of_one, const double *axis, double *c)
{
    for (size_t m = 0; m < p->n_groups; m++) {
        const double *own = p->group[m].axis;
        const double along = own[0] * axis[0] + own[1] * axis[1] + own[2] * axis[2];
        if (p->group[m].kind != kind || p->of_one[m] != of_one ||
            (kind != PH_BOND_EXCHANGE && fabs(fabs(along) - 1) > negligible))
            continue;
        *c = kind == PH_BOND_TWIST && along < 0 ? -*c : *c;
        return m;
    }
    if (p->n_groups < MOST_GROUPS) {
        p->group[p->n_groups].kind = kind;
        memcpy(p->group[p->n_groups].axis, axis, 3 * sizeof *axis);
        p->of_one[p->n_groups++] = of_one;
        return p->n_groups - 1;
    }
    return MOST_GROUPS;
}

static ph_status add_part(parts *p, ph_bond_kind kind, const double *axis, double c, uint32_t i, uint32_t j)
{
    if (c == 0)
        return PH_OK;
    const size_t group = find_group(p, kind, i == j, axis, &c);
    if (group == MOST_GROUPS)
        return PH_E_UNSUPPORTED;
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        part *more = realloc(p->list, p->room * sizeof *more);
        if (!more)
            return PH_E_NO_MEMORY;
        p->list = more;
    }
    if (kind == PH_BOND_TWIST && c < 0) { /* a . (s_j x s_i), so that equal bonds of a ring have one number */
        const uint32_t first = i;
        i = j, j = first, c = -c;
    }
    p->group[group].n++;
    p->list[p->n++] = (part){i, j, (uint32_t)group, c};
    return PH_OK;
}

/* s_i . A s_j, or half of it of one spin. */
static ph_status add_block(parts *p, uint32_t i, uint32_t j, const double *A)
{
    double S[9], d[3], l[3], a[9], size = 0, middle = 0;
    for (size_t k = 0; k < 9; k++) {
        S[k] = 0.5 * (A[k] + A[k % 3 * 3 + k / 3]);
        size = fmax(size, fabs(A[k]));
    }
    for (size_t k = 0; k < 3; k++)
        d[k] = 0.5 * (A[(k + 1) % 3 * 3 + (k + 2) % 3] - A[(k + 2) % 3 * 3 + (k + 1) % 3]);
    ph_status status = PH_OK;
    ph_principal_axes(S, a, l);
    if (i != j) {
        middle = fmax(fmin(l[0], l[1]), fmin(fmax(l[0], l[1]), l[2]));
        middle = fabs(middle) > negligible * size ? middle : 0;
        const double none[3] = {0, 0, 0};
        status = add_part(p, PH_BOND_EXCHANGE, none, -middle, i, j);
    }
    for (size_t k = 0; k < 3 && !status; k++) {
        const double axis[3] = {a[k], a[3 + k], a[6 + k]};
        if (fabs(l[k] - middle) > negligible * size)
            status = add_part(p, PH_BOND_AXIAL, axis, (middle - l[k]) / (i == j ? 2 : 1), i, j);
    }
    const double twist = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (size_t k = 0; k < 3 && twist > 0; k++)
        d[k] /= twist;
    return status || twist <= negligible * size ? status : add_part(p, PH_BOND_TWIST, d, twist, i, j);
}

/* Is it the same for all? */
static bool is_uniform(const double *c, size_t n, size_t stride)
{
    bool same = true;
    for (size_t k = stride; k < n * stride; k++)
        same = same && c[k] == c[k % stride];
    return same;
}

/* b->spins <- the parts, whose arrays are the formulas'. */
static ph_status declare(ph_formula_builder *b, const parts *p, double *field)
{
    const size_t n = b->spins.n;
    ph_bonds *bonds = ph_formulas_room(b->f, MOST_GROUPS * sizeof *bonds);
    ph_anisotropy *easy = bonds ? ph_formulas_room(b->f, MOST_GROUPS * sizeof *easy) : NULL;
    if (!easy)
        return PH_E_NO_MEMORY;
    for (size_t m = 0; m < p->n_groups; m++) {
        const size_t all = p->of_one[m] ? n : p->group[m].n;
        uint32_t *first = ph_formulas_room(b->f, 2 * all * sizeof *first),
                 *second = first ? first + all : NULL;
        double *c = first ? ph_formulas_room(b->f, all * sizeof *c) : NULL;
        size_t at = 0;
        if (!c)
            return PH_E_NO_MEMORY;
        for (size_t k = 0; k < p->n; k++)
            if (p->list[k].group == m) {
                c[p->of_one[m] ? p->list[k].i : at] = p->list[k].c;
                first[at] = p->list[k].i, second[at++] = p->list[k].j;
            }
        ph_bonds *bond = &bonds[b->spins.n_bonds];
        ph_anisotropy *own = &easy[b->spins.n_anisotropies];
        const bool uniform = is_uniform(c, all, 1);
        if (p->of_one[m]) {
            *own = (ph_anisotropy){.K = c, .uniform = uniform};
            memcpy(own->axis, p->group[m].axis, sizeof own->axis);
            b->spins.n_anisotropies++;
        } else {
            *bond = p->group[m];
            bond->first = first, bond->second = second, bond->c = c, bond->uniform = uniform;
            b->spins.n_bonds++;
        }
    }
    b->spins.bonds = bonds;
    b->spins.anisotropies = easy;
    for (size_t k = 0; k < 3 * n && !b->spins.field; k++)
        b->spins.field = field[k] != 0 ? field : NULL;
    b->spins.field_is_uniform = is_uniform(field, n, 3);
    return PH_OK;
}

/* ---- The whole ---------------------------------------------------------------------------------- */

/* *H, of second degree but for a constant, <- what is left of it. */
static ph_status find_parts(ph_formula_builder *b, ph_expr *H, parts *p, blocks *of)
{
    ph_graph *g = &b->f->graph;
    const size_t nz = b->f->nz;
    const ph_point at = {.parameters = b->f->parameters};
    ph_expr *slope = ph_formula_nodes(b, nz), rest;
    double *field = ph_formulas_room(b->f, nz * sizeof *field);
    ph_status status = slope && field ? find_blocks(b, *H, slope, of) : PH_E_NO_MEMORY;
    if (status)
        return status;
    double *value = malloc((9 * of->n + 1) * sizeof *value);
    ph_expr_map origin = {NULL, 0};
    for (size_t k = 0; k < nz; k++)
        ph_map_put(g, &origin, ph_graph_leaf(g, PH_OP_Z, k), 0);
    ph_graph_substitute(g, slope, nz, &origin, slope);
    ph_graph_substitute(g, H, 1, &origin, &rest);
    ph_map_release(&origin);
    status = value && !g->failed ? PH_OK : PH_E_NO_MEMORY;
    if (!status) {
        ph_graph_values(g, of->item, 9 * of->n, &at, value);
        ph_graph_values(g, slope, nz, &at, field);
    }
    for (size_t k = 0; k < nz && !status; k++)
        field[k] = -field[k] + 0.0;
    for (size_t k = 0; k < of->n && !status; k++) { /* A_ij of i < j is the transpose */
        double A[9];
        for (size_t e = 0; e < 9; e++)
            A[e] = value[9 * k + e % 3 * 3 + e / 3];
        status = add_block(p, of->column[k], of->row[k], A);
    }
    free(value);
    status = status ? status : declare(b, p, field);
    if (!status) {
        ph_graph_values(g, &rest, 1, &at, &b->spins.constant);
        *H = 0;
    }
    return status;
}

static void say(ph_formula_builder *b, ph_expr left, ph_expr in_time)
{
    static const char *const kinds[] = {"exchange", "bonds along an axis", "twist"};
    bool has[3] = {false}, any = false;
    for (size_t m = 0; m < b->spins.n_bonds; m++)
        has[b->spins.bonds[m].kind] = true;
    for (size_t m = 0; m < 5; m++)
        if (m < 3 ? has[m] : m == 3 ? b->spins.n_anisotropies > 0 : b->spins.field != NULL) {
            ph_formula_found_out(b, "%s%s", any ? ", " : ": ",
                                 m < 3    ? kinds[m]
                                 : m == 3 ? "anisotropy"
                                          : "a field");
            any = true;
        }
    if (left != 0)
        ph_formula_found_out(b, "%sterms of another form, which cannot be split", any ? "; and " : ": ");
    if (in_time != 0)
        ph_formula_found_out(b, "%sterms that depend on time", any || left != 0 ? "; and " : ": ");
}

/* The second derivative of what stays a formula. */
static ph_status give_second(ph_formula_builder *b, ph_expr H)
{
    blocks of = {0};
    ph_expr *slope = ph_formula_nodes(b, b->f->nz);
    ph_status status = slope ? find_blocks(b, H, slope, &of) : ph_formula_no_memory(b->err);
    uint32_t *places = status ? NULL : ph_formulas_room(b->f, (2 * of.n + 1) * sizeof *places);
    if (places) {
        for (size_t k = 0; k < of.n; k++)
            places[k] = of.row[k], places[of.n + k] = of.column[k];
        b->to.hessian_row = places;
        b->to.hessian_column = places + of.n;
        b->to.n_hessian = of.n;
        status = ph_formula_tape(b, PH_PART_SPIN_HESSIAN, of.item, 9 * of.n);
    }
    release(&of);
    return status || places ? status : ph_formula_no_memory(b->err);
}

/* *to (n) <- a number for each spin, of a number or a vector made of parameters; left alone without a text. */
static ph_status read_numbers(ph_formula_builder *b, const char *what, const char *text, const double **to)
{
    const size_t n = b->f->n_factors;
    ph_value value;
    ph_status status = text ? ph_formula_read(b, what, text, NULL, 0, &value) : PH_OK;
    if (status || !text)
        return status;
    const size_t many = (size_t)value.rows * value.columns;
    double *numbers = ph_formulas_room(b->f, (n + many) * sizeof *numbers);
    if (!numbers)
        return ph_formula_no_memory(b->err);
    if (value.rank > 1 || (many != 1 && many != n))
        return ph_fail(b->err, PH_E_INVALID,
                       "%s: one number, or a list of %zu, one for each spin, is expected", what, n);
    for (size_t i = 0; i < many; i++)
        if (b->f->graph.node[value.item[i]].depends & ~PH_ON_PARAMETERS)
            return ph_fail(b->err, PH_E_INVALID, "%s: it is made of numbers and parameters alone", what);
    ph_graph_values(&b->f->graph, value.item, many, &(ph_point){.parameters = b->f->parameters}, numbers + n);
    for (size_t i = 0; i < n; i++)
        numbers[i] = numbers[n + i % many];
    *to = numbers;
    return PH_OK;
}

ph_status ph_formula_find_spins(ph_formula_builder *b, ph_expr *H, ph_expr in_time)
{
    ph_graph *g = &b->f->graph;
    ph_expr form, others;
    parts p = {.list = NULL};
    blocks of = {0};
    unsigned char *degree = ph_graph_degrees(g, H, 1, PH_ON_Z);
    if (!degree)
        return ph_formula_failed(b);
    for (size_t i = 0; i < g->n; i++)
        degree[i] = degree[i] > 2;
    ph_status status = ph_formula_split(b, *H, degree, true, &form, &others);
    free(degree);
    status = status ? status : read_numbers(b, "strengths", b->text->strengths, &b->spins.strengths);
    status = status ? status : read_numbers(b, "damping", b->text->damping, &b->spins.damping);
    if (status)
        return status;
    status = status ? status : find_parts(b, &form, &p, &of);
    free(p.list);
    release(&of);
    if (status == PH_E_NO_MEMORY)
        return g->failed ? ph_formula_failed(b) : ph_formula_no_memory(b->err);
    if (!status)
        *H = ph_graph_add(g, form, others);
    else { /* too many axes */
        b->spins = (ph_spins){.n = b->spins.n, .strengths = b->spins.strengths, .damping = b->spins.damping};
        status = PH_OK;
    }
    say(b, *H, in_time);
    const ph_expr both = ph_graph_add(g, *H, in_time);
    return both == 0 ? status : give_second(b, both);
}
