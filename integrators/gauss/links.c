/* SPDX-License-Identifier: BSD-3-Clause */
/* The lifted field of a row of point masses on massless links, in space or in a plane, on a cart, on a rigid body or without, under gravity:
 * all stages in lanes, O(n). H(q, p) = ext_v {p.v - L(q, v): q_i.v_i = 0} with |q_i|^2 as it is in the stages. With w_i = p_i / l_i, momenta of
 * all that hangs below, and the multipliers sigma_i of these conditions, u_i = w_i - sigma_i q_i is what link i carries,
 *     T sigma = b,     T_ii = (1/m_i + 1/m_{i-1}) |q_i|^2,     T_{i-1,i} = -(1/m_{i-1}) q_{i-1}.q_i,     b_i = q_i.(W w)_i,
 *     x_i' = (u_i - u_{i+1}) / m_i,     q_i' = (x_i' - x_{i-1}') / l_i,     p_i' = l_i (sigma_i q_i' + M_i g),
 * M_i the mass from i on. A fixed point has 1/m_0 = 0; a cart moves along some axes alone, and has u_0 = p_0, p_0' = M_0 g there.
 * A body with momenta m_0 x' + u_1 and Pi = J Omega + d x R^T u_1 has, where the row hangs at x + R d, the velocity v - W u_1, v that without
 * a pull, W = 1/m_0 - R S(d) J^-1 S(d) R^T in the place of 1/m_0, p_0' = M_0 g, and tau = (Omega x d) x R^T u_1 + M_1 d x R^T g.
 * sigma is the impulse of the tension since the gauge was set: there are no terms of squared velocities, and T is solved once.
 *
 * Of a tree T has the pairs of siblings as well. There links are eliminated from the ends to the roots: with the momentum M x' + a of the mass at the
 * end of a link and all that hangs on it, M and a the sums of those of the links that hang there and m, and v the velocity of its other end,
 *     n = M^-1 q,  d = q.n,  g = M^-1 (w - a):     x' = g - sigma n,  sigma = q.(g - v) / d,     u = (w - q (q.g)/d) + (q q^T/d) v.
 *
 * Rounding must not have a sign, or it drifts. W stands in b by differences, as it stands in x', and q_i' and the pull sigma_i l_i q_i' take
 * the same number: whatever the rounding of 1/m_i and 1/l_i is, q.q' = 0 and moments balance. The first link has the row |q_1|^2 sigma_1 = b_1:
 * |q|^2 = 1 + x is within few units of rounding of 1, where reciprocals are rounded upwards more often than downwards, so that b / (1 + x) is
 * taken as b - b (x / (1 + x)).
 *
 * A further potential, which may depend on time, and forces are of q/|q|, so that p' gets (I - q q^T/|q|^2) (f - U_z) / |q|: the potential then
 * is invariant under p -> p + sigma q as well. They are evaluated as gradients and forces of callbacks are (push.c); where there is such a
 * potential, with gravity.
 *
 * Source: Lee, Leok, McClamroch, two-spheres, section V; Legendre's transform with multipliers: Arnold, Mathematical Methods, 14-15. */
#include "gauss.h"

#include "lib/internal/lanes.h"

#include <polhode/kit/tensions.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

enum { AXES = 3 };
/* What the links hang on. */
typedef enum links_root { FIXED, CART, BODY } links_root;

struct links_own;
typedef void links_field(const struct links_own *own, size_t N, const double *Y, double *F);

typedef struct links_own {
    size_t n, axes, cart, front; /* links, numbers of each, axes of the cart; numbers of q before the links */
    links_field *field;
    double carted[AXES], fallen[AXES]; /* of the cart or the body: 1 / m_0 along its axes; M_0 g */
    double hitch[AXES], arm[AXES];     /* of the body: d; d times the share of the links in M_0 */
    double inverse[6], W[6];     /* J^-1; 1 / m_0 - S(d) J^-1 S(d), by which a pull on the hitch moves it */
    double *light;               /* (n + 1) 1 / m_i, of the fixed point or the cart 0 */
    double *over, *weight;       /* (n) 1 / l_i; (n x axes) l_i M_i g */
    double *sigma, *off, *pivot; /* (n x lanes) of a row, ... */
    void *
        nodes; /* ... and of a tree (n + 2): the fixed point, the cart, ends of links, the first one at `node` */
    size_t node, *parent; /* (n) nodes */
    bool *ends;           /* (n) does nothing hang on it? */
    double *mass, *below; /* (n + 2) of nodes, and with what hangs there */
    bool pushed;          /* are there forces or a further potential? */
    gauss_push push;
    double *unit; /* (factors x 8) 1 / |q| */
} links_own;

