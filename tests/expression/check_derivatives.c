/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of expressions against differences, how many operations they take, and the bits of tapes: those of
 * the graph, for one point and in lanes. */
#include "tests/kit/testkit.h"

#include "lib/expression/formulas.h"
#include "lib/expression/tape.h"

enum { MOST = 130 };

static ph_error err;

typedef struct system_text {
    const char *name;
    const char *factors[6];     /* name, kind, ... */
    const char *parameters[11]; /* name, number, ... */
    const char *where[6];       /* head, text, ... */
    const char *formula;
    bool velocities;                 /* is it a function of zdot, too? */
    size_t value, gradient, hessian; /* operations that are expected */
} system_text;

static const system_text systems[] = {
    {"double pendulum by angles",
     {"a", "R1", "b", "R1"},
     {"m1", "1", "m2", "2", "l1", "1.5", "l2", "0.7", "g", "9.81"},
     {"p", "[l1*sin(a), -l1*cos(a)]", "s", "p + [l2*sin(b), -l2*cos(b)]"},
     "m1/2*dot(d(p), d(p)) + m2/2*dot(d(s), d(s)) - m1*g*p.y - m2*g*s.y",
     true,
     28,
     42,
     125},
    {"two bodies with quadrupoles",
     {"x", "R3", "B", "SO3", "C", "SO3"},
     {"G", "1", "m", "3", "n", "2"},
     {"r", "norm(x)", "a", "B.T*x", "b", "C.T*x"},
     "-G*m*n/r - G/(2*r^3)*(n*3.7 + m*1.9) + 3*G/(2*r^5)*(n*dot(a, diag(1, 1.2, 1.5)*a) + m*dot(b, diag(.5, .6, .8)*b))",
     false,
     68,
     186,
     943},
    {"20 spins",
     {"s", "spin[n]"},
     {"n", "20", "J", "1", "K", ".3", "h", ".2"},
     {NULL},
     "-J*sum(i=1..n-1, dot(s[i], s[i+1])) - K*sum(i=1..n, s[i].z^2) - h*sum(i=1..n, s[i].x)",
     false,
     177,
     233,
     0},
    {"chain of 5",
     {"q", "S2[n]"},
     {"n", "5", "m", "1.1", "l", "1.1", "g", "9.81"},
     {"p[0]", "[0, 0, 0]", "p[i=1..n]", "p[i-1] + l*q[i]"},
     "sum(i=1..n, m/2*dot(d(p[i]), d(p[i])) - m*g*p[i].z)",
     true,
     85,
     93,
     0},
    {"spherical pendulum with a spring",
     {"z", "R3"},
     {"m", "1", "k", "40", "l", "1", "g", "9.81"},
     {NULL},
     "k/2*(norm(z) - l)^2 + m*g*z.z",
     false,
     18,
     22,
     56},
};
enum { SYSTEMS = sizeof systems / sizeof systems[0] };

static ph_formulas *make(const system_text *s, ph_expr *formula)
{
    ph_formulas *f = NULL;
    ph_value value;
    tk_ok(ph_formulas_create(&f, &err));
    for (size_t i = 0; i + 1 < sizeof s->parameters / sizeof s->parameters[0] && s->parameters[i]; i += 2)
        tk_ok(ph_formulas_add_parameter(f, s->parameters[i], 0, 1, 1, &(double){atof(s->parameters[i + 1])},
                                        NULL, &err));
    for (size_t i = 0; i < 6 && s->factors[i]; i += 2)
        tk_ok(ph_formulas_add_factor(f, s->factors[i], s->factors[i + 1], NULL, &err));
    for (size_t i = 0; i < 6 && s->where[i]; i += 2)
        tk_ok(ph_formulas_abbreviate(f, s->where[i], s->where[i + 1], &err));
    ck_assert_msg(!ph_formulas_read(f, "formula", s->formula, PH_FORMULA_NUMBER, &value, &err), "%s",
                  err.message);
    *formula = *value.item;
    return f;
}

/* A formula with its gradient and the triangle of its Hessian, by z or (z, zdot). */
typedef struct expanded {
    ph_formulas *f;
    size_t n, nz, triangle;
    ph_expr formula, leaf[MOST], gradient[MOST], *hessian;
    ph_tape *value, *slope, *curvature;
} expanded;

