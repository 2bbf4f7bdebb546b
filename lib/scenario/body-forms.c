/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms in which a scenario gives the mass distribution of a body: see bodies.h. */
#include "bodies.h"

#include <polhode/kit/vector.h>

#include <math.h>
#include <stdlib.h>

enum { DEGREE, T, MOMENT_KEYS };
static const ph_scenario_key moment_keys[MOMENT_KEYS] = {
    [DEGREE] = {"degree", "a whole number, 0 to 8", NULL, "The degree of the highest moments."},
    [T] = {
        "T", "a list of numbers in kg mⁿ", NULL,
        "The moments T_abc = ∫ xᵃ yᵇ zᶜ dm, all with a + b + c up to the degree, a slowest and c fastest; the first is "
        "the mass. From degree 2 on they give the inertia."}};
const ph_scenario_map ph_moment_keys = {"parameters.bodies[i].moments", moment_keys, MOMENT_KEYS};

enum { REFERENCE, ORDER, C, S, HARMONIC_KEYS };
static const ph_scenario_key harmonic_keys[HARMONIC_KEYS] = {
    [REFERENCE] = {"radius", "a length in `unit`, > 0", NULL, "The reference radius."},
    [ORDER] = {"degree", "a whole number, 0 to 8", NULL, "The degree of the highest harmonics."},
    [C] = {"C", "a list of numbers", NULL,
           "C_nm, not normalised, for n from 0 to the degree and m from 0 to n; C_00 is 1."},
    [S] = {"S", "a list of numbers", "zeros", "S_nm, in the same order."}};
const ph_scenario_map ph_harmonic_keys = {"parameters.bodies[i].harmonics", harmonic_keys, HARMONIC_KEYS};

/* How far mass and density may be apart, relatively: both are often rounded. */
static const double agreed = 0.01;
/* [kg/m^3] Bodies in space are within; and rock, for ratios. */
static const double lightest = 100, heaviest = 20000, rock = 2000;
static const double ball = 4.1887902047863909846; /* volume of the sphere of radius 1 */

/* ---- Numbers ------------------------------------------------------------------------------------------------ */

/* A positive number, of which the unit is said in `expected`. */
ph_status ph_read_positive(const ph_node *at, const char *expected, double *value, ph_error *err)
{
    ph_status status = ph_node_number(at, expected, value, err);
    if (!status && !(*value > 0))
        status = ph_node_fail(at, err, PH_E_RANGE, "is %.10g; %s is expected", *value, expected);
    return status;
}

/* Three positive lengths in this unit. */
static ph_status read_lengths(const ph_node *at, double unit, double v[3], ph_error *err)
{
    ph_status status = ph_node_numbers(at, "a list of three positive lengths", v, 3, err);
    for (size_t k = 0; k < 3 && !status; k++) {
        if (!(v[k] > 0))
            status = ph_node_fail(at, err, PH_E_RANGE,
                                  "has the length %.10g; three positive lengths are expected: a "
                                  "body without volume has no density and no inertia",
                                  v[k]);
        v[k] *= unit;
    }
    return status;
}

/* ---- Mass and density --------------------------------------------------------------------------------------- */

/* What may be wrong about a density this far from that of rock: lengths in km where m is meant, or the reverse. */
static const char *explain_density(double ratio)
{
    if (ratio > 1e7 && ratio < 1e11)
        return ": are the lengths in km? Write unit: 1000";
    if (ratio > 1e-11 && ratio < 1e-7)
        return ": are the lengths in m? Then the unit is 1, or is the mass or density that of km?";
    if (ratio > 1e-4 && ratio < 1e-2)
        return ": is it in g/cm^3? 1 g/cm^3 is 1000 kg/m^3";
    return "";
}

