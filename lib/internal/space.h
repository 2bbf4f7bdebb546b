/* SPDX-License-Identifier: BSD-3-Clause */
/* What one kind of factor of a space can do. A new manifold is one file that fills in this table, one
 * line in the list of space.c, and one word in ph_factor_kind. */
#ifndef PH_INTERNAL_SPACE_H
#define PH_INTERNAL_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/space.h>

/* The functions see one factor: n ambient coordinates. Their meaning is that of the ph_space_...
 * function of the same name. Outputs do not overlap inputs unless there is only one argument. */
typedef struct ph_manifold {
    const char *name;
    size_t nz, np, nx; /* numbers in z, p, and tangent coordinates; 0: the d of the factor */

    void (*exp)(size_t n, const double *z, const double *v, double *z1);
    ph_status (*log)(size_t n, const double *z, const double *z1, double *v);
    void (*dexp)(size_t n, const double *z, const double *v, const double *dv, double *w);
    bool (*has_nearest)(size_t n, const double *z); /* may project be called? */
    void (*project)(size_t n, double *z);
    void (*project_tangent)(size_t n, const double *z, double *v);
    void (*basis)(size_t n, const double *z, double *E);
    double (*residual)(size_t n, const double *z);
    double (*tangency)(size_t n, const double *z, const double *v);
    void (*correct)(size_t n, double *z);
    void (*momentum)(size_t n, const double *z, const double *mu, double *p);
    void (*covector)(size_t n, const double *z, const double *p, double *mu);
    void (*turn)(size_t n, const double *z, const double *w, double *v);
    void (*spin)(size_t n, const double *z, const double *v, double *w);
    /* NULL where no group acts; bracket NULL where the group is commutative */
    void (*act)(size_t n, const double *z, const double *u, double *z1);
    void (*bracket)(const double *u, const double *v, double *w);
    /* NULL where every p is the momentum of a motion */
    void (*project_momentum)(size_t n, const double *z, double *p);
    double (*momentum_tangency)(size_t n, const double *z, const double *p);
} ph_manifold;

extern const ph_manifold ph_manifold_euclidean; /* euclidean.c */
extern const ph_manifold ph_manifold_sphere;    /* sphere.c */
extern const ph_manifold ph_manifold_circle;    /* circle.c */
extern const ph_manifold ph_manifold_rotation;  /* rotation.c */

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

/* *space <- the product of n >= 1 factors of one kind (not R^d), to be freed with ph_space_free. PH_E_NO_MEMORY. */
ph_status ph_space_create_power(ph_factor_kind kind, size_t n, ph_space **space, ph_error *err);

/* *to <- a copy of the space, to be freed with ph_space_free. PH_E_NO_MEMORY. */
ph_status ph_space_copy(const ph_space *from, ph_space **to);

#endif
