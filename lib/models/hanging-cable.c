/* SPDX-License-Identifier: BSD-3-Clause */
/* A cable that hangs from a fixed point; its other end is held by a stiff spring (a, K) at another one,
 * pulled by a constant force F, or both (rod.h, without bending). In equilibrium link i is along the
 * tension
 *     T_i = P + sum_{j>=i} m_j G,      P = F + K (a - x_n) the force on the end,
 * tangent to the catenary of the continuous cable at the middle of the link. P minimises the convex function
 *     sum l_i |T_i(P)| + |P - F|^2 / (2 K) - P . a,
 * whose gradient is x_n + (P - F)/K - a. */
#include "gravity.h"
#include "linkage.h"
#include "rod.h"

enum { ANCHOR = PH_ROD_PARAMETERS, HOLD, PULL };

static const ph_parameter parameters[] = {
    PH_ROD_ROWS(1, 0.1, PH_ROD_LINKS_ROW(8, "number of links")),
    [ANCHOR] = PH_VECTOR("anchor", "m", PH_ANY, 0.7, 0, 0.2, "where the far end is held, from the near end"),
    [HOLD] = PH_NUMBER("anchor_stiffness", "N/m", PH_NOT_NEGATIVE, 1000,
                       "of the spring that holds it there, which has no length; 0: nothing holds it"),
    [PULL] = PH_VECTOR("pull", "N", PH_ANY, 0, 0, 0,
                       "constant force on the far end, which is part of the potential"),
};

enum { SWUNG, SETTLED, STRAIGHT, SWINGING };

static const ph_preset presets[] = {
    [SWUNG] = {"swung", "the equilibrium turned by 0.5 rad about the line through its ends, let go"},
    [SETTLED] = {"settled", "the equilibrium, at rest: on the way to the catenary as links become more"},
    [STRAIGHT] = {"straight", "straight towards the anchor, or else along the pull or down, let go"},
    [SWINGING] = {"swinging", "as swung, a cable of 4 kg, by 1 rad: it swings like a skipping rope"},
};

static const ph_preset_value own[] = {
    PH_OWN(SWINGING, "mass", 4),
};

/* *rod <- as the table says, without bending, its far end held by the spring and pulled by the force. */
static ph_status read(const ph_model_table *table, ph_rod **rod, ph_error *err)
{
    ph_status status = ph_rod_create(table, ph_count(table, PH_ROD_LINKS), rod, err);
    if (status)
        return status;
    ph_rod *r = *rod;
    memcpy(r->load, ph_vector(table, PULL), sizeof r->load);
    memcpy(r->anchor, ph_vector(table, ANCHOR), sizeof r->anchor);
    r->hold = ph_number(table, HOLD);
    return PH_OK;
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_rod *rod;
    ph_status status = read(table, &rod, err);
    return status ? status : ph_rod_build(rod, system, err);
}

/* ---- Equilibrium -------------------------------------------------------------------------------- */

/* The problem in units of the weight (or, without weight, of the force on the end) and of the cable's
 * length. */
typedef struct hanging {
    const ph_rod *r;
    double mass, reach;
    double down[3];  /* the whole weight: a unit vector, or 0 */
    double give;     /* 1/K */
    double place[3]; /* a + F/K */
    double soft;     /* sizes of tensions are sqrt(|T|^2 + soft^2) */
} hanging;

/* Value, gradient (nullable) and second derivative of the convex function; not finite where a T_i is 0. */
static double evaluate_convex(const hanging *h, const double P[3], double g[3], double H[9])
{
    double sum = 0.5 * h->give * ph_dot3(P, P) - ph_dot3(P, h->place), below = 0, T[3], t[3];
    for (size_t a = 0; a < 3 && g; a++) {
        g[a] = h->give * P[a] - h->place[a];
        for (size_t b = 0; b < 3; b++)
            H[3 * a + b] = a == b ? h->give : 0;
    }
    for (size_t i = h->r->n; i-- > 0;) {
        double length = h->r->length[i] / h->reach;
        below += h->r->mass[i] / h->mass;
        for (size_t a = 0; a < 3; a++)
            T[a] = P[a] + below * h->down[a];
        double size = sqrt(ph_dot3(T, T) + h->soft * h->soft);
        sum += length * size;
        for (size_t a = 0; a < 3; a++)
            t[a] = T[a] / size;
        for (size_t a = 0; a < 3 && g; a++) {
            g[a] += length * t[a];
            for (size_t b = 0; b < 3; b++)
                H[3 * a + b] += length / size * ((a == b) - t[a] * t[b]);
        }
    }
    return sum;
}

