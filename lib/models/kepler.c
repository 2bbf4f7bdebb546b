/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem of two points, relative to each other (polhode/domain/gravitation.h): with x = x_2 - x_1,
 *     L = (1/2) m |xdot|^2 + G m_1 m_2 / |x|,      m = m_1 m_2 / (m_1 + m_2). */
#include "gravitating.h"

#include <polhode/kit/elementary.h>

enum { MASSES, G };

static const ph_parameter parameters[] = {
    [MASSES] = PH_PER_BODY("masses", "kg", PH_POSITIVE, 1, "masses of the two points"),
    [G] = PH_G_ROW,
};

enum { ELLIPSE, CIRCLE, ELONGATED, FLYBY, MOON };

static const ph_preset presets[] = {
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

static const ph_preset_value own[] = {
    PH_OWN(ELLIPSE, "G", 1),
    PH_OWN(ELLIPSE, "masses", 0.5),
    PH_OWN(CIRCLE, "G", 1),
    PH_OWN(CIRCLE, "masses", 0.5),
    PH_OWN(ELONGATED, "G", 1),
    PH_OWN(ELONGATED, "masses", 0.5),
    PH_OWN(FLYBY, "G", 1),
    PH_OWN(FLYBY, "masses", 0.5),
    PH_OWN(MOON, "masses", 5.9722e24, 7.3458e22),
};

static const ph_numbering numbering = PH_NUMBERING("points", PH_NO_INDEX, 2, 2, MASSES);

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    size_t n;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    return status ? status : ph_points_build(&table->row[MASSES], 2, ph_number(table, G), true, system, err);
}

/* z, zdot <- on the orbit with the semi-major axis a (negative: hyperbola) and e, at the eccentric anomaly E. */
static void enter(double mu, double a, double e, double E, double *z, double *zdot)
{
    const bool open = a < 0;
    const double c = open ? ph_cosh(E) : ph_cos(E), s = open ? ph_sinh(E) : ph_sin(E),
                 b = sqrt(fabs(1 - e * e)) * fabs(a), r = a * (1 - e * c),
                 rate = sqrt(mu * fabs(a)) / r; /* a dE/dt */
    z[0] = a * (c - e);
    z[1] = b * s;
    z[2] = zdot[2] = 0;
    zdot[0] = -rate * s;
    zdot[1] = rate * b / fabs(a) * c;
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const struct {
        double a, e, E; /* [m], 1, rad */
    } orbits[] = {[ELLIPSE] = {1, 0.6, 0},
                  [CIRCLE] = {1, 0, 0},
                  [ELONGATED] = {1, 0.99, 3.1415926535897932385},
                  [FLYBY] = {-2, 1.5, 0},
                  [MOON] = {3.84399e8, 0.0549, 0}};
    size_t n;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (status)
        return status;
    const double mu = ph_number(table, G) * (ph_entry(table, MASSES, 0) + ph_entry(table, MASSES, 1));
    double E = orbits[which].E;
    if (which == FLYBY) { /* e sinh E - E = n t by Newton's iteration, n = sqrt(mu / 8) */
        const double M = -2 * sqrt(mu / 8);
        E = ph_asinh(M / 1.5);
        for (int i = 0; i < 50; i++)
            E -= (1.5 * ph_sinh(E) - E - M) / (1.5 * ph_cosh(E) - 1);
    }
    enter(mu, orbits[which].a, orbits[which].e, E, z, zdot);
    return PH_OK;
}

const ph_model ph_model_kepler = {
    .name = "kepler",
    .summary = "two points under mutual gravity, relative to each other: Kepler's problem",
    .reference = "Hairer, Lubich, Wanner, Geometric numerical integration, section I.2",
    PH_MODEL_HERE,
    PH_MODEL_OWN,
};
