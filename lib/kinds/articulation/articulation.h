/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree of rigid bodies (ph_articulation) as a system keeps it, and what is evaluated from it in time
 * proportional to n: see articulation.c. */
#ifndef PH_KINDS_ARTICULATION_H
#define PH_KINDS_ARTICULATION_H

#include "lib/system/system.h"

struct ph_scene_points_list;
struct ph_part_list;

typedef struct ph_articulated {
    size_t n;
    ph_articulation is; /* points to the copies below */
    size_t *parent;
    double *mass, *inertia, *joint, *anchor;
    double *second; /* (9n) J_d = (tr J / 2) I - J */
    double *centre; /* (3n) c: from the body's joint to its centre of mass, in its frame */
    /* (3n) d: from the parent's joint to the body's, in the parent's frame; 0 on a fixed point */
    double *offset;
    double *pull;  /* (3n) w: mass times lever of all that hangs on the body, in its frame */
    double *below; /* (n) mass of the body and all that hangs on it */
    double ground; /* U = ground - sum_i gravity . R_i w_i */
    bool regular;  /* is MM far from singular on every tangent space? */
} ph_articulated;

/* PH_E_INVALID, PH_E_NOT_FINITE, PH_E_RANGE with a message that names the body and the reason. */
ph_status ph_articulated_check(const ph_articulation *a, const ph_space *space, ph_error *err);
/* Is J (9) that of some body? PH_E_INVALID, PH_E_NOT_FINITE, PH_E_RANGE; `what` begins the message. */
ph_status ph_articulated_check_tensor(const double *J, const char *what, ph_error *err);
/* A copy of an articulation that has been checked; NULL without memory. */
ph_articulated *ph_articulated_create(const ph_articulation *a, size_t n);
void ph_articulated_free(void *tree);

bool ph_articulated_is_heavy(const ph_articulated *tree); /* does U depend on the configuration? */
double ph_articulated_potential(const ph_articulated *tree, const double *z);
void ph_articulated_gradient(const ph_articulated *tree, double *dU);
/* MM (9n x 9n) <- in full. */
void ph_articulated_inertia(const ph_articulated *tree, double *MM);
/* mu (9n) <- MM v. No overlap. */
void ph_articulated_apply(const ph_articulated *tree, const double *v, double *mu);

/* Doubles of work for the following. */
size_t ph_articulated_work(size_t n);
/* zdot <- the velocity of the body momenta p (3n). PH_E_SINGULAR, PH_E_NOT_FINITE. */
ph_status ph_articulated_velocity(const ph_articulated *tree, const double *z, const double *p, double *zdot,
                                  double *work);
/* ydot <- of y = (R, Pi) without forces but gravity. PH_E_DIVERGED, PH_E_NOT_FINITE. work: ph_structure.in_momenta (rate.c) */
ph_status ph_articulated_rate(const ph_articulated *tree, const double *y, double *ydot, double *work);
/* Can velocities be found from momenta at z? PH_E_SINGULAR; *condition <- the largest condition number of the
 * 3 x 3 matrices Q in the elimination. */
ph_status ph_articulated_regular(const ph_articulated *tree, const double *z, double *work,
                                 double *condition);

/* ph_structure.add_points, .add_parts (scene.c) */
bool ph_articulated_points(const ph_system *system, struct ph_scene_points_list *list);
bool ph_articulated_parts(const ph_system *system, const double *down, struct ph_part_list *list);

#endif