static void expand(const system_text *s, expanded *e)
{
    e->f = make(s, &e->formula);
    ph_graph *g = &e->f->graph;
    e->nz = e->f->nz;
    e->n = s->velocities ? 2 * e->nz : e->nz;
    e->hessian = calloc(e->n * (e->n + 1) / 2, sizeof *e->hessian);
    e->triangle = 0;
    ck_assert(e->hessian && e->n <= MOST);
    for (size_t i = 0; i < e->n; i++)
        e->leaf[i] = ph_graph_leaf(g, i < e->nz ? PH_OP_Z : PH_OP_V, i % e->nz);
    ph_graph_reverse(g, e->formula, e->leaf, e->n, e->gradient);
    for (size_t j = 0; j < e->n; j++) {
        ph_expr column[MOST];
        ph_expr_map memo = {NULL, 0};
        ph_map_put(g, &memo, e->leaf[j], ph_graph_number(g, 1));
        ph_graph_forward(g, e->gradient, e->n, &memo, column);
        ph_map_release(&memo);
        for (size_t i = j; i < e->n; i++)
            e->hessian[e->triangle++] = column[i];
    }
    tk_ok(ph_tape_create(g, &e->formula, 1, e->nz, e->f->parameters, &e->value));
    tk_ok(ph_tape_create(g, e->gradient, e->n, e->nz, e->f->parameters, &e->slope));
    tk_ok(ph_tape_create(g, e->hessian, e->triangle, e->nz, e->f->parameters, &e->curvature));
}

static void release(expanded *e)
{
    ph_tape_free(e->value);
    ph_tape_free(e->slope);
    ph_tape_free(e->curvature);
    free(e->hessian);
    ph_formulas_free(e->f);
}

/* Differences of order 8 of a tape along coordinate k. */
static void differences(const ph_tape *tape, const expanded *e, double *x, size_t k, double *d)
{
    static const double c[] = {4 / 5.0, -1 / 5.0, 4 / 105.0, -1 / 280.0}, width = 1.0 / 256;
    const size_t n = ph_tape_outs(tape);
    double plus[MOST], minus[MOST];
    const double at = x[k];
    memset(d, 0, n * sizeof *d);
    for (int s = 1; s <= 4; s++) {
        x[k] = at + s * width;
        ph_tape_run(tape, 0.3, x, x + e->nz, plus);
        x[k] = at - s * width;
        ph_tape_run(tape, 0.3, x, x + e->nz, minus);
        for (size_t i = 0; i < n; i++)
            d[i] += c[s - 1] * (plus[i] - minus[i]) / width;
    }
    x[k] = at;
}

static void random_point(tk_random *r, double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = tk_uniform(r, 0.4, 1.2);
}

TEST_EACH(against_differences, SYSTEMS)
{
    expanded e;
    tk_random r = {11 + (uint64_t)_i};
    double x[2 * MOST] = {0}, gradient[MOST], d[MOST], *H;
    expand(&systems[_i], &e);
    H = malloc(e.triangle * sizeof *H);
    random_point(&r, x, 2 * e.nz);
    ph_tape_run(e.slope, 0.3, x, x + e.nz, gradient);
    ph_tape_run(e.curvature, 0.3, x, x + e.nz, H);
    for (size_t j = 0, at = 0; j < e.n; j++) {
        differences(e.value, &e, x, j, d);
        ck_assert_msg(fabs(*d - gradient[j]) < 1e-10 * fmax(1, fabs(gradient[j])), "slope %zu: %.15g, %.15g",
                      j, *d, gradient[j]);
        differences(e.slope, &e, x, j, d);
        for (size_t i = j; i < e.n; i++, at++)
            ck_assert_msg(fabs(d[i] - H[at]) < 1e-9 * fmax(1, fabs(H[at])), "%zu, %zu: %.15g, %.15g", i, j,
                          d[i], H[at]);
    }
    free(H);
    release(&e);
}

