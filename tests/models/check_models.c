/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue of models: what it lists, how parameters are read, the initial conditions.
 * The physics is in check_chain.c. */
#include "tests/kit/testkit.h"

#include <float.h>
#include <stdbool.h>

enum { MOST = 2048 };
static const double eps = DBL_EPSILON;

static const ph_model *model(const char *name)
{
    const ph_model *found = ph_model_find(name, NULL);
    ck_assert_ptr_nonnull(found);
    return found;
}

static ph_system *build(const char *name, const ph_parameter_value *values, size_t n)
{
    ph_system *system = NULL;
    tk_ok(ph_model_build(model(name), values, n, &system, tk_err));
    return system;
}

/* A chain of point masses, which has the presets "hanging", "horizontal" and "upright". */
static bool is_chain(const ph_model *m)
{
    for (size_t i = 0; i < m->n_parameters; i++)
        if (!strcmp(m->parameters[i].name, "tip_force"))
            return true;
    return false;
}

static const ph_parameter *parameter(const ph_model *m, const char *name)
{
    for (size_t i = 0; i < m->n_parameters; i++)
        if (!strcmp(m->parameters[i].name, name))
            return &m->parameters[i];
    return NULL;
}

static size_t links(const ph_system *system)
{
    return ph_space_factors(ph_system_space(system));
}

/* ---- The catalogue ------------------------------------------------------------------------------ */

TEST(catalogue_is_complete)
{
    ck_assert_uint_ge(ph_models(), 3);
    ck_assert_ptr_null(ph_model_at(ph_models()));
    for (size_t i = 0; i < ph_models(); i++) {
        const ph_model *m = ph_model_at(i);
        ck_assert_ptr_eq(ph_model_find(m->name, NULL), m);
        ck_assert(m->summary && *m->summary && m->reference && *m->reference);
        ck_assert(m->n_presets >= 1 && m->n_parameters >= 1);
        for (size_t k = 0; k < m->n_presets; k++)
            ck_assert(*m->presets[k].name && *m->presets[k].text);
    }
}

/* Every row of a parameter table says its name, unit and meaning, and its default is within its bounds. */
TEST(parameters_are_described)
{
    for (size_t i = 0; i < ph_models(); i++)
        for (size_t k = 0; k < ph_model_at(i)->n_parameters; k++) {
            const ph_parameter *p = &ph_model_at(i)->parameters[k];
            const size_t numbers = ph_parameter_numbers(p->kind);
            ck_assert(p->name && *p->name && p->unit && *p->unit && p->text && *p->text);
            ck_assert(p->min < p->max);
            for (size_t a = 0; a < numbers; a++)
                ck_assert(p->initial[a] >= p->min && p->initial[a] <= p->max);
            for (size_t j = 0; j < k; j++)
                ck_assert_str_ne(p->name, ph_model_at(i)->parameters[j].name);
        }
}

TEST(unknown_model)
{
    ph_error err = {PH_OK, ""};
    ck_assert_ptr_null(ph_model_find("chain-pendulun", &err));
    ck_assert_int_eq(err.status, PH_E_UNKNOWN);
    ck_assert_str_eq(err.message, "unknown model \"chain-pendulun\"; did you mean \"chain-pendulum\"?");
    ck_assert_ptr_null(ph_model_find("zebra", &err));
    char number[40];
    snprintf(number, sizeof number, "there are %zu, among them ", ph_models());
    char *examples = strstr(err.message, number);
    ck_assert_msg(examples && strstr(examples, "`polhode models`"), "%s", err.message);
    for (char *word = strtok(examples + strlen(number), ", "); *word != '('; word = strtok(NULL, ", "))
        ck_assert_msg(!strcmp(word, "and") || ph_model_find(word, NULL), "no model %s", word);
    ck_assert_ptr_null(ph_model_find("", NULL));
    ck_assert_ptr_null(ph_model_find(NULL, &err));
}

