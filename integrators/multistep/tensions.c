/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a multistep method on systems whose inverse inertia is sparse: those of a variational step
 * in multiplier form with a velocity (shared/tensions.h), h^2 sigma times the free acceleration in place
 * of its half. Velocities and accelerations are those of the ambient space. */
#include "integrators/shared/tensions.h"
#include "multistep.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/tensions.h>

#include <string.h>

typedef struct tensions_scratch {
    ph_tension_step eq;
    bool forced;
    double *A, *f, *still; /* (nz) acceleration without the multipliers, force, velocity 0 */
    double *pulls;         /* (nz) */
    double *mu;            /* (nz) */
} tensions_scratch;

static void tensions_lay(const ph_system *system, ph_lay *l)
{
    tensions_scratch counted, *place = ph_lay_bytes(l, sizeof counted), *w = place ? place : &counted;
    const size_t nz = ph_space_ambient(ph_system_space(system));
    double **vectors[] = {&w->A, &w->f, &w->still, &w->pulls, &w->mu};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, nz);
    ph_tension_step_lay(&w->eq, system, l);
}

static ph_status tensions_init(void *work, ph_context *context)
{
    tensions_scratch *w = work;
    memset(w->still, 0, w->eq.nz * sizeof *w->still);
    w->forced = ph_system_has_force(context->system);
    ph_tension_step_init(&w->eq);
    return PH_OK;
}

/* w->A <- the acceleration at q without the constraints. */
static ph_status tensions_fall(tensions_scratch *w, const ph_context *context, double t, const double *q)
{
    const size_t nz = w->eq.nz;
    if (w->forced) {
        ph_status status = ph_context_judge(context, "the force", t,
                                            ph_system_force(context->system, t, q, w->still, w->f), w->f, nz);
        if (status)
            return status;
    }
    return ph_context_judge(context, "the gradient of the potential", t,
                            ph_system_free_acceleration(context->system, q, w->forced ? w->f : NULL, w->A),
                            w->A, nz);
}

/* w->A += pulls, about as large as those at the latest point will be: what is left for the multipliers is
 * then small. By the accelerations before it, extrapolated; of these only what is along the unit vectors, so
 * that it is such pulls. */
static void tensions_expect(tensions_scratch *w, const ph_multistep_step *s)
{
    const ph_system *system = w->eq.system;
    const size_t nz = w->eq.nz;
    w->eq.expected = !ph_tension_factor(system, s->q, s->q, w->eq.F, NULL);
    if (!w->eq.expected)
        return;
    for (size_t i = 0; i < w->eq.n; i++) {
        const ph_factor_place *f = ph_space_factor(ph_system_space(system), i);
        w->eq.x[i] = 0;
        for (size_t k = f->z; k < f->z + f->nz && f->kind != PH_FACTOR_R; k++) {
            const double *a = s->earlier + k;
            w->eq.x[i] += s->q[k] * (3 * (a[0] - *(a - nz)) + *(a - 2 * nz) - w->A[k]);
        }
    }
    ph_tension_solve(system, w->eq.F, w->eq.x);
    ph_tension_pull(system, s->q, w->eq.x, w->pulls);
    for (size_t k = 0; k < nz; k++)
        w->A[k] += w->pulls[k];
}

static ph_status tensions_advance(void *work, ph_context *context, const ph_state *state,
                                  const ph_multistep_step *s)
{
    tensions_scratch *w = work;
    const size_t nz = w->eq.nz;
    ph_status status = tensions_fall(w, context, s->t, s->q);
    if (status)
        return status;
    tensions_expect(w, s);
    for (size_t k = 0; k < nz; k++)
        w->mu[k] = 2 * s->sigma * w->A[k];
    ph_tension_motion from = {.velocity = true,
                              .h = 1,
                              .q = s->q,
                              .q_low = s->low,
                              .delta = s->v,
                              .low = s->v_low,
                              .A = w->mu},
                      to = {.velocity = true,
                            .q = s->q1,
                            .q_low = s->low1,
                            .delta = s->v1,
                            .low = s->v1_low,
                            .A = w->still};
    ph_tension_step_begin(&w->eq, s->h, &from, NULL);
    status = ph_tension_step_solve(&w->eq, context, state->t);
    if (status)
        return status;
    ph_tension_pull(context->system, s->q, w->eq.lambda, w->pulls);
    ph_tension_step_end(&w->eq, s->h, &from, w->pulls, &to);
    ph_tension_step_kick(&w->eq, s->h, &from, w->pulls, &to);
    for (size_t k = 0; k < nz; k++) {
        s->u[k] = s->h * (s->sigma * w->A[k]) + w->pulls[k] / s->h;
        s->a[k] = w->A[k] + w->pulls[k] / s->h / (s->h * s->sigma);
    }
    return PH_OK;
}

/* q.a = -|v|^2, with a = A + MM^{-1} (tau q). */
static ph_status tensions_acceleration(void *work, ph_context *context, double t, const double *z,
                                       const double *v, double *a)
{
    tensions_scratch *w = work;
    const ph_space *space = ph_system_space(context->system);
    ph_status status = tensions_fall(w, context, t, z);
    if (!status)
        status = ph_tension_factor(context->system, z, z, w->eq.F, NULL);
    if (status)
        return status;
    for (size_t i = 0; i < w->eq.n; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        w->eq.x[i] = 0;
        for (size_t k = f->z; k < f->z + f->nz && f->kind != PH_FACTOR_R; k++)
            w->eq.x[i] -= v[k] * v[k] + z[k] * w->A[k];
    }
    ph_tension_solve(context->system, w->eq.F, w->eq.x);
    ph_tension_pull(context->system, z, w->eq.x, a);
    for (size_t k = 0; k < w->eq.nz; k++)
        a[k] += w->A[k];
    return PH_OK;
}

static void tensions_momentum(void *work, const double *z, const double *v, double *p)
{
    const tensions_scratch *w = work;
    ph_system_apply_inertia(w->eq.system, v, w->mu);
    ph_space_momentum(ph_system_space(w->eq.system), z, w->mu, p);
}

const ph_multistep_form ph_multistep_tensions = {.lay = tensions_lay,
                                                 .init = tensions_init,
                                                 .advance = tensions_advance,
                                                 .acceleration = tensions_acceleration,
                                                 .momentum = tensions_momentum};
