/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode equilibria of a system with velocity constraints: the steady motion nearest to the initial state, in words or as
 * JSON. */
#include "equilibria.h"

#include <polhode/domain/steady.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct steady_findings {
    const ph_scenario *scenario;
    const ph_space *space;
    ph_steady *workspace;
    ph_steady_motion *found;
} steady_findings;

enum { PART_TEXT = 80 };

/* "turn about z": what the part does. */
static void describe(const ph_space *space, const ph_steady_part *part, char text[PART_TEXT])
{
    if (part->kind == PH_STEADY_TURN)
        snprintf(text, PART_TEXT, "turn about the %c axis", "xyz"[part->axis]);
    else if (part->kind == PH_STEADY_SHIFT)
        snprintf(text, PART_TEXT, "velocity of factor %zu along coordinate %zu", part->factor + 1,
                 part->axis + 1);
    else if (ph_space_factor(space, part->factor)->kind == PH_FACTOR_S1)
        snprintf(text, PART_TEXT, "spin of factor %zu", part->factor + 1);
    else
        snprintf(text, PART_TEXT, "spin of factor %zu about its %c axis", part->factor + 1,
                 "xyz"[part->axis]);
}

static const char *unit_of(const ph_steady_part *part)
{
    return part->kind == PH_STEADY_SHIFT ? "m/s" : "rad/s";
}

/* ---- Words ------------------------------------------------------------------------------------------------------ */

static void print_eigenvalues(const ph_steady_motion *at)
{
    printf("\nLinear motion near it, without what only moves it to another place\n");
    for (size_t i = 0; i + at->zero < at->modes; i++) {
        const double re = at->real[i], im = at->imaginary[i];
        const double size = hypot(re, im);
        if (im < 0)
            continue; /* with the one of positive imaginary part */
        if (fabs(re) <= 1e-8 * size)
            printf("  oscillates at %.10g rad/s\n", im);
        else
            printf(im > 0 ? "  %s at %.10g /s, oscillating at %.10g rad/s\n" : "  %s at %.10g /s\n",
                   re > 0 ? "grows" : "decays", fabs(re), im);
    }
    if (at->zero)
        printf("  %zu of %zu eigenvalues are 0: directions of the family of steady motions\n", at->zero,
               at->modes);
}

/* A rate for people: 0 where it is the rounding of the others. */
static double round_rate(const steady_findings *f, size_t i)
{
    const double rate = f->found->rate[i],
                 largest = ph_max_norm(f->found->rate, ph_steady_parts(f->workspace));
    return fabs(rate) <= 1e-12 * largest ? 0 : rate;
}

static void print_words(const steady_findings *f)
{
    const ph_steady_motion *at = f->found;
    char text[PART_TEXT];
    printf("%s: steady motion nearest to the initial state (%zu iterations)\n\n",
           ph_scenario_model(f->scenario)->name, at->iterations);
    for (size_t i = 0; i < ph_steady_parts(f->workspace); i++) {
        const ph_steady_part *part = ph_steady_part_at(f->workspace, i);
        describe(f->space, part, text);
        printf("  %-44s %16.10g %s\n", text, round_rate(f, i), unit_of(part));
    }
    printf("  %-44s %16.10g J\n", "energy", at->energy);
    printf("  q");
    for (size_t l = 0; l < ph_space_ambient(f->space); l++)
        printf(" %.7g", at->z[l]);
    print_eigenvalues(at);
    printf("%s\n", at->growth > 0  ? "Unstable."
                   : at->decay > 0 ? "Nothing grows, and some motions are attracted."
                                   : "Nothing grows, and nothing decays.");
}

/* ---- JSON --------------------------------------------------------------------------------------------------------- */

