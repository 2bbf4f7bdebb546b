/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of the catalogue that are written in C, as formulas (lib/models/text.h) in the names of their parameters: both move
 * alike, to rounding. */
#include "tests/kit/testkit.h"

#include "lib/models/text.h"

#include <polhode/polhode.h>

#define INERTIA "dot(omega(R), diag(inertia.x, inertia.y, inertia.z)*omega(R))/2"
#define LINKS(first)                                                                                         \
    {"p[0]", first},                                                                                         \
    {                                                                                                        \
        "p[i=1..links]", "p[i-1] + lengths*q[i]"                                                             \
    }
#define OF_LINKS "sum(i=1..links, masses/2*dot(d(p[i]), d(p[i])))"
#define WEIGHT "-sum(i=1..links, masses*dot(gravity, p[i]))"
/* A rod of equal links, whose last mass is half of the others. */
#define ROD                                                                                                  \
    {"l", "length/links"}, {"m", "mass/links"}, {"p[0]", "0*e1"},                                            \
    {                                                                                                        \
        "p[i=1..links]", "p[i-1] + l*q[i]"                                                                   \
    }
#define OF_ROD "m/2*sum(i=1..links, dot(d(p[i]), d(p[i]))) - m/4*dot(d(p[links]), d(p[links]))"
#define ROD_WEIGHT "-m*dot(gravity, sum(i=1..links, p[i]) - p[links]/2)"

