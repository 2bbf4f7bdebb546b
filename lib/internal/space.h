/* SPDX-License-Identifier: BSD-3-Clause */
/* What one kind of factor of a space can do. A new manifold is one file that fills in this table, one
 * line in the list of space.c, and one word in ph_factor_kind. */
#ifndef PH_INTERNAL_SPACE_H
#define PH_INTERNAL_SPACE_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/space.h>

/* The functions see one factor: f says where it lies and, for an embedded one, what it is; z, v, p are its
 * own numbers. Their meaning is that of the ph_space_... function of the same name. Outputs do not overlap
 * inputs unless there is only one argument. */
typedef struct ph_manifold {
    const char *name;
    size_t nz, np, nx;  /* numbers in z, p, and tangent coordinates; 0: as the factor says */
    bool no_retraction; /* increment, dexp: NaN; log, project: PH_E_UNSUPPORTED */

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
extern const ph_manifold ph_manifold_circle;      /* circle.c */
extern const ph_manifold ph_manifold_rotation;    /* rotation.c */
extern const ph_manifold ph_manifold_constraints; /* constraints.c: an embedding by constraints */
extern const ph_manifold ph_manifold_projector;   /* projector.c: an embedding by its projection alone */

/* "(a, b, ...)" with all digits of n numbers; those that do not fit are replaced by dots. */
typedef struct ph_numbers {
    char text[256];
} ph_numbers;
const char *ph_show(ph_numbers *to, const double *v, size_t n);

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

/* *space <- the product of n >= 1 factors of one kind (not R^d), to be freed with ph_space_free.
 * PH_E_NO_MEMORY. */
ph_status ph_space_create_power(ph_factor_kind kind, size_t n, ph_space **space, ph_error *err);

/* *to <- a copy of the space, to be freed with ph_space_free. PH_E_NO_MEMORY. */
ph_status ph_space_copy(const ph_space *from, ph_space **to);

#endif
