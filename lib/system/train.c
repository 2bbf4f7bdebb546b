/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocities, accelerations, momenta and impulses of trains on wheels (polhode/kit/train.h), each by a pass over the nodes. Products
 * of the dense matrices have the same values, also where |q| is not 1. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/solve.h>
#include <polhode/kit/train.h>

#include "system.h"

#include <math.h>
#include <string.h>

/* A wheel whose direction is nearer than this to the normal of its link (cosine) does not decide how the link turns. */
static const double least_share = 0.05;

const ph_train *ph_system_train(const ph_system *s)
{
    return s ? ph_system_root(s)->train : NULL;
}

void ph_train_lay(const ph_train *t, ph_lay *l, ph_train_frame *f)
{
    f->W = ph_lay_doubles(l, (t->factors + 1) * t->free);
    f->X = ph_lay_doubles(l, 2 * t->nodes * t->free);
    f->K = ph_lay_doubles(l, t->free * t->free);
    f->A = ph_lay_doubles(l, 2 * t->nodes);
}

size_t ph_train_work(const ph_train *t)
{
    ph_lay l = {NULL, 0};
    ph_train_frame frame;
    ph_train_lay(t, &l, &frame);
    return l.bytes / sizeof(double);
}

/* K <- the inertia of the columns. */
static void find_inertia(const ph_train *t, const double *z, ph_train_frame *f)
{
    const size_t k = t->free;
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b <= a; b++)
            f->K[a * k + b] = t->mass * ph_dot2(f->X + 2 * a, f->X + 2 * b);
    for (size_t j = 1; j < t->factors; j++) {
        const ph_train_body *body = &t->body[j];
        const double *q = z + 2 * j, *rate = f->W + (j + 1) * k, *X = f->X + 2 * k * (size_t)body->base;
        const double own = 0.5 * body->inertia * ph_dot2(q, q);
        double along[PH_TRAIN_FREE];
        for (size_t a = 0; a < k; a++)
            along[a] = body->moment * ph_cross2(q, X + 2 * a) + own * rate[a];
        for (size_t a = 0; a < k; a++)
            for (size_t b = 0; b <= a; b++)
                f->K[a * k + b] += along[a] * rate[b] + along[b] * rate[a];
    }
}

bool ph_train_find_frame(const ph_train *t, const double *z, ph_train_frame *f)
{
    const size_t k = t->free;
    const double *along = z + 2 * t->node[0].wheel;
    memset(f->W, 0, (t->factors + 1) * k * sizeof *f->W);
    f->W[0] = along[0];
    f->W[k] = along[1];
    for (size_t c = 1; c < k; c++)
        f->W[(size_t)(t->turns[c] + 1) * k + c] = 1;
    for (size_t c = 0; c < k; c++) {
        f->X[2 * c] = f->W[c];
        f->X[2 * c + 1] = f->W[k + c];
    }
    for (size_t i = 1; i < t->nodes; i++) {
        const ph_train_node *n = &t->node[i];
        const double *q = z + 2 * n->link, *before = f->X + 2 * k * (size_t)n->parent;
        double *rate = f->W + (size_t)(n->link + 1) * k, *X = f->X + 2 * k * i;
        if (n->wheel) {
            const double *e = z + 2 * n->wheel, share = ph_dot2(e, q);
            if (!(fabs(share) >= least_share))
                return false;
            for (size_t c = 0; c < k; c++)
                rate[c] = -ph_cross2(e, before + 2 * c) / (n->length * share);
        }
        for (size_t c = 0; c < k; c++) {
            X[2 * c] = before[2 * c];
            X[2 * c + 1] = before[2 * c + 1];
            ph_add_turned2(X + 2 * c, n->length * rate[c], q);
        }
    }
    find_inertia(t, z, f);
    return !ph_cholesky_factor(k, f->K);
}

void ph_train_spread(const ph_train *t, const double *z, const double *x, const double *s, double *V)
{
    memcpy(V, x, 2 * sizeof *V);
    for (size_t i = 1; i < t->nodes; i++) {
        const ph_train_node *n = &t->node[i];
        const double *q = z + 2 * n->link, *before = V + 2 * n->parent, out = s ? n->length * s[n->link] : 0;
        V[2 * i] = before[0] + out * q[0];
        V[2 * i + 1] = before[1] + out * q[1];
        ph_add_turned2(V + 2 * i, n->length * x[n->link + 1], q);
    }
}

