/* SPDX-License-Identifier: BSD-3-Clause */
/* A motion of a bundle: its state, its steps (whole or not at all) and their composition. */
#include <polhode/algebra.h>
#include <polhode/memory.h>

#include "bundle-motion.h"
#include "lib/internal/missing.h"

#include <math.h>
#include <stdlib.h>

/* ---- Creation ---------------------------------------------------------------------------------------- */

static ph_status choose_composition(ph_bundle_motion *m, const char *name, ph_error *err)
{
    static const char words[] = PH_COMPOSITION_WORDS;
    const char *word = words;
    if (!name)
        return PH_OK;
    if (m->rule == PH_BUNDLE_RK4)
        return ph_fail(err, PH_E_INVALID, "rk4 is not composed: compositions are of the discrete step");
    for (int i = 0; *word; i++) {
        const size_t length = strcspn(word, " ");
        int order;
        if (i && length == strlen(name) && !strncmp(word, name, length)) {
            m->composition = ph_composition_chosen(0, i, &order);
            return PH_OK;
        }
        word += length + (word[length] == ' ');
    }
    return ph_fail(err, PH_E_UNKNOWN, "there is no composition %s; there are: %s", name,
                   strchr(words, ' ') + 1);
}

static void lay_place(const ph_bundle *b, ph_bundle_place *p, ph_lay *l)
{
    p->x = ph_lay_doubles(l, b->na);
    p->x_low = ph_lay_doubles(l, b->na);
    p->y = ph_lay_doubles(l, b->np);
    p->h = ph_lay_doubles(l, b->nh);
    p->h_low = ph_lay_doubles(l, b->nh);
}

static void lay_scratch(const ph_bundle *b, ph_bundle_scratch *s, ph_lay *l)
{
    const size_t point = ph_point_size(b), frame = b->nb * b->np, square = b->nb * b->nb;
    const size_t algebra = 2 * b->np + b->g;
    double **part[] = {&s->c,     &s->c0,    &s->r,    &s->scale, &s->P0,   &s->P1,  &s->Pm,      &s->slope,
                       &s->beta0, &s->beta1, &s->beta, &s->D,     &s->B,    &s->low, &s->bracket, &s->turned,
                       &s->A,     &s->J,     &s->x1,   &s->v,     &s->w,    &s->f,   &s->push,    &s->lift,
                       &s->basis, &s->point, &s->work, &s->stage, &s->rate, &s->hh};
    const size_t size[] = {b->nb,
                           b->nb,
                           b->nb,
                           b->nb,
                           point,
                           point,
                           point,
                           b->nb * point,
                           frame,
                           frame,
                           frame,
                           b->n,
                           b->n,
                           b->n,
                           b->np,
                           b->np,
                           square,
                           square,
                           b->na,
                           2 * b->na,
                           b->np,
                           b->g,
                           b->n,
                           2 * b->n,
                           ph_space_basis_size(b->base),
                           ph_bundle_point_work(b),
                           ph_bundle_work(b),
                           algebra,
                           3 * algebra,
                           2 * b->nh};
    ph_newton_place(&s->newton, b->nb, l);
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++)
        *part[i] = ph_lay_doubles(l, size[i]);
    s->pivot = ph_lay_bytes(l, b->nb * sizeof *s->pivot);
}

static ph_status check_step_size(double h, ph_error *err)
{
    return isfinite(h) && h != 0
               ? PH_OK
               : ph_fail(err, PH_E_RANGE,
                         "the step size is %g s; it must be finite and not 0 (negative runs backwards)", h);
}

