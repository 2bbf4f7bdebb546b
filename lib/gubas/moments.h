/* SPDX-License-Identifier: BSD-3-Clause */
/* Moments T_abc = int x^a y^b z^c dm of a body as GUBAS has them, and their image under a linear map. */
#ifndef PH_GUBAS_MOMENTS_H
#define PH_GUBAS_MOMENTS_H

#include <polhode/gubas.h>
#include <polhode/mass.h>

enum {
    PH_GUBAS_DEGREE = PH_MASS_DEGREE,
    PH_GUBAS_FORM = (PH_GUBAS_DEGREE + 1) * (PH_GUBAS_DEGREE + 2) / 2 /* numbers of a form of that degree */
};

/* A form of degree n in three variables has the number of x^a y^b z^c at (b+c)(b+c+1)/2 + c. */
typedef double ph_gubas_form[PH_GUBAS_FORM];

typedef struct ph_gubas_moments {
    size_t degree;
    ph_gubas_form T[PH_GUBAS_DEGREE + 1]; /* (degree + 1) [kg km^n] */
    double J[3];                          /* about the axes x, y, z [kg km^2] */
} ph_gubas_moments;

/* *to <- those of body i of the case up to this degree, with what GUBAS does differently: |det| of each
 * tetrahedron of a polyhedron, no shift to the centre of mass, the diagonal of J alone; of an ellipsoid
 * degree 2 or 4 by its order; of a sphere none but the mass. Errors of ph_shape_read_tables; PH_E_RANGE: a
 * mass that is not positive. */
ph_status ph_gubas_moments_of(const ph_gubas_case *of, size_t i, size_t degree, ph_gubas_moments *to,
                              ph_error *err);

/* *to <- the mass distribution x -> C x, C (9) any matrix: what ph_attract needs (without J).
 * PH_E_NOT_FINITE. */
ph_status ph_gubas_moments_turn(const ph_gubas_moments *moments, const double C[9], ph_mass *to);

#endif
