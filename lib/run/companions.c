/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies under mutual gravity in physical terms. The orbit of a body is that about the barycentre of the bodies before it
 * (Jacobi's coordinates), with mu = G times the masses of all of these: of body 2 about body 1, of body 3 about the barycentre
 * of the first two. A body that turns is seen from the frame of its orbit; body 1 from that of body 2, from which it is the
 * other body. For two bodies that is the mutual orbit. Where there is a central body, held in the origin, each orbit is about it,
 * with mu = G times its mass. */
#include "companions.h"

#include "lib/internal/space.h"

#include <polhode/domain/elements.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/memory.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A body that turns. */
typedef struct turning {
    size_t body;
    double inverse[9], axis[3]; /* of J; unit vector of the long axis */
} turning;

/* An orbit: the distance and its rate, and the frame that moves with it. */
typedef struct orbit {
    double mu, x[3], v[3], frame[9];
} orbit;

struct ph_companions {
    const ph_gravitation *g;
    const ph_state *seen;
    unsigned kinds;
    double *v;                   /* (3 n) velocities of all bodies */
    orbit *orbits;               /* (n) those of bodies without one are not used */
    turning *turning;            /* (attitudes) */
    double *omega;               /* (3 attitudes) in the body frame */
    double *force, *torque;      /* room for potentials */
    double *values[PH_OF_KINDS]; /* NULL: not asked for */
};

/* ---- Creation ------------------------------------------------------------------------------------------------ */

static void invert(const double A[9], double inverse[9])
{
    double c[3];
    const double determinant = ph_determinant3(A);
    for (int k = 0; k < 3; k++) { /* columns of the inverse: cross products of rows */
        ph_cross3(A + 3 * ((k + 1) % 3), A + 3 * ((k + 2) % 3), c);
        for (int row = 0; row < 3; row++)
            inverse[3 * row + k] = c[row] / determinant;
    }
}

/* The principal axis with the least moment. */
static void find_long_axis(const ph_mass *mass, double axis[3])
{
    ph_mass copy = *mass;
    double R[9], moments[3];
    ph_mass_principal(&copy, R, moments);
    for (int k = 0; k < 3; k++)
        axis[k] = R[3 * k];
}

static void describe_bodies(ph_companions *c)
{
    for (size_t i = 0; i < ph_gravitation_bodies(c->g); i++) {
        const size_t at = ph_gravitation_attitude(c->g, i);
        const ph_mass *mass = ph_gravitation_mass(c->g, i);
        if (at == PH_NO_INDEX)
            continue;
        c->turning[at].body = i;
        invert(mass->J, c->turning[at].inverse);
        find_long_axis(mass, c->turning[at].axis);
    }
}

ph_status ph_companions_create(const ph_system *system, unsigned kinds, ph_companions **companions,
                               ph_error *err)
{
    const ph_gravitation *g = ph_system_gravitation(system);
    const size_t n = ph_gravitation_bodies(g), attitudes = ph_gravitation_attitudes(g);
    const size_t forces = kinds & 1u << PH_OF_ENERGIES ? 3 * ph_gravitation_places(g) : 0;
    ph_companions *c = NULL;
    ph_lay l = {NULL, 0};
    for (int pass = 0; pass < 2; pass++) {
        c = ph_lay_bytes(&l, sizeof *c);
        ph_companions made = {.g = g, .kinds = kinds};
        made.v = ph_lay_doubles(&l, 3 * n);
        made.orbits = ph_lay_bytes(&l, n * sizeof *made.orbits);
        made.turning = ph_lay_bytes(&l, attitudes * sizeof *made.turning);
        made.omega = ph_lay_doubles(&l, 3 * attitudes);
        made.force = ph_lay_doubles(&l, forces);
        made.torque = ph_lay_doubles(&l, 3 * attitudes);
        for (unsigned k = 0; k < PH_OF_KINDS; k++)
            if (kinds & 1u << k)
                made.values[k] = ph_lay_doubles(&l, ph_column_count(system, k));
        if (c)
            *c = made;
        else if (!(l = (ph_lay){malloc(l.bytes), 0}).base)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    describe_bodies(c);
    *companions = c;
    return PH_OK;
}

void ph_companions_free(ph_companions *c)
{
    free(c);
}

/* ---- Places, velocities, orbits ------------------------------------------------------------------------------- */

static double mass_of(const ph_companions *c, size_t i)
{
    return ph_gravitation_mass(c->g, i)->moment[0];
}

static void find_velocities(ph_companions *c, const ph_state *s)
{
    const double *inertia = ph_gravitation_inertia(c->g);
    if (!ph_gravitation_is_relative(c->g)) {
        for (size_t k = 0; k < 3 * ph_gravitation_bodies(c->g); k++)
            c->v[k] = s->p[k] / inertia[k / 3];
        return;
    }
    const double a = mass_of(c, 0), b = mass_of(c, 1);
    for (size_t k = 0; k < 3; k++) {
        const double v = s->p[k] / inertia[0];
        c->v[k] = -b / (a + b) * v;
        c->v[3 + k] = a / (a + b) * v;
    }
}

/* x (3) <- from body i to j > i. */
static void between(const ph_companions *c, const ph_state *s, size_t i, size_t j, double x[3])
{
    const bool relative = ph_gravitation_is_relative(c->g);
    for (size_t k = 0; k < 3; k++)
        x[k] = relative ? s->z[k] : s->z[3 * j + k] - s->z[3 * i + k];
}

/* For body 1 the orbit of body 2 stands in. */
static const orbit *orbit_of(const ph_companions *c, size_t body)
{
    const size_t first = ph_companion_first_orbit(c->g);
    return &c->orbits[body < first ? first : body];
}

static void find_central_orbits(ph_companions *c, const ph_state *s)
{
    for (size_t i = 0; i < ph_gravitation_bodies(c->g); i++) {
        orbit *o = &c->orbits[i];
        o->mu = ph_gravitation_constant(c->g) * ph_gravitation_central(c->g)->moment[0];
        memcpy(o->x, s->z + 3 * i, sizeof o->x);
        memcpy(o->v, c->v + 3 * i, sizeof o->v);
        ph_orbit_frame(o->x, o->v, o->frame);
    }
}

static void find_orbits(ph_companions *c, const ph_state *s)
{
    const size_t n = ph_gravitation_bodies(c->g);
    double center[3], drift[3], mass = mass_of(c, 0); /* of the bodies so far: barycentre, its velocity */
    memcpy(center, s->z, sizeof center);
    memcpy(drift, c->v, sizeof drift);
    for (size_t i = 1; i < n; i++) {
        orbit *o = &c->orbits[i];
        mass += mass_of(c, i);
        o->mu = ph_gravitation_constant(c->g) * mass;
        for (size_t k = 0; k < 3; k++) {
            const bool relative = ph_gravitation_is_relative(c->g);
            o->x[k] = relative ? s->z[k] : s->z[3 * i + k] - center[k];
            o->v[k] = relative ? s->p[k] / ph_gravitation_inertia(c->g)[0] : c->v[3 * i + k] - drift[k];
            center[k] += mass_of(c, i) / mass * o->x[k];
            drift[k] += mass_of(c, i) / mass * o->v[k];
        }
        ph_orbit_frame(o->x, o->v, o->frame);
    }
}

static void find_turning(ph_companions *c, const ph_state *s)
{
    for (size_t i = 0; i < ph_gravitation_attitudes(c->g); i++)
        ph_apply3(c->turning[i].inverse, s->p + 3 * ph_gravitation_places(c->g) + 3 * i, c->omega + 3 * i);
}

/* ---- The kinds -------------------------------------------------------------------------------------------------- */

static void see_orbits(const ph_companions *c, double *values)
{
    const size_t first = ph_companion_first_orbit(c->g);
    for (size_t i = first; i < ph_gravitation_bodies(c->g); i++, values += PH_ORBIT_NUMBERS) {
        const orbit *o = &c->orbits[i];
        ph_elements el;
        ph_elements_from_state(o->mu, o->x, o->v, &el);
        const double list[PH_ORBIT_NUMBERS] = {
            el.a, el.q, el.e, el.i, el.node, el.periapsis, el.true_anomaly, el.mean_anomaly, el.longitude};
        memcpy(values, list, sizeof list);
    }
}

static void see_distances(const ph_companions *c, const ph_state *s, double *values)
{
    for (size_t i = 0; i < ph_companion_members(c->g); i++)
        for (size_t j = i + 1; j < ph_companion_members(c->g); j++)
            *values++ = ph_companion_distance(c->g, s->z, i, j);
}

/* Q (9) <- from the frame of a body that turns to that of its orbit. */
static void find_turn(const ph_companions *c, const ph_state *s, size_t at, double Q[9])
{
    const double *R = s->z + 3 * ph_gravitation_places(c->g) + 9 * at;
    ph_transposed_multiply3(orbit_of(c, c->turning[at].body)->frame, R, Q);
}

static void see_angles(const ph_companions *c, const ph_state *s, double *euler, double *spin,
                       double *libration)
{
    for (size_t i = 0; i < ph_gravitation_attitudes(c->g); i++) {
        const orbit *o = orbit_of(c, c->turning[i].body);
        double Q[9], h[3], u[3];
        find_turn(c, s, i, Q);
        if (euler)
            ph_orbit_angles(Q, euler + PH_EULER_NUMBERS * i);
        if (spin) {
            double *to = spin + PH_SPIN_NUMBERS * i;
            ph_apply3(Q, c->omega + 3 * i, to + 1);
            ph_cross3(o->x, o->v, h);
            to[0] = ph_norm3(c->omega + 3 * i);
            to[4] = to[3] - ph_norm3(h) / ph_dot3(o->x, o->x);
        }
        if (libration) { /* an axis has no direction: the one that points outwards */
            ph_apply3(Q, c->turning[i].axis, u);
            const double sign = u[0] < 0 ? -1 : 1;
            libration[PH_LIBRATION_NUMBERS * i] = ph_atan2(sign * u[1], sign * u[0]);
            libration[PH_LIBRATION_NUMBERS * i + 1] = ph_atan2(sign * u[2], ph_hypot(u[0], u[1]));
        }
    }
}

/* What body i is against all others: m (M - m)/M times the first is its energy of separation. */
typedef struct separation {
    double energy, distance, rate; /* [J/kg], from their barycentre [m], d/dt |x|^2/2 [m^2/s] */
} separation;

/* The sum of G m_j / r_j over the other bodies, from whose barycentre x and v are, *mass. */
static double pull_of_others(const ph_companions *c, const ph_state *s, size_t i, double x[3], double v[3],
                             double *mass)
{
    double pull = 0;
    for (size_t j = 0; j < ph_gravitation_bodies(c->g); j++) {
        if (j == i)
            continue;
        double d[3];
        between(c, s, i < j ? i : j, i < j ? j : i, d);
        const double other = mass_of(c, j);
        *mass += other;
        pull += ph_gravitation_constant(c->g) * other / ph_norm3(d);
        for (size_t k = 0; k < 3; k++) { /* running means */
            x[k] += other / *mass * ((i < j ? -d[k] : d[k]) - x[k]);
            v[k] += other / *mass * (c->v[3 * i + k] - c->v[3 * j + k] - v[k]);
        }
    }
    return pull;
}

/* A central body is held: what leaves it leaves the origin. */
static separation separate(const ph_companions *c, const ph_state *s, size_t i)
{
    const ph_mass *central = ph_gravitation_central(c->g);
    double x[3] = {0}, v[3] = {0}, mass = 0;
    double pull = pull_of_others(c, s, i, x, v, &mass);
    if (central) {
        memcpy(x, s->z + 3 * i, sizeof x);
        memcpy(v, c->v + 3 * i, sizeof v);
        pull += ph_gravitation_constant(c->g) * central->moment[0] / ph_norm3(x);
    } else {
        pull *= (mass_of(c, i) + mass) / mass;
    }
    return (separation){.energy = 0.5 * ph_dot3(v, v) - pull, .distance = ph_norm3(x), .rate = ph_dot3(x, v)};
}

static void see_separations(const ph_companions *c, const ph_state *s, double *binding, double *escape)
{
    if (escape)
        *escape = 0;
    for (size_t i = 0; i < ph_gravitation_bodies(c->g); i++) {
        const separation a = separate(c, s, i);
        if (binding)
            binding[i] = a.energy;
        if (escape && a.energy > 0 && a.rate > 0 && a.distance > *escape)
            *escape = a.distance;
    }
}

static double see_clearance(const ph_companions *c, const ph_state *s)
{
    double least = INFINITY;
    for (size_t i = 0; i < ph_companion_members(c->g); i++)
        for (size_t j = i + 1; j < ph_companion_members(c->g); j++) {
            const double clear = ph_companion_distance(c->g, s->z, i, j) -
                                 ph_companion_mass(c->g, i)->radius - ph_companion_mass(c->g, j)->radius;
            least = clear < least || isnan(clear) ? clear : least;
        }
    return least;
}

static void see_energies(ph_companions *c, const ph_state *s, double *values)
{
    static const unsigned parts[] = {PH_ATTRACT_POINTS, PH_ATTRACT_SHAPES, PH_ATTRACT_GIVEN};
    const size_t places = ph_gravitation_places(c->g), attitudes = ph_gravitation_attitudes(c->g);
    const double *p = s->p, *inertia = ph_gravitation_inertia(c->g);
    double translation = 0;
    for (size_t i = 0; i < places; i++)
        translation += 0.5 * ph_dot3(p + 3 * i, p + 3 * i) / inertia[i];
    *values++ = translation;
    for (size_t i = 0; i < attitudes; i++)
        *values++ = 0.5 * ph_dot3(p + 3 * places + 3 * i, c->omega + 3 * i);
    for (size_t k = 0; k < (ph_gravitation_given(c->g) ? 3 : 2); k++)
        ph_gravitation_forces(c->g, parts[k], s->t, s->z, c->force, c->torque, values++);
}

void ph_companions_see(ph_companions *c, const ph_state *s)
{
    const unsigned turned = 1u << PH_OF_EULER | 1u << PH_OF_SPIN | 1u << PH_OF_LIBRATION;
    const unsigned moving = 1u << PH_OF_ORBIT | 1u << PH_OF_BINDING | 1u << PH_OF_ESCAPE;
    double *const *to = c->values;
    c->seen = s;
    if (c->kinds & (turned | moving))
        find_velocities(c, s);
    if (!(c->kinds & (turned | 1u << PH_OF_ORBIT)))
        ;
    else if (ph_gravitation_central(c->g))
        find_central_orbits(c, s);
    else
        find_orbits(c, s);
    if (c->kinds & (1u << PH_OF_SPIN | 1u << PH_OF_ENERGIES))
        find_turning(c, s);
    if (to[PH_OF_ORBIT])
        see_orbits(c, to[PH_OF_ORBIT]);
    if (to[PH_OF_DISTANCE])
        see_distances(c, s, to[PH_OF_DISTANCE]);
    if (c->kinds & turned)
        see_angles(c, s, to[PH_OF_EULER], to[PH_OF_SPIN], to[PH_OF_LIBRATION]);
    if (to[PH_OF_BINDING] || to[PH_OF_ESCAPE])
        see_separations(c, s, to[PH_OF_BINDING], to[PH_OF_ESCAPE]);
    if (to[PH_OF_CLEARANCE])
        *to[PH_OF_CLEARANCE] = see_clearance(c, s);
    if (to[PH_OF_ENERGIES])
        see_energies(c, s, to[PH_OF_ENERGIES]);
}

const ph_state *ph_companions_seen(const ph_companions *c)
{
    return c->seen;
}

const double *ph_companions_values(const ph_companions *c, ph_column_kind kind)
{
    return c->values[kind];
}
