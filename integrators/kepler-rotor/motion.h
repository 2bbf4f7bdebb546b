/* SPDX-License-Identifier: BSD-3-Clause */
/* The motion that kepler-rotor follows, and what is done with it: drifts, kicks, tides. */
#ifndef PH_INTEGRATORS_KEPLER_ROTOR_MOTION_H
#define PH_INTEGRATORS_KEPLER_ROTOR_MOTION_H

#include <polhode/domain/gravitation.h>
#include <polhode/kit/memory.h>
#include <polhode/method.h>

#include "hierarchy.h"
#include "integrators/shared/kepler.h"
#include "integrators/shared/rotor-turn.h"
#include "splittings.h"

/* What survives a step, laid into doubles. */
typedef struct ph_motion {
    double *set;             /* 1; 0: a state that was just set */
    double *ahead;           /* [s] the drift that the next step begins with, in addition to its first one */
    double *joins;           /* the hierarchy */
    ph_kepler_orbit *pair;   /* (n - 1) */
    ph_kepler_orbit *center; /* of the barycentre; not used where the distance alone is followed */
    ph_free_turn *turn;      /* (attitudes) */
} ph_motion;

/* The scratch of the method. */
typedef struct ph_kepler_rotor {
    const ph_gravitation *gravitation;
    const ph_splitting *splitting;
    size_t n, places, attitudes;
    unsigned parts; /* of the attraction that kick as forces of gravitation; 0: none */
    bool relative, central, forced, tides;
    bool pushed;           /* does the barycentre feel forces? */
    double G, total, held; /* total mass; that of a central body */
    double *mass;          /* (n) */
    ph_hierarchy hierarchy;
    size_t *index;              /* (2n - 1) */
    ph_free_rotor *rotor;       /* (attitudes) */
    double *now;                /* (the carry's) the motion in a step */
    double *z, *p, *change, *v; /* (nz), (np), (np), (nz) */
    double *f;                  /* (3n) on bodies */
    double *torque;             /* (3 x attitudes) in the bodies' frames */
    double *force;              /* (nz) of ph_system_force */
    double *x, *more;           /* (3n), (5n) */
    double *point;              /* (3n) what points do, on bodies */
    double *dissipation;        /* of ph_gravitation_dissipate */
} ph_kepler_rotor;

/* Doubles of a carry. */
size_t ph_motion_size(const ph_gravitation *g);
/* The struct and its arrays. */
void ph_kepler_rotor_lay(ph_kepler_rotor *w, const ph_system *system, ph_lay *l);

/* The motion of a state, in w->now. by_periods: the hierarchy of one that was just set. */
ph_motion ph_motion_take(ph_kepler_rotor *w, bool by_periods, const ph_state *state);
/* For the time tau. False: not finite, or a turn that is too long. */
bool ph_motion_drift(const ph_kepler_rotor *w, ph_motion *m, double tau, int64_t *iterations);
/* For the time tau by the forces at the time t. */
ph_status ph_motion_kick(ph_context *context, double t, double tau, ph_motion *m);
/* Tides for the time tau at the present configuration. */
void ph_motion_dissipate(ph_kepler_rotor *w, double tau, ph_motion *m);
/* z, p <- of the motion. */
void ph_motion_write(const ph_kepler_rotor *w, const ph_motion *m, double *z, double *p);
/* Is everything finite, and can the drift that is still ahead be made? */
bool ph_motion_is_sound(const ph_kepler_rotor *w, const ph_motion *m);

#endif
