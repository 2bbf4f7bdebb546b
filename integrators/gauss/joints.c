/* SPDX-License-Identifier: BSD-3-Clause */
/* The lifted field of rigid bodies on ball joints (a top is one of them) under gravity alone: all stages in lanes, O(n). The energy as a function
 * of rotations and body momenta Pi_i about the joints, h(R(x)/|x|^2, Pi), by elimination: below a joint that moves with velocity v the momentum
 * is A v + a. In the frame of a body with inertia J about its joint, centre of mass c, and joints d of those that hang on it,
 *     inwards:   A' = R^T A R,  a' = R^T a of each,  J' = (J - sum S(d) A' S(d))^-1,  K = m S(c) + sum S(d) A',  r = Pi - sum S(d) a',
 *                A <- R (m I + sum A' - K^T J' K) R^T,  a <- R (sum a' + K^T J' r);
 *     outwards:  Omega = J' (r - K R^T v),  P = A' (R^T v + Omega x d) + a' of each,
 *                tau = sum (Omega x d) x P + m (Omega x c) x R^T v + (m c + sum M d) x R^T g,  v <- v + R (Omega x d),
 * M the mass that hangs there; x' = (1/2) x Omega, y' = (1/2) y Omega + 2 x tau / |x|^2.
 *
 * Source: articulated bodies, Featherstone, Rigid Body Dynamics Algorithms, chapter 7, here from momenta to velocities. */
#include "gauss.h"

#include "lib/internal/lanes.h"

#include <polhode/kit/vector.h>

#include <string.h>

typedef struct joint_body {
    double m, J[6], inverse[6], c[3],
        weight[3];         /* J, its inverse: 00 01 02 11 12 22; weight: m c + sum M d */
    double below;          /* M */
    double d[3];           /* of its own joint, in the frame of its parent */
    size_t child, sibling; /* first child, next one of the same parent; PH_NO_INDEX: none */
    bool rooted;           /* does it hang on a fixed point? */
} joint_body;

typedef struct joints_own {
    size_t n;
    double gravity[3];
    void (*field)(const struct joints_own *own, size_t wide, size_t N, const double *Y, double *F);
    joint_body *bodies; /* (n) */
    void *stages;       /* (n) of each vector of stages */
} joints_own;

#define THREE for (int k = 0; k < 3; k++)

#define LANES_WIDTH 8
#include "integrators/shared/lanes-width.h"

#include "joints-lanes.h"
#define LANES_WIDTH 4
#include "integrators/shared/lanes-width.h"

#include "joints-lanes.h"
#define LANES_WIDTH 2
#include "integrators/shared/lanes-width.h"

#include "joints-lanes.h"
#define LANES_WIDTH 0
#include "integrators/shared/lanes-width.h"

static bool joints_takes(const ph_system *system)
{
    return ph_fast_paths() & PH_PATH_ARTICULATED && ph_system_articulation(system) &&
           !ph_system_has_force(system);
}

static void *joints_lay(const ph_system *system, size_t lanes, ph_lay *l)
{
    joints_own counted, *placed = ph_lay_bytes(l, sizeof counted), *own = placed ? placed : &counted;
    const size_t n = ph_space_factors(ph_system_space(system));
    (void)lanes;
    own->bodies = ph_lay_bytes(l, n * sizeof *own->bodies);
    own->stages = ph_lay_line(l, n * sizeof(eight_wide8_stage));
    return placed;
}

/* c, the inertia about the joint, and its inverse. */
static void joints_set(joint_body *b, double mass, const double *inertia, const double *joint)
{
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    b->m = mass;
    for (int k = 0; k < 3; k++)
        b->c[k] = -joint[k];
    const double square = ph_dot3(b->c, b->c);
    for (int k = 0; k < 6; k++)
        b->J[k] = inertia[3 * row[k] + column[k]] +
                  mass * ((row[k] == column[k] ? square : 0) - b->c[row[k]] * b->c[column[k]]);
    plain2 J[6], I[6];
    for (int k = 0; k < 6; k++)
        J[k] = eight_plain_all(b->J[k]);
    eight_plain_invert(J, I);
    for (int k = 0; k < 6; k++)
        b->inverse[k] = I[k][0];
}

static ph_status joints_init(void *memory, const ph_system *system, size_t lanes)
{
    joints_own *own = memory;
    const ph_articulation *a = ph_system_articulation(system);
    own->n = ph_space_factors(ph_system_space(system));
    own->field = GAUSS_KIND(lanes, field);
    memcpy(own->gravity, a->gravity, sizeof own->gravity);
    for (size_t i = 0; i < own->n; i++) {
        joint_body *b = &own->bodies[i];
        joints_set(b, a->mass[i], a->inertia + 9 * i, a->joint + 3 * i);
        b->child = b->sibling = PH_NO_INDEX;
        b->below = b->m;
        b->rooted = a->parent[i] == PH_NO_INDEX;
        for (int k = 0; k < 3; k++) {
            b->weight[k] = b->m * b->c[k];
            b->d[k] = b->rooted ? 0 : a->anchor[3 * i + k] - a->joint[3 * a->parent[i] + k];
        }
    }
    for (size_t i = own->n; i-- > 0;) {
        joint_body *b = &own->bodies[i], *parent = b->rooted ? NULL : &own->bodies[a->parent[i]];
        if (!parent)
            continue;
        b->sibling = parent->child;
        parent->child = i;
        parent->below += b->below;
        for (int k = 0; k < 3; k++)
            parent->weight[k] += b->below * b->d[k];
    }
    return PH_OK;
}

static ph_status joints_field(gauss_scratch *w, double t, double h, const double *Y, double *F)
{
    const joints_own *own = w->own;
    (void)t;
    (void)h;
    own->field(own, w->tableau.lanes, w->N, Y, F);
    return PH_OK;
}

const gauss_lift ph_gauss_joints = {
    .takes = joints_takes,
    .lay = joints_lay,
    .init = joints_init,
    .field = joints_field,
};
