/* SPDX-License-Identifier: BSD-3-Clause */
/* The contact oscillator: xdot + y zdot = 0 of unit masses on R^3, U = (|q|^2 + eps x^2 z^2)/2. y is harmonic by itself,
 * (y^2 + ydot^2)/2 is conserved besides the energy. With a shift sigma the Lagrangian has the further term
 * sigma sin(z) zdot, a derivative in time: the motion is the same, but no reversal of momenta belongs to it any more, and
 * discretisations are others.
 * (R. McLachlan, M. Perlmutter, J. Nonlinear Sci. 16 (2006) 283.) */
#include "text.h"

static const ph_parameter parameters[] = {
    PH_NUMBER("epsilon", "1/m^2", PH_ANY, 0.3, "strength of x^2 z^2/2 in U"),
    PH_NUMBER("shift", "kg m/s", PH_ANY, 0, "sigma: the momentum along z is zdot + sigma sin z")};

static const ph_preset presets[] = {
    {"reference", "z = -1/sqrt 2, y = 0 at 1 m/s, x such that the energy is 1.5 J"}};

static const ph_text text = {
    .space = {{"q", "R3"}},
    .kinetic = "dot(qdot, qdot)/2 + shift*sin(q.z)*qdot.z",
    .potential = "(dot(q, q) + epsilon*q.x*q.x*q.z*q.z)/2",
    .constraints = {"qdot.x + q.y*qdot.z = 0"},
    .points = {{NULL, "q"}},
    .starts = {{"[sqrt(1.5/(1 + epsilon/2)), 0, -sqrt(0.5)]", "e2",
                "epsilon: the preset \"reference\" needs one above -2"}},
};
PH_TEXT_FUNCTIONS(text)

const ph_model ph_model_contact_oscillator = {
    .name = "contact-oscillator",
    .summary = "harmonic oscillators with a contact constraint: a test problem",
    .reference = "McLachlan, Perlmutter, J. Nonlinear Sci. 16 (2006) 283, example 5.2",
    PH_MODEL_HERE,
};