/* *mass <- of the volume [m^3]. */
static ph_status weigh(ph_reading *r, const ph_node *at, const ph_node *values, double volume, double *mass,
                       ph_error *err)
{
    double density = 0;
    ph_status status = PH_OK;
    if (values[BODY_MASS].node)
        status = ph_read_positive(&values[BODY_MASS], "a positive mass in kg", mass, err);
    if (!status && values[BODY_DENSITY].node)
        status = ph_read_positive(&values[BODY_DENSITY], "a positive density in kg/m^3", &density, err);
    if (status)
        return status;
    if (!values[BODY_MASS].node && !values[BODY_DENSITY].node)
        return ph_node_fail(at, err, PH_E_PARSE, "has no mass; give \"mass\" in kg or \"density\" in kg/m^3");
    if (!values[BODY_MASS].node)
        *mass = density * volume;
    if (values[BODY_MASS].node && density > 0 && !(fabs(density * volume / *mass - 1) <= agreed))
        return ph_node_fail(
            &values[BODY_DENSITY], err, PH_E_INVALID,
            "is %.10g kg/m^3, which times the volume of %.6g m^3 is %.6g kg, %.6g times the mass of %.6g "
            "kg that is given; the mass does not fit the density: give one of the two",
            density, volume, density * volume, density * volume / *mass, *mass);
    density = *mass / volume;
    if (!isfinite(*mass) || !(*mass > 0))
        return ph_node_fail(at, err, PH_E_NOT_FINITE, "has a mass of %g kg", *mass);
    if (!r->own_units && !(density >= lightest && density <= heaviest))
        ph_note(r->scenario, values[BODY_DENSITY].node ? &values[BODY_DENSITY] : at,
                "the density is %.4g kg/m^3, %.3g times that of rock (%g kg/m^3)%s", density, density / rock,
                rock, explain_density(density / rock));
    return PH_OK;
}

/* ---- Forms ---------------------------------------------------------------------------------------------------- */

/* body <- k times what it is. */
static void scale(ph_mass *body, double k)
{
    for (size_t i = 0; i < PH_MASS_MOMENTS; i++)
        body->moment[i] *= k;
    for (size_t i = 0; i < 9; i++)
        body->J[i] *= k;
}

ph_status ph_read_ellipsoid(ph_reading *r, const ph_node *at, const ph_node *values, double unit,
                            ph_mass *body, ph_error *err)
{
    double axes[3] = {0, 0, 0}, mass = 0;
    ph_status status = read_lengths(&values[BODY_HALF_AXES], unit, axes, err);
    if (!status)
        status = weigh(r, at, values, ball * axes[0] * axes[1] * axes[2], &mass, err);
    if (!status && (status = ph_mass_ellipsoid(mass, axes, body, err)))
        ph_node_blame(at, err, status);
    return status;
}

ph_status ph_read_sphere(ph_reading *r, const ph_node *at, const ph_node *values, double unit, ph_mass *body,
                         ph_error *err)
{
    double radius = 0, mass = 0;
    ph_status status = ph_read_positive(&values[BODY_RADIUS], "a positive length", &radius, err);
    radius *= unit;
    if (!status)
        status = weigh(r, at, values, ball * radius * radius * radius, &mass, err);
    if (!status && (status = ph_mass_sphere(mass, radius, body, err)))
        ph_node_blame(at, err, status);
    return status;
}

