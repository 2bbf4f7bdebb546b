/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of a system of formulas, lines between them and bodies at them, for figures. */
#include "forces.h"

#include <polhode/kit/elementary.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Points ------------------------------------------------------------------------------------- */

/* Adds a place. */
static ph_status add_point(ph_formula_builder *b, const char *what, const ph_value *value)
{
    const size_t n = b->to.n_points;
    if (value->rank > 1 || value->rows > 3)
        return ph_fail(b->err, PH_E_PARSE, "%s: a point is a vector of up to 3 numbers", what);
    if (n % 64 == 0) { /* full */
        ph_expr *more = ph_formula_nodes(b, 3 * (n + 64));
        if (!more)
            return ph_formula_no_memory(b->err);
        if (n)
            memcpy(more, b->points, 3 * n * sizeof *more);
        b->points = more;
    }
    for (size_t k = 0; k < value->rows; k++) {
        if (b->f->graph.node[value->item[k]].depends & PH_ON_V)
            return ph_fail(b->err, PH_E_PARSE,
                           "%s: a point depends on the configuration and on time, not on velocities", what);
        b->points[3 * n + k] = value->item[k];
    }
    b->to.n_points++;
    return PH_OK;
}

/* ---- Lines -------------------------------------------------------------------------------------- */

/* *from, *to <- the points of a name: PH_NO_INDEX for both of the origin. */
static ph_status find_points(const ph_formula_builder *b, const char *what, const char *name, size_t length,
                             size_t *from, size_t *to)
{
    *from = *to = PH_NO_INDEX;
    if (length == 6 && !memcmp(name, "origin", 6))
        return PH_OK;
    for (size_t i = 0; i < b->text->n_points; i++) {
        const char *known = b->text->points[i].name;
        if (known && strlen(known) == length && !memcmp(known, name, length)) {
            *from = b->first[i], *to = b->first[i + 1] - 1;
            return b->first[i] < b->first[i + 1]
                       ? PH_OK
                       : ph_fail(b->err, PH_E_INVALID, "%s: the list '%.*s' has no points", what, (int)length,
                                 name);
        }
    }
    return ph_fail(b->err, PH_E_UNKNOWN,
                   "%s: there is no point '%.*s'; name them under points, or write origin", what, (int)length,
                   name);
}

static void add_line(ph_formula_builder *b, size_t from, size_t to)
{
    ph_part_end(ph_part_add(&b->parts, PH_SCENE_LINE, from, PH_NO_INDEX), to, PH_NO_INDEX, 0, 0, 0);
}

/* The lines, and a ball at each point. */
static ph_status read_lines(ph_formula_builder *b)
{
    enum { MOST = 100000 };
    const size_t points = b->to.n_points;
    for (size_t i = 0; i < b->text->n_lines; i++) {
        size_t before = 0, from, to;
        const char *begin = b->text->lines[i], *name = begin;
        if (!begin)
            return ph_fail(b->err, PH_E_INVALID, "lines: number %zu is no text (it is NULL)", i + 1);
        for (; *(name += strspn(name, " ")); name += strcspn(name, " ")) {
            ph_status status = find_points(b, "lines", name, strcspn(name, " "), &from, &to);
            if (status)
                return status;
            if (b->parts.n + (to - from) + points > MOST) /* lists that are named again and again */
                return ph_fail(b->err, PH_E_RANGE, "lines: there are more than %d of them", MOST);
            if (name > begin + strspn(begin, " "))
                add_line(b, before, from);
            else if (from == PH_NO_INDEX)
                ph_part_mark(&b->parts, from, NULL, NULL);
            for (; from != to; from++)
                add_line(b, from, from + 1);
            before = to;
        }
    }
    for (size_t k = 0; k < points && b->text->n_lines; k++)
        ph_part_add(&b->parts, PH_SCENE_BALL, k, PH_NO_INDEX);
    return PH_OK;
}

