/* SPDX-License-Identifier: BSD-3-Clause */
/* What the variational step for any Lagrangian hands to its solver: dR/dy and dR/ds against differences of
 * its residual, for every discrete Lagrangian, with a force that depends on the velocity; where its branch
 * begins; the guess of the warm start. A wrong one only costs iterations and steps, so that no motion shows
 * it. White box: the method's source is part of this program. */
#define ph_variational_general kernel_under_test
#include "integrators/variational/general.c"
#undef ph_variational_general

#include "tests/kit/embeddings.h"
#include "tests/kit/lagrangians.h"

static const struct {
    ph_discrete_rule rule;
    const char *name;
} rules[] = {{PH_RULE_ENDS, "ends"},
             {PH_RULE_MIDPOINT, "midpoint"},
             {PH_RULE_NORMALISED, "normalised-midpoint"},
             {PH_RULE_EXPONENTIAL, "exponential"},
             {PH_RULE_EXPONENTIAL_MIDPOINT, "exponential-midpoint"}};
enum { RULES = sizeof rules / sizeof rules[0], FACTORS = 5, NZ = 20, NX = 10, CARRY = 100 };

/* S^2 x R^2 x SO(3) x S^1, and a spheroid where the rule takes it. */
typedef struct bench {
    ph_space *space;
    ph_system *base, *system;
    lg_system L;
    size_t nz, nx, np;
    double option, z[NZ], v[NZ], p[NZ], carry[CARRY];
    ph_statistics statistics;
    ph_error error;
    ph_context context;
    ph_state state;
    ph_variational method;
    general_scratch *w;
} bench;

/* Drag, and a part that is not symmetric. */
static ph_status push_and_drag(void *user, double t, const double *z, const double *v, double *f)
{
    const size_t nz = ((const lg_system *)user)->nz;
    for (size_t i = 0; i < nz; i++)
        f[i] += 0.5 * sin(3 * t + (double)i) - 0.4 * v[i] + 0.3 * z[(i + 1) % nz] * v[(i + 2) % nz];
    return PH_OK;
}

static void set_up(bench *b, ph_discrete_rule rule, lg_given given, bool forced, double h, tk_random *r)
{
    const ph_embedding spheroid = em_embedding(em_at(EM_SPHEROID), EM_BEND);
    const ph_factor factors[FACTORS] = {{.kind = PH_FACTOR_S2},
                                        {.kind = PH_FACTOR_R, .d = 2},
                                        {.kind = PH_FACTOR_SO3},
                                        {.kind = PH_FACTOR_S1},
                                        {.kind = PH_FACTOR_EMBEDDED, .embedding = &spheroid}};
    memset(b, 0, sizeof *b);
    tk_ok(ph_space_create(factors, rule == PH_RULE_NORMALISED ? FACTORS - 1 : FACTORS, &b->space, NULL));
    b->nz = ph_space_ambient(b->space);
    b->nx = ph_space_dimension(b->space);
    b->np = ph_space_momenta(b->space);
    lg_fill(&b->L, b->nz, r);
    b->base = b->system = lg_create(&b->L, b->space, given);
    if (forced) {
        ph_system_definition added = {.force = push_and_drag, .user = &b->L};
        tk_ok(ph_system_create_forced(b->base, &added, &b->system, NULL));
    }
    for (size_t i = 0; i < b->nz; i++) {
        b->z[i] = tk_normal(r);
        b->v[i] = tk_normal(r) / 2;
    }
    if (rule != PH_RULE_NORMALISED)
        em_at(EM_SPHEROID)->point(em_at(EM_SPHEROID)->user, r, b->z + b->nz - 3);
    tk_ok(ph_space_project(b->space, b->z));
    ph_space_project_tangent(b->space, b->z, b->v);
    tk_momentum(b->system, b->z, b->v, b->p);
    b->option = (double)rule;
    ph_method_size needed = ph_variational_measure(&kernel_under_test, b->system, &b->option);
    ck_assert_uint_le(needed.carry, CARRY);
    b->w = calloc(1, needed.work + 64);
    b->context = (ph_context){
        .system = b->system, .h = h, .options = &b->option, .statistics = &b->statistics, .error = &b->error};
    b->method = (ph_variational){.kernel = &kernel_under_test, .work = b->w};
    tk_ok(ph_variational_begin(&b->method, &b->context));
    b->state = (ph_state){
        .z = b->z, .p = b->p, .carry = b->carry, .nz = b->nz, .np = b->np, .ncarry = needed.carry, .h = h};
    b->w->d.z = b->z;
    b->w->length = ph_carry_length(b->space, b->w->parts, b->z, b->w->J, b->w->y0);
    ph_carry_basis(b->space, b->w->parts, b->z, b->p, b->w->length, b->w->E, b->w->pE, b->w->column);
}

static void tear_down(bench *b)
{
    free(b->w);
    if (b->system != b->base)
        ph_system_free(b->system);
    ph_system_free(b->base);
    ph_space_free(b->space);
}

/* dr (nx) <- derivative of the residual along y_b, or along s where b = nx, by differences of order 8. */
static void differenced(bench *b, double s, const double *y, size_t along, double *dr)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280}, width = 2e-3;
    double moved[NX], r[NX], scale[NX];
    memset(dr, 0, b->nx * sizeof *dr);
    for (int j = 0; j < 8; j++) {
        double side = (j % 2 ? -1 : 1), off = side * width * (j / 2 + 1);
        memcpy(moved, y, b->nx * sizeof *y);
        if (along < b->nx)
            moved[along] += off;
        tk_ok(general_residual(b->w, along < b->nx ? s : s + off, moved, r, scale));
        for (size_t i = 0; i < b->nx; i++)
            dr[i] += side * weight[j / 2] / width * r[i];
    }
}