ph_status ph_bundle_motion_create(const ph_bundle *b, ph_bundle_rule rule, const char *composition, double h,
                                  ph_bundle_motion **motion, ph_error *err)
{
    if (!b)
        return ph_not_created(err, "bundle", "ph_bundle_create");
    if ((unsigned)rule > PH_BUNDLE_RK4)
        return ph_fail(err, PH_E_INVALID, "the rule is %d: it is to be one of ph_bundle_rule", (int)rule);
    ph_status status = check_step_size(h, err);
    ph_bundle_motion *m = status ? NULL : calloc(1, sizeof *m);
    ph_lay l = {NULL, 0};
    if (status)
        return status;
    if (m) {
        lay_place(b, &m->now, &l);
        lay_place(b, &m->next, &l);
        lay_scratch(b, &m->s, &l);
        m->block = calloc(1, l.bytes);
    }
    if (!m || !m->block) {
        ph_bundle_motion_free(m);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    l = (ph_lay){m->block, 0};
    lay_place(b, &m->now, &l);
    lay_place(b, &m->next, &l);
    lay_scratch(b, &m->s, &l);
    m->b = b;
    m->rule = rule;
    m->h = h;
    m->context = (ph_context){.statistics = &m->statistics, .error = &m->error};
    status = choose_composition(m, composition, err);
    if (status)
        ph_bundle_motion_free(m);
    else
        *motion = m;
    return status;
}

void ph_bundle_motion_free(ph_bundle_motion *m)
{
    if (!m)
        return;
    free(m->block);
    free(m);
}

/* ---- State ------------------------------------------------------------------------------------------- */

static void copy_place(const ph_bundle *b, const ph_bundle_place *from, ph_bundle_place *to)
{
    to->t = from->t;
    memcpy(to->x, from->x, b->na * sizeof *to->x);
    memcpy(to->x_low, from->x_low, b->na * sizeof *to->x);
    memcpy(to->y, from->y, b->np * sizeof *to->y);
    memcpy(to->h, from->h, b->nh * sizeof *to->h);
    memcpy(to->h_low, from->h_low, b->nh * sizeof *to->h);
}

ph_status ph_bundle_motion_set(ph_bundle_motion *m, double t, const double *x, const double *v,
                               const double *h, ph_error *err)
{
    static const double closely = 1e-9;
    if (!m)
        return ph_not_created(err, "motion", "ph_bundle_motion_create");
    const ph_bundle *b = m->b;
    ph_bundle_place *at = &m->next;
    if (!isfinite(t) || !ph_all_finite(x, b->na) || !ph_all_finite(v, b->na) || !ph_all_finite(h, b->nh))
        return ph_fail(err, PH_E_NOT_FINITE, "t, x, v or h is not finite");
    if (!(ph_space_residual(b->base, x) < closely))
        return ph_fail(err, PH_E_NOT_ON_MANIFOLD, "x is off the base by %.2g", ph_space_residual(b->base, x));
    if (!(ph_space_residual(b->fibre, h) < closely))
        return ph_fail(err, PH_E_NOT_ON_MANIFOLD, "h is off the group by %.2g",
                       ph_space_residual(b->fibre, h));
    if (!(ph_space_tangency(b->base, x, v) < closely * fmax(1, ph_max_norm(v, b->na))))
        return ph_fail(err, PH_E_NOT_TANGENT, "v is off the tangent space of the base by %.2g",
                       ph_space_tangency(b->base, x, v));
    memcpy(at->x, x, b->na * sizeof *x);
    memcpy(at->h, h, b->nh * sizeof *h);
    memset(at->x_low, 0, b->na * sizeof *at->x_low);
    memset(at->h_low, 0, b->nh * sizeof *at->h_low);
    ph_space_correct(b->base, at->x);
    ph_space_correct(b->fibre, at->h);
    at->t = t;
    memcpy(m->s.v, v, b->na * sizeof *v);
    ph_space_project_tangent(b->base, at->x, m->s.v);
    ph_status status = ph_bundle_momentum(b, at->x, m->s.v, at->y, NULL, NULL, m->s.work);
    if (status)
        return ph_fail(err, status, "the bundle cannot be evaluated at x: %s", ph_status_text(status));
    copy_place(b, at, &m->now);
    m->t_base = t;
    m->k = 0;
    m->set = true;
    return PH_OK;
}

ph_status ph_bundle_motion_set_step_size(ph_bundle_motion *m, double h, ph_error *err)
{
    if (!m)
        return ph_not_created(err, "motion", "ph_bundle_motion_create");
    ph_status status = check_step_size(h, err);
    if (status)
        return status;
    m->t_base = m->now.t;
    m->k = 0;
    m->h = h;
    return PH_OK;
}

double ph_bundle_motion_time(const ph_bundle_motion *m)
{
    return m->now.t;
}

const double *ph_bundle_motion_base(const ph_bundle_motion *m)
{
    return m->now.x;
}

const double *ph_bundle_motion_y(const ph_bundle_motion *m)
{
    return m->now.y;
}

const double *ph_bundle_motion_group(const ph_bundle_motion *m)
{
    return m->now.h;
}

int64_t ph_bundle_motion_newton_passes(const ph_bundle_motion *m)
{
    return m->statistics.newton_passes;
}

/* ---- Steps ------------------------------------------------------------------------------------------- */

/* m->next <- a step of m->h from m->now. */
static ph_status step(ph_bundle_motion *m)
{
    const ph_composition *c = m->composition;
    ph_status status = PH_OK;
    m->error.message[0] = '\0';
    copy_place(m->b, &m->now, &m->next);
    if (m->rule == PH_BUNDLE_RK4)
        return ph_bundle_rk4_step(m, m->h);
    if (!c)
        return ph_bundle_discrete_step(m, m->h);
    for (size_t i = 0; i < c->stages && !status; i++)
        status = ph_bundle_discrete_step(m, ph_composition_gamma(c, i) * m->h);
    return status;
}

ph_status ph_bundle_motion_step(ph_bundle_motion *m, int64_t n, ph_error *err)
{
    if (!m)
        return ph_not_created(err, "motion", "ph_bundle_motion_create");
    if (!m->set)
        return ph_fail(err, PH_E_INVALID, "the motion has no state yet: call ph_bundle_motion_set");
    for (int64_t i = 0; i < n; i++) {
        ph_status status = step(m);
        if (status)
            return ph_fail(err, status, "%s", m->error.message);
        copy_place(m->b, &m->next, &m->now);
        m->k++;
        m->now.t = m->t_base + (double)m->k * m->h; /* times of steps do not add up rounding */
    }
    return PH_OK;
}
