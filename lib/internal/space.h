/* SPDX-License-Identifier: BSD-3-Clause */
/* What one kind of factor of a space is called and can do. A new manifold is one file that fills in this
 * table, one line in the list of space.c, and one word in ph_factor_kind. */
#ifndef PH_INTERNAL_SPACE_H
#define PH_INTERNAL_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/space.h>

/* How the numbers of factor i are distinguished in the names of columns, below for i = 1. */
typedef enum ph_index {
    PH_INDEX_NONE,  /* pi1: there is only one */
    PH_INDEX_COUNT, /* x1_1, x1_2, ... */
    PH_INDEX_AXIS,  /* q1x, q1y, q1z */
    PH_INDEX_AXES   /* R1xx, R1xy, ...: row and column */
} ph_index;

/* The names of a factor's configuration or momentum. */
typedef struct ph_symbol {
    const char *letters; /* "q", "pi" */
    ph_index index;
    const char *unit; /* "1", "kg m^2/s" */
} ph_symbol;

/* What is wrong with which numbers. */
typedef struct ph_flaw {
    ph_fault fault;
    size_t i;            /* the factor, from 0 */
    bool read;           /* from a file, whose reader has the numbers' place: ph_space_factor_fault. Otherwise
                            the sentence begins with the factor, "q2 has length ...". */
    const double *z, *v; /* the factor's own numbers */
    ph_status status;    /* PH_FAULT_REMOTE: why there is no nearest point */
} ph_flaw;

/* The functions see one factor: f says where it lies and, for an embedded one, what it is; z, v, p are its
 * own numbers. Their meaning is that of the ph_space_... function of the same name. Outputs do not overlap
 * inputs unless there is only one argument. */
typedef struct ph_manifold {
    const char *name;
    ph_factor_words words;
    ph_symbol configurations, momenta;
    size_t nz, np, nx;   /* numbers in z, p, and tangent coordinates; 0: as the factor says */
    bool no_retraction;  /* increment, dexp: NaN; log, project: PH_E_UNSUPPORTED */
    bool is_phase_space; /* np is 0; angular velocities have nz numbers */

    /* Writes what is wrong (size characters at the most) for messages, which the caller completes by what
     * would be right. NULL where nothing can be wrong. */
    void (*explain)(const ph_factor_place *f, const ph_flaw *flaw, char *text, size_t size);

    /* Do the user's callbacks return what they must at z, which may be off the manifold? NULL where there are
     * no callbacks. i: which factor it is, for the message. */
    ph_status (*inspect)(const ph_factor_place *f, size_t i, const double *z, ph_error *err);

    /* D <- exp_z(v) - z, without the cancellation of the difference */
    void (*increment)(const ph_factor_place *f, const double *z, const double *v, double *D);
    /* the same from z + low; NULL: low is ignored */
    void (*increment_sum)(const ph_factor_place *f, const double *z, const double *low, const double *v,
                          double *D);
    ph_status (*log)(const ph_factor_place *f, const double *z, const double *z1, double *v);
    void (*dexp)(const ph_factor_place *f, const double *z, const double *v, const double *dv, double *w);
    /* the status that project would return; z is not changed */
    ph_status (*has_nearest)(const ph_factor_place *f, const double *z);
    ph_status (*project)(const ph_factor_place *f, double *z); /* on failure z is unchanged */
    void (*project_tangent)(const ph_factor_place *f, const double *z, double *v);
    void (*projection)(const ph_factor_place *f, const double *z, double *P, size_t stride); /* of P's rows */
    void (*projection_along)(const ph_factor_place *f, const double *z, const double *dz, const double *y,
                             double *out);
    void (*basis)(const ph_factor_place *f, const double *z, double *E);
    double (*residual)(const ph_factor_place *f, const double *z);
    double (*tangency)(const ph_factor_place *f, const double *z, const double *v);
    void (*correct)(const ph_factor_place *f, double *z);
    /* NULL: correct is called instead, and low is 0 */
    void (*correct_sum)(const ph_factor_place *f, double *z, double *low);
    void (*momentum)(const ph_factor_place *f, const double *z, const double *mu, double *p);
    void (*covector)(const ph_factor_place *f, const double *z, const double *p, double *mu);
    void (*turn)(const ph_factor_place *f, const double *z, const double *w, double *v);
    void (*spin)(const ph_factor_place *f, const double *z, const double *v, double *w);
    /* D <- exp(u).z - z; NULL where no group acts. bracket: NULL where the group is commutative */
    void (*act)(const ph_factor_place *f, const double *z, const double *u, double *D);
    void (*bracket)(const double *u, const double *v, double *w);
    /* NULL where every p is a momentum, so that there is nothing to project */
    void (*project_momentum)(const ph_factor_place *f, const double *z, double *p);
    double (*momentum_tangency)(const ph_factor_place *f, const double *z, const double *p);
    /* NULL but for embedded manifolds that have a retraction */
    void (*carry_momentum)(const ph_factor_place *f, const double *z, const double *z1, const double *p,
                           const double *low, const double *impulse, const double *push, double *dp);
} ph_manifold;

extern const ph_manifold ph_manifold_euclidean;   /* euclidean.c */
extern const ph_manifold ph_manifold_sphere;      /* sphere.c */
extern const ph_manifold ph_manifold_spin;        /* sphere.c: as a phase space */
extern const ph_manifold ph_manifold_circle;      /* circle.c */
extern const ph_manifold ph_manifold_rotation;    /* rotation.c */
extern const ph_manifold ph_manifold_constraints; /* constrained.c: an embedding by constraints */
extern const ph_manifold ph_manifold_projector;   /* projector.c: an embedding by its projection alone */

/* The table of factor i. */
const ph_manifold *ph_space_manifold(const ph_space *space, size_t i);

/* ph_space_factor without its table of all places (64 bytes a factor, where all are alike): `room` may be written, and
 * then is what is returned. */
const ph_factor_place *ph_space_place(const ph_space *space, size_t i, ph_factor_place *room);

/* text <- what its manifold writes about the flaw; "" where nothing can be wrong. */
void ph_space_explain(const ph_space *space, const ph_flaw *flaw, char *text, size_t size);

/* explain of the manifolds whose points are unit vectors q, and tangent vectors perpendicular to them
 * (unit.c). */
void ph_unit_explain(const ph_factor_place *f, const ph_flaw *flaw, char *text, size_t size);

/* Does what the user gives for factor i make sense at z (whole)? PH_OK where nothing is given. See
 * ph_manifold. */
ph_status ph_space_inspect(const ph_space *space, size_t i, const double *z, ph_error *err);

/* Data from outside, finite numbers (admission.c): what is off the manifold by more than 1e-12 (velocities
 * and momenta: relative to the largest) is an error, unless it is to be projected; then it is brought there
 * exactly, in place. Velocities and momenta are judged at z, which must have been admitted.
 * PH_E_NOT_ON_MANIFOLD, PH_E_NOT_TANGENT: the message names the factor and says what the projection would
 * give; what is in place is then undefined. */
ph_status ph_space_admit_point(const ph_space *space, bool project, double *z, ph_error *err);
ph_status ph_space_admit_velocity(const ph_space *space, const double *z, bool project, double *v,
                                  ph_error *err);
ph_status ph_space_admit_momentum(const ph_space *space, const double *z, bool project, double *p,
                                  ph_error *err);

/* *to <- a copy of the space, to be freed with ph_space_free. PH_E_NO_MEMORY. */
ph_status ph_space_copy(const ph_space *from, ph_space **to);

#endif
