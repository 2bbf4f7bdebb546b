/* SPDX-License-Identifier: BSD-3-Clause */
/* What a description of bodies under mutual gravity is made of (polhode/domain/gravitation.h), and what acts on them in groups:
 * each other (forces.c), a central body (central.c), given bodies (given.c). */
#ifndef PH_GRAVITY_GRAVITATION_H
#define PH_GRAVITY_GRAVITATION_H

#include "pair-lanes.h"

#include <polhode/domain/gravitation.h>

typedef struct ph_gravitating {
    ph_mass mass;
    size_t attitude; /* factor SO(3), or PH_NO_INDEX */
    ph_figure_sort sort;
    const ph_figure *figure; /* NULL of a point */
    ph_mesh *shape;          /* or NULL; free() it */
} ph_gravitating;

/* A given body as defined, and its motion: X = ahead (cos E - e) + aside sin E, of a hyperbola with cosh H and sinh H, as
 * ahead and aside are axes of the orbit times a and |b|. */
typedef struct ph_given {
    ph_given_body is;
    double ahead[3], aside[3], rate; /* rate of the mean anomaly */
} ph_given;

/* A tide as defined, and what of its law does not change. */
typedef struct ph_tidal {
    ph_tide is;
    double strength;   /* (3/2) k2 G R^5 sin 2 epsilon: K = strength m^2/x^6 */
    double calm;       /* 1/(J_zz sqrt(pi G rho/6)): gc = calm K */
    double inverse[9]; /* of J */
} ph_tidal;

/* The central body, as defined. */
typedef struct ph_held {
    ph_mass mass;
    ph_polyhedron *exact;
    double R0[9], spin[3];
    bool sphere;     /* its mass in the origin, and nothing else */
    bool off_center; /* its centre of mass is not in the origin */
    ph_figure_sort sort;
    ph_figure *figure; /* NULL of a point */
    ph_mesh *shape;    /* or NULL; free() it */
} ph_held;

struct ph_gravitation {
    size_t n, places, attitudes, order;
    double G;
    bool relative;
    ph_pair_width width; /* of the vectors that may be used */
    double *inertia;     /* (places) */
    size_t *point;       /* (points) bodies without a figure, */
    size_t points;       /* how many */
    ph_figure *figures;  /* of those that have one */
    ph_pair pair;        /* of the first two bodies */
    ph_given *given;     /* (n_given) */
    size_t n_given;
    ph_held *central;      /* or NULL */
    ph_tidal *tides;       /* (n), or NULL */
    ph_gravitating body[]; /* (n) */
};

/* From so many points on they are evaluated together, points.c; fewer pair by pair, as all bodies. */
enum { PH_GRAVITATION_GROUPED = 8 };

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

/* force (3 x places), torque (3 x attitudes), U (nullable) <- what the bodies do to each other. */
void ph_gravitation_pairs(const ph_gravitation *g, unsigned parts, const double *z, double *force,
                          double *torque, double *U);

/* out += what the central body does; += what given bodies do. */
void ph_central_attract(const ph_gravitation *g, unsigned parts, double t, const double *z,
                        ph_attracted *out);
void ph_given_attract(const ph_gravitation *g, double t, const double *z, ph_attracted *out);

/* Checks of these parts of a definition. */
ph_status ph_given_check(const ph_given_body *given, size_t i, ph_error *err);
ph_status ph_central_check(const ph_central_body *central, ph_error *err);
ph_status ph_tide_check(const ph_tide *tide, size_t body, bool turns, ph_error *err);
/* given <- from the definition, with mu. */
void ph_given_fill(const ph_given_body *body, double G, ph_given *given);
/* tidal <- from the definition, of a body with this inertia. */
void ph_tide_fill(const ph_tide *tide, const double J[9], double G, ph_tidal *tidal);
/* held <- from the definition; false without memory. */
bool ph_central_fill(const ph_central_body *central, size_t order, ph_held *held);

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