/* ---- The field ----------------------------------------------------------------------------------------- */

#define EACH for (int g = 0; g < G; g++)

#define LANES_WIDTH 8
#include "integrators/shared/lanes-width.h"

#include "links-lanes.h"
#define LANES_WIDTH 4
#include "integrators/shared/lanes-width.h"

#include "links-lanes.h"
#define LANES_WIDTH 2
#include "integrators/shared/lanes-width.h"

#include "links-lanes.h"
#define LANES_WIDTH 0
#include "integrators/shared/lanes-width.h"

static bool is_pushed(const ph_system *system)
{
    return ph_system_has_force(system) || ph_system_has_further_potential(system);
}

static bool is_row(const ph_linkage *linkage, size_t factors)
{
    bool row = true;
    for (size_t i = 0; row && i < factors; i++)
        row = linkage->parent[i] == (i ? i - 1 : PH_NO_INDEX);
    return row;
}

/* That of a system; where a body carries it, as if the body were a cart, and *body. */
static const ph_linkage *linkage_of(const ph_system *system, const ph_linkage_body **body)
{
    const ph_system *links = NULL;
    *body = ph_system_carrier(system, &links);
    return ph_system_linkage(*body ? links : system);
}

static bool links_takes(const ph_system *system)
{
    const ph_linkage_body *body;
    const ph_linkage *linkage = linkage_of(system, &body);
    return linkage && ph_fast_paths() & PH_PATH_CHAINS &&
           (!body || is_row(linkage, ph_space_factors(ph_system_space(system)) - 1));
}

static void *links_lay(const ph_system *system, size_t lanes, ph_lay *l)
{
    links_own counted, *placed = ph_lay_bytes(l, sizeof counted), *own = placed ? placed : &counted;
    const size_t n = ph_space_factors(ph_system_space(system));
    const ph_linkage_body *body;
    const ph_linkage *linkage = linkage_of(system, &body);
    own->light = ph_lay_doubles(l, n + 1);
    own->over = ph_lay_doubles(l, n);
    own->weight = ph_lay_doubles(l, n * AXES);
    if (is_pushed(system)) {
        ph_gauss_push_lay(&own->push, system, l);
        own->unit = ph_lay_line(l, GAUSS_STAGES * n * sizeof(double));
    }
    if (body || is_row(linkage, n)) {
        own->sigma = ph_lay_line(l, n * lanes * sizeof(double));
        own->off = ph_lay_line(l, n * lanes * sizeof(double));
        own->pivot = ph_lay_line(l, n * lanes * sizeof(double));
        return placed;
    }
    own->nodes = ph_lay_line(l, (n + 1) * sizeof(eight_wide8_node));
    own->parent = ph_lay_bytes(l, n * sizeof *own->parent);
    own->ends = ph_lay_bytes(l, n * sizeof *own->ends);
    own->mass = ph_lay_doubles(l, n + 1);
    own->below = ph_lay_doubles(l, n + 1);
    return placed;
}

/* What hangs on what; the mass from each node on. */
static void plant(links_own *own, const ph_linkage *linkage, size_t factors)
{
    own->node = 1 + (factors - own->n);
    own->mass[0] = own->below[0] = 0;
    for (size_t f = 0; f < factors; f++)
        own->mass[f + 1] = own->below[f + 1] = linkage->mass[f];
    for (size_t k = own->n; k-- > 0;) {
        const size_t f = k + own->node - 1, on = linkage->parent[f];
        own->parent[k] = on == PH_NO_INDEX ? 0 : on + 1;
        own->ends[k] = own->below[f + 1] == own->mass[f + 1];
        own->below[own->parent[k]] += own->below[f + 1];
    }
}

