/* SPDX-License-Identifier: BSD-3-Clause */
/* What truncation of the mutual potential costs (polhode/domain/convergence.h). With S_N the force or torque by all terms up to order
 * N and d_N = S_N - S_(N-1), the error of order N is about
 *
 *     |S_8 - S_N| + (|d_7| + |d_8|) q/(1 - q),   q = (|d_7| + |d_8|)/(|d_5| + |d_6|), at most (radii/distance)^2.
 *
 * Two orders are taken together, as bodies that are symmetric about their centres have no odd ones. */
#include <polhode/domain/convergence.h>

#include "gravitation.h"

#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

enum { MOST = PH_MASS_DEGREE, ORDERS = PH_MASS_DEGREE + 1 };

/* Sums of all terms up to each order. */
typedef struct sums {
    double force[ORDERS][3], torque_a[ORDERS][3], torque_b[ORDERS][3];
} sums;

static double apart(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return ph_norm3(d);
}

/* error (ORDERS) <- relative to the last sum; bound: on q. */
static void estimate(double sum[ORDERS][3], double bound, double *error)
{
    const double last = apart(sum[MOST], sum[MOST - 1]) + apart(sum[MOST - 1], sum[MOST - 2]),
                 before = apart(sum[MOST - 2], sum[MOST - 3]) + apart(sum[MOST - 3], sum[MOST - 4]),
                 size = ph_norm3(sum[MOST]);
    const double q = fmin(last / before, bound);
    const double tail = last == 0 ? 0 : q < 1 ? last * q / (1 - q) : INFINITY;
    for (size_t n = 0; n < ORDERS; n++) {
        const double off = apart(sum[MOST], sum[n]) + tail;
        error[n] = off == 0 ? 0 : off / size;
    }
}

static void sum_orders(const ph_mass *a, const ph_mass *b, double G, const double r[3], const double C[9],
                       sums *s)
{
    ph_attraction pull;
    for (size_t n = 0; n < ORDERS; n++) {
        ph_attract(a, b, n, G, r, C, &pull);
        memcpy(s->force[n], pull.force, sizeof pull.force);
        memcpy(s->torque_a[n], pull.torque_a, sizeof pull.torque_a);
        memcpy(s->torque_b[n], pull.torque_b, sizeof pull.torque_b);
    }
}

ph_status ph_gravitation_convergence(const ph_gravitation *g, double t, const double *z, size_t a, size_t b,
                                     ph_convergence *c, ph_error *err)
{
    const bool central = a == PH_NO_INDEX && g->central;
    double x[3], r[3], Ra[9], C[9];
    sums s;
    if (b >= g->n || (a >= b && !central))
        return ph_fail(err, PH_E_RANGE, "bodies %zu and %zu are not a pair of %zu bodies in their order",
                       a + 1, b + 1, g->n);
    const ph_mass *first = central ? &g->central->mass : &g->body[a].mass, *second = &g->body[b].mass;
    for (size_t k = 0; k < 3; k++)
        x[k] = g->relative ? z[k] : z[3 * b + k] - (central ? 0 : z[3 * a + k]);
    if (central)
        ph_gravitation_central_attitude(g, t, Ra);
    else
        memcpy(Ra, ph_gravitating_attitude(g, a, z), sizeof Ra);
    ph_apply_transposed3(Ra, x, r);
    ph_transposed_multiply3(Ra, ph_gravitating_attitude(g, b, z), C);
    c->distance = ph_norm3(x);
    c->radii = first->radius + second->radius;
    const double ratio = c->radii / c->distance, bound = ratio < 1 ? ratio * ratio : INFINITY;
    sum_orders(first, second, g->G, r, C, &s);
    estimate(s.force, bound, c->force);
    estimate(s.torque_a, bound, c->torque_a);
    estimate(s.torque_b, bound, c->torque_b);
    return PH_OK;
}