static const lg_given givens[] = {LG_ALL, LG_GRADIENT};

/* Where the second derivatives are not given the Jacobian is one of central differences, of order 2. */
TEST_EACH(derivatives_are_those_of_the_residual, 2 * RULES)
{
    tk_random r = {(uint64_t)_i + 71};
    lg_given given = givens[_i % 2];
    const char *name = rules[_i / 2].name;
    for (int n = 0; n < 4; n++) {
        bench b;
        double y[NX], J[NX * NX], rs[NX], expected[NX], res[NX], scale[NX], s = n % 2 ? 1 : 0.6, worst = 0,
                                                                            most = 0;
        set_up(&b, rules[_i / 2].rule, given, n < 2, 0.1, &r);
        for (size_t i = 0; i < b.nx; i++)
            y[i] = tk_uniform(&r, 0.1, 0.4) * (i % 2 ? 1 : -1);
        tk_ok(general_residual(b.w, s, y, res, scale));
        tk_ok(general_jacobian(b.w, J));
        for (size_t j = 0; j < b.nx; j++) {
            differenced(&b, s, y, j, expected);
            for (size_t i = 0; i < b.nx; i++) {
                worst = tk_max(worst, fabs(J[i * b.nx + j] - expected[i]));
                most = tk_max(most, fabs(expected[i]));
            }
        }
        printf("%s, %s, s = %g: dR/dy off by %.1e, ", name, lg_words[given], s, worst / most);
        ck_assert_msg(worst <= (given == LG_ALL ? 1e-11 : 1e-8) * most,
                      "%s, %s, s = %g: dR/dy off by %g of %g", name, lg_words[given], s, worst, most);
        tk_ok(general_residual(b.w, s, y, res, scale));
        tk_ok(general_parameter_derivative(b.w, rs));
        ck_assert_double_eq(b.w->d.s, s); /* the step continues from the latest residual */
        differenced(&b, s, y, b.nx, expected);
        worst = tk_max_difference(rs, expected, b.nx);
        most = ph_max_norm(expected, b.nx);
        printf("dR/ds by %.1e\n", worst / most);
        ck_assert_msg(worst <= 1e-5 * most, "%s, s = %g: dR/ds off by %g of %g", name, s, worst, most);
        tear_down(&b);
    }
}

/* At s = 0 the equations are those of the Legendre transform, and y0 their solution. */
TEST_EACH(branch_begins_at_the_velocity, RULES)
{
    tk_random r = {(uint64_t)_i + 171};
    bench b;
    double y[NX], v[NZ] = {0}, res[NX], scale[NX], h = 0.1;
    set_up(&b, rules[_i].rule, LG_ALL, true, h, &r);
    b.w->p = b.state.p;
    tk_ok(general_start(b.w, y));
    for (const ph_part *f = b.w->parts; f < b.w->parts + b.w->n; f++)
        for (size_t a = 0; a < f->nx; a++)
            for (size_t k = 0; k < f->nz; k++)
                v[f->z + k] += b.w->E[f->e + a * f->nz + k] * y[f->x + a] / h;
    ck_assert_double_le(tk_max_difference(v, b.v, b.nz), 1e-12 * ph_max_norm(b.v, b.nz));
    tk_ok(general_residual(b.w, 0, y, res, scale));
    ck_assert_double_le(ph_max_norm(res, b.nx), 1e-12 * h * ph_max_norm(b.p, b.np));
    tear_down(&b);
}

/* Off from what the step finds, the guess from three increments is of order 4: h^4 = h times the third
 * power of h that an extrapolation of velocities leaves. */
TEST_EACH(guess_is_of_order_four, RULES)
{
    double h[3], off[3];
    for (int n = 0; n < 3; n++) {
        tk_random r = {(uint64_t)_i + 271};
        bench b;
        double guess[NX];
        h[n] = 0.02 / (1 << n);
        set_up(&b, rules[_i].rule, LG_ALL, false, h[n], &r);
        for (int k = 0; k < 4; k++) {
            ph_carry c = ph_carry_at(b.carry, b.np, b.w->nz);
            ck_assert_double_eq(*c.count, k);
            if (k == 3) {
                b.w->length = c.more[b.w->n];
                ph_carry_basis(b.space, b.w->parts, b.z, b.p, b.w->length, b.w->E, b.w->pE, b.w->column);
                ph_carry_guess(&c, NULL, b.space, b.w->parts, b.w->E, guess);
            }
            ph_status status = general_step(&b.method, &b.context, &b.state);
            ck_assert_msg(!status, "%s", b.error.message);
            b.state.k++;
        }
        off[n] = tk_max_difference(guess, b.w->x, b.nx);
        ck_assert_int_le(b.statistics.branches, 1); /* each step but the first uses its guess */
        tear_down(&b);
    }
    double slope = tk_slope(h, off, 3);
    printf("guess, %s: order %.2f (%.1e, %.1e, %.1e)\n", rules[_i].name, slope, off[0], off[1], off[2]);
    ck_assert_double_ge(slope, 3.8);
}

int main(void)
{
    return tk_run("parts of variational for any Lagrangian");
}