/* x, A <- with the free velocities 0. */
static void find_particular(const ph_train *t, const double *z, const double *s, const double *sideways,
                            double *x, double *A)
{
    const double *along = z + 2 * t->node[0].wheel;
    memset(x, 0, (t->factors + 1) * sizeof *x);
    if (sideways)
        ph_add_turned2(x, sideways[0] / ph_dot2(along, along), along);
    memcpy(A, x, 2 * sizeof *A);
    for (size_t i = 1; i < t->nodes; i++) {
        const ph_train_node *n = &t->node[i];
        const double *q = z + 2 * n->link, *before = A + 2 * n->parent, out = s ? n->length * s[n->link] : 0;
        double *V = A + 2 * i, *rate = &x[n->link + 1];
        V[0] = before[0] + out * q[0];
        V[1] = before[1] + out * q[1];
        if (n->wheel) {
            const double *e = z + 2 * n->wheel;
            *rate = ((sideways ? sideways[i] : 0) - ph_cross2(e, V)) / (n->length * ph_dot2(e, q));
        }
        ph_add_turned2(V, n->length * *rate, q);
    }
}

void ph_train_solve(const ph_train *t, const ph_train_frame *f, const double *z, const double *F,
                    const double *s, const double *sideways, double *x)
{
    const size_t k = t->free, np = t->factors + 1;
    double u[PH_TRAIN_FREE];
    find_particular(t, z, s, sideways, x, f->A);
    for (size_t c = 0; c < k; c++) {
        u[c] = -t->mass * ph_dot2(f->X + 2 * c, x);
        for (size_t j = 0; j < np && F; j++)
            u[c] += F[j] * f->W[j * k + c];
    }
    for (size_t j = 1; j < t->factors && (s || sideways); j++) {
        const ph_train_body *body = &t->body[j];
        const double *q = z + 2 * j, *rate = f->W + (j + 1) * k, *X = f->X + 2 * k * (size_t)body->base,
                     *A = f->A + 2 * body->base;
        const double own = body->inertia * ph_dot2(q, q) * x[j + 1] + body->moment * ph_cross2(q, A);
        double E[2] = {0, 0};
        if (s) {
            E[0] = body->moment * s[j] * q[0];
            E[1] = body->moment * s[j] * q[1];
        }
        ph_add_turned2(E, body->moment * x[j + 1], q);
        for (size_t c = 0; c < k; c++)
            u[c] -= ph_dot2(E, X + 2 * c) + own * rate[c];
    }
    ph_cholesky_solve(k, f->K, u);
    for (size_t j = 0; j < np; j++)
        for (size_t c = 0; c < k; c++)
            x[j] += u[c] * f->W[j * k + c];
}

void ph_train_momentum(const ph_train *t, const double *z, const double *x, double *p, double *V)
{
    ph_train_spread(t, z, x, NULL, V);
    for (size_t j = 1; j < t->factors; j++) {
        const ph_train_body *body = &t->body[j];
        const double *q = z + 2 * j;
        p[j + 1] = body->moment * ph_cross2(q, V + 2 * body->base) + body->inertia * ph_dot2(q, q) * x[j + 1];
    }
    memset(V, 0, 2 * t->nodes * sizeof *V);
    for (size_t j = 1; j < t->factors; j++)
        ph_add_turned2(V + 2 * t->body[j].base, t->body[j].moment * x[j + 1], z + 2 * j);
    for (size_t i = t->nodes; i-- > 1;) {
        const ph_train_node *n = &t->node[i];
        p[n->link + 1] += n->length * ph_cross2(z + 2 * n->link, V + 2 * i);
        V[2 * n->parent] += V[2 * i];
        V[2 * n->parent + 1] += V[2 * i + 1];
    }
    for (int k = 0; k < 2; k++)
        p[k] = t->mass * x[k] + V[k];
}

void ph_train_impulses(const ph_train *t, const double *z, const double *r, double *impulse, double *p,
                       double *V)
{
    memset(p, 0, (t->factors + 1) * sizeof *p);
    memset(V, 0, 2 * t->nodes * sizeof *V);
    for (size_t i = t->nodes; i-- > 0;) {
        const ph_train_node *n = &t->node[i];
        const double *q = z + 2 * n->link, *e = z + 2 * n->wheel;
        double *push = V + 2 * i, mu = 0;
        if (i == 0) {
            const double off[2] = {r[0] - push[0], r[1] - push[1]};
            mu = ph_cross2(e, off) / ph_dot2(e, e);
        } else if (n->wheel) {
            mu = (r[n->link + 1] - p[n->link + 1] - n->length * ph_cross2(q, push)) /
                 (n->length * ph_dot2(e, q));
        }
        if (n->wheel) {
            ph_add_turned2(push, mu, e);
            impulse[n->row] = mu / n->scale;
        }
        if (i == 0)
            break;
        p[n->link + 1] += n->length * ph_cross2(q, push);
        V[2 * n->parent] += push[0];
        V[2 * n->parent + 1] += push[1];
    }
    memcpy(p, V, 2 * sizeof *p);
}
