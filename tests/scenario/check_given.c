/* SPDX-License-Identifier: BSD-3-Clause */
/* Given bodies and tides in scenarios of the models binary and rigid-n-body: what the description has then, defaults, and what
 * is refused with which words. */
#include "tests/kit/iokit.h"

#include <polhode/domain/gravitation.h>
#include <polhode/scenario.h>

static ph_status parse(const char *model, const char *given, const char *tide, ph_scenario **scenario,
                       ph_error *err)
{
    char text[2000];
    snprintf(
        text, sizeof text,
        "polhode: 1\nmodel: %s\nmethod: variational\nstep: 10\nsteps: 10\n"
        "parameters:\n  order: 2\n%s  bodies:\n"
        "    - {mass: 5.2e11, half-axes: [425, 415, 340]%s}\n    - {mass: 4.5e9, half-axes: [88, 85, 58]}\n",
        model, given, tide);
    *err = (ph_error){PH_OK, ""};
    return ph_scenario_parse(text, strlen(text), "mine.yaml", scenario, err);
}

static const ph_gravitation *description(const ph_scenario *s)
{
    return ph_system_gravitation(ph_scenario_system(s));
}

TEST_EACH(a_flyby, 2)
{
    static const char *const models[] = {"binary", "rigid-n-body"};
    TK_MAKE(
        ph_scenario, s,
        parse(models[_i],
              "  given_mass: 5.9722e24\n  given_axis: -11072e3\n  given_eccentricity: 9.1284\n"
              "  given_inclination: 0.1\n  given_node: 0.2\n  given_periapsis: 0.3\n  given_passage: 3600\n",
              "", &s, tk_err));
    const ph_gravitation *g = description(s);
    ck_assert_uint_eq(ph_gravitation_given(g), 1);
    const ph_given_body *body = ph_gravitation_given_body(g, 0);
    ck_assert(body->mass == 5.9722e24 && !body->far && !body->points);
    const ph_given_orbit *o = &body->orbit;
    ck_assert(o->axis == -11072e3 && o->eccentricity == 9.1284 && o->inclination == .1 && o->node == .2 &&
              o->periapsis == .3 && o->passage == 3600);
    ck_assert_double_eq_tol(o->mu, PH_GRAVITY_CONSTANT * 5.9722e24, 1);
    ck_assert(!ph_gravitation_has_tides(g) && ph_gravitation_is_relative(g) == (_i == 0));
    ck_assert(ph_system_depends_on_time(ph_scenario_system(s)));
}

/* Lists for several; what has one number is for all of them. */
TEST(two_of_them)
{
    TK_MAKE(ph_scenario, s,
            parse("binary",
                  "  given_mass: [1.989e30, 1.9e27]\n  given_axis: [1.5e11, 6e11]\n  given_inclination: 0.1\n"
                  "  given_far: 1\n",
                  "", &s, tk_err));
    const ph_gravitation *g = description(s);
    ck_assert_uint_eq(ph_gravitation_given(g), 2);
    for (size_t i = 0; i < 2; i++) {
        const ph_given_body *body = ph_gravitation_given_body(g, i);
        ck_assert(body->far && body->orbit.inclination == .1 && body->orbit.axis == (i ? 6e11 : 1.5e11) &&
                  body->mass == (i ? 1.9e27 : 1.989e30));
    }
}

/* Lengths are in the unit of the body; radius and density by default of a sphere that holds it. */
TEST(tides)
{
    ph_scenario *s;
    tk_ok(parse("binary", "", ", tide: {love: 0.02, lag: 0.05, radius: 390, density: 2000}", &s, tk_err));
    const ph_tide *tide = ph_gravitation_tide(description(s), 0);
    ck_assert_ptr_nonnull(tide);
    ck_assert(tide->love == .02 && tide->lag == .05 && tide->radius == 390 && tide->density == 2000);
    ck_assert_ptr_null(ph_gravitation_tide(description(s), 1));
    ck_assert(!ph_system_is_conservative(ph_scenario_system(s)));
    ph_scenario_free(s);
    tk_ok(parse("binary", "", ", tide: {love: 0.02, lag: 0.05}", &s, tk_err));
    tide = ph_gravitation_tide(description(s), 0);
    ck_assert_double_eq(tide->radius, 425);
    ck_assert_double_eq_tol(tide->density, 5.2e11 / (4. / 3 * acos(-1.) * 425. * 425 * 425), 1e-9);
    ph_scenario_free(s);
    static const char kilometres[] =
        "polhode: 1\nmodel: binary\nmethod: variational\nstep: 10\nsteps: 10\nparameters:\n  bodies:\n"
        "    - {mass: 5.2e11, radius: 0.4, unit: 1000, tide: {love: 1, lag: 0.1, radius: 0.39}}\n    - {mass: 4e9}\n"
        "initial: {preset: circular}\n";
    tk_ok(ph_scenario_parse(kilometres, strlen(kilometres), "mine.yaml", &s, tk_err));
    ck_assert_double_eq(ph_gravitation_tide(description(s), 0)->radius, 390);
    ph_scenario_free(s);
}

TEST(refused)
{
    static const struct {
        const char *given, *tide;
        ph_status status;
        const char *said;
    } at[] = {
        {"  given_mass: 1e24\n  given_eccentricity: 2\n", "", PH_E_RANGE,
         "parameters.given_eccentricity: given_axis and given_eccentricity: the semi-major axis of given body 1"},
        {"  given_mass: 1e24\n  given_eccentricity: 1\n", "", PH_E_RANGE, "eccentricity of given body 1"},
        {"  given_mass: -1\n", "", PH_E_RANGE, "given_mass"},
        {"  given_mass: [1e24, 0]\n", "", PH_E_RANGE, "mass of given body 2"},
        {"  given_mass: [1e24, 1e24]\n  given_axis: [1e9, 1e9, 1e9]\n", "", PH_E_SIZE,
         "given_axis has 3 numbers"},
        {"", ", tide: {love: 1}", PH_E_PARSE, "lag"},
        {"", ", tide: {love: 1, lag: 2}", PH_E_RANGE, "an angle from 0 to pi/4"},
        {"", ", tide: {love: 0, lag: 0.1}", PH_E_RANGE, "a positive Love number"},
        {"", ", tide: {love: 1, lag: 0.1, radius: -3}", PH_E_RANGE, "a positive length"},
        {"", ", tide: {love: 1, leg: 0.1}", PH_E_UNKNOWN, "lag"},
        {"", ", turning: false, tide: {love: 1, lag: 0.1}", PH_E_INVALID, "which does not turn"}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        ph_scenario *s = NULL;
        const ph_status status = parse("binary", at[i].given, at[i].tide, &s, tk_err);
        ck_assert_msg(status != PH_OK && strstr(tk_err->message, at[i].said), "%zu: %s", i, tk_err->message);
        ck_assert_msg(status == at[i].status, "%zu: %s: %s", i, ph_status_name(status), tk_err->message);
    }
}

int main(void)
{
    return tk_run("given bodies in scenarios");
}
