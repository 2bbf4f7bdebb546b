/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a family. Nothing here is of size n x n, except for the rates of small members. */
#include "family.h"
#include "meter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double tilt = 0.1, resolution = 0.02;

/* ---- The family ---------------------------------------------------------------------------------- */

ph_status family_find(family *f, const char *model, ph_error *err)
{
    *f = (family){.model = ph_model_find(model, err), .rates = {NAN, NAN}};
    if (!f->model)
        return PH_E_UNKNOWN;
    const bool lists =
        f->model->bodies; /* then its size is that of the list, and counts are something else */
    for (size_t i = 0; i < f->model->n_parameters && !f->count && !lists; i++)
        if (f->model->parameters[i].kind == PH_PARAMETER_COUNT)
            f->count = &f->model->parameters[i];
    if (!f->count)
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "%s has one size only; scaling needs a model with a number of parts, such as chain-pendulum",
            model);
    f->preset = &f->model->presets[0];
    for (size_t i = 0; i < f->model->n_presets; i++) {
        const char *name = f->model->presets[i].name;
        if (!strcmp(name, "hanging") || !strcmp(name, "circle") || !strcmp(name, "random"))
            f->preset = &f->model->presets[i];
        f->tilted |= !strcmp(name, "hanging");
    }
    return PH_OK;
}

/* ---- Members ------------------------------------------------------------------------------------- */

/* Resident memory of this process; 0 where it is not known (not on Linux). */
static double resident_bytes(void)
{
    unsigned long size, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%lu %lu", &size, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* z <- every factor turned by `tilt`, about an axis that turns along the chain. Factors of R^d stay. */
static void disturb(const ph_space *space, double *z, double *u, double *z1)
{
    const double pi = 3.14159265358979323846;
    size_t factors = ph_space_factors(space);
    for (size_t i = 0; i < factors; i++) {
        const ph_factor_place *place = ph_space_factor(space, i);
        double angle = pi * ((double)i + 0.5) / (double)factors;
        if (!ph_space_factor_words(space, i)->angular)
            continue;
        u[place->p] = tilt * sin(angle);
        if (place->np == 3)
            u[place->p + 1] = tilt * cos(angle);
    }
    ph_space_act(space, z, u, z1);
    ph_space_correct(space, z1);
    memcpy(z, z1, ph_space_ambient(space) * sizeof *z);
}

double fastest_turn(const ph_space *space, const double *z, const double *zdot, double *w)
{
    double most = 0;
    ph_space_spin(space, z, zdot, w);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double square = 0;
        const double *own = w + ph_factor_algebra(f);
        for (size_t k = 0; k < ph_factor_algebra_numbers(f) && ph_space_factor_words(space, i)->angular; k++)
            square += own[k] * own[k];
        most = fmax(most, sqrt(square));
    }
    return most;
}

/* z, p <- the start. work: space for an element of the algebra, two configurations, and the system's own
 * work. */
static ph_status set_start(member *m, const family *f, const ph_parameter_value *count, double *work,
                           ph_error *err)
{
    const ph_space *space = ph_system_space(m->system);
    size_t nz = ph_space_ambient(space);
    double *zdot = work, *u = zdot + nz, *rest = u + ph_space_algebra(space);
    ph_status status = ph_model_preset(f->model, count, 1, f->preset->name, nz, m->z, zdot, err);
    if (status)
        return status;
    if (f->tilted && ph_space_is_homogeneous(space))
        disturb(space, m->z, u, rest);
    if (ph_space_is_phase_space(space)) /* there are no momenta */
        return PH_OK;
    m->turn = fastest_turn(space, m->z, zdot, u);
    status = ph_system_momentum(m->system, 0, m->z, zdot, m->p, rest);
    return status ? ph_fail(err, status, "the momentum at the start: %s", ph_status_text(status)) : PH_OK;
}