static json_object *rate_node(builder *b, const steady_findings *f, size_t i)
{
    static const char *const kinds[] = {"shift", "turn", "spin"};
    const ph_steady_part *part = ph_steady_part_at(f->workspace, i);
    json_object *o = build_object(b);
    build_add(b, o, "kind", build_text(b, kinds[part->kind]));
    build_add(b, o, "factor",
              part->kind == PH_STEADY_TURN ? NULL : build_count(b, (int64_t)part->factor + 1));
    build_add(b, o, "axis", build_count(b, (int64_t)part->axis + 1));
    build_add(b, o, "rate", build_number(b, f->found->rate[i]));
    build_add(b, o, "unit", build_text(b, unit_of(part)));
    return build_on_one_line(b, o);
}

static int print_steady_json(const steady_findings *f)
{
    builder b = {0};
    const ph_steady_motion *at = f->found;
    const size_t nz = ph_space_ambient(f->space);
    json_object *o = build_object(&b), *rates = build_array(&b);
    for (size_t i = 0; i < ph_steady_parts(f->workspace); i++)
        build_append(&b, rates, rate_node(&b, f, i));
    build_add(&b, o, "polhode_steady", build_count(&b, 1));
    build_add(&b, o, "model", build_text(&b, ph_scenario_model(f->scenario)->name));
    build_add(&b, o, "rates", rates);
    build_add(&b, o, "energy", build_number(&b, at->energy));
    build_add(&b, o, "eigenvalues", equilibria_eigenvalues(&b, at->real, at->imaginary, at->modes));
    build_add(&b, o, "zero", build_count(&b, (int64_t)at->zero));
    build_add(&b, o, "growth", build_number(&b, at->growth));
    build_add(&b, o, "decay", build_number(&b, at->decay));
    build_add(&b, o, "q", build_numbers(&b, at->z, nz));
    build_add(&b, o, "qdot", build_numbers(&b, at->zdot, nz));
    build_add(&b, o, "residual", build_number(&b, at->residual));
    build_add(&b, o, "iterations", build_count(&b, (int64_t)at->iterations));
    return print_document(&b, o);
}

/* ---- The search --------------------------------------------------------------------------------------------------- */

static int show(const steady_findings *f, bool json, bool quiet, const char *write)
{
    const ph_steady_motion *at = f->found;
    char about[200];
    int code = EXIT_OK;
    if (json)
        code = print_steady_json(f);
    else if (!quiet)
        print_words(f);
    snprintf(about, sizeof about, "a steady motion, %s; energy %.12g J",
             at->growth > 0 ? "unstable" : "nothing grows", at->energy);
    return code || !write ? code : equilibria_write(f->scenario, 1, at->z, at->zdot, about, write);
}

/* From the initial state of the scenario. */
static ph_status find(steady_findings *f, ph_error *err)
{
    const ph_system *system = ph_scenario_system(f->scenario);
    const double *z = ph_scenario_configuration(f->scenario);
    ph_status status = ph_steady_create(system, &f->workspace, err);
    if (status)
        return status;
    double *work = malloc((ph_space_ambient(f->space) + ph_system_work(system)) * sizeof *work), *zdot = work;
    f->found = ph_steady_motion_create(f->workspace);
    status = f->found && work ? ph_system_velocity(system, ph_scenario_time(f->scenario), z,
                                                   ph_scenario_momentum(f->scenario), zdot,
                                                   work + ph_space_ambient(f->space))
                              : PH_E_NO_MEMORY;
    status = status ? ph_fail(err, status, "the initial velocity: %s", ph_status_text(status))
                    : ph_steady_find(f->workspace, z, zdot, f->found, err);
    free(work);
    return status;
}

int equilibria_steady(const ph_scenario *sc, bool json, bool quiet, const char *write)
{
    steady_findings f = {.scenario = sc, .space = ph_system_space(ph_scenario_system(sc))};
    ph_error err;
    const ph_status status = find(&f, &err);
    const int code = status == PH_E_NO_CONVERGENCE ? complain_of(EXIT_ENDED_EARLY, &err)
                     : status                      ? complain_of(EXIT_INPUT, &err)
                                                   : show(&f, json, quiet, write);
    free(f.found);
    ph_steady_free(f.workspace);
    return code;
}
