/* SPDX-License-Identifier: BSD-3-Clause */
/* What polhode equilibria prints: a table and the families in words, or all of it as JSON. */
#include "equilibria.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

size_t equilibria_frequencies(const ph_equilibrium *at, double *frequencies)
{
    size_t n = 0;
    const double least = 1e-9 * hypot(at->real[0], at->imaginary[0]);
    for (size_t i = 0; i < 2 * at->modes; i++) {
        if (!(at->imaginary[i] > least))
            continue;
        size_t k = n++;
        for (; k && frequencies[k - 1] < at->imaginary[i]; k--)
            frequencies[k] = frequencies[k - 1];
        frequencies[k] = at->imaginary[i];
    }
    return n;
}

/* ---- The table ----------------------------------------------------------------------------------------------- */

enum { TEXT_MOST = 200, FREQUENCIES_SHOWN = 6 };

static void put(char text[TEXT_MOST], const char *format, double value)
{
    const size_t used = strlen(text);
    if (used < TEXT_MOST - 20)
        snprintf(text + used, TEXT_MOST - used, format, value);
}

static void write_frequencies(const ph_equilibrium *at, char text[TEXT_MOST])
{
    double frequencies[2 * 256];
    text[0] = '\0';
    const size_t n = 2 * at->modes <= 512 ? equilibria_frequencies(at, frequencies) : 0;
    const size_t some =
        n > FREQUENCIES_SHOWN ? FREQUENCIES_SHOWN / 2 : n; /* the highest, and as many of the lowest */
    for (size_t i = 0; i < some; i++)
        put(text, i ? " %.5g" : "%.5g", frequencies[i]);
    if (n > some)
        put(text, " (%g more)", (double)(n - 2 * some));
    for (size_t i = n - some; i < n && n > some; i++)
        put(text, " %.5g", frequencies[i]);
}

/* Where it points: of vectors their angles from the axis, of a body the axis in its frame. Without an axis, and on
 * other factors, the coordinates. */
static void write_shape(const findings *f, const ph_equilibrium *at, char text[TEXT_MOST])
{
    const ph_space *space = ph_system_space(f->system);
    const double *axis = f->symmetry && !f->symmetry->generator ? f->symmetry->axis : NULL;
    text[0] = '\0';
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *p = ph_space_factor(space, i);
        const double *q = at->z + p->z;
        if (i)
            put(text, ",", 0);
        if (axis && p->kind == PH_FACTOR_S2) {
            const double along = q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2];
            const double x = q[1] * axis[2] - q[2] * axis[1], y = q[2] * axis[0] - q[0] * axis[2],
                         z = q[0] * axis[1] - q[1] * axis[0];
            put(text, " %.4f", atan2(sqrt(x * x + y * y + z * z), along) * 180 / acos(-1));
        } else if (axis && p->kind == PH_FACTOR_SO3) {
            for (size_t k = 0; k < 3; k++)
                put(text, " %.5f", q[k] * axis[0] + q[3 + k] * axis[1] + q[6 + k] * axis[2] + 0.0);
        } else {
            for (size_t k = 0; k < p->nz; k++)
                put(text, " %.5g", q[k]);
        }
    }
}

static const char *name_shape(const findings *f)
{
    const ph_space *space = ph_system_space(f->system);
    const ph_factor_kind kind = ph_space_factor(space, 0)->kind;
    bool alike = f->symmetry && !f->symmetry->generator;
    for (size_t i = 0; i < ph_space_factors(space); i++)
        alike &= ph_space_factor(space, i)->kind == kind;
    return alike && kind == PH_FACTOR_S2    ? "angles from the axis [deg]"
           : alike && kind == PH_FACTOR_SO3 ? "axis in the body frame"
                                            : "configuration";
}

static void print_heading(const findings *f)
{
    printf("model      %s\n", ph_scenario_model(f->scenario)->name);
    if (f->symmetry && f->momentum != 0)
        printf("symmetry   %s: %s; momentum %.10g %s\n", f->symmetry->name, f->symmetry->text, f->momentum,
               f->symmetry->unit);
    else
        printf("at rest    equilibria without rotation%s\n",
               f->symmetry ? "; --momentum gives another momentum than 0" : "");
    printf("found      %zu from %lld starts\n", f->n, (long long)f->starts);
}

static void print_table(const findings *f)
{
    char frequencies[TEXT_MOST], shape[TEXT_MOST], growth[24];
    printf("\n%3s  %13s  %15s  %-17s  %10s  %-24s %s\n", "", "rate [rad/s]", "energy [J]", "", "growth [1/s]",
           "frequencies [rad/s]", name_shape(f));
    for (size_t i = 0; i < f->n; i++) {
        const ph_equilibrium *at = f->at[i];
        write_frequencies(at, frequencies);
        write_shape(f, at, shape);
        snprintf(growth, sizeof growth, at->growth > 0 ? "%.6g" : "-", at->growth);
        printf("%3zu  %13.9g  %15.10g  %-17s  %12s  %-24s%s\n", i + 1, f->symmetry ? at->rate[0] : 0,
               at->energy, ph_stability_text(at->stability), growth, frequencies, shape);
    }
}