/* Small graphs make fast steps. The bounds were counted by an independent program, in Python, with the same rules. */
TEST_EACH(operations, SYSTEMS)
{
    expanded e;
    expand(&systems[_i], &e);
    printf("%s: %zu, %zu, %zu operations, and %zu calls in the gradient\n", systems[_i].name,
           ph_tape_operations(e.value), ph_tape_operations(e.slope), ph_tape_operations(e.curvature),
           ph_tape_calls(e.slope));
    ck_assert_uint_le(ph_tape_operations(e.value), systems[_i].value);
    ck_assert_uint_le(ph_tape_operations(e.slope), systems[_i].gradient);
    ck_assert_uint_le(ph_tape_operations(e.curvature), systems[_i].hessian);
    release(&e);
}

TEST_EACH(bits, SYSTEMS)
{
    expanded e;
    tk_random r = {23 + (uint64_t)_i};
    expand(&systems[_i], &e);
    const size_t n = e.triangle > e.n ? e.triangle : e.n;
    double z[PH_TAPE_LANES][2 * MOST], t[PH_TAPE_LANES],
        *lanes = malloc(2 * MOST * sizeof t), *out = malloc(n * sizeof t), *one = malloc(n * sizeof(double));
    ck_assert(lanes && out && one);
    for (size_t l = 0; l < PH_TAPE_LANES; l++) {
        t[l] = (double)l;
        random_point(&r, z[l], 2 * e.nz);
        for (size_t i = 0; i < 2 * e.nz; i++)
            lanes[i * PH_TAPE_LANES + l] = z[l][i];
    }
    const struct {
        const ph_tape *tape;
        const ph_expr *outs;
    } tapes[] = {{e.value, &e.formula}, {e.slope, e.gradient}, {e.curvature, e.hessian}};
    for (size_t k = 0; k < 3; k++) {
        const size_t outs = ph_tape_outs(tapes[k].tape);
        const ph_tape *same[PH_TAPE_LANES];
        for (size_t l = 0; l < PH_TAPE_LANES; l++)
            same[l] = tapes[k].tape;
        ph_tape_run_lanes(same, PH_TAPE_LANES, t, lanes, lanes + e.nz * PH_TAPE_LANES, false, out);
        for (size_t l = 0; l < PH_TAPE_LANES; l++) {
            double *graph = malloc(outs * sizeof *graph);
            ph_tape_run(tapes[k].tape, t[l], z[l], z[l] + e.nz, one);
            ph_graph_values(&e.f->graph, tapes[k].outs, outs,
                            &(ph_point){e.f->parameters, z[l], z[l] + e.nz, NULL, t[l]}, graph);
            for (size_t i = 0; i < outs; i++)
                ck_assert(!memcmp(&one[i], &graph[i], sizeof(double)) &&
                          !memcmp(&one[i], &out[i * PH_TAPE_LANES + l], sizeof(double)));
            free(graph);
        }
    }
    free(lanes);
    free(out);
    free(one);
    release(&e);
}

/* Degrees in the velocities, and what depends on what. */
TEST(degrees)
{
    static const struct {
        const char *text;
        unsigned degree, depends;
    } table[] = {{"u*v", 0, PH_ON_Z},
                 {"udot*u", 1, PH_ON_Z | PH_ON_V},
                 {"udot^2*vdot + t", 3, PH_ON_V | PH_ON_TIME},
                 {"udot/u", 1, PH_ON_Z | PH_ON_V},
                 {"u/udot", PH_NO_DEGREE, PH_ON_Z | PH_ON_V},
                 {"sin(udot)", PH_NO_DEGREE, PH_ON_V},
                 {"udot - udot + 3", 0, 0},
                 {"m*omega(a)^2", 2, PH_ON_PARAMETERS | PH_ON_V}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const system_text text = {
            "degrees", {"u", "R1", "v", "R1", "a", "S1"}, {"m", "2"}, {NULL}, table[i].text, true, 0, 0, 0};
        ph_expr formula;
        ph_formulas *f = make(&text, &formula);
        ck_assert_uint_eq(ph_graph_degree(&f->graph, &formula, 1), table[i].degree);
        ck_assert_uint_eq(f->graph.node[formula].depends, table[i].depends);
        ph_formulas_free(f);
    }
}

int main(void)
{
    return tk_run("derivatives of expressions");
}