static const struct {
    const char *name, *count; /* its model; a count that is n */
    double n;
    ph_text text;
} table[] = {
    {"planar-pendulum",
     NULL,
     0,
     {.space = {{"q", "S1"}},
      .kinetic = "mass*length^2/2*dot(qdot, qdot)",
      .potential = "mass*gravity*length*q.y"}},
    {"spherical-pendulum",
     NULL,
     0,
     {.space = {{"q", "S2"}},
      .kinetic = "mass*length^2/2*dot(qdot, qdot)",
      .potential = "-mass*length*dot(gravity, q)"}},
    {"double-spherical-pendulum",
     NULL,
     0,
     {.space = {{"q", "S2[2]"}},
      .where = {{"p", "lengths*q[1]"}, {"s", "p + lengths*q[2]"}},
      .kinetic = "masses/2*(dot(d(p), d(p)) + dot(d(s), d(s)))",
      .potential = "-masses*dot(gravity, p + s)"}},
    {"chain-pendulum",
     "links",
     4,
     {.space = {{"q", "S2[links]"}}, .where = {LINKS("0*e1")}, .kinetic = OF_LINKS, .potential = WEIGHT}},
    {"planar-chain",
     "links",
     3,
     {.space = {{"q", "S1[links]"}},
      .where = {LINKS("[0, 0]")},
      .kinetic = OF_LINKS,
      .potential = "sum(i=1..links, masses*gravity*p[i].y)"}},
    {"cart-chain",
     "links",
     3,
     {.space = {{"x", "R2"}, {"q", "S2[links]"}},
      .where = {LINKS("[x.x, x.y, 0]")},
      .kinetic = "cart_mass/2*dot(xdot, xdot) + " OF_LINKS,
      .potential = WEIGHT}},
    {"planar-cart",
     "links",
     3,
     {.space = {{"x", "R1"}, {"q", "S1[links]"}},
      .where = {LINKS("[x, 0]")},
      .kinetic = "cart_mass/2*xdot^2 + " OF_LINKS,
      .potential = "sum(i=1..links, masses*gravity*p[i].y)"}},
    {"branching-pendulum",
     "depth",
     3,
     {.space = {{"q", "S2[7]"}},
      .where = {{"p[1]", "lengths*q[1]"},
                {"p[i=2..3]", "p[1] + lengths*q[i]"},
                {"p[i=4..5]", "p[2] + lengths*q[i]"},
                {"p[i=6..7]", "p[3] + lengths*q[i]"}},
      .kinetic = "sum(i=1..7, masses/2*dot(d(p[i]), d(p[i])))",
      .potential = "-sum(i=1..7, masses*dot(gravity, p[i]))"}},
    {"free-rigid-body", NULL, 0, {.space = {{"R", "SO3"}}, .kinetic = INERTIA}},
    {"heavy-top",
     NULL,
     0,
     {.space = {{"R", "SO3"}},
      .where = {{"p", "R*centre"}},
      .kinetic = "mass/2*dot(d(p), d(p)) + " INERTIA,
      .potential = "-mass*dot(gravity, p)"}},
    {"pendulum-3d",
     NULL,
     0,
     {.space = {{"R", "SO3"}},
      .where = {PH_TEXT_TENSOR, {"p", "R*centre"}},
      .kinetic = "mass/2*dot(d(p), d(p)) + dot(omega(R), J*omega(R))/2",
      .potential = "-mass*dot(gravity, p)"}},
    {"rigid-chain",
     "bodies",
     3,
     {.space = {{"R", "SO3[bodies]"}},
      .where = {{"s[0]", "0*e1"},
                {"s[i=1..bodies]", "s[i-1] + R[i]*joint"},
                {"c[i=1..bodies]", "s[i-1] + R[i]*centre"},
                {"J", "diag(inertia.x, inertia.y, inertia.z)"}},
      .kinetic = "sum(i=1..bodies, masses/2*dot(d(c[i]), d(c[i])) + dot(omega(R[i]), J*omega(R[i]))/2)",
      .potential = "-sum(i=1..bodies, masses*dot(gravity, c[i]))"}},
    {"quadrotor-cable",
     "links",
     2,
     {.space = {{"x", "R3"}, {"R", "SO3"}, {"q", "S2[links]"}},
      .where = {LINKS("x + R*attachment")},
      .kinetic = "mass/2*dot(xdot, xdot) + " INERTIA " + " OF_LINKS,
      .potential = "-mass*dot(gravity, x) " WEIGHT,
      .forces = {{.at = "x", .force = "thrust*(R*e3)"}, {.on = "R", .moment = "moment"}}}},
    {"elastic-chain",
     "links",
     4,
     {.space = {{"q", "S2[links]"}},
      .where = {ROD},
      .kinetic = OF_ROD,
      .potential = "bending_stiffness/(2*l)*sum(i=2..links, dot(q[i] - q[i-1], q[i] - q[i-1])) " ROD_WEIGHT}},
    {"hanging-cable",
     "links",
     5,
     {.space = {{"q", "S2[links]"}},
      .where = {ROD, {"a", "p[links] - anchor"}},
      .kinetic = OF_ROD,
      .potential = "anchor_stiffness/2*dot(a, a) - dot(pull, p[links]) " ROD_WEIGHT}},
    {"coupled-pendula",
     "pendula",
     3,
     {.space = {{"q", "S2[pendula]"}},
      .where = {{"p[i=1..pendula]", "(i - 1)*spacing*e1 + lengths*q[i]"}},
      .kinetic = "sum(i=1..pendula, masses/2*dot(d(p[i]), d(p[i])))",
      .potential = "stiffness/2*sum(i=2..pendula, (norm(p[i] - p[i-1]) - rest_length)^2) - "
                   "sum(i=1..pendula, masses*lengths*dot(gravity, q[i]))"}},
    {"submerged-pendula",
     "pendula",
     2,
     {.space = {{"q", "S2[2]"}},
      .where = {{"V", "4/3*pi*radii^3"},
                {"p[i=1..2]", "(i - 1)*spacing*e1 + lengths*q[i]"},
                {"r", "p[2] - p[1]"}},
      .kinetic =
          "(masses + density*V/2)/2*(dot(d(p[1]), d(p[1])) + dot(d(p[2]), d(p[2]))) - "
          "pi*density*radii^6/norm(r)^3*(3*dot(d(p[1]), r)*dot(d(p[2]), r)/dot(r, r) - dot(d(p[1]), d(p[2])))",
      .potential = "-(masses - density*V)*lengths*dot(gravity, q[1] + q[2])"}},
    {"dipole-array",
     "dipoles",
     4,
     {.space = {{"q", "S2[dipoles]"}},
      .kinetic = "sum(i=1..dipoles, inertia/2*dot(qdot[i], qdot[i]))",
      .potential =
          "sum(i=2..dipoles, sum(j=1..i-1, coupling*(dot(q[i], q[j]) - 3*q[i].x*q[j].x)/(spacing*(i - j))^3))"}},
    {"sphere-n-body",
     "particles",
     3,
     {.space = {{"q", "S2[particles]"}},
      .kinetic = "sum(i=1..particles, masses/2*dot(qdot[i], qdot[i]))",
      .potential =
          "-gamma*masses^2*sum(i=2..particles, sum(j=1..i-1, dot(q[i], q[j])/norm(cross(q[i], q[j]))))"}},
    {"kepler",
     NULL,
     0,
     {.space = {{"x", "R3"}}, .kinetic = "masses/4*dot(xdot, xdot)", .potential = "-G*masses^2/norm(x)"}},
    {"n-body",
     "points",
     3,
     {.space = {{"x", "R3[points]"}},
      .kinetic = "sum(i=1..points, masses/2*dot(xdot[i], xdot[i]))",
      .potential = "-G*masses^2*sum(i=2..points, sum(j=1..i-1, 1/norm(x[i] - x[j])))"}},
    {"spin-chain",
     "spins",
     4,
     {.space = {{"s", "spin[4]"}},
      .where = {{"b[i=1..3]", "dot(s[i], s[i+1]) + (delta - 1)*s[i].z*s[i+1].z"},
                {"b[4]", "dot(s[4], s[1]) + (delta - 1)*s[4].z*s[1].z"}},
      .energy = "-exchange*sum(i=1..4, b[i]) - sum(i=1..4, anisotropy*s[i].z^2 + dot(field, s[i]))"}},
    {"point-vortices",
     "vortices",
     4,
     {.space = {{"s", "spin[vortices]"}},
      .energy = "-sum(i=2..vortices, sum(j=1..i-1, log(2 - 2*dot(s[i], s[j]) + core^2)))/(4*pi)"}},
    {"bloch-sphere",
     NULL,
     0,
     {.space = {{"s", "spin"}},
      .where = {{"a", "rate*t + phase"}},
      .energy = "precession*s.z + amplitude*(cos(a)*s.x + circular*sin(a)*s.y)"}},
};
enum { MODELS = sizeof table / sizeof table[0] };