ph_status ph_formula_read_points(ph_formula_builder *b)
{
    static const ph_unit meter = {{PH_UNIT_ONE}};
    const size_t n = b->text->n_points;
    b->first = ph_formulas_room(b->f, (n + 1) * sizeof *b->first);
    ph_status status = b->first ? PH_OK : ph_formula_no_memory(b->err);
    for (size_t i = 0; i < n && !status; i++) {
        ph_value value;
        char what[64];
        const ph_formula_line *point = &b->text->points[i];
        if (!point->text || (point->name && !ph_formula_is_name(point->name, strlen(point->name))))
            return ph_fail(
                b->err, PH_E_INVALID,
                "points: number %zu has no text, or its name is not a letter, then letters, digits and _",
                i + 1);
        snprintf(what, sizeof what, "points: %.40s", point->name ? point->name : point->text);
        if (strchr(point->text, '='))
            status = ph_formula_each(b, what, point->text, add_point);
        else {
            status = ph_formula_read(b, what, point->text, &meter, 0, &value);
            status = status ? status : add_point(b, what, &value);
        }
        b->first[i + 1] = b->to.n_points;
    }
    status = status ? status : read_lines(b);
    return status || !b->to.n_points ? status
                                     : ph_formula_tape(b, PH_PART_POINTS, b->points, 3 * b->to.n_points);
}

/* ---- Bodies ------------------------------------------------------------------------------------- */

/* J <- the tensor of the body that is a factor, where the inertia is constant: its own block of MM is J_d = (tr J / 2) I - J for
 * each row, and so J = (tr J_d) I - J_d. */
static bool find_tensor(const ph_formula_builder *b, const ph_formula_factor *factor, double J[9])
{
    const size_t nz = b->f->nz;
    const double *MM = b->to.ambient_inertia;
    double trace = 0;
    for (size_t i = 0; MM && i < 3; i++)
        trace += MM[(factor->z + i) * (nz + 1)];
    for (size_t i = 0; MM && i < 9; i++)
        J[i] = (i % 4 ? 0 : trace) - MM[(factor->z + i / 3) * nz + factor->z + i % 3];
    return MM != NULL;
}

/* How far a point is from the origin at some configuration, [m]; 1 where it is there. */
static double reach_of(ph_formula_builder *b, size_t point)
{
    double *z = ph_formulas_room(b->f, b->f->nz * sizeof *z), x[3] = {0};
    for (size_t i = 0; z && i < b->f->nz; i++)
        z[i] = ph_sin(1.7 * (double)(i + 1));
    if (z && point != PH_NO_INDEX && !ph_space_project(b->space, z))
        ph_graph_values(&b->f->graph, b->points + 3 * point, 3,
                        &(ph_point){.parameters = b->f->parameters, .z = z}, x);
    const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    return length > 0 && isfinite(length) ? length : 1;
}

ph_status ph_formula_read_bodies(ph_formula_builder *b)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < b->text->n_bodies && !status; i++) {
        const ph_formula_line *body = &b->text->bodies[i];
        const ph_formula_factor *factor = NULL;
        size_t from, to;
        double J[9];
        if (!body->name || !body->text)
            status = ph_fail(b->err, PH_E_INVALID, "bodies: number %zu has no name or no place", i + 1);
        status = status ? status : ph_formula_find_factor(b, "bodies", body->name, &factor);
        if (!status && (!factor || factor->kind != PH_FACTOR_SO3))
            status = ph_fail(b->err, PH_E_UNKNOWN, "bodies: '%.40s' is no factor SO3", body->name);
        status = status ? status : find_points(b, "bodies", body->text, strlen(body->text), &from, &to);
        if (!status && from != to)
            status = ph_fail(b->err, PH_E_INVALID, "bodies: %.40s: '%.40s' is a list; a body is at one point",
                             body->name, body->text);
        if (status)
            break;
        const size_t frame = (size_t)(factor - b->f->factors);
        const double half = 0.5 * reach_of(b, from);
        if (find_tensor(b, factor, J) && J[0] > 0)
            ph_part_inertia(&b->parts, from, frame, 1, J, half);
        ph_part_add(&b->parts, PH_SCENE_AXES, from, frame)->size[0] = 1.3 * half;
    }
    return status;
}
