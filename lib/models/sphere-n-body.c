/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles on a sphere of radius 1 m that attract each other as gravity does in a curved space, by the
 * cotangent potential:
 *     L = (1/2) sum m_i |qdot_i|^2 + gamma sum_{i<j} m_i m_j cot th_ij,      cos th_ij = q_i.q_j.
 * With s_ij = |q_i x q_j| = sin th_ij
 *     dU/dq_i = - gamma m_i sum_{j!=i} m_j q_j / s_ij^3
 * but for a part along q_i, which has no effect. Where two particles meet or are antipodal the force is
 * undefined: the callbacks fail with PH_E_NOT_FINITE. */
#include "apart.h"
#include "gravity.h"
#include "lib/internal/lanes.h"

enum { MASSES, GAMMA, PARTICLES };
enum { DEFAULT_PARTICLES = 2 };

static const ph_parameter parameters[] = {
    [MASSES] = PH_PER_BODY("masses", "kg", PH_POSITIVE, 1, "mass of a particle"),
    [GAMMA] = PH_NUMBER("gamma", "J/kg^2", PH_ANY, 1, "strength of the attraction; negative: repulsion"),
    [PARTICLES] = PH_COUNT("particles", PH_FROM(0, PH_MOST_IN_PAIRS), 0,
                           "number of particles; 0: as many as a list of masses has numbers, or 2"),
};

enum { ORBITS, RING, SPIRAL };

static const ph_preset presets[] = {
    [ORBITS] = {"orbits", "as ring, but at 0.8 of its rate: they approach and part, and their orbits turn"},
    [RING] = {"ring", "equal masses evenly on the circle 30 degrees from e3, turning steadily about it"},
    [SPIRAL] = {"spiral", "evenly on a spiral from pole to pole, at rest: most fall into collisions"},
};

typedef struct particles {
    size_t n;
    /* every particle against those of the group that begins with `first`: meet_plain or meet_wide */
    bool (*meet)(const struct particles *p, const double *z, size_t first, double *dU, double *U);
    double gamma;
    double mass[];
} particles;

/* ---- Pairs -------------------------------------------------------------------------------------- */

/* Smaller sines may be rounding errors of the two unit vectors. */
static const double closest = 4 * DBL_EPSILON;

enum { FEW = 8, GROUP = 64, UNIT = 4 };

/* Up to GROUP consecutive particles, coordinate by coordinate, and the forces on them. Places that are not
 * filled yet have mass 0, and their sines, which have no effect, are kept away from 0. */
typedef struct group {
    size_t n;
    double q[3][GROUP], mass[GROUP], absent[GROUP], pull[3][GROUP];
} group;

static void add(group *g, const double *q, double mass)
{
    const size_t at = g->n++;
    if (at % UNIT == 0)
        for (size_t i = at; i < at + UNIT; i++) {
            g->mass[i] = 0;
            g->absent[i] = 1;
            for (size_t a = 0; a < 3; a++)
                g->q[a][i] = g->pull[a][i] = 0;
        }
    g->mass[at] = mass;
    g->absent[at] = 0;
    for (size_t a = 0; a < 3; a++)
        g->q[a][at] = q[a];
}

#define number loose_pair
#define TARGET
#define OF(name) name##_plain
#include "attraction.h"

#define number loose
#define TARGET PH_LANES_AVX2
#define OF(name) name##_wide
#include "attraction.h"

#include <polhode/kit/elementary.h>

/* For few particles, one pair at a time: vectors would be half empty. */
static bool meet_singly(const particles *p, const double *z, double *dU, double *U)
{
    bool apart = true;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < i; j++) {
            const double *q = z + 3 * i, *other = z + 3 * j, strength = p->gamma * p->mass[i] * p->mass[j];
            double cross[3];
            ph_cross3(q, other, cross);
            const double square = ph_dot3(cross, cross), sine = sqrt(square);
            apart &= sine > closest;
            if (!dU) {
                *U -= strength * ph_dot3(q, other) / sine;
                continue;
            }
            const double pull = strength / (square * sine);
            for (size_t a = 0; a < 3; a++) {
                dU[3 * i + a] -= pull * other[a];
                dU[3 * j + a] -= pull * q[a];
            }
        }
    return apart;
}

static ph_status meet_all(const particles *p, const double *z, double *dU, double *U)
{
    bool apart = p->n > FEW || meet_singly(p, z, dU, U);
    for (size_t first = 0; first < p->n && p->n > FEW; first += GROUP)
        apart &= p->meet(p, z, first, dU, U);
    return apart ? PH_OK : PH_E_NOT_FINITE;
}

/* ---- Callbacks ---------------------------------------------------------------------------------- */

static ph_status potential(void *user, const double *z, double *U)
{
    *U = 0;
    return meet_all(user, z, NULL, U);
}

/* On the spheres, and there up to a part along q_i. */
static ph_status gradient(void *user, const double *z, double *dU)
{
    memset(dU, 0, 3 * ((const particles *)user)->n * sizeof *dU);
    return meet_all(user, z, dU, NULL);
}

/* The radius is 1 m. */
static ph_status points(void *user, double t, const double *z, double *x)
{
    (void)t;
    memcpy(x, z, 3 * ((const particles *)user)->n * sizeof *x);
    return PH_OK;
}

