/* SPDX-License-Identifier: BSD-3-Clause */
/* How a scenario describes a body: the keys of its map, and a reader for each form. */
#ifndef PH_SCENARIO_BODIES_H
#define PH_SCENARIO_BODIES_H

#include "parts.h"

enum {
    BODY_MASS,
    BODY_DENSITY,
    BODY_HALF_AXES,
    BODY_RADIUS,
    BODY_OCTAHEDRON,
    BODY_MESH,
    BODY_VERTICES,
    BODY_FACES,
    BODY_UNIT,
    BODY_MOMENTS,
    BODY_HARMONICS,
    BODY_INERTIA,
    BODY_PARTS,
    BODY_PLACE,
    BODY_QUATERNION,
    BODY_AXES,
    BODY_FIELD,
    BODY_TURNING,
    BODY_TIDE,
    BODY_KEYS
};

/* body <- a homogeneous ellipsoid, sphere, or polyhedron; `at` is the map, values its entries, unit [m] that of lengths. */
ph_status ph_read_ellipsoid(ph_reading *r, const ph_node *at, const ph_node *values, double unit,
                            ph_mass *body, ph_error *err);
ph_status ph_read_sphere(ph_reading *r, const ph_node *at, const ph_node *values, double unit, ph_mass *body,
                         ph_error *err);
/* exact (nullable) <- its surface, which the reading owns. */
ph_status ph_read_polyhedron(ph_reading *r, const ph_node *at, const ph_node *values, double unit,
                             ph_mass *body, ph_surface **exact, ph_error *err);
/* body <- of moments, or of harmonics. */
ph_status ph_read_moments(const ph_node *values, double unit, ph_mass *body, ph_error *err);
ph_status ph_read_harmonics(const ph_node *at, const ph_node *values, double unit, ph_mass *body,
                            ph_error *err);
/* J <- three principal moments, or the tensor. */
ph_status ph_read_inertia(const ph_node *at, double J[9], ph_error *err);
/* tide <- of the map `at`, of a body with this mass distribution. */
ph_status ph_read_tide(const ph_node *at, const ph_mass *body, double unit, ph_tide *tide, ph_error *err);
/* A number that must be positive, of which `expected` says the unit. */
ph_status ph_read_positive(const ph_node *at, const char *expected, double *value, ph_error *err);

#endif
