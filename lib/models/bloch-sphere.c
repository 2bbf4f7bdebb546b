/* SPDX-License-Identifier: BSD-3-Clause */
/* The Bloch vector of a two-level system, or a magnetic moment in a field, under any control: H = Omega(t) . s, Gamma = 1,
 *     s' = Omega(t) x s + lambda s x (s x Omega(t)),
 *     Omega = w0 e3 + f(t) sum_k W_k (cos(w_k t + phi_k) e1 + c sin(w_k t + phi_k) e2),   k = 1, 2.
 * c = 1 turns, c = 0 swings along e1. The envelope f is 1, or exp(-(t - t_p)^2 / (2 T^2)). With one turning tone and f = 1
 * (Rabi) s turns in the frame that turns with the drive, at W1 e1 + (w0 - w1) e3; where w1 = w0 (resonance) about e1 by the
 * area of the envelope, from before to after a pulse W1 T sqrt(2 pi).
 * (F. Bloch, Phys. Rev. 70 (1946) 460; I. I. Rabi, Phys. Rev. 51 (1937) 652.) */
#include "model.h"
#include <polhode/domain/spins.h>
#include <polhode/kit/elementary.h>

enum { SPLITTING, AMPLITUDE, RATE, PHASE, SECOND_AMPLITUDE, SECOND_RATE, SECOND_PHASE };
enum { CIRCULAR = SECOND_PHASE + 1, PULSE, PULSE_TIME, DAMPING };

static const ph_parameter parameters[] = {
    [SPLITTING] = PH_NUMBER("precession", "rad/s", PH_ANY, 1, "w0, constant part of Omega, along e3"),
    [AMPLITUDE] = PH_NUMBER("amplitude", "rad/s", PH_ANY, 0, "W1 of the drive"),
    [RATE] = PH_NUMBER("rate", "rad/s", PH_ANY, 1, "w1, its angular frequency"),
    [PHASE] = PH_NUMBER("phase", "rad", PH_ANY, 0, "its phase at t = 0"),
    [SECOND_AMPLITUDE] = PH_NUMBER("second_amplitude", "rad/s", PH_ANY, 0, "W2 of a second tone"),
    [SECOND_RATE] = PH_NUMBER("second_rate", "rad/s", PH_ANY, 1, "w2, its angular frequency"),
    [SECOND_PHASE] = PH_NUMBER("second_phase", "rad", PH_ANY, 0, "its phase at t = 0"),
    [CIRCULAR] = PH_NUMBER("circular", "1", PH_FROM(-1, 1), 1,
                           "c: 1 the drive turns about e3, 0 it swings along e1, -1 it turns backwards"),
    [PULSE] = PH_NUMBER("pulse", "s", PH_NOT_NEGATIVE, 0,
                        "T, standard deviation of the drive's Gaussian envelope; 0: always on"),
    [PULSE_TIME] = PH_NUMBER("pulse_time", "s", PH_ANY, 0, "when the pulse is at its height"),
    [DAMPING] = PH_NUMBER("damping", "1", PH_NOT_NEGATIVE, 0,
                          "lambda of Landau, Lifshitz and Gilbert, which turns s towards -Omega"),
};

enum { RABI, LARMOR, LINEAR, TWO_TONES, PULSED, DAMPED };

static const ph_preset presets[] = {
    [RABI] = {"rabi", "from e3, with a drive that turns: W1 = 0.35, w1 = 0.8"},
    [LARMOR] = {"precession", "60 degrees from e3 without a drive: turns about e3 at w0"},
    [LINEAR] = {"linear", "from e3, with a drive along e1: W1 = 0.4, w1 = 1"},
    [TWO_TONES] = {"two-tones",
                   "from e3, with drives that turn: W1 = 0.35, w1 = 0.8 and W2 = 0.15, w2 = 1.3"},
    [PULSED] = {"pulse",
                "from e3, with a pulse of area pi at resonance, T = 4 s, at its height at 24 s: to -e3"},
    [DAMPED] = {"damped", "60 degrees from e3 without a drive, lambda = 0.1: spirals to -e3"},
};