static ph_status make(member *m, const family *f, size_t n, ph_error *err)
{
    double parts = (double)n, *work = NULL;
    ph_parameter_value count = {f->count->name, &parts, 1};
    *m = (member){.n = n, .parts = n, .turn = NAN, .h = NAN};
    ph_status status = ph_model_build_for(f->model, f->preset->name, &count, 1, &m->system, err);
    if (status)
        return status;
    const ph_space *space = ph_system_space(m->system);
    size_t nz = ph_space_ambient(space), np = ph_space_momenta(space);
    if (ph_space_is_phase_space(space) || ph_system_linkage(m->system))
        m->parts = ph_space_factors(space) - !ph_space_factor_words(space, 0)->angular; /* without a cart */
    m->z = calloc(nz + 1, sizeof *m->z);
    m->p = calloc(np + 1, sizeof *m->p);
    work = calloc(2 * nz + ph_space_algebra(space) + ph_system_work(m->system) + 1, sizeof *work);
    if (m->z && m->p && work)
        status = set_start(m, f, &count, work, err);
    else
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu %s", n, f->count->name);
    free(work);
    return status;
}

/* *rate <- the fastest at which a spin turns in the field of the others. */
static ph_status find_turn(const member *m, double *rate, ph_error *err)
{
    const double *strengths = ph_system_spins(m->system)->strengths;
    double *g = calloc(3 * m->parts, sizeof *g);
    ph_status status = g ? ph_spins_gradient(m->system, 0, m->z, g) : PH_E_NO_MEMORY;
    *rate = 0;
    for (size_t i = 0; i < m->parts && !status; i++)
        *rate = fmax(*rate,
                     sqrt(g[3 * i] * g[3 * i] + g[3 * i + 1] * g[3 * i + 1] + g[3 * i + 2] * g[3 * i + 2]) /
                         fabs(strengths ? strengths[i] : 1));
    free(g);
    return status ? ph_fail(err, status, "the rates of the spins: %s", ph_status_text(status)) : PH_OK;
}

static ph_status find_rate(const member *m, double *rate, ph_error *err)
{
    ph_status status = ph_system_spins(m->system) ? find_turn(m, rate, err)
                                                  : ph_system_fastest_rate(m->system, 0, m->z, rate, err);
    *rate = fmax(*rate, m->turn);
    if (!status && !(*rate > 0))
        status = ph_fail(err, PH_E_SINGULAR,
                         "nothing oscillates or turns here, so there is no default step; give one (-s)");
    return status;
}

static ph_status rate_of_other(const family *f, size_t n, double *rate, ph_error *err)
{
    member m;
    ph_status status = make(&m, f, n, err);
    if (!status)
        status = find_rate(&m, rate, err);
    member_free(&m);
    return status;
}

/* h <- a step that resolves the fastest oscillation. */
static ph_status choose_step(member *m, family *f, ph_error *err)
{
    ph_status status = PH_OK;
    double rate = NAN;
    if (m->n <= FAMILY_LARGE || ph_system_spins(m->system)) {
        status = find_rate(m, &rate, err);
    } else {
        if (!isfinite(f->rates[0]))
            status = rate_of_other(f, FAMILY_SMALL, &f->rates[0], err);
        if (!status && !isfinite(f->rates[1]))
            status = rate_of_other(f, FAMILY_LARGE, &f->rates[1], err);
        double exponent = log(f->rates[1] / f->rates[0]) / log((double)FAMILY_LARGE / FAMILY_SMALL);
        rate = f->rates[1] * pow((double)m->n / FAMILY_LARGE, fmax(0, exponent));
    }
    m->h = resolution / rate;
    return status;
}

ph_status family_build(member *m, family *f, size_t n, double h, ph_error *err)
{
    /* CPU time: other load on the machine does not count */
    double start = meter_now(NULL), before = resident_bytes();
    ph_status status = make(m, f, n, err);
    m->seconds = meter_now(NULL) - start;
    m->bytes = fmax(0, resident_bytes() - before);
    m->h = h;
    if (!status && !(h > 0))
        status = choose_step(m, f, err);
    if (status)
        member_free(m);
    return status;
}

void member_free(member *m)
{
    ph_system_free(m->system);
    free(m->z);
    free(m->p);
    m->system = NULL;
    m->z = m->p = NULL;
}

motion member_motion(const member *m)
{
    return (motion){m->system, 0, m->z, m->p};
}