/* The numbers of a body on which links of this share of all mass hang. */
static void hang_on(links_own *own, const ph_linkage_body *body, double share)
{
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    plain2 J[6], inverse[6], turn[3], moved[3];
    for (size_t k = 0; k < 6; k++)
        J[k] = body->inertia[3 * row[k] + column[k]] - (plain2){0};
    eight_plain_invert(J, inverse);
    memcpy(own->hitch, body->hitch, sizeof own->hitch);
    for (size_t k = 0; k < 6; k++) { /* - d x J^-1 (d x e), a row of the second term */
        const plain2 e[3] = {(row[k] == 0) - (plain2){0}, (row[k] == 1) - (plain2){0},
                             (row[k] == 2) - (plain2){0}};
        eight_plain_cross_numbers(own->hitch, e, turn);
        eight_plain_apply_symmetric(inverse, turn, moved);
        eight_plain_cross_numbers(own->hitch, moved, turn);
        own->inverse[k] = inverse[k][0];
        own->W[k] = (row[k] == column[k] ? own->carted[row[k]] : 0) - turn[column[k]][0];
    }
    for (size_t k = 0; k < AXES; k++)
        own->arm[k] = share * own->hitch[k];
}

static ph_status links_init(void *memory, const ph_system *system, size_t lanes)
{
    links_own *own = memory;
    const ph_space *space = ph_system_space(system);
    const ph_linkage_body *body;
    const ph_linkage *linkage = linkage_of(system, &body);
    const size_t factors = ph_space_factors(space) - (body ? 1 : 0);
    const bool cart = ph_space_factor(space, 0)->kind == PH_FACTOR_R, row = is_row(linkage, factors);
    own->n = factors - cart;
    own->axes = ph_space_factor(space, ph_space_factors(space) - 1)->nz; /* of the last link */
    own->cart = cart ? ph_space_factor(space, 0)->nz : 0;
    own->front = own->cart + (body ? 4 : 0);
    own->pushed = is_pushed(system);
    own->push.has_gradient = false;
    if (own->pushed)
        ph_gauss_push_init(&own->push, system, lanes, ph_system_has_further_potential(system),
                           ph_system_has_force(system));
    if (!row)
        plant(own, linkage, factors);
    double below = 0;
    for (size_t k = own->n; k-- > 0;) {
        const double mass = linkage->mass[k + cart], length = linkage->length[k + cart];
        below = row ? below + mass : own->below[own->node + k];
        own->light[k + 1] = 1 / mass;
        own->over[k] = 1 / length;
        for (size_t a = 0; a < own->axes; a++)
            own->weight[k * AXES + a] = own->push.has_gradient ? 0 : length * below * linkage->gravity[a];
    }
    own->light[0] = 0;
    memset(own->carted, 0, sizeof own->carted);
    for (size_t a = 0; a < own->cart; a++) {
        own->carted[a] = 1 / linkage->mass[0];
        own->fallen[a] = own->push.has_gradient
                             ? 0
                             : (row ? below + linkage->mass[0] : own->below[1]) * linkage->gravity[a];
    }
    if (body)
        hang_on(own, body, below / (below + linkage->mass[0]));
    const bool plane = own->axes == 2;
    const size_t kind = body         ? 8
                        : !row       ? 6u + plane
                        : plane      ? 4u + cart
                        : cart       ? 3
                        : own->n > 2 ? 2
                                     : own->n - 1;
    own->field = (*GAUSS_KIND(lanes, fields))[kind][lanes == 8];
    return PH_OK;
}

/* R, Rdot of the stages <- of quaternions x and their rates. */
static void turn_stages(const double *x, const double *dx, size_t wide, double *R, double *Rdot)
{
    for (size_t l = 0; l < wide; l++) {
        double at[4], rate[4], Omega[3], z[9], row[3];
        for (size_t d = 0; d < 4; d++) {
            at[d] = x[d * wide + l];
            rate[d] = dx[d * wide + l];
        }
        ph_gauss_rotation(at, z);
        ph_gauss_moment(at, rate, Omega);
        const double over = 4 / ph_dot(at, at, 4);
        for (size_t d = 0; d < 3; d++)
            Omega[d] *= over;
        ph_gauss_give_stage(z, 9, l, R);
        for (size_t k = 0; k < 9; k += 3) {
            ph_cross3(z + k, Omega, row);
            ph_gauss_give_stage(row, 3, l, Rdot + GAUSS_STAGES * k);
        }
    }
}