/* ---- Reading parameters ------------------------------------------------------------------------- */

#define VALUES(...) (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)

/* One number for all links is the same as that number for each; the defaults are those of the table. */
TEST(numbers_are_broadcast)
{
    const ph_parameter_value one[] = {
        {"masses", VALUES(0.3)}, {"lengths", VALUES(0.7)}, {"links", VALUES(3)}, {"damping", VALUES(0.2)}};
    const ph_parameter_value each[] = {{"lengths", VALUES(0.7, 0.7, 0.7)},
                                       {"masses", VALUES(0.3, 0.3, 0.3)},
                                       {"damping", VALUES(0.2, 0.2, 0.2)}};
    TK_OWN(ph_system) *a = build("chain-pendulum", one, 4), *b = build("chain-pendulum", each, 3);
    ck_assert_uint_eq(links(a), 3);
    ck_assert_uint_eq(links(b), 3);
    ck_assert(!memcmp(ph_system_inertia(a), ph_system_inertia(b), 9 * sizeof(double)));
}

TEST(defaults)
{
    TK_OWN(ph_system) *chain = build("chain-pendulum", NULL, 0),
                      *sphere = build("spherical-pendulum", NULL, 0);
    double U;
    ck_assert_uint_eq(links(chain), 5);
    ck_assert(fabs(ph_system_inertia(chain)[0] - 5 * 0.1 * 0.01) <= 4 * eps * 0.005); /* 5 masses, l^2 */
    ck_assert(fabs(ph_system_inertia(chain)[24] - 0.1 * 0.01) <= 4 * eps * 0.001);
    ck_assert_uint_eq(links(sphere), 1);
    tk_ok(ph_system_potential(sphere, (const double[]){0, 0, 1}, &U));
    ck_assert(U == 9.81);
}

TEST(number_of_links)
{
    static const struct {
        double links;
        size_t masses, lengths, damping, expected;
    } cases[] = {{0, 1, 1, 1, 5}, {0, 4, 1, 1, 4}, {0, 1, 6, 1, 6}, {0, 1, 1, 2, 2},  {0, 3, 3, 1, 3},
                 {1, 1, 1, 1, 1}, {7, 1, 1, 1, 7}, {3, 3, 1, 3, 3}, {40, 1, 1, 1, 40}};
    const double ones[] = {1, 1, 1, 1, 1, 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ph_parameter_value values[] = {{"links", &cases[i].links, 1},
                                             {"masses", ones, cases[i].masses},
                                             {"lengths", ones, cases[i].lengths},
                                             {"damping", ones, cases[i].damping}};
        TK_OWN(ph_system) *system = build("chain-pendulum", values, 4);
        ck_assert_uint_eq(links(system), cases[i].expected);
    }
}

/* A number g for gravity is (0, 0, -g). */
TEST(gravity_as_a_number)
{
    const ph_parameter_value number = {"gravity", VALUES(3.7)}, vector = {"gravity", VALUES(0, 0, -3.7)};
    TK_OWN(ph_system) *a = build("chain-pendulum", &number, 1), *b = build("chain-pendulum", &vector, 1);
    double dUa[MOST], dUb[MOST], z[MOST] = {0};
    tk_ok(ph_system_gradient(a, z, dUa));
    tk_ok(ph_system_gradient(b, z, dUb));
    ck_assert(dUa[2] > 0);
    ck_assert(!memcmp(dUa, dUb, 15 * sizeof *dUa));
}

/* The values are copied: a system outlives what it was built from. */
TEST(values_are_copied)
{
    double masses[2] = {1, 2}, torque[3] = {1, 2, 3}, f[6], before[6], z[6] = {1, 0, 0, 0, 1, 0}, v[6] = {0};
    const ph_parameter_value values[] = {{"masses", masses, 2}, {"torque", torque, 3}};
    TK_OWN(ph_system) *system = build("double-spherical-pendulum", values, 2);
    tk_ok(ph_system_force(system, 0, z, v, before));
    masses[0] = masses[1] = torque[0] = torque[1] = torque[2] = NAN;
    tk_ok(ph_system_force(system, 0, z, v, f));
    ck_assert(!memcmp(f, before, sizeof f));
    ck_assert(f[1] == 3 && f[2] == -2); /* -e1 x (1, 2, 3) */
}

