/* SPDX-License-Identifier: BSD-3-Clause */
/* Models that are formulas: see text.h. */
#include "text.h"
#include "body.h"

#include "lib/formula/builder.h"

#include <polhode/kit/elementary.h>
#include <polhode/kit/rotation.h>

#include <stdio.h>

enum { MOST_PARAMETERS = 32, MOST_NUMBERS = 32 };

/* A text with the values of its parameters. */
typedef struct reading {
    const ph_text *text;
    ph_formula_definition d;
    ph_formula_parameter parameters[MOST_PARAMETERS];
    ph_formulas *f; /* for numbers: of parts, of initial conditions */
    const double *z, *v, *omega;
    ph_error *err;
} reading;

static size_t lines(const ph_formula_line *line, size_t most)
{
    size_t n = 0;
    while (n < most && line[n].text)
        n++;
    return n;
}

/* The definition of the text, and its names in r->f. */
static ph_status begin(reading *r, const ph_text *text, const ph_model_table *table, ph_error *err)
{
    *r = (reading){.text = text, .err = err};
    ph_formula_definition *d = &r->d;
    size_t n_parameters = 0;
    for (size_t i = 0; i < table->model->n_parameters; i++) {
        const ph_parameter_value *row = &table->row[i];
        const size_t n = ph_parameter_length(row);
        if (!ph_formula_reserved(row->name, strlen(row->name))) /* or the text cannot mean it */
            r->parameters[n_parameters++] = (ph_formula_parameter){row->name, n > 1, n, 1, row->values, NULL};
    }
    *d = (ph_formula_definition){.space = text->space,
                                 .n_space = lines(text->space, PH_LENGTH(text->space)),
                                 .parameters = r->parameters,
                                 .n_parameters = n_parameters,
                                 .where = text->where,
                                 .n_where = lines(text->where, PH_LENGTH(text->where)),
                                 .kinetic = text->kinetic,
                                 .potential = text->potential,
                                 .energy = text->energy,
                                 .forces = text->forces,
                                 .constraints = text->constraints,
                                 .points = text->points,
                                 .n_points = lines(text->points, PH_LENGTH(text->points))};
    while (d->n_forces < PH_LENGTH(text->forces) &&
           (text->forces[d->n_forces].at || text->forces[d->n_forces].on))
        d->n_forces++;
    while (d->n_constraints < PH_LENGTH(text->constraints) && text->constraints[d->n_constraints])
        d->n_constraints++;
    ph_status status = ph_formulas_create(&r->f, err);
    return status ? status : ph_formula_read_names(d, r->f, err);
}

/* x (most) <- the numbers of a text, zeros behind them and where it is NULL; *n <- how many. */
static ph_status evaluate(reading *r, const char *what, const char *text, size_t most, double *x, size_t *n)
{
    ph_value value;
    memset(x, 0, most * sizeof *x);
    if (!text)
        return PH_OK;
    ph_status status = ph_formulas_read(r->f, what, text, PH_FORMULA_ROUGH, &value, r->err);
    if (status)
        return status;
    const size_t found = ph_value_items(&value);
    if (found > most)
        return ph_fail(r->err, PH_E_SIZE, "%s has %zu numbers", what, found);
    const ph_point at = {r->f->parameters, r->z, r->v, r->omega, 0};
    ph_graph_values(&r->f->graph, value.item, found, &at, x);
    if (n)
        *n = found;
    return r->f->graph.failed ? ph_fail(r->err, r->f->graph.failed, "out of memory") : PH_OK;
}

static ph_status holds(reading *r, const char *when, const char *unless, bool *good)
{
    double is, is_not;
    ph_status status = evaluate(r, "when", when, 1, &is, NULL);
    status = status ? status : evaluate(r, "unless", unless, 1, &is_not, NULL);
    *good = !status && (!when || is != 0) && is_not == 0;
    return status;
}

/* ---- Building ------------------------------------------------------------------------------------- */

static ph_status check_tensor(reading *r)
{
    double J[9], checked[9];
    ph_status status = evaluate(r, "tensor", r->text->tensor, 9, J, NULL);
    const double diagonal[3] = {J[0], J[4], J[8]}, products[3] = {J[5], J[2], J[1]};
    return status || !r->text->tensor ? status : ph_body_tensor(diagonal, products, checked, r->err);
}

/* Part p, its numbers higher by i. */
static ph_status draw_part(reading *r, const ph_text_part *p, size_t i, ph_part_list *parts)
{
    double size[3], shift[3], end[3];
    bool good;
    ph_status status = holds(r, p->when, p->unless, &good);
    if (status || !good)
        return status;
    status = evaluate(r, "size", p->size, 3, size, NULL);
    status = status ? status : evaluate(r, "shift", p->shift, 3, shift, NULL);
    status = status ? status : evaluate(r, "end", p->end, 3, end, NULL);
    ph_scene_part *part = ph_part_add(parts, p->kind, p->point == PH_NO_INDEX ? p->point : p->point + i,
                                      p->frame == PH_NO_INDEX ? p->frame : p->frame + i);
    memcpy(part->size, size, sizeof size);
    memcpy(p->frame == PH_NO_INDEX ? part->a.at : part->a.offset, shift, sizeof shift);
    memcpy(part->b.at, end, sizeof end);
    part->b.point = p->to ? p->to - 1 + i : PH_NO_INDEX;
    part->spin = p->spin ? p->spin + i : PH_NO_INDEX;
    part->name = p->name;
    if (p->laid)
        ph_part_lay(part, 1);
    return status;
}

