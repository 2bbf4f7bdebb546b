/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of system as a table of functions and data, as a method is (polhode/method.h). Whatever its kind, a system is a state on a
 * product of simple manifolds with an energy and, for each state, its rate of change; how these come about is told by its
 * structure, from which the evaluation (lib/system), runs, equations, methods, scenes and reduction take it. A function that is NULL is
 * that of an inertia with callbacks, which most kinds share. Functions of energy and motion, which lib/system calls, get the root of a
 * system (the base of a forced one), others the system itself. The list is lib/kinds/catalogue.def. */
#ifndef PH_INTERNAL_STRUCTURE_H
#define PH_INTERNAL_STRUCTURE_H

#include <polhode/kit/equations.h>
#include <polhode/method.h>
#include <polhode/system.h>

struct ph_checks;
struct ph_part_list;
struct ph_scene_points_list;

/* Quantities that are gathered factor by factor. */
typedef struct ph_tally {
    double residual, tangency, size; /* maxima of the first two (NaN if one is NaN); sum of |p_i| */
    double turns[3];                 /* of the momentum about e1, e2, e3 */
} ph_tally;

/* A sparse inverse inertia: the functions of polhode/kit/tensions.h, of the data of the kind. */
typedef struct ph_sparse_inertia {
    void (*apply_inverse)(const void *own, const double *mu, double *v);
    /* a <- MM^{-1} (f - g), and the acceleration by gravity; f nullable; `pulled`: a is g on entry, else there is none. */
    void (*accelerate)(const void *own, const double *f, bool pulled, double *a);
    void (*pull)(const void *own, const double *q, const double *tau, double *v);
    void (*terms)(const void *own, const double *tau, double *size);
    void (*own)(const void *own, double *entries);
    size_t (*size)(const void *own);
    ph_status (*factor)(const void *own, const double *q1, const double *q, double *F, int *sign);
    void (*solve)(const void *own, const double *F, double *tau);
} ph_sparse_inertia;

/* Why those of a sparse inverse inertia have no dense matrices (PH_DENSE_PAIRS, PH_DENSE_AMBIENT). */
#define PH_SPARSE_MATRICES                                                                                       \
    "a linkage has up to 512 links, with a cart up to 600 numbers in z; forms of the equations take any number " \
    "without velocity constraints"

enum { PH_IN_MOMENTA_WORK = 6 };