static void print_family(const findings *f, const family *x)
{
    if (x->same) {
        printf("%3zu  the other end of an earlier one\n", x->from + 1);
        return;
    }
    if (!x->n) {
        printf("%3zu  no other point: %s\n", x->from + 1, ph_family_end_text(x->end));
        return;
    }
    printf("%3zu  %zu points", x->from + 1, x->n);
    for (size_t i = 0; i < x->n; i++)
        if (x->at[i].mark)
            printf("; %s at momentum %.9g, rate %.9g", ph_family_mark_text(x->at[i].mark), x->at[i].momentum,
                   x->at[i].rate);
    const family_point *last = &x->at[x->n - 1];
    if (x->reached != PH_NO_INDEX)
        printf("; back at this momentum: number %zu\n", x->reached + 1);
    else
        printf("; %s: momentum %.9g, rate %.9g, %s\n", ph_family_end_text(x->end), last->momentum, last->rate,
               ph_stability_text(last->stability));
    (void)f;
}

void equilibria_print(const findings *f)
{
    print_heading(f);
    if (f->n)
        print_table(f);
    if (!f->families)
        return;
    printf("\nFamilies, to momentum %.9g\n", f->to);
    for (size_t i = 0; i < f->n; i++)
        print_family(f, &f->families[i]);
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

json_object *equilibria_eigenvalues(builder *b, const double *real, const double *imaginary, size_t n)
{
    json_object *list = build_array(b);
    for (size_t i = 0; i < n; i++)
        build_append(b, list, build_numbers(b, (const double[]){real[i], imaginary[i]}, 2));
    return build_on_one_line(b, list);
}

static json_object *equilibrium_node(builder *b, const findings *f, size_t i)
{
    const ph_equilibrium *at = f->at[i];
    const size_t nz = ph_space_ambient(ph_system_space(f->system));
    json_object *o = build_object(b);
    build_add(b, o, "number", build_count(b, (int64_t)i + 1));
    build_add(b, o, "momentum", build_number(b, f->momentum));
    build_add(b, o, "rate", build_number(b, f->symmetry ? at->rate[0] : 0));
    build_add(b, o, "energy", build_number(b, at->energy));
    build_add(b, o, "stability", build_text(b, ph_stability_text(at->stability)));
    build_add(b, o, "growth", build_number(b, at->growth));
    build_add(b, o, "eigenvalues", equilibria_eigenvalues(b, at->real, at->imaginary, 2 * at->modes));
    build_add(b, o, "curvature", build_numbers(b, at->curvature, at->modes));
    build_add(b, o, "negative", build_count(b, (int64_t)at->negative));
    build_add(b, o, "zero", build_count(b, (int64_t)at->zero));
    build_add(b, o, "q", build_numbers(b, at->z, nz));
    build_add(b, o, "qdot", build_numbers(b, at->zdot, nz));
    build_add(b, o, "residual", build_number(b, at->residual));
    build_add(b, o, "iterations", build_count(b, (int64_t)at->iterations));
    return o;
}

static json_object *family_node(builder *b, const family *x)
{
    json_object *o = build_object(b), *list = build_array(b);
    build_add(b, o, "from", build_count(b, (int64_t)x->from + 1));
    build_add(b, o, "to", x->reached == PH_NO_INDEX ? NULL : build_count(b, (int64_t)x->reached + 1));
    build_add(b, o, "same", build_flag(b, x->same));
    build_add(b, o, "end", x->same ? NULL : build_text(b, ph_family_end_text(x->end)));
    for (size_t i = 0; i < x->n; i++) {
        const family_point *p = &x->at[i];
        json_object *node = build_object(b);
        build_add(b, node, "momentum", build_number(b, p->momentum));
        build_add(b, node, "rate", build_number(b, p->rate));
        build_add(b, node, "energy", build_number(b, p->energy));
        build_add(b, node, "stability", build_text(b, ph_stability_text(p->stability)));
        build_add(b, node, "growth", build_number(b, p->growth));
        build_add(b, node, "negative", build_count(b, (int64_t)p->negative));
        build_add(b, node, "mark", p->mark ? build_text(b, ph_family_mark_text(p->mark)) : NULL);
        build_append(b, list, build_on_one_line(b, node));
    }
    build_add(b, o, "points", list);
    return o;
}

int equilibria_print_json(const findings *f)
{
    builder b = {0};
    json_object *o = build_object(&b), *list = build_array(&b), *families = build_array(&b);
    json_object *units = build_object(&b);
    build_add(&b, o, "polhode_equilibria", build_count(&b, 1));
    build_add(&b, o, "model", build_text(&b, ph_scenario_model(f->scenario)->name));
    build_add(&b, o, "symmetry", f->symmetry ? build_text(&b, f->symmetry->name) : NULL);
    build_add(&b, o, "axis",
              f->symmetry && !f->symmetry->generator ? build_numbers(&b, f->symmetry->axis, 3) : NULL);
    build_add(&b, o, "unit", f->symmetry ? build_text(&b, f->symmetry->unit) : NULL);
    build_add(&b, o, "momentum", build_number(&b, f->momentum));
    build_add(&b, o, "starts", build_count(&b, f->starts));
    build_add(&b, units, "energy", build_text(&b, "J"));
    build_add(&b, units, "growth", build_text(&b, "1/s"));
    build_add(&b, units, "eigenvalues", build_text(&b, "1/s"));
    build_add(&b, units, "curvature", build_text(&b, "1/s^2"));
    build_add(&b, o, "units", build_on_one_line(&b, units));
    for (size_t i = 0; i < f->n; i++) {
        build_append(&b, list, equilibrium_node(&b, f, i));
        if (f->families)
            build_append(&b, families, family_node(&b, &f->families[i]));
    }
    build_add(&b, o, "equilibria", list);
    build_add(&b, o, "families", families);
    return print_document(&b, o);
}