static ph_status draw(reading *r, ph_part_list *parts)
{
    ph_status status = PH_OK;
    const ph_text_part *p = r->text->parts, *end = p + PH_LENGTH(r->text->parts), *next;
    for (; p < end && (p->kind || p->name || p->size) && !status; p = next) {
        double times = 1;
        next = p + 1;
        if (p->each)
            status = evaluate(r, "each", p->each, 1, &times, NULL);
        while (p->each && next < end && next->each)
            next++;
        for (size_t i = 0; (double)i < times; i++)
            for (const ph_text_part *part = p; part < next && !status; part++)
                status = draw_part(r, part, i, parts);
    }
    return status;
}

ph_status ph_text_build(const ph_text *text, const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_formula_symmetry symmetries[PH_LENGTH(text->symmetries)];
    ph_part_list parts = {0};
    reading r;
    ph_status status = begin(&r, text, table, err);
    status = status ? status : check_tensor(&r);
    status = status ? status : draw(&r, &parts);
    ph_formula_more more = {.symmetries = symmetries, .parts = parts.n ? &parts : NULL};
    for (size_t i = 0; i < PH_LENGTH(text->symmetries) && text->symmetries[i].of.name && !status; i++) {
        const ph_text_symmetry *s = &text->symmetries[i];
        bool good;
        status = holds(&r, s->when, s->unless, &good);
        if (good)
            symmetries[more.n_symmetries++] = s->of;
    }
    if (!status)
        status = ph_formula_system_build(&r.d, &more, system, NULL, err);
    ph_formulas_free(r.f);
    free(parts.at);
    return status;
}

/* ---- Initial conditions ----------------------------------------------------------------------------- */

/* to (most) <- of the text of factor i. */
static ph_status evaluate_part(reading *r, const char *text, size_t i, size_t most, double *to, size_t *n)
{
    char part[512];
    for (const char *next; i && text && (next = strchr(text, ';')); i--)
        text = next + 1;
    const size_t length = text ? strcspn(text, ";") : sizeof part;
    if (length >= sizeof part)
        return ph_fail(r->err, PH_E_INVALID, "a preset has no text for each factor, or one too long");
    memcpy(part, text, length);
    part[length] = '\0';
    return evaluate(r, "preset", part, most, to, n);
}

static void place(const ph_formula_factor *factor, const double *x, size_t n, double *z)
{
    if (n == factor->nz)
        memcpy(z, x, n * sizeof *z);
    if (factor->kind == PH_FACTOR_S1 && n == 1) {
        z[0] = ph_cos(x[0]);
        z[1] = ph_sin(x[0]);
    }
    if (factor->kind == PH_FACTOR_SO3) {
        if (n == 3)
            ph_exp3(x, z);
        ph_rotation_correct3(z);
    }
}

static void move(const ph_formula_factor *factor, const double *z, const double *x, double *zdot)
{
    if (factor->kind == PH_FACTOR_R)
        memcpy(zdot, x, factor->nz * sizeof *zdot);
    else if (factor->kind == PH_FACTOR_S1) {
        zdot[0] = -x[0] * z[1];
        zdot[1] = x[0] * z[0];
    } else if (factor->kind == PH_FACTOR_SO3)
        ph_body_turn(z, x, zdot);
    else
        ph_cross3(x, z, zdot);
}

ph_status ph_text_start_at(const ph_text *text, const ph_model_table *table, size_t which, double *z,
                           double *zdot, ph_error *err)
{
    const ph_text_start *start = &text->starts[which];
    double x[MOST_NUMBERS];
    size_t n;
    reading r;
    ph_status status = begin(&r, text, table, err);
    double *omega = status ? NULL : calloc(r.f->n_omega + 1, sizeof *omega);
    if (!status && !omega)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const size_t factors = status ? 0 : r.f->n_factors, nz = status ? 0 : r.f->nz;
    memset(z, 0, nz * sizeof *z);
    memset(zdot, 0, nz * sizeof *zdot);
    r.z = z, r.v = zdot, r.omega = omega;
    for (size_t i = 0; i < factors && !status; i++) {
        const ph_formula_factor *factor = &r.f->factors[i];
        status = evaluate_part(&r, start->z, i, MOST_NUMBERS, x, &n);
        if (!status)
            place(factor, x, n, z + factor->z);
    }
    for (size_t i = factors; i-- > 0 && !status;) {
        const ph_formula_factor *factor = &r.f->factors[i];
        status = evaluate_part(&r, start->v, i, MOST_NUMBERS, x, &n);
        if (status)
            break;
        memcpy(omega + factor->omega, x, factor->n_omega * sizeof *omega);
        move(factor, z + factor->z, x, zdot + factor->z);
    }
    if (!status && start->needs && !(ph_all_finite(z, nz) && ph_all_finite(zdot, nz)))
        status = ph_fail(err, PH_E_RANGE, "%s", start->needs);
    free(omega);
    ph_formulas_free(r.f);
    return status;
}