static const ph_preset_value own[] = {
    PH_OWN(RABI, "amplitude", 0.35),
    PH_OWN(RABI, "rate", 0.8),
    PH_OWN(LINEAR, "amplitude", 0.4),
    PH_OWN(LINEAR, "rate", 1),
    PH_OWN(LINEAR, "circular", 0),
    PH_OWN(TWO_TONES, "amplitude", 0.35),
    PH_OWN(TWO_TONES, "rate", 0.8),
    PH_OWN(TWO_TONES, "second_amplitude", 0.15),
    PH_OWN(TWO_TONES, "second_rate", 1.3),
    PH_OWN(PULSED, "amplitude", 0.31332853432887503),
    PH_OWN(PULSED, "pulse", 4),
    PH_OWN(PULSED, "pulse_time", 24),
    PH_OWN(DAMPED, "damping", 0.1),
};

/* ---- The field ------------------------------------------------------------------------------------------ */

/* B = -Omega and its rate. The second tone has the rows behind those of the first. */
static ph_status control(void *user, double t, double *B, double *dB)
{
    const double *c = user, since = c[PULSE] > 0 ? (t - c[PULSE_TIME]) / c[PULSE] : 0,
                 f = ph_exp(-0.5 * since * since), fdot = c[PULSE] > 0 ? -since / c[PULSE] * f : 0;
    double across[2] = {0, 0}, rate[2] = {0, 0};
    for (size_t tone = AMPLITUDE; tone <= SECOND_AMPLITUDE; tone += SECOND_AMPLITUDE - AMPLITUDE) {
        const double *w = c + tone - AMPLITUDE, angle = w[RATE] * t + w[PHASE];
        const double along = w[AMPLITUDE] * ph_cos(angle), aside = w[AMPLITUDE] * ph_sin(angle);
        across[0] += along;
        across[1] += c[CIRCULAR] * aside;
        rate[0] -= w[RATE] * aside;
        rate[1] += c[CIRCULAR] * w[RATE] * along;
    }
    for (size_t k = 0; k < 2; k++) {
        B[k] = 0 - f * across[k];
        if (dB)
            dB[k] = -(f * rate[k] + fdot * across[k]);
    }
    B[2] = -c[SPLITTING];
    if (dB)
        dB[2] = 0;
    return PH_OK;
}

/* ---- Building ------------------------------------------------------------------------------------------- */

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    static const ph_symmetry about_e3 = {"Jz", "component of s along e3", "1", {0, 0, 1}, NULL};
    double c[PH_LENGTH(parameters)];
    ph_table_numbers(table, c);
    const double field[3] = {0, 0, -c[SPLITTING]};
    const bool driven = c[AMPLITUDE] != 0 || c[SECOND_AMPLITUDE] != 0, damped = c[DAMPING] > 0;
    const ph_spins spins = {.n = 1,
                            .damping = damped ? &c[DAMPING] : NULL,
                            .field = driven ? NULL : field,
                            .field_is_uniform = true,
                            .control = driven ? control : NULL};
    ph_system_definition definition = {
        .spins = &spins, .symmetries = &about_e3, .n_symmetries = !driven && !damped};
    return ph_model_create(NULL, 0, c, sizeof c, NULL, &definition, system, err);
}

static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    static const double half_root_three = 0.86602540378443864676;
    const bool tilted = which == LARMOR || which == DAMPED;
    (void)table;
    (void)err;
    z[0] = tilted ? half_root_three : 0;
    z[1] = 0;
    z[2] = tilted ? 0.5 : 1;
    memset(zdot, 0, 3 * sizeof *zdot);
    return PH_OK;
}

const ph_model ph_model_bloch_sphere = {
    .name = "bloch-sphere",
    .summary = "the Bloch vector of a two-level system under a control: turning, linear, two tones, pulses",
    .reference = "Bloch, Phys. Rev. 70 (1946) 460; Rabi, Phys. Rev. 51 (1937) 652",
    PH_MODEL_HERE,
    PH_MODEL_OWN,
};