static ph_status build(const ph_model_table *values, ph_system **system, ph_error *err)
{
    size_t i = 0;
    while (strcmp(table[i].name, values->model->name) != 0)
        i++;
    return ph_text_build(&table[i].text, values, system, err);
}

/* z (most) <- where the system is after some steps from z, zdot. */
static void follow(const ph_system *system, const double *zdot, double *z)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    tk_ok(ph_integrator_create(system, ph_method_find("rk8", NULL), 0.001, NULL, 0, &it, tk_err));
    tk_ok(ph_state_create(it, &state, tk_err));
    tk_ok(ph_state_set_velocity(it, state, 0, z, zdot, PH_STRICT, tk_err));
    tk_steps(it, state, 200);
    memcpy(z, state->z, state->nz * sizeof *z);
    tk_end(it, state);
}

TEST_EACH(as_in_c, MODELS)
{
    enum { MOST = 32 };
    const ph_model *model = ph_model_find(table[_i].name, NULL);
    const ph_parameter_value count = {table[_i].count, &table[_i].n, 1};
    const size_t n = table[_i].count != NULL;
    double z[2][MOST], zdot[MOST];
    ck_assert_ptr_nonnull(model);
    ph_model text = *model;
    text.build = build;
    for (int k = 0; k < 2; k++) {
        TK_OWN(ph_system) *system = NULL;
        ck_assert_msg(!ph_model_build(k ? &text : model, &count, n, &system, tk_err), "%s", tk_err->message);
        const size_t nz = ph_space_ambient(ph_system_space(system));
        ck_assert_uint_le(nz, MOST);
        memset(z[k], 0, sizeof z[k]);
        tk_ok(ph_model_preset(model, &count, n, NULL, nz, z[k], zdot, tk_err));
        follow(system, zdot, z[k]);
    }
    const double error = tk_max_difference(z[0], z[1], MOST);
    printf("%s: %.1e\n", table[_i].name, error);
    ck_assert_double_lt(error, 1e-12);
}

int main(void)
{
    return tk_run("models as formulas");
}