/* The particles on their sphere. */
static void draw(size_t n, ph_part_list *parts)
{
    ph_part_size(ph_part_add(parts, PH_SCENE_GLOBE, PH_NO_INDEX, PH_NO_INDEX), 1, 0, 0);
    for (size_t i = 0; i < n; i++)
        ph_part_size(ph_part_add(parts, PH_SCENE_BALL, i, PH_NO_INDEX), 0.04, 0, 0)->name = "particle";
}

/* ---- Building ----------------------------------------------------------------------------------- */

static const ph_numbering numbering =
    PH_NUMBERING("particles", PARTICLES, DEFAULT_PARTICLES, PH_MOST_IN_PAIRS, MASSES);

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const double no_gravity[3] = {0, 0, 0};
    ph_symmetry symmetries[3];
    size_t n;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (status)
        return status;
    particles *p = calloc(1, sizeof *p + n * sizeof(double));
    ph_system_definition definition = {
        .potential = potential,
        .gradient = gradient,
        .gradient_on_manifold = true,
        .points = points,
        .n_points = n,
        .symmetries = symmetries,
        .n_symmetries = ph_gravity_symmetries(no_gravity, symmetries),
        .user = p,
        .user_free = free,
    };
    ph_part_list parts = {0};
    draw(n, &parts);
    if (p) {
        p->n = n;
        p->meet = ph_lanes(PH_KERNEL_AVX2) ? meet_wide : meet_plain;
        p->gamma = ph_number(table, GAMMA);
        for (size_t i = 0; i < n; i++)
            p->mass[i] = ph_entry(table, MASSES, i);
    }
    return ph_apart_build(n, &table->row[MASSES], &parts, &definition, "particles", system, err);
}

/* ---- Initial conditions ------------------------------------------------------------------------- */

/* The heights are those of n equal zones, the turn from one to the next is the golden angle. */
static void place_on_spiral(size_t n, double *z)
{
    static const double golden = 2.3999632297286533222;
    for (size_t i = 0; i < n; i++) {
        double height = 1 - (double)(2 * i + 1) / (double)n, out = sqrt(1 - height * height);
        z[3 * i] = out * ph_cos(golden * (double)i);
        z[3 * i + 1] = out * ph_sin(golden * (double)i);
        z[3 * i + 2] = height;
        ph_unit_correct3(z + 3 * i);
    }
}

/* Om of a ring at the angle th from its axis: Om^2 = 2 gamma m sum_{d=1}^{n-1} sin^2(pi d/n) / sin^3 th_d
 * with cos th_d = 1 - 2 sin^2 th sin^2(pi d/n), from the derivative of U in th. Negative: there is none. */
static double square_rate_of_ring(double strength, size_t n, double sine)
{
    double sum = 0;
    for (size_t d = 1; d < n; d++) {
        double half = ph_sin(3.1415926535897932385 * (double)d / (double)n),
               cosine = 1 - 2 * sine * sine * half * half;
        sum += half * half / ph_pow(1 - cosine * cosine, 1.5);
    }
    return 2 * strength * sum;
}

static ph_status place_on_ring(const ph_model_table *table, size_t n, double *z, double *rate, ph_error *err)
{
    static const double sine = 0.5, cosine = 0.86602540378443864676;
    double square = square_rate_of_ring(ph_number(table, GAMMA) * ph_entry(table, MASSES, 0), n, sine);
    for (size_t i = 1; i < n; i++)
        if (ph_entry(table, MASSES, i) != ph_entry(table, MASSES, 0))
            return ph_fail(err, PH_E_RANGE,
                           "masses differ; this initial condition (a ring) needs equal ones");
    if (square < 0)
        return ph_fail(err, PH_E_RANGE,
                       "gamma is negative; this initial condition (a ring) needs an attraction");
    for (size_t i = 0; i < n; i++) {
        double angle = 2 * 3.1415926535897932385 * (double)i / (double)n;
        z[3 * i] = sine * ph_cos(angle);
        z[3 * i + 1] = sine * ph_sin(angle);
        z[3 * i + 2] = cosine;
        ph_unit_correct3(z + 3 * i);
    }
    *rate = sqrt(square);
    return PH_OK;
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    size_t n;
    double rate = 0;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (!status && which != SPIRAL)
        status = place_on_ring(table, n, z, &rate, err);
    if (status)
        return status;
    if (which == SPIRAL)
        place_on_spiral(n, z);
    if (which == ORBITS)
        rate *= 0.8;
    for (size_t i = 0; i < n; i++) { /* rate e3 x q */
        zdot[3 * i] = -rate * z[3 * i + 1];
        zdot[3 * i + 1] = rate * z[3 * i];
        zdot[3 * i + 2] = 0;
    }
    return PH_OK;
}

const ph_model ph_model_sphere_n_body = {
    .name = "sphere-n-body",
    .summary = "particles on a sphere that attract each other by the cotangent potential",
    .reference = "Diacu, Perez-Chavela, Santoprete, J. Nonlinear Sci. 22 (2012) 247",
    PH_MODEL_HERE,
};