typedef struct ph_structure {
    const char *name;

    /* ---- Creation -------------------------------------------------------------------------------- */

    /* Is it what the definition describes? */
    bool (*fits)(const ph_system_definition *d);
    /* May a system be created from it? PH_E_INVALID, PH_E_NOT_FINITE, PH_E_SINGULAR, PH_E_RANGE. */
    ph_status (*check)(const ph_system_definition *d, ph_error *err);
    /* *space <- that of a definition without one. NULL: it must have one. */
    ph_status (*make_space)(const ph_system_definition *d, ph_space **space, ph_error *err);
    /* s->own and what else follows from the definition; s has its numbers of factors and coordinates. */
    ph_status (*create)(ph_system *s, const ph_system_definition *d, ph_error *err);
    /* Frees s->own, nullable. The data of a kind are known by this function (ph_system_own). */
    void (*release)(void *own);

    /* ---- What it has not, in words --------------------------------------------------------------- */

    const char *no_velocities; /* why there are neither velocities nor momenta; NULL: there are */
    const char *no_momenta;    /* in few words, likewise */
    const char *velocity;      /* what is wrong with a velocity that is given for its state, likewise */
    const char *
        no_matrices; /* up to which size it has those of its inertia, "an articulation has up to ..."; NULL: it has */
    const char *singular;  /* why its inertia is singular, where check_regular says so */
    const char *no_forces; /* why a forced system cannot be based on it; NULL: it can */

    /* ---- Energy ---------------------------------------------------------------------------------- */

    /* *U, dU (nz) += what there is besides callbacks, ... NULL: nothing, here and below. */
    ph_status (*add_potential)(const ph_system *s, const double *z, double *U);
    ph_status (*add_gradient)(const ph_system *s, const double *z, double *dU);
    bool sets_gradient; /* are there no callbacks, and does add_gradient write dU whatever is in it? */
    /* ... and of what depends on time, with *rate += dU/dt. */
    ph_status (*add_in_time)(const ph_system *s, double t, const double *z, double *U);
    ph_status (*add_gradient_in_time)(const ph_system *s, double t, const double *z, double *dU);
    ph_status (*add_rate)(const ph_system *s, double t, const double *z, double *rate);
    /* *power <- of what is no force by callback; dU/dt is added to it. work (nz). NULL: by the forces and the velocity. */
    ph_status (*power)(const ph_system *s, double t, const double *z, double *power, double *work);
    /* *kinetic <- from momenta. work (ph_system_work). NULL: by way of the velocity. */
    ph_status (*kinetic)(const ph_system *s, const double *z, const double *p, double *kinetic, double *work);

    /* ---- Motion ---------------------------------------------------------------------------------- */

    size_t (*work)(const ph_system *s); /* ph_system_work */
    /* mu <- MM v. No overlap. NULL: by the matrix. */
    void (*apply)(const ph_system *s, const double *v, double *mu);
    const ph_sparse_inertia *sparse; /* NULL: none */
    /* zdot <- the velocity of the covector mu; *singular: ph_invert_transform. work (ph_system_work less nz). NULL: by tensions or
     * the matrix. */
    ph_status (*invert)(const ph_system *s, const double *z, const double *mu, double *zdot, double *work,
                        bool *singular);
    /* ph_check_regular in a way of its own. work (ph_system_work) */
    ph_status (*check_regular)(const ph_system *s, const double *z, double *work, double *condition);
    /* An upper bound of what |MM v| may be for |v| <= 1, where there is no matrix. */
    double (*inertia_bound)(const ph_system *s);
    /* zdot <- of equations of first order, whose state is z alone. NULL: by the Legendre transform. */
    ph_status (*flow)(const ph_system *s, double t, const double *z, double *zdot);
    /* a (nz) <- the second derivative of z, of which v is the first, at t; by values at times from t to t + span. work
     * (bend_work). NULL: by the continuous equations in (z, zdot). */
    ph_status (*bend)(const ph_system *s, double t, const double *z, const double *v, double span, double *a,
                      double *work);
    size_t (*bend_work)(const ph_system *s);
    bool (*bends_by_side)(const ph_system *s); /* does it depend on the sign of span? */
    ph_status (*fastest_rate)(const ph_system *s, const double *z, double *rate, ph_error *err);

    /* ---- Momentum maps, admission, checks --------------------------------------------------------- */

    /* turns (3) += what all factors add to the momentum map of rotations. NULL: as their manifolds say. */
    void (*add_turns)(const ph_system *s, const double *z, const double *p, double *turns);
    /* All that is gathered factor by factor. NULL: by residuals of the manifolds and add_turns. */
    void (*tally)(const ph_system *s, const double *z, ph_tally *tally);
    bool regular; /* is its inertia, or what stands for it, never singular on the manifold? */
    bool (*is_regular)(const ph_system *s); /* ... of this system? NULL: no more than `regular` says */
    /* May z, which is on the manifold, be that of a state? NULL: yes. */
    ph_status (*admit)(const ph_system *s, const double *z, ph_error *err);
    /* ph_system_check_derivatives: makes room, fills in c->report. NULL: lib/system/check.c. */
    ph_status (*check_derivatives)(struct ph_checks *c);

    /* ---- Methods and equations ------------------------------------------------------------------- */

    const ph_field *form;  /* whose evaluation is the cheapest; NULL: by strength of L and factors */
    const char *form_only; /* why others do not suit; NULL: they do where they support the system */
    /* ydot <- of y = (z, angular velocities), without velocity constraints (lib/equations/q-omega.c), of the system itself, with
     * all forces; work (spin_work). NULL: as for any product. */
    ph_status (*spin)(const ph_system *s, double t, const double *y, double *ydot, double *work);
    size_t (*spin_work)(const ph_system *s);
    /* Of these y (ph_field.project), where it is near the manifold; *done: is it? NULL: as for any product. */
    ph_status (*spin_project)(const ph_system *s, double *y, bool *done);
    /* ydot <- of y = (z, p), where there are no forces beyond its own potential; work: PH_IN_MOMENTA_WORK times the numbers of z.
     * NULL: as for any product. */
    ph_status (*in_momenta)(const ph_system *s, const double *y, double *ydot, double *work);
    /* Does a method suit? NULL: every one that supports the system. */
    bool (*suits)(const ph_method *method);
    const char *unsuited; /* what is said of one that does not */

    /* ---- Columns, scenes ------------------------------------------------------------------------- */

    double (*least_distance)(const ph_system *s, const double *z); /* NULL: no such column */
    /* x (3 x factors) <- its points, one for each factor, where the definition has none. */
    void (*place)(const ph_system *s, const double *z, double *x);
    const double *(*gravity)(const ph_system *s); /* (3) the field; NULL: none is known */
    /* Of the system itself: these points in a scene, in the list, which has been begun; false without memory. NULL: measured. */
    bool (*add_points)(const ph_system *s, struct ph_scene_points_list *list);
    /* Parts of a scene that follow from the system, which leaves a mark in the direction `down` (3; 0: none). False: none, and
     * those of its factors are taken. */
    bool (*add_parts)(const ph_system *s, const double *down, struct ph_part_list *list);
    double (*strength)(const ph_system *s, size_t factor); /* in scenes; NULL: 1 */
} ph_structure;

/* That of the system or of its base. */
const ph_structure *ph_structure_of(const ph_system *system);

/* ph_system_create of a kind that the caller knows. */
ph_status ph_system_create_of(const ph_structure *of, const ph_system_definition *definition,
                              ph_system **system, ph_error *err);
/* May a system be created from it (definition.c)? PH_E_INVALID, PH_E_NOT_FINITE, PH_E_SINGULAR,
 * PH_E_RANGE. */
ph_status ph_definition_check(const ph_system_definition *d, ph_error *err);
/* The part of it that is about a potential that depends on time, which forced systems may add. */
ph_status ph_definition_check_time(const ph_system_definition *d, ph_error *err);

/* The user block of a system, or of what it is based on, that this function frees; NULL: there is none. */
void *ph_system_user(const ph_system *s, void (*user_free)(void *user));

#endif
