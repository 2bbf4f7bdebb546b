/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem of two points, relative to each other (polhode/gravitation.h): with x = x_2 - x_1,
 *     L = (1/2) m |xdot|^2 + G m_1 m_2 / |x|,      m = m_1 m_2 / (m_1 + m_2). */
#include "gravitating.h"

#include <math.h>

enum { MASSES, G, PARAMETERS };

static const ph_parameter parameters[PARAMETERS] = {
    [MASSES] = {"masses", PH_PARAMETER_PER_BODY, "kg", DBL_MIN, DBL_MAX, {1}, "masses of the two points"},
    [G] = PH_G_PARAMETER,
};

enum { ELLIPSE, CIRCLE, ELONGATED, FLYBY, MOON, PRESETS };

static const ph_preset presets[PRESETS] = {
    [ELLIPSE] =
        {"ellipse",
         "e = 0.6, a = 1 m, at the smallest distance; by default G = 1 and masses of 1/2 kg, so that a turn "
         "takes 2 pi s"},
    [CIRCLE] = {"circle", "a = 1 m; G and masses as in ellipse"},
    [ELONGATED] = {"elongated", "e = 0.99, a = 1 m, at the largest distance; G and masses as in ellipse"},
    [FLYBY] =
        {"flyby",
         "hyperbola, e = 1.5, from the right, 2 s before the smallest distance of 1 m; G and masses as in ellipse"},
    [MOON] = {"moon", "Earth and Moon: mean elements a = 384 399 km, e = 0.0549, at the smallest distance"},
};

static const double one = 1, half = 0.5, earth_moon[] = {5.9722e24, 7.3458e22};
static const ph_preset_value own[] = {
    {ELLIPSE, {"G", &one, 1}},      {ELLIPSE, {"masses", &half, 1}}, {CIRCLE, {"G", &one, 1}},
    {CIRCLE, {"masses", &half, 1}}, {ELONGATED, {"G", &one, 1}},     {ELONGATED, {"masses", &half, 1}},
    {FLYBY, {"G", &one, 1}},        {FLYBY, {"masses", &half, 1}},   {MOON, {"masses", earth_moon, 2}}};

static const ph_numbering numbering = {"points", PH_NO_INDEX, {MASSES}, 1, 2, 2};

static ph_status build(const ph_parameter_value *table, ph_system **system, ph_error *err)
{
    size_t n;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    return status ? status : ph_points_build(&table[MASSES], 2, table[G].values[0], true, system, err);
}

/* z, zdot <- on the orbit with the semi-major axis a (negative: hyperbola) and e, at the eccentric anomaly E. */
static void enter(double mu, double a, double e, double E, double *z, double *zdot)
{
    const bool open = a < 0;
    const double c = open ? cosh(E) : cos(E), s = open ? sinh(E) : sin(E),
                 b = sqrt(fabs(1 - e * e)) * fabs(a), r = a * (1 - e * c),
                 rate = sqrt(mu * fabs(a)) / r; /* a dE/dt */
    z[0] = a * (c - e);
    z[1] = b * s;
    z[2] = zdot[2] = 0;
    zdot[0] = -rate * s;
    zdot[1] = rate * b / fabs(a) * c;
}

static ph_status preset(const ph_parameter_value *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double pi = 3.1415926535897932385;
    size_t n;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (status)
        return status;
    const double mu =
        table[G].values[0] * (ph_parameter_entry(&table[MASSES], 0) + ph_parameter_entry(&table[MASSES], 1));
    switch (which) {
    case ELLIPSE:
        enter(mu, 1, 0.6, 0, z, zdot);
        break;
    case CIRCLE:
        enter(mu, 1, 0, 0, z, zdot);
        break;
    case ELONGATED:
        enter(mu, 1, 0.99, pi, z, zdot);
        break;
    case FLYBY: { /* a = -2 m; e sinh E - E = n t by Newton's iteration, n = sqrt(mu / 8) */
        const double M = -2 * sqrt(mu / 8);
        double E = asinh(M / 1.5);
        for (int i = 0; i < 50; i++)
            E -= (1.5 * sinh(E) - E - M) / (1.5 * cosh(E) - 1);
        enter(mu, -2, 1.5, E, z, zdot);
        break;
    }
    default:
        enter(mu, 3.84399e8, 0.0549, 0, z, zdot);
    }
    return PH_OK;
}

const ph_model ph_model_kepler = {
    .name = "kepler",
    .summary = "two points under mutual gravity, relative to each other: Kepler's problem",
    .reference = "Hairer, Lubich, Wanner, Geometric numerical integration, section I.2",
    .parameters = parameters,
    .n_parameters = PARAMETERS,
    .presets = presets,
    .n_presets = PRESETS,
    .own = own,
    .n_own = sizeof own / sizeof own[0],
    .build = build,
    .preset = preset,
};
