/* SPDX-License-Identifier: BSD-3-Clause */
/* What a description of bodies under mutual gravity is made of (polhode/gravitation.h), and what acts on them in groups:
 * each other (forces.c), a central body (central.c), given bodies (given.c). */
#ifndef PH_GRAVITY_GRAVITATION_H
#define PH_GRAVITY_GRAVITATION_H

#include <polhode/gravitation.h>

typedef struct ph_gravitating {
    ph_mass mass;
    size_t attitude; /* factor SO(3), or PH_NO_INDEX */
} ph_gravitating;

/* The central body, as defined. */
typedef struct ph_held {
    ph_mass mass;
    ph_polyhedron *exact;
    double R0[9], spin[3];
    bool sphere; /* its mass in the origin, and nothing else */
} ph_held;

struct ph_gravitation {
    size_t n, places, attitudes, order;
    double G;
    bool relative;
    double *inertia;      /* (places) */
    ph_given_body *given; /* (n_given) */
    size_t n_given;
    ph_held *central;      /* or NULL */
    ph_tide *tides;        /* (n), or NULL */
    ph_gravitating body[]; /* (n) */
};

/* What acts, as a sum. rate: nullable like U. */
typedef struct ph_attracted {
    double *force, *torque; /* (3 places), (3 attitudes) */
    double U, rate;
} ph_attracted;

/* Groups of what attracts. */
enum {
    PH_GROUP_MUTUAL = 1 << 0,
    PH_GROUP_CENTRAL = 1 << 1,
    PH_GROUP_GIVEN = 1 << 2,
    PH_GROUP_ALL = (1 << 3) - 1
};

/* out <- the parts (PH_ATTRACT_...) of these groups. */
void ph_gravitation_evaluate(const ph_gravitation *g, unsigned groups, unsigned parts, double t,
                             const double *z, ph_attracted *out);
/* The groups that are a potential that depends on time. */
unsigned ph_gravitation_groups_in_time(const ph_gravitation *g);

/* out += what the central body does; += what given bodies do. */
void ph_central_attract(const ph_gravitation *g, unsigned parts, double t, const double *z,
                        ph_attracted *out);
void ph_given_attract(const ph_gravitation *g, double t, const double *z, ph_attracted *out);

/* Checks of these parts of a definition. */
ph_status ph_given_check(const ph_given_body *given, size_t i, ph_error *err);
ph_status ph_central_check(const ph_central_body *central, ph_error *err);
ph_status ph_tide_check(const ph_tide *tide, size_t body, bool turns, ph_error *err);
/* held <- from the definition. */
void ph_central_fill(const ph_central_body *central, ph_held *held);

/* The attitude of body i in z; the identity of one without. */
static inline const double *ph_gravitating_attitude(const ph_gravitation *g, size_t i, const double *z)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const size_t at = g->body[i].attitude;
    return at == PH_NO_INDEX ? identity : z + 3 * g->places + 9 * at;
}

/* The share of the distance x = x_B - x_A that body i has as its place, where bodies are followed by it; else 1. */
static inline double ph_gravitating_share(const ph_gravitation *g, size_t i)
{
    const double a = g->body[0].mass.moment[0];
    if (!g->relative)
        return 1;
    const double b = g->body[1].mass.moment[0];
    return i == 0 ? -b / (a + b) : a / (a + b);
}

#endif