/* ---- Lists, numbers of any size ------------------------------------------------------------------- */

/* The list of one number is that of one link or body; one number is for as many as there are otherwise. A parameter that is not
 * one for each takes such a list as its number. */
TEST_EACH(list_of_one, 14)
{
    static const struct {
        const char *model, *list;
        size_t own, others; /* coordinates of a link or body, and of what else there is */
        size_t number;
    } at[] = {{"chain-pendulum", "masses", 3, 0, 5},   {"chain-pendulum", "lengths", 3, 0, 5},
              {"chain-pendulum", "damping", 3, 0, 5},  {"planar-chain", "masses", 2, 0, 5},
              {"cart-chain", "lengths", 3, 2, 5},      {"planar-cart", "masses", 2, 1, 5},
              {"elastic-chain", "masses", 3, 0, 8},    {"branching-pendulum", "parents", 3, 0, 7},
              {"coupled-pendula", "masses", 3, 0, 3},  {"sphere-n-body", "masses", 3, 0, 2},
              {"submerged-pendula", "radii", 3, 0, 2}, {"rigid-chain", "masses", 9, 0, 3},
              {"quadrotor-cable", "masses", 3, 12, 5}, {"chain-pendulum", "gravity", 3, 0, 5}};
    const ph_model *m = model(at[_i].model);
    const bool each = strcmp(at[_i].list, "gravity") != 0, parents = !strcmp(at[_i].list, "parents");
    const double number = parents ? 0 : 0.1, none = -1;
    ph_parameter_value value = {at[_i].list, &number, PH_LIST_OF_ONE};
    ck_assert_uint_eq(tk_preset_size(m, &value, 1, NULL),
                      (each ? 1 : at[_i].number) * at[_i].own + at[_i].others);
    value = (ph_parameter_value){at[_i].list, parents ? &none : &number, 1};
    ck_assert_uint_eq(tk_preset_size(m, &value, 1, NULL), at[_i].number * at[_i].own + at[_i].others);
}

/* Parameters that are each allowed, but whose product is not a positive number: the system refuses, and its
 * callbacks' memory is not lost (seen by the sanitizers). */
TEST(degenerate_inertia)
{
    const ph_parameter_value small = {"lengths", VALUES(1e-200)}, large = {"lengths", VALUES(1e200)};
    ph_system *system = NULL;
    tk_returns(ph_model_build(model("chain-pendulum"), &small, 1, &system, tk_err), PH_E_SINGULAR);
    ck_assert_ptr_null(system);
    tk_returns(ph_model_build(model("chain-pendulum"), &large, 1, &system, tk_err), PH_E_NOT_FINITE);
    ck_assert_ptr_null(system);
    tk_returns(ph_model_build(NULL, NULL, 0, &system, tk_err), PH_E_INVALID);
    tk_returns(ph_model_build(model("chain-pendulum"), NULL, 1, &system, tk_err), PH_E_INVALID);
}

/* ---- Initial conditions ------------------------------------------------------------------------- */

static void preset(const char *name, const ph_parameter_value *values, size_t n, const char *which, double *z,
                   double *zdot)
{
    tk_ok(ph_model_preset(model(name), values, n, which, tk_preset_size(model(name), values, n, which), z,
                          zdot, tk_err));
}

/* The benchmark of the two-spheres paper: E0 = -72.177075 J, vertical angular momentum 144.35415 kg m^2/s,
 * both exact in decimals. */