/* y' += by what is pushed at R. */
static void twist_stages(const double *x, size_t wide, const double *R, const double *push, double *dy)
{
    for (size_t l = 0; l < wide; l++) {
        double at[4], z[9], g[9], twist[4], tau[3] = {0}, turn[3];
        for (size_t d = 0; d < 4; d++)
            at[d] = x[d * wide + l];
        ph_gauss_take_stage(R, 9, l, z);
        ph_gauss_take_stage(push, 9, l, g);
        for (size_t k = 0; k < 9; k += 3) {
            ph_cross3(z + k, g + k, turn);
            for (size_t d = 0; d < 3; d++)
                tau[d] += turn[d];
        }
        ph_gauss_times(2 / ph_dot(at, at, 4), at, tau, twist);
        for (size_t d = 0; d < 4; d++)
            dy[d * wide + l] += twist[d];
    }
}

/* z, zdot of the stages <- of links and a cart, and 1/|q|; zdot only where it counts. */
PH_WITH_FMA static void point_stages(const gauss_part *part, const double *q, const double *dq, size_t wide,
                                     bool still, double *unit, double *z, double *zdot)
{
    for (size_t l = 0; l < wide; l += LANES) {
        vector square = all_lanes(0);
        for (size_t d = 0; d < part->n; d++)
            square += load(q + d * wide + l) * load(q + d * wide + l);
        for (size_t k = 0; k < LANES; k++)
            unit[l + k] = part->turns ? 1 / sqrt(square[k]) : 1;
        for (size_t d = 0; d < part->n; d++) {
            store(z + GAUSS_STAGES * d + l, load(unit + l) * load(q + d * wide + l));
            if (!still)
                store(zdot + GAUSS_STAGES * d + l, load(unit + l) * load(dq + d * wide + l));
        }
    }
}

/* p' += by what is pushed there. */
PH_WITH_FMA static void push_stages(const gauss_part *part, size_t wide, const double *unit, const double *z,
                                    const double *push, double *dp)
{
    for (size_t l = 0; l < wide; l += LANES) {
        vector along = all_lanes(0);
        for (size_t d = 0; d < part->n && part->turns; d++)
            along += load(z + GAUSS_STAGES * d + l) * load(push + GAUSS_STAGES * d + l);
        for (size_t d = 0; d < part->n; d++) {
            const size_t at = GAUSS_STAGES * d + l;
            store(dp + d * wide + l,
                  load(dp + d * wide + l) - load(unit + l) * (load(push + at) - along * load(z + at)));
        }
    }
}

/* p' += forces, less the gradient of a further potential, in the velocities that F has. */
static ph_status links_push(gauss_scratch *w, double t, double h, const double *Y, double *F)
{
    links_own *own = w->own;
    const size_t wide = w->tableau.lanes;
    for (size_t i = 0; i < w->n; i++) {
        const gauss_part *part = &w->parts[i];
        const double *q = Y + part->q * wide, *dq = F + part->q * wide;
        double *z = own->push.z + GAUSS_STAGES * part->at.z,
               *zdot = own->push.zdot + GAUSS_STAGES * part->at.z;
        if (part->at.kind == PH_FACTOR_SO3)
            turn_stages(q, dq, wide, z, zdot);
        else
            point_stages(part, q, dq, wide, own->push.still, own->unit + GAUSS_STAGES * i, z, zdot);
    }
    const ph_status status = ph_gauss_push(w, &own->push, t, h);
    for (size_t i = 0; i < w->n && !status; i++) {
        const gauss_part *part = &w->parts[i];
        const double *z = own->push.z + GAUSS_STAGES * part->at.z,
                     *push = own->push.push + GAUSS_STAGES * part->at.z;
        double *dp = F + (w->N + part->q) * wide;
        if (part->at.kind == PH_FACTOR_SO3)
            twist_stages(Y + part->q * wide, wide, z, push, dp);
        else
            push_stages(part, wide, own->unit + GAUSS_STAGES * i, z, push, dp);
    }
    return status;
}

static ph_status links_rates(gauss_scratch *w, double t, double h, const double *Y, double *F)
{
    const links_own *own = w->own;
    own->field(own, w->N, Y, F);
    return own->pushed ? links_push(w, t, h, Y, F) : PH_OK;
}

const gauss_lift ph_gauss_links = {
    .takes = links_takes,
    .lay = links_lay,
    .init = links_init,
    .field = links_rates,
};
