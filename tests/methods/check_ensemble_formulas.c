/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles of systems of formulas on R^d and S^1 with a constant inertia, by variational, rk4 and rk4-projected: eight systems in
 * lanes have the bits of systems that step alone, whether they differ in the values of parameters or in the form of their
 * formulas; also from guesses that lead nowhere, and where some fail. */
#include "tests/kit/members.h"

#include <polhode/domain/formula.h>

#include <math.h>

enum { MEMBERS = 11, NUMBERS = 12, LINES = 4 };

typedef struct kind {
    const char *name;
    const char *space[2][2], *where[LINES][2], *kinetic, *potential, *dissipation, *at, *force;
    double a, b;        /* parameters of the first member; ... */
    double a_of, b_of;  /* ... and how much more each has */
    double zero_from;   /* b is 0 from this member on: the formulas have another form */
    double start, fast; /* sizes of random coordinates and velocities */
    double faster;      /* those of member 3 */
    double h;
    size_t failures;
} kind;

static const kind kinds[] = {
    {"henon-heiles", .space = {{"x", "R2"}}, .kinetic = "a/2*dot(xdot, xdot)",
     .potential = "dot(x, x)/2 + b*(x.x^2*x.y - x.y^3/3)", .a = 1, .b = 1, .a_of = 0.02, .b_of = -0.05,
     .start = 0.2, .fast = 0.3, .faster = 0.3, .h = 0.05},
    {"driven oscillator", .space = {{"x", "R1"}}, .kinetic = "a/2*xdot^2",
     .potential = "x^4/4 - x^2/2 - b*x*cos(1.2*t)", .dissipation = "0.1*xdot^2", .a = 1, .b = 0.3,
     .b_of = 0.02, .start = 1, .fast = 0.5, .faster = 0.5, .h = 0.05},
    {"driven cart", .space = {{"x", "R1"}, {"q", "S1"}}, .where = {{"p", "[x, 0] + 0.8*q"}},
     .kinetic = "2*xdot^2/2 + a/2*dot(d(p), d(p))", .potential = "a*9.81*p.y", .dissipation = "0.3*xdot^2",
     .at = "[x, 0]", .force = "[b*sin(4*t), 0]", .a = 0.5, .b = 3, .a_of = 0.01, .b_of = 0.1, .start = 1,
     .fast = 1, .faster = 1, .h = 0.02},
    {"bead on a hoop", .space = {{"q", "S1"}}, .where = {{"p", "0.5*[q.y, 0, -q.x]"}},
     .kinetic = "a/2*dot(d(p) + cross(b*e3, p), d(p) + cross(b*e3, p))", .potential = "a*9.81*p.z", .a = 0.1,
     .b = 6, .b_of = 0.2, .start = 1, .fast = 1, .faster = 1, .h = 0.02},
    {"two angles", .space = {{"q", "S1"}, {"r", "S1"}},
     .kinetic = "a/2*(dot(qdot, qdot) + 2*dot(rdot, rdot)) + 0.3*dot(qdot, rdot)",
     .potential = "b*dot(q, r) + q.y", .a = 1, .b = 2, .a_of = 0.03, .b_of = -0.1, .start = 1, .fast = 2,
     .faster = 90, .h = 0.02, .failures = 1},
    {"three bodies", .space = {{"x", "R3[3]"}}, .kinetic = "sum(i=1..3, a/2*dot(d(x[i]), d(x[i])))",
     .potential = "-b*sum(i=1..2, sum(j=i+1..3, 1/norm(x[i] - x[j])))", .a = 1, .b = 1, .a_of = 0.02,
     .start = 1, .fast = 0.4, .faster = 0.4, .h = 0.01},
    {"a coupling that is 0 in some", .space = {{"x", "R2"}},
     .kinetic = "a/2*(x.x*0 + dot(xdot, xdot)) + 0.2*xdot.x*xdot.y", .potential = "dot(x, x)^2 + b*x.x*x.y^2",
     .a = 1, .b = 1, .b_of = 0.1, .zero_from = 6, .start = 0.5, .fast = 1, .faster = 1, .h = 0.05},
    {"a wall that some meet", .space = {{"x", "R1"}}, .kinetic = "a/2*xdot^2",
     .potential = "-b*sqrt(1 - x^2)", .a = 1, .b = 1, .a_of = 0.01, .start = 0.2, .fast = 0.1, .faster = 60,
     .h = 0.05, .failures = 1},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static ph_system *build(const kind *k, size_t member)
{
    const double a = k->a + k->a_of * (double)member,
                 b = k->zero_from > 0 && (double)member >= k->zero_from ? 0 : k->b + k->b_of * (double)member;
    const ph_formula_parameter parameters[] = {{"a", 0, 1, 1, &a, NULL}, {"b", 0, 1, 1, &b, NULL}};
    ph_formula_line space[2], where[LINES];
    const ph_formula_force force = {.at = k->at, .force = k->force};
    ph_formula_definition d = {.space = space,
                               .parameters = parameters,
                               .n_parameters = 2,
                               .where = where,
                               .kinetic = k->kinetic,
                               .potential = k->potential,
                               .dissipation = k->dissipation,
                               .forces = &force,
                               .n_forces = k->at != NULL};
    for (; d.n_space < 2 && k->space[d.n_space][0]; d.n_space++)
        space[d.n_space] = (ph_formula_line){k->space[d.n_space][0], k->space[d.n_space][1], NULL};
    for (; d.n_where < LINES && k->where[d.n_where][0]; d.n_where++)
        where[d.n_where] = (ph_formula_line){k->where[d.n_where][0], k->where[d.n_where][1], NULL};
    ph_system *system = NULL;
    tk_ok(ph_formula_system_create(&d, &system, NULL, tk_err));
    return system;
}

typedef struct crowd {
    ph_system *system[MEMBERS];
    double z[NUMBERS * MEMBERS], p[NUMBERS * MEMBERS];
} crowd;

static void crowd_end(crowd *c)
{
    for (size_t i = 0; i < MEMBERS; i++)
        ph_system_free(c->system[i]);
}

/* Random places of size `start`, turned on circles, and velocities of size `fast`. */
static void begin(const kind *k, crowd *c, size_t i, tk_random *r)
{
    const ph_system *s = c->system[i];
    const ph_space *space = ph_system_space(s);
    const size_t nz = ph_space_ambient(space), np = ph_space_momenta(space);
    double z[NUMBERS], v[NUMBERS], p[NUMBERS], work[1000];
    for (size_t j = 0; j < ph_space_factors(space); j++) {
        const ph_factor_place *f = ph_space_factor(space, j);
        const double turn = 3 * tk_uniform(r, -1, 1), rate = tk_uniform(r, -1, 1);
        for (size_t a = f->z; a < f->z + f->nz; a++) {
            const bool circle = f->kind == PH_FACTOR_S1;
            z[a] = circle ? (a == f->z ? cos(turn) : sin(turn))
                          : k->start * tk_uniform(r, -1, 1) + (double)(a == f->z + j % 3 && np > 6);
            v[a] = (i == 3 ? k->faster : k->fast) *
                   (circle ? rate * (a == f->z ? -sin(turn) : cos(turn)) : tk_uniform(r, -1, 1));
        }
    }
    ck_assert_uint_le(ph_system_work(s), sizeof work / sizeof *work);
    tk_ok(ph_system_momentum(s, 0, z, v, p, work));
    for (size_t a = 0; a < nz; a++)
        c->z[a * MEMBERS + i] = z[a];
    for (size_t a = 0; a < np; a++)
        c->p[a * MEMBERS + i] = p[a];
}

/* order: NULL of a method that has none. */
static void compare(const kind *k, const char *method, bool each, const char *order)
{
    TK_ENDS(crowd_end) crowd c = {{NULL}, {0}, {0}};
    tk_random r = {11};
    for (size_t i = 0; i < MEMBERS; i++) {
        c.system[i] = build(k, each ? i : 0);
        begin(k, &c, i, &r);
    }
    const tk_members m = {.name = k->name,
                          .method = ph_method_find(method, NULL),
                          .setting = {"order", order},
                          .h = k->h,
                          .members = MEMBERS,
                          .system = c.system[0],
                          .systems = each ? (const ph_system *const *)c.system : NULL,
                          .z = c.z,
                          .p = c.p,
                          .lanes = 8};
    const size_t failures = tk_compare_members(&m, 60);
    if (order)
        ck_assert_uint_eq(failures, k->failures);
}

TEST_EACH(formulas_in_lanes, KINDS)
{
    for (int kernels = 0; kernels < TK_KERNELS; kernels++) {
        if (!tk_kernels(kernels))
            continue;
        for (int each = 0; each < 2; each++) {
            compare(&kinds[_i], "variational", each, "2");
            compare(&kinds[_i], "variational", each, "4");
            compare(&kinds[_i], "rk4", each, NULL);
            compare(&kinds[_i], "rk4-projected", each, NULL);
        }
    }
    tk_kernels(false);
}

int main(void)
{
    return tk_run("ensemble_formulas");
}