/* step <- -H^{-1} g, in units in which no product of three entries is too large. */
static void find_newton_step(const double H[9], const double g[3], double step[3])
{
    double A[9], c[9], unit = H[0] + H[4] + H[8];
    for (size_t k = 0; k < 9; k++)
        A[k] = H[k] / unit;
    for (size_t a = 0; a < 3; a++)
        ph_cross3(A + 3 * ((a + 1) % 3), A + 3 * ((a + 2) % 3), c + 3 * a);
    double determinant = ph_dot3(A, c);
    for (size_t a = 0; a < 3; a++)
        step[a] = -(g[0] / unit * c[a] + g[1] / unit * c[3 + a] + g[2] / unit * c[6 + a]) / determinant;
}

/* P <- the minimum, by Newton's iteration; steps that do not decrease the value are halved. Near the minimum,
 * where the value is only rounding, it continues until the steps no longer decrease. False where it does not
 * converge. */
static bool minimise(const hanging *h, double P[3])
{
    enum { MOST_PASSES = 500 };
    static const double small = 1e-6;
    double g[3], H[9], step[3], before = INFINITY, least = h->r->mass[h->r->n - 1] / h->mass;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        double now = evaluate_convex(h, P, g, H), scale = 1, next[3];
        find_newton_step(H, g, step);
        double size = ph_norm3(step), limit = small * (ph_norm3(P) + least);
        if (!isfinite(size))
            return false;
        if (size <= limit && size >= 0.5 * before)
            return ph_norm3(g) <= 1e-9 * (1 + ph_norm3(h->place));
        for (;; scale *= 0.5) {
            for (size_t a = 0; a < 3; a++)
                next[a] = P[a] + scale * step[a];
            if (size <= limit || evaluate_convex(h, next, NULL, NULL) < now)
                break;
            if (scale < 1e-12)
                return false;
        }
        memcpy(P, next, sizeof next);
        before = size <= limit ? size : INFINITY;
    }
    return false;
}

/* P <- the minimum, approached through a sequence of smoother functions: the function itself is not
 * differentiable where a tension vanishes, and the iteration could stop there. */
static bool minimise_smoothed(hanging *h, double P[3])
{
    for (h->soft = 0.1; h->soft > 1e-5; h->soft *= 0.1)
        minimise(h, P);
    h->soft = 0;
    return minimise(h, P);
}

/* The initial P: half the weight upwards, plus a part towards the anchor. False where the anchor is not to
 * the side. */
static bool guess_force(const hanging *h, double P[3])
{
    double aside[3], part = ph_dot3(h->place, h->down);
    for (size_t a = 0; a < 3; a++)
        aside[a] = h->place[a] - part * h->down[a];
    if (!(ph_norm3(aside) > 1e-6))
        return false;
    ph_rod_direction(aside);
    for (size_t a = 0; a < 3; a++)
        P[a] = 0.5 * aside[a] - 0.5 * h->down[a];
    return true;
}

/* q <- the directions of the tensions at the force P. */
static bool lay_links(const hanging *h, const double P[3], double *q)
{
    double below = 0;
    for (size_t i = h->r->n; i-- > 0;) {
        below += h->r->mass[i] / h->mass;
        for (size_t a = 0; a < 3; a++)
            q[3 * i + a] = P[a] + below * h->down[a];
        if (!(ph_rod_direction(q + 3 * i) > 0))
            return false;
    }
    return true;
}

/* A cable without weight is straight where it is taut. Where it is slack its shape is not determined: P <- 0,
 * and the shape is that for a very small weight. */