TEST(two_spheres)
{
    TK_OWN(ph_system) *system = build("double-spherical-pendulum", NULL, 0);
    const double root3 = sqrt(3), q[6] = {root3 / 2, 0, 0.5, 0, 0, 1}, qdot[6] = {0, root3 / 2, 0, 1, 0, 0};
    double z[6], zdot[6], p[6], work[6], U, J;
    preset("double-spherical-pendulum", NULL, 0, NULL, z, zdot);
    for (int i = 0; i < 6; i++) {
        ck_assert(fabs(z[i] - q[i]) <= eps);
        ck_assert(fabs(zdot[i] - qdot[i]) <= eps);
    }
    tk_ok(ph_system_potential(system, z, &U));
    ck_assert(fabs(U + tk_kinetic(system, z, zdot) + 72.177075) <= 1e-14 * 72.177075);
    tk_momentum(system, z, zdot, p);
    ck_assert_uint_eq(ph_system_symmetries(system), 1);
    ck_assert_str_eq(ph_system_symmetry(system, 0)->name, "Jg");
    tk_ok(ph_system_momentum_map(system, 0, z, p, &J, work));
    ck_assert(fabs(J - 144.35415) <= 1e-14 * 144.35415);
}

/* Every preset of every model, under gravity of every direction and none, is a point and a tangent vector to
 * rounding: it passes the strict test of ph_state_set. */
TEST(presets_are_on_the_manifold)
{
    static const double gravity[][3] = {{0, 0, -9.81},          {0, 0, 9.81}, {1, 0, 0},
                                        {0.3, -5, 2},           {0, 0, 0},    {1e-200, 1e-200, 0},
                                        {-1e150, 1e149, 1e150}, {1e-9, 0, 9}};
    for (size_t i = 0; i < ph_models(); i++)
        for (size_t k = 0; k < ph_model_at(i)->n_presets; k++)
            for (size_t g = 0; g < sizeof gravity / sizeof *gravity; g++) {
                const ph_parameter *G = parameter(ph_model_at(i), "gravity");
                size_t given = G != NULL, numbers = G && G->kind == PH_PARAMETER_GRAVITY ? 3 : 1;
                const ph_parameter_value value = {"gravity", gravity[g] + (3 - numbers), numbers};
                TK_OWN(ph_system) *system = NULL;
                if (ph_model_build_for(ph_model_at(i), ph_model_at(i)->presets[k].name, &value, given,
                                       &system, tk_err)) {
                    ck_assert(strstr(tk_err->message, "it must be along e3")); /* gravity is vertical there */
                    continue;
                }
                const ph_space *space = ph_system_space(system);
                double z[MOST], zdot[MOST], speed = 1;
                ck_assert_uint_le(ph_space_ambient(space), MOST);
                preset(ph_model_at(i)->name, &value, given, ph_model_at(i)->presets[k].name, z, zdot);
                for (size_t j = 0; j < ph_space_ambient(space); j++) {
                    ck_assert(isfinite(zdot[j]));
                    speed = fmax(speed, fabs(zdot[j]));
                }
                ck_assert(ph_space_residual(space, z) <= 2 * eps);
                ck_assert(ph_space_tangency(space, z, zdot) <= 2 * eps * speed);
            }
}

/* Hanging is lowest, upright highest, horizontal has no height: U = -sum |dU_i|, +sum |dU_i|, 0. */
TEST(straight_presets)
{
    static const char *const name[] = {"hanging", "horizontal", "upright"};
    static const double gravity[][3] = {{0, 0, -9.81}, {0, 0, 9.81}, {0.3, -5, 2}};
    for (size_t i = 0; i < ph_models(); i++)
        for (int k = 0; k < 3 && is_chain(ph_model_at(i)); k++)
            for (size_t g = 0; g < 3; g++) {
                const ph_parameter_value value = {"gravity", gravity[g], 3};
                TK_OWN(ph_system) *system = build(ph_model_at(i)->name, &value, 1);
                double z[MOST], zdot[MOST], dU[MOST], U, height = 0;
                preset(ph_model_at(i)->name, &value, 1, name[k], z, zdot);
                tk_ok(ph_system_gradient(system, z, dU));
                tk_ok(ph_system_potential(system, z, &U));
                for (size_t j = 0; j < links(system); j++)
                    height += ph_norm3(dU + 3 * j);
                ck_assert(fabs(U - (k - 1) * height) <= 8 * eps * height);
                for (size_t j = 0; j < ph_space_ambient(ph_system_space(system)); j++)
                    ck_assert(zdot[j] == 0);
            }
}

