/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradients and forces of callbacks at the stages, for lifts in lanes: at once where the definition has `lanes` for them, else one stage after the
 * other; and what is said of one that fails. */
#include "gauss.h"

#include "lib/internal/lanes.h"

#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

ph_status ph_gauss_note(gauss_scratch *w, double t, const char *what, ph_status status, const double *v,
                        size_t n)
{
    if (!status && !ph_all_finite(v, n))
        status = PH_E_NOT_FINITE;
    if (status) {
        w->failing = what;
        w->failed_at = t;
    }
    return status;
}

void ph_gauss_take_stage(const double *from, size_t n, size_t lane, double *to)
{
    for (size_t k = 0; k < n; k++)
        to[k] = from[GAUSS_STAGES * k + lane];
}

void ph_gauss_give_stage(const double *from, size_t n, size_t lane, double *to)
{
    for (size_t k = 0; k < n; k++)
        to[GAUSS_STAGES * k + lane] = from[k];
}

void ph_gauss_push_lay(gauss_push *p, const ph_system *system, ph_lay *l)
{
    const size_t nz = ph_space_ambient(ph_system_space(system));
    double **lines[] = {&p->z, &p->zdot, &p->push, &p->force}, **ones[] = {&p->one, &p->velocity, &p->f};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        *lines[i] = ph_lay_line(l, GAUSS_STAGES * nz * sizeof(double));
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        *ones[i] = ph_lay_doubles(l, nz);
    p->work = ph_lay_doubles(l, ph_lanes_work(system));
}

void ph_gauss_push_init(gauss_push *p, const ph_system *system, size_t lanes, bool has_gradient,
                        bool has_force)
{
    const ph_context one = {.system = system};
    const size_t all = GAUSS_STAGES * ph_space_ambient(ph_system_space(system));
    ph_lanes_place(&p->of, &one, p->work);
    p->of.count = lanes;
    p->has_gradient = has_gradient;
    p->has_force = has_force;
    p->still = ph_system_force_ignores_velocity(system);
    double *const zeros[] = {p->z, p->zdot, p->push, p->force}; /* in lanes without a stage they stay so */
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        memset(zeros[i], 0, all * sizeof *zeros[i]);
}

/* One of the two at a stage, by the callback itself. */
static ph_status push_alone(gauss_scratch *w, gauss_push *p, bool force, double t, size_t lane)
{
    const size_t nz = ph_space_ambient(ph_system_space(w->system));
    ph_gauss_take_stage(p->z, nz, lane, p->one);
    if (force && !p->still)
        ph_gauss_take_stage(p->zdot, nz, lane, p->velocity);
    const ph_status status =
        force ? ph_system_force(w->system, t, p->one, p->still ? p->one : p->velocity, p->f)
              : ph_system_gradient(w->system, p->one, p->f);
    ph_gauss_give_stage(p->f, nz, lane, force ? p->force : p->push);
    return ph_gauss_note(w, t, force ? "the force" : "the gradient", status, p->f, nz);
}

ph_status ph_gauss_push(gauss_scratch *w, gauss_push *p, double t, double h)
{
    const gauss_tableau *of = &w->tableau;
    const size_t nz = ph_space_ambient(ph_system_space(w->system));
    double at[GAUSS_STAGES];
    for (size_t lane = 0; lane < GAUSS_STAGES; lane++)
        at[lane] = t + of->node[lane] * h;
    const bool with[] = {p->has_gradient, p->has_force};
    for (int force = 0; force < 2; force++) {
        double *to = force ? p->force : p->push;
        bool once = with[force] && p->of.together & 1u << (force ? PH_LANES_FORCE : PH_LANES_GRADIENT);
        once = once &&
               !(force ? ph_lanes_force(&p->of, at, p->z, p->zdot, to) : ph_lanes_gradient(&p->of, p->z, to));
        for (size_t lane = 0; lane < of->lanes && with[force]; lane++) {
            ph_status status = PH_OK;
            if (!of->used[lane])
                continue;
            if (once) {
                ph_gauss_take_stage(to, nz, lane, p->f);
                status = ph_gauss_note(w, at[lane], force ? "the force" : "the gradient", PH_OK, p->f, nz);
            } else
                status = push_alone(w, p, force, at[lane], lane);
            if (status)
                return status;
        }
    }
    for (size_t k = 0; k < GAUSS_STAGES * nz && p->has_force; k += LANES)
        store(p->push + k, (p->has_gradient ? load(p->push + k) : all_lanes(0)) - load(p->force + k));
    return PH_OK;
}