/* body <- an octahedron of density 1; exact (nullable) <- its surface. */
static ph_status make_octahedron(ph_reading *r, const double s[3], ph_mass *body, ph_surface **exact,
                                 ph_error *err)
{
    static const uint32_t face[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    const double vertex[18] = {s[0], 0, 0, -s[0], 0, 0, 0, s[1], 0, 0, -s[1], 0, 0, 0, s[2], 0, 0, -s[2]};
    const ph_mesh mesh = {6, vertex, 8, face};
    ph_status status = ph_mass_polyhedron(&mesh, 1, body, NULL, err);
    return status || !exact ? status : ph_copy_surface(r, &mesh, false, exact, err);
}

ph_status ph_read_polyhedron(ph_reading *r, const ph_node *at, const ph_node *values, double unit,
                             ph_mass *body, ph_surface **exact, ph_error *err)
{
    double size[3], mass = 0;
    ph_status status;
    if (values[BODY_OCTAHEDRON].node) {
        status = read_lengths(&values[BODY_OCTAHEDRON], unit, size, err);
        if (!status && (status = make_octahedron(r, size, body, exact, err)))
            ph_node_blame(&values[BODY_OCTAHEDRON], err, status);
    } else {
        status = ph_read_surface(r, &values[BODY_MESH], &values[BODY_VERTICES], &values[BODY_FACES], unit,
                                 body, exact, err);
    }
    if (!status)
        status = weigh(r, at, values, body->moment[0], &mass, err);
    if (!status) /* the density as it was given, where it was: the same bits as by ph_mass_polyhedron */
        scale(body, mass / body->moment[0]);
    return status;
}

/* values (count, malloc) <- a list of so many numbers. */
static ph_status read_list(const ph_node *at, const char *expected, size_t count, double **values,
                           ph_error *err)
{
    *values = calloc(count, sizeof **values);
    if (!*values)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    return at->node ? ph_node_numbers(at, expected, *values, count, err) : PH_OK;
}

static ph_status read_degree(const ph_node *map, const ph_node *at, size_t *degree, ph_error *err)
{
    int64_t n = 0;
    if (!at->node)
        return ph_node_fail(map, err, PH_E_PARSE, "has no key \"degree\"; it is required");
    ph_status status = ph_node_count(at, "a whole number from 0 to 8", &n, err);
    if (!status && (n < 0 || n > PH_MASS_DEGREE))
        status = ph_node_fail(at, err, PH_E_RANGE, "is %lld; a whole number from 0 to %d is expected",
                              (long long)n, PH_MASS_DEGREE);
    *degree = (size_t)n;
    return status;
}

/* The radius of the body, which moments do not give; 0 where it is not given. */
static ph_status read_extent(const ph_node *values, double unit, double otherwise, double *radius,
                             ph_error *err)
{
    *radius = otherwise;
    ph_status status = PH_OK;
    if (values[BODY_RADIUS].node) {
        status = ph_read_positive(&values[BODY_RADIUS], "a positive length", radius, err);
        *radius *= unit;
    }
    return status;
}

/* The second moments of a mass distribution about its centre are not negative in any direction: otherwise they are in another
 * order, or of another body. */
static ph_status check_second_moments(const ph_node *at, const ph_mass *body, ph_error *err)
{
    ph_mass copy = *body;
    double R[9], J[3];
    ph_mass_center(&copy, NULL);
    ph_mass_principal(&copy, R, J); /* ascending */
    if (!(J[0] + J[1] - J[2] >= -1e-9 * fmax(fabs(J[0]), fabs(J[2]))))
        return ph_node_fail(
            at, err, PH_E_INVALID,
            "has moments of degree 2 with the principal moments of inertia %.4g, %.4g and %.4g kg m^2 "
            "about the centre of mass, which no body has: none is larger than the sum of the two others; "
            "the order is T_000, T_001, T_002, T_010, T_011, T_020, T_100, ...: a slowest, c fastest",
            J[0], J[1], J[2]);
    return PH_OK;
}

ph_status ph_read_moments(const ph_node *values, double unit, ph_mass *body, ph_error *err)
{
    ph_node own[MOMENT_KEYS];
    size_t degree = 0;
    double *list = NULL, radius = 0, mass;
    ph_status status =
        ph_node_keys(&values[BODY_MOMENTS], "a map of degree and T", &ph_moment_keys, own, err);
    if (!status)
        status = read_degree(&values[BODY_MOMENTS], &own[DEGREE], &degree, err);
    if (!status && !own[T].node)
        status = ph_node_fail(&values[BODY_MOMENTS], err, PH_E_PARSE, "has no key \"T\"; it is required");
    if (!status)
        status = read_extent(values, unit, 0, &radius, err);
    if (!status)
        status = read_list(&own[T], "a list of (degree + 1) (degree + 2) (degree + 3) / 6 numbers",
                           (degree + 1) * (degree + 2) * (degree + 3) / 6, &list, err);
    if (!status && (status = ph_mass_from_moments(list, degree, radius, body, err)))
        ph_node_blame(&own[T], err, status);
    if (!status && degree >= 2 && !values[BODY_INERTIA].node)
        status = check_second_moments(&own[T], body, err);
    free(list);
    if (status || !values[BODY_MASS].node)
        return status;
    status = ph_read_positive(&values[BODY_MASS], "a positive mass in kg", &mass, err);
    if (!status && !(fabs(mass / body->moment[0] - 1) <= agreed))
        status =
            ph_node_fail(&values[BODY_MASS], err, PH_E_INVALID,
                         "is %.10g kg, but the first moment says %.10g kg, %.6g times as much; leave one out",
                         mass, body->moment[0], body->moment[0] / mass);
    return status;
}

ph_status ph_read_harmonics(const ph_node *at, const ph_node *values, double unit, ph_mass *body,
                            ph_error *err)
{
    ph_node own[HARMONIC_KEYS];
    size_t degree = 0, count;
    double *c = NULL, *s = NULL, reference = 0, radius = 0, mass = 0;
    ph_status status = ph_node_keys(&values[BODY_HARMONICS], "a map of radius, degree, C and S",
                                    &ph_harmonic_keys, own, err);
    if (!status && (!own[REFERENCE].node || !own[C].node))
        status = ph_node_fail(&values[BODY_HARMONICS], err, PH_E_PARSE, "has no key \"%s\"; it is required",
                              own[C].node ? "radius" : "C");
    if (!status)
        status = ph_read_positive(&own[REFERENCE], "a positive length", &reference, err);
    if (!status)
        status = read_degree(&values[BODY_HARMONICS], &own[ORDER], &degree, err);
    if (!status)
        status = read_extent(values, unit, reference * unit, &radius, err);
    if (!status && !values[BODY_MASS].node)
        status = ph_node_fail(at, err, PH_E_PARSE, "has no key \"mass\"; harmonics need it");
    if (!status)
        status = ph_read_positive(&values[BODY_MASS], "a positive mass in kg", &mass, err);
    count = (degree + 1) * (degree + 2) / 2;
    if (!status)
        status = read_list(&own[C], "a list of (degree + 1) (degree + 2) / 2 numbers", count, &c, err);
    if (!status && !(fabs(c[0] - 1) <= 1e-12))
        status = ph_node_fail(
            &own[C], err, PH_E_INVALID,
            "begins with %.10g; C_00 = 1 is expected: \"mass\" is the whole mass, and the others are "
            "relative to it, not normalised",
            c[0]);
    if (!status)
        status = read_list(&own[S], "a list of (degree + 1) (degree + 2) / 2 numbers", count, &s, err);
    if (!status &&
        (status = ph_mass_from_harmonics(mass, reference * unit, degree, c, s, NULL, radius, body, err)))
        ph_node_blame(&values[BODY_HARMONICS], err, status);
    free(c);
    free(s);
    return status;
}

/* J <- three principal moments, or the tensor. */
ph_status ph_read_inertia(const ph_node *at, double J[9], ph_error *err)
{
    size_t n = 0;
    double v[9];
    ph_status status = ph_node_list(at, "a list of 3 or 9 numbers", &n, err);
    if (!status)
        status =
            ph_node_numbers(at, "3 principal moments, or a tensor of 9 numbers,", v, n == 9 ? 9 : 3, err);
    if (status)
        return status;
    for (size_t i = 0; i < 9; i++)
        J[i] = n == 9 ? v[i] : i % 4 ? 0 : v[i / 4];
    const double size = fmax(fabs(J[0]), fmax(fabs(J[4]), fabs(J[8])));
    for (size_t i = 0; i < 3; i++) {
        const size_t a = (i + 1) % 3, b = (i + 2) % 3;
        if (!(fabs(J[3 * a + b] - J[3 * b + a]) <= 1e-12 * size))
            return ph_node_fail(at, err, PH_E_INVALID, "is not symmetric; an inertia tensor is expected");
    }
    const double minor = J[0] * J[4] - J[1] * J[3];
    if (!(J[0] > 0 && minor > 0 && ph_determinant3(J) > 0))
        return ph_node_fail(
            at, err, PH_E_INVALID,
            "is not positive definite; an inertia tensor with positive principal moments is expected");
    for (size_t i = 0; i < 3; i++) /* all tensors of bodies fulfil it, and it is the same in all axes */
        if (!(J[0] + J[4] + J[8] - 2 * J[4 * i] >= -1e-12 * size))
            return ph_node_fail(
                at, err, PH_E_RANGE,
                "has a moment that is larger than the sum of the two others, which no body has");
    return PH_OK;
}