static void settle_weightless(hanging *h, double P[3])
{
    const ph_rod *r = h->r;
    double end[3];
    for (size_t a = 0; a < 3; a++)
        end[a] = r->load[a] + r->hold * r->anchor[a];
    double size = ph_rod_direction(end), taut = fmax(size - r->hold * h->reach, 0);
    for (size_t a = 0; a < 3; a++)
        P[a] = taut > 0 ? end[a] : 0;
    if (taut > 0)
        return;
    h->down[2] = -1;
}

/* q <- the equilibrium: in units of the weight mg (or, without it, of the force) and of the length, the
 * minimum in P, and the links along their tensions. Without a spring P is the pull itself. */
static bool settle_cable(const ph_rod *r, double *q)
{
    hanging h = {.r = r, .reach = ph_rod_reach(r)};
    double P[3], unit;
    for (size_t i = 0; i < r->n; i++)
        h.mass += r->mass[i];
    memcpy(h.down, r->G, sizeof h.down);
    unit = h.mass * ph_rod_direction(h.down);
    for (size_t a = 0; a < 3; a++)
        h.place[a] = r->hold > 0 ? (r->anchor[a] + r->load[a] / r->hold) / h.reach : 0;
    h.give = r->hold > 0 ? unit / (r->hold * h.reach) : 0;
    if (unit == 0) {
        settle_weightless(&h, P);
        if (!ph_all_zero(3, P))
            return lay_links(&h, P, q);
    }
    if (r->hold > 0)
        return guess_force(&h, P) && minimise_smoothed(&h, P) && lay_links(&h, P, q);
    for (size_t a = 0; a < 3; a++)
        P[a] = unit > 0 ? r->load[a] / unit : 0;
    return lay_links(&h, P, q);
}

/* ---- Initial conditions ------------------------------------------------------------------------- */

/* q <- turned by the angle about the line from one end to the other. */
static void swing_cable(const ph_rod *r, double angle, double *q)
{
    double axis[3] = {0}, R[9], turned[3];
    for (size_t i = 0; i < r->n; i++)
        for (size_t a = 0; a < 3; a++)
            axis[a] += r->length[i] * q[3 * i + a];
    ph_rod_direction(axis);
    for (size_t a = 0; a < 3; a++)
        axis[a] *= angle;
    ph_exp3(axis, R);
    for (size_t i = 0; i < r->n; i++) {
        ph_apply3(R, q + 3 * i, turned);
        ph_unit_correct3(turned);
        memcpy(q + 3 * i, turned, sizeof turned);
    }
}

/* q <- straight: towards the anchor, or along the pull, or down. */
static void stretch_cable(const ph_rod *r, double *q)
{
    double along[3] = {0};
    if (r->hold > 0)
        memcpy(along, r->anchor, sizeof along);
    if (ph_all_zero(3, along))
        memcpy(along, r->load, sizeof along);
    if (ph_rod_direction(along) == 0) {
        ph_rod_hang(r, q);
        return;
    }
    ph_links_align(r->n, 3, along, q);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_rod *rod;
    ph_status status = read(table, &rod, err);
    if (status)
        return status;
    memset(zdot, 0, 3 * rod->n * sizeof *zdot);
    if (which == STRAIGHT)
        stretch_cable(rod, z);
    else if (!settle_cable(rod, z))
        status = ph_fail(err, PH_E_NO_CONVERGENCE,
                         "there is no equilibrium with all links in tension: "
                         "with this anchor the two ends hang too nearly above one another; "
                         "move it aside by more than a link, or start from straight");
    else if (which == SWUNG || which == SWINGING)
        swing_cable(rod, which == SWUNG ? 0.5 : 1, z);
    free(rod);
    return status;
}

const ph_model ph_model_hanging_cable = {
    .name = "hanging-cable",
    .summary = "cable between a fixed point and an anchor, or pulled by a constant force: the catenary",
    .reference = "Irvine, Cable Structures, MIT Press 1981, chapters 1 and 2; two-spheres, section V",
    PH_MODEL_HERE,
    PH_MODEL_OWN,
    .start = SWINGING,
};