/* q_i = (cos 0.3 i, 0, -sin 0.3 i), and mass i of n moves at 0.5 i/n along e2, whatever the lengths. */
TEST(curved_chain)
{
    const ph_parameter_value values[] = {{"lengths", VALUES(0.1, 0.4, 0.2, 1.5)}};
    const double *l = values[0].values;
    double z[MOST], zdot[MOST], speed = 0;
    preset("chain-pendulum", values, 1, "curved", z, zdot);
    for (int i = 0; i < 4; i++) {
        ck_assert(z[3 * i] == cos(0.3 * i) && z[3 * i + 1] == 0 && z[3 * i + 2] == -sin(0.3 * i));
        ck_assert(zdot[3 * i] == 0 && zdot[3 * i + 2] == 0);
        speed += l[i] * zdot[3 * i + 1];
        ck_assert(fabs(speed - 0.5 * (i + 1) / 4) <= 4 * eps);
    }
}

/* A steady cone: the acceleration -Om^2 (horizontal part of q) satisfies q x (m l^2 qddot + dU) = 0, at 60
 * degrees and Om^2 = 2 g/l; tilted has half the speed. */
TEST(cone)
{
    const ph_parameter_value values[] = {
        {"gravity", VALUES(1, -2, 2)}, {"length", VALUES(0.5)}, {"mass", VALUES(3)}};
    const double down[3] = {1. / 3, -2. / 3, 2. / 3}, turn2 = 2 * 3 / 0.5;
    TK_OWN(ph_system) *system = build("spherical-pendulum", values, 3);
    double z[3], zdot[3], slow[3], dU[3], total[3], moment[3];
    preset("spherical-pendulum", values, 3, "conical", z, zdot);
    tk_ok(ph_system_gradient(system, z, dU));
    ck_assert(fabs(ph_dot3(z, down) - 0.5) <= 4 * eps);
    ck_assert(fabs(ph_dot3(zdot, down)) <= 8 * eps);
    ck_assert(fabs(ph_dot3(zdot, zdot) - turn2 * 0.75) <= 16 * eps * turn2);
    for (int a = 0; a < 3; a++)
        total[a] = -turn2 * (z[a] - 0.5 * down[a]) * ph_system_inertia(system)[0] + dU[a];
    ph_cross3(z, total, moment);
    ck_assert(ph_norm3(moment) <= 16 * eps * ph_norm3(dU));
    preset("spherical-pendulum", values, 3, "tilted", z, slow);
    for (int a = 0; a < 3; a++)
        ck_assert(fabs(2 * slow[a] - zdot[a]) <= 4 * eps * fabs(zdot[a]));
}

TEST(unknown_preset)
{
    double z[MOST] = {7}, zdot[MOST] = {7};
    tk_says(ph_model_preset(model("chain-pendulum"), NULL, 0, "hangin", MOST, z, zdot, tk_err), PH_E_UNKNOWN,
            "unknown preset of chain-pendulum \"hangin\"; did you mean \"hanging\"?");
    tk_refused(ph_model_preset(model("spherical-pendulum"), NULL, 0, "zebra", MOST, z, zdot, tk_err),
               PH_E_UNKNOWN, "available: tilted, conical, hanging");
    ck_assert(z[0] == 7 && zdot[0] == 7);
}

int main(void)
{
    return tk_run("models");
}
