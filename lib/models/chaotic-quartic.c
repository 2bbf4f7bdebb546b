/* SPDX-License-Identifier: BSD-3-Clause */
/* Seven oscillators, chaotic: xdot + sum y_i zdot_i = 0 of unit masses on R^7, q = (x, y_1, y_2, y_3, z_1, z_2, z_3),
 *     U = (|q|^2 + eps (z_1^2 z_2^2 + sum y_i^2 z_i^2))/2.
 * (R. McLachlan, M. Perlmutter, J. Nonlinear Sci. 16 (2006) 283.) */
#include "text.h"

static const ph_parameter parameters[] = {
    PH_NUMBER("epsilon", "1/m^2", PH_ANY, 1, "strength of the terms of order four in U")};

static const ph_preset presets[] = {
    {"chaotic", "(cos a, 0.6, 0.4, 0.2, 1, 1, 1), y_1 at sin a m/s, a = 3 pi/20"},
    {"wider", "the same with a = pi/4"}};

static const ph_text text = {
    .space = {{"q", "R7"}},
    .where = {{"y", "[q[2], q[3], q[4]]"}, {"z", "[q[5], q[6], q[7]]"}},
    .kinetic = "dot(qdot, qdot)/2",
    .potential = "(epsilon*(z.x^2*z.y^2 + y.x^2*z.x^2 + y.y^2*z.y^2 + y.z^2*z.z^2) + dot(q, q))/2",
    .constraints = {"qdot[1] + dot(y, d(z)) = 0"},
    .points = {{NULL, "[q[1]]"}, {NULL, "y"}, {NULL, "z"}},
    .starts = {{"[cos(0.15*pi), 0.6, 0.4, 0.2, 1, 1, 1]", "[0, sin(0.15*pi), 0, 0, 0, 0, 0]"},
               {"[cos(pi/4), 0.6, 0.4, 0.2, 1, 1, 1]", "[0, sin(pi/4), 0, 0, 0, 0, 0]"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_chaotic_quartic = {
    .name = "chaotic-quartic",
    .summary = "seven coupled oscillators with one constraint, chaotic: a test problem",
    .reference = "Cortes, Geometric, Control and Numerical Aspects of Nonholonomic Systems, Springer 2002; "
                 "McLachlan, Perlmutter, J. Nonlinear Sci. 16 (2006) 283",
    PH_MODEL_HERE,
};
