/* SPDX-License-Identifier: BSD-3-Clause */
/* parameters.bodies[i].tide: what the law of tides (polhode/domain/gravitation.h) knows of a body. */
#include "bodies.h"

#include <math.h>

enum { LOVE, LAG, RADIUS, DENSITY, TIDE_KEYS };
static const ph_scenario_key tide_keys[TIDE_KEYS] = {
    [LOVE] = {"love", "a number > 0", NULL, "The Love number k₂."},
    [LAG] = {"lag", "rad, 0 to π/4", NULL, "The angle ε by which the tide lags behind."},
    [RADIUS] = {"radius", "a length in `unit`, > 0", "of a sphere that holds the body",
                "The reference radius."},
    [DENSITY] = {"density", "kg/m³, > 0", "of the mass in a sphere of that radius",
                 "How smooth the law is where spin and orbit are nearly synchronous."}};
const ph_scenario_map ph_tide_keys = {"parameters.bodies[i].tide", tide_keys, TIDE_KEYS};

ph_status ph_read_tide(const ph_node *at, const ph_mass *body, double unit, ph_tide *tide, ph_error *err)
{
    static const double ball = 4.1887902047863909846; /* volume of the sphere of radius 1 */
    ph_node values[TIDE_KEYS];
    ph_status status =
        ph_node_keys(at, "a map, as in {love: 0.01, lag: 0.05, radius: 390},", &ph_tide_keys, values, err);
    tide->radius = body->radius;
    for (size_t k = LOVE; k <= LAG && !status; k++)
        if (!values[k].node)
            status = ph_node_fail(at, err, PH_E_PARSE,
                                  "has no %s; a tide is given by love and lag, as in {love: 0.01, lag: 0.05}",
                                  tide_keys[k].name);
    if (!status)
        status = ph_read_positive(&values[LOVE], "a positive Love number", &tide->love, err);
    if (!status)
        status = ph_node_number(&values[LAG], "an angle in rad", &tide->lag, err);
    if (!status && !(tide->lag >= 0 && tide->lag <= 0.78539816339744831))
        status = ph_node_fail(&values[LAG], err, PH_E_RANGE,
                              "is %.10g; an angle from 0 to pi/4 is expected, where the torque is largest",
                              tide->lag);
    if (!status && values[RADIUS].node) {
        status = ph_read_positive(&values[RADIUS], "a positive length", &tide->radius, err);
        tide->radius *= unit;
    }
    if (!status && !(tide->radius > 0))
        status = ph_node_fail(at, err, PH_E_PARSE, "has no radius, and the body has none; give one");
    if (status)
        return status;
    tide->density = body->moment[0] / (ball * tide->radius * tide->radius * tide->radius);
    if (values[DENSITY].node)
        status = ph_read_positive(&values[DENSITY], "a positive density in kg/m^3", &tide->density, err);
    return status;
}
