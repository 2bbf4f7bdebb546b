/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulations of the continuous equations, all of them, for every kind of Lagrangian: against
 * accelerations by multipliers in the embedding space; their conversions; the equations of the chain
 * pendulum, which the two-spheres paper writes down; order 4 of Runge-Kutta on each; callbacks that go
 * wrong. */
#include "tests/kit/hostile.h"
#include "tests/kit/lagsystem.h"

enum { MOST_Y = 2 * CS_N, FORMS = 6, ALL = 7 };
/* The last form supports linkages only: see check_chains.c. */
static const char *const names[ALL] = {"q-qdot", "q-omega", "q-mu", "q-pi", "x-xdot", "x-mu", "tensions"};

/* ---- The catalogue ----------------------------------------------------------------------------------- */

TEST(catalogue_and_option_agree)
{
    static const ph_option option = PH_FIELD_OPTION;
    char words[200] = "automatic";
    ph_error err = {PH_OK, ""};
    ck_assert_uint_eq(ph_fields(), ALL);
    for (size_t i = 0; i < ph_fields(); i++) {
        ck_assert_str_eq(ph_field_at(i)->name, names[i]);
        ck_assert_ptr_eq(ph_field_find(names[i], NULL), ph_field_at(i));
        snprintf(words + strlen(words), sizeof words - strlen(words), " %s", names[i]);
    }
    ck_assert_str_eq(option.choices, words);
    ck_assert_ptr_null(ph_field_at(ALL));
    ck_assert_ptr_null(ph_field_find("q-my", &err));
    ck_assert_int_eq(err.status, PH_E_UNKNOWN);
    ck_assert_msg(strstr(err.message, "q-mu") != NULL, "%s", err.message);
}

/* ---- The variables of each form, by their definitions, complex: (x, v) -> y --------------------------- */

typedef struct variables {
    const mult_system *s;
    const ph_space *space;
    const char *form;
} variables;

/* w of the tangent vector a at q, or the momentum of the covector a: on SO(3) half of it is w. */
static void turning(const ph_factor_place *f, const mult_number *q, const mult_number *a, bool momentum,
                    mult_number *w)
{
    if (f->kind == PH_FACTOR_S1) {
        w[0] = q[0] * a[1] - q[1] * a[0];
    } else if (f->kind == PH_FACTOR_S2) {
        mult_cross(q, a, w);
    } else if (f->kind == PH_FACTOR_SO3) {
        for (size_t k = 0; k < 3; k++) { /* entries (k+2, k+1) less (k+1, k+2) of R^T a */
            size_t i = (k + 2) % 3, j = (k + 1) % 3;
            w[k] = 0;
            for (size_t row = 0; row < 3; row++)
                w[k] += q[3 * row + i] * a[3 * row + j] - q[3 * row + j] * a[3 * row + i];
            if (!momentum)
                w[k] /= 2;
        }
    } else {
        memcpy(w, a, f->np * sizeof *w);
    }
}

static void make_variables(const void *self, const mult_number *z, mult_number *y)
{
    const variables *c = self;
    const mult_system *s = c->s;
    size_t n = s->n;
    const mult_number *x = z, *v = z + n;
    mult_number Lx[MULT_N], Lv[MULT_N], mu[MULT_N], P[MULT_N * MULT_N];
    const char *what = strchr(c->form, '-') + 1;
    memcpy(y, x, n * sizeof *y);
    s->gradient(s->self, x, v, Lx, Lv);
    mult_projection(s, x, P);
    for (size_t i = 0; i < n; i++) {
        mu[i] = 0;
        for (size_t j = 0; j < n; j++)
            mu[i] += P[i * n + j] * Lv[j];
    }
    if (!strcmp(what, "qdot") || !strcmp(what, "xdot"))
        memcpy(y + n, v, n * sizeof *y);
    else if (!strcmp(what, "mu"))
        memcpy(y + n, mu, n * sizeof *y);
    else
        for (size_t i = 0; i < ph_space_factors(c->space); i++) {
            const ph_factor_place *f = ph_space_factor(c->space, i);
            bool momentum = !strcmp(what, "pi");
            turning(f, x + f->z, (momentum ? mu : v) + f->z, momentum, y + n + f->p);
        }
}

/* ---- Accelerations ------------------------------------------------------------------------------------ */

typedef struct trial {
    cs_set set;
    size_t spheres;
    cs_kind kind;
    lag_given given;
    double tolerance;
    bool by_projection;
} trial;

/* Exact derivatives are accurate to the rounding of some hundred terms times the condition number of the
 * matrices; differences of a gradient to 1e-11, and second differences of values to 1e-10. */
static const trial trials[] = {
    {CS_SPHERES, 1, CS_QUADRATIC, CS_GIVEN_CONSTANT_PAIRS, 1e-13, false},
    {CS_SPHERES, 2, CS_QUADRATIC, CS_GIVEN_CONSTANT_PAIRS, 1e-13, false},
    {CS_SPHERES, 4, CS_QUADRATIC, CS_GIVEN_CONSTANT_PAIRS, 1e-13, false},
    {CS_SPHERES, 1, CS_QUADRATIC, CS_GIVEN_PAIRS, 1e-13, false},
    {CS_SPHERES, 2, CS_QUADRATIC, CS_GIVEN_PAIRS, 1e-13, false},
    {CS_SPHERES, 3, CS_QUADRATIC, CS_GIVEN_PAIRS, 1e-13, false},
    {CS_SPHERES, 4, CS_QUADRATIC, CS_GIVEN_PAIRS, 1e-13, false},
    {CS_SPHERES, 3, CS_QUADRATIC, CS_GIVEN_AMBIENT, 1e-13, false},
    {CS_SPHERES, 3, CS_QUADRATIC, CS_GIVEN_HESSIAN, 1e-13, false},
    {CS_SPHERES, 2, CS_AMBIENT, CS_GIVEN_CONSTANT_AMBIENT, 1e-13, false},
    {CS_SPHERES, 4, CS_AMBIENT, CS_GIVEN_AMBIENT, 1e-13, false},
    {CS_SPHERES, 1, CS_GENERAL, CS_GIVEN_HESSIAN, 1e-13, false},
    {CS_SPHERES, 4, CS_GENERAL, CS_GIVEN_HESSIAN, 1e-13, false},
    {CS_SPHERES, 3, CS_GENERAL, CS_GIVEN_GRADIENT, 1e-11, false},
    {CS_SPHERES, 2, CS_GENERAL, CS_GIVEN_COMPLEX, 1e-11, false},
    {CS_SPHERES, 2, CS_GENERAL, CS_GIVEN_VALUES, 1e-10, false},
    {CS_CIRCLE, 0, CS_AMBIENT, CS_GIVEN_AMBIENT, 1e-13, false},
    {CS_CIRCLE, 0, CS_GENERAL, CS_GIVEN_HESSIAN, 1e-13, false},
    {CS_ROTATIONS, 0, CS_AMBIENT, CS_GIVEN_CONSTANT_AMBIENT, 1e-13, false},
    {CS_ROTATIONS, 0, CS_AMBIENT, CS_GIVEN_AMBIENT, 1e-13, false},
    {CS_ROTATIONS, 0, CS_GENERAL, CS_GIVEN_HESSIAN, 1e-13, false},
    {CS_ROTATIONS, 0, CS_GENERAL, CS_GIVEN_VALUES, 1e-10, false},
    {CS_PRODUCT, 0, CS_AMBIENT, CS_GIVEN_CONSTANT_AMBIENT, 1e-13, false},
    {CS_PRODUCT, 0, CS_AMBIENT, CS_GIVEN_AMBIENT, 1e-13, false},
    {CS_PRODUCT, 0, CS_GENERAL, CS_GIVEN_HESSIAN, 1e-13, false},
    {CS_PRODUCT, 0, CS_GENERAL, CS_GIVEN_GRADIENT, 1e-11, false},
    {CS_PRODUCT, 0, CS_GENERAL, CS_GIVEN_COMPLEX, 1e-11, false},
    {CS_PRODUCT, 0, CS_GENERAL, CS_GIVEN_VALUES, 1e-10, false},
    {CS_SURFACE, 0, CS_AMBIENT, CS_GIVEN_CONSTANT_AMBIENT, 1e-13, false},
    {CS_SURFACE, 0, CS_GENERAL, CS_GIVEN_HESSIAN, 1e-13, false},
    {CS_SURFACE, 0, CS_GENERAL, CS_GIVEN_HESSIAN, 1e-13, true},
    {CS_SURFACE, 0, CS_GENERAL, CS_GIVEN_VALUES, 1e-10, false},
    {CS_CODIM2, 0, CS_AMBIENT, CS_GIVEN_AMBIENT, 1e-13, false},
    {CS_CODIM2, 0, CS_GENERAL, CS_GIVEN_HESSIAN, 1e-13, false},
    {CS_CODIM2, 0, CS_GENERAL, CS_GIVEN_COMPLEX, 1e-11, true},
    {CS_SUBSPACE, 0, CS_AMBIENT, CS_GIVEN_AMBIENT, 1e-13, true},
    {CS_SUBSPACE, 0, CS_GENERAL, CS_GIVEN_HESSIAN, 1e-13, false},
};
enum { TRIALS = sizeof trials / sizeof trials[0] };

static mult_system make_system(const trial *c, cs_system *own, tk_random *r)
{
    mult_system s = cs_random(own, c->set, c->spheres, c->kind, r);
    if (c->given == CS_GIVEN_CONSTANT_AMBIENT)
        memset(own->k, 0, sizeof own->k);
    if (c->given == CS_GIVEN_CONSTANT_AMBIENT && c->set == CS_ROTATIONS) /* a rigid body: I_3 (x) N */
        for (size_t i = 0; i < 81; i++)
            own->W[i] = i / 27 != i % 9 / 3 ? 0 : own->W[(i / 9 % 3) * 9 + i % 3];
    if (c->given == CS_GIVEN_CONSTANT_PAIRS)
        memset(own->kij, 0, sizeof own->kij);
    return s;
}

static double *make_work(const ph_field *field, const ph_system *system)
{
    /* to the last double, so that valgrind and the sanitizer see what goes beyond */
    double *work = malloc(field->work(system) * sizeof *work);
    ck_assert_ptr_nonnull(work);
    return work;
}

static const char *trial_name(const trial *c)
{
    static const char *const sets[] = {
        "S^1", "(S^2)^n", "surface", "codimension 2", "subspace", "SO(3)", "R x S^1 x S^2 x SO(3)"};
    static char text[100];
    char count[30] = "";
    if (c->set == CS_SPHERES)
        snprintf(count, sizeof count, " n = %zu", c->spheres);
    snprintf(text, sizeof text, "%s%s, %s%s", sets[c->set], count, lag_given_name(c->given),
             c->by_projection ? ", by P" : "");
    return text;
}

/* y and ydot from the definition of the variables and the multipliers' acceleration. */
static void truth(const variables *c, double t, const double *x, const double *v, size_t m, double *y,
                  double *ydot)
{
    double a[MULT_N], z[2 * MULT_N], dz[2 * MULT_N];
    mult_number zc[2 * MULT_N], yc[MOST_Y];
    size_t n = c->s->n;
    mult_acceleration(c->s, t, x, v, a);
    mult_pair(n, x, v, z);
    mult_pair(n, v, a, dz);
    mult_complex(2 * n, z, zc);
    make_variables(c, zc, yc);
    for (size_t i = 0; i < m; i++)
        y[i] = creal(yc[i]);
    mult_derivative(make_variables, c, 2 * n, m, z, dz, ydot);
}

/* Each form at random states, with forces and without. */
TEST_EACH(accelerations_by_multipliers, TRIALS)
{
    const trial *c = &trials[_i];
    tk_random r = {101 + (uint64_t)_i};
    double worst[FORMS] = {0};
    for (int round = 0; round < (c->given == CS_GIVEN_VALUES || tk_short() ? 2 : 6); round++) {
        cs_system own;
        mult_system s = make_system(c, &own, &r);
        double x[MULT_N], v[MULT_N], t = tk_uniform(&r, -1, 1);
        own.forced = round % 3 != 1;
        TK_OWN(ph_system) *system = lag_create(&s, c->given, c->by_projection);
        cs_point(&s, &r, x, v);
        ck_assert_int_eq(ph_system_bodies(system) != NULL,
                         c->set == CS_ROTATIONS && c->given == CS_GIVEN_CONSTANT_AMBIENT);
        for (size_t k = 0; k < FORMS; k++) {
            const ph_field *field = ph_field_at(k);
            variables how = {&s, ph_system_space(system), field->name};
            size_t m = field->size(system);
            double y[MOST_Y], expected[MOST_Y], ydot[MOST_Y], *work = make_work(field, system);
            ck_assert_uint_le(m, MOST_Y);
            truth(&how, t, x, v, m, y, expected);
            tk_ok(field->evaluate(system, t, y, ydot, work));
            worst[k] =
                tk_max(worst[k], tk_max_difference(ydot, expected, m) / (1 + ph_max_norm(expected, m)));
            free(work);
        }
    }
    printf("%-36s", trial_name(c));
    for (size_t k = 0; k < FORMS; k++)
        printf(" %s %.1e", names[k], worst[k]);
    printf("\n");
    for (size_t k = 0; k < FORMS; k++)
        ck_assert_double_le(worst[k], c->tolerance);
}

/* ---- Conversions -------------------------------------------------------------------------------------- */

/* From each form to each: against the definitions, so that (R, Rdot), (R, Omega), (R, Pi) and the like are
 * what they are called. */
TEST_EACH(conversions, TRIALS)
{
    const trial *c = &trials[_i];
    tk_random r = {211 + (uint64_t)_i};
    cs_system own;
    mult_system s = make_system(c, &own, &r);
    double x[MULT_N], v[MULT_N], worst = 0;
    TK_OWN(ph_system) *system = lag_create(&s, c->given, c->by_projection);
    cs_point(&s, &r, x, v);
    for (size_t from = 0; from < FORMS; from++)
        for (size_t to = 0; to < FORMS; to++) {
            const ph_field *a = ph_field_at(from), *b = ph_field_at(to);
            variables one = {&s, ph_system_space(system), names[from]},
                      other = {&s, ph_system_space(system), names[to]};
            double y[MOST_Y], y1[MOST_Y], expected[MOST_Y], ydot[MOST_Y];
            TK_MEMORY double *work = malloc(ph_field_convert_work(a, b, system) * sizeof *work);
            truth(&one, 0, x, v, a->size(system), y, ydot);
            truth(&other, 0, x, v, b->size(system), expected, ydot);
            tk_ok(ph_field_convert(a, b, system, 0, y, y1, work));
            worst = tk_max(worst, tk_max_difference(y1, expected, b->size(system)) /
                                      ph_max_norm(expected, b->size(system)));
        }
    printf("conversions, %s: %.1e\n", trial_name(c), worst);
    ck_assert_double_le(worst, c->given == CS_GIVEN_VALUES ? 1e-12 : 1e-14);
}

/* The covector and its inverse, which sees no more of mu than its tangent part. */
TEST_EACH(covectors, TRIALS)
{
    const trial *c = &trials[_i];
    tk_random r = {223 + (uint64_t)_i};
    cs_system own;
    mult_system s = make_system(c, &own, &r);
    double x[MULT_N], v[MULT_N], mu[MULT_N], back[MULT_N], normal[MULT_N], y[MOST_Y], ydot[MOST_Y];
    TK_OWN(ph_system) *system = lag_create(&s, c->given, c->by_projection);
    const ph_space *space = ph_system_space(system);
    variables how = {&s, space, "x-mu"};
    double *work = malloc(ph_system_work(system) * sizeof *work),
           bound = c->given == CS_GIVEN_VALUES ? 1e-12 : 1e-14;
    cs_point(&s, &r, x, v);
    truth(&how, 0, x, v, 2 * s.n, y, ydot);
    tk_ok(ph_system_covector(system, 0, x, v, mu, work));
    ck_assert_double_le(tk_max_difference(mu, y + s.n, s.n), bound * ph_max_norm(mu, s.n));
    for (size_t i = 0; i < s.n; i++)
        normal[i] = tk_normal(&r);
    memcpy(back, normal, s.n * sizeof *back);
    ph_space_project_tangent(space, x, back);
    for (size_t i = 0; i < s.n; i++)
        mu[i] += normal[i] - back[i];
    tk_ok(ph_system_covector_velocity(system, 0, x, mu, back, work));
    ck_assert_double_le(tk_max_difference(back, v, s.n), bound * (1 + ph_max_norm(v, s.n)));
    free(work);
}

/* Configuration to the manifold, the rest to its tangent space. */
TEST_EACH(projection_of_each_form, FORMS)
{
    tk_random r = {229};
    const ph_field *field = ph_field_at((size_t)_i);
    const trial c = {CS_PRODUCT, 0, CS_AMBIENT, CS_GIVEN_AMBIENT, 0, false};
    cs_system own;
    mult_system s = make_system(&c, &own, &r);
    double x[MULT_N], v[MULT_N], y[MOST_Y], ydot[MOST_Y];
    TK_OWN(ph_system) *system = lag_create(&s, c.given, false);
    const ph_space *space = ph_system_space(system);
    variables how = {&s, space, field->name};
    cs_point(&s, &r, x, v);
    truth(&how, 0, x, v, field->size(system), y, ydot);
    for (size_t i = 0; i < field->size(system); i++)
        y[i] += 0.1 * tk_normal(&r);
    tk_ok(field->project(system, y));
    ck_assert_double_le(ph_space_residual(space, y), 1e-15);
    ck_assert_double_le(field->size(system) == 2 * s.n ? ph_space_tangency(space, y, y + s.n)
                                                       : ph_space_momentum_tangency(space, y, y + s.n),
                        1e-15);
}

/* ---- Off the manifold: the quadratic Hamiltonians as they are printed --------------------------------- */

enum { PAIR = 2, PAIR_N = 3 * PAIR };

/* H(q, mu) of (26) and H~(q, pi) of (35), z = (q, momenta), with the matrices of q-mu.c and (33). */
static mult_number quadratic_hamiltonian(const cs_system *own, const mult_number *q, const mult_number *p,
                                         bool spin)
{
    mult_number M[PAIR * PAIR], B[PAIR_N * PAIR_N] = {0}, u[PAIR_N], T[3][3];
    cs_inertia(own, q, M);
    for (size_t i = 0; i < PAIR; i++)
        for (size_t j = 0; j < PAIR; j++) {
            const mult_number *a = q + 3 * i, *b = q + 3 * j;
            for (size_t k = 0; k < 3; k++)
                for (size_t l = 0; l < 3; l++) {
                    mult_number product = 0;
                    for (size_t c = 0; c < 3; c++) { /* S(a)^T S(b), and P_a P_b */
                        mult_number ek[3] = {k == 0, k == 1, k == 2}, el[3] = {l == 0, l == 1, l == 2};
                        mult_number ak[3], bl[3];
                        mult_cross(a, ek, ak);
                        mult_cross(b, el, bl);
                        product += spin ? ak[c] * bl[c] : (ek[c] - a[k] * a[c]) * (el[c] - b[l] * b[c]);
                    }
                    T[k][l] = i == j ? k == l : product;
                }
            for (size_t k = 0; k < 9; k++)
                B[(3 * i + k / 3) * PAIR_N + 3 * j + k % 3] = M[i * PAIR + j] * T[k / 3][k % 3];
        }
    memcpy(u, p, sizeof u);
    mult_solve(PAIR_N, B, 1, u);
    return mult_dot(PAIR_N, p, u) / 2 + cs_potential(own, q);
}

typedef struct hamiltonian {
    const cs_system *own;
    bool spin;
} hamiltonian;

static void hamiltonian_value(const void *self, const mult_number *z, mult_number *out)
{
    const hamiltonian *h = self;
    out[0] = quadratic_hamiltonian(h->own, z, z + PAIR_N, h->spin);
}

/* (23), (24) and (31), (32) with H's derivatives by complex steps, at points that are not on the spheres. */
TEST_EACH(hamilton_as_printed_off_the_spheres, 2)
{
    tk_random r = {307};
    double worst = 0;
    for (int round = 0; round < 20; round++) {
        const trial c = {CS_SPHERES, PAIR, CS_QUADRATIC, CS_GIVEN_PAIRS, 0, false};
        const ph_field *field = ph_field_find(_i ? "q-pi" : "q-mu", NULL);
        cs_system own;
        mult_system s = make_system(&c, &own, &r);
        hamiltonian h = {&own, _i};
        double y[2 * PAIR_N], e[2 * PAIR_N] = {0}, dH[2 * PAIR_N], ydot[2 * PAIR_N], f[PAIR_N], v[PAIR_N];
        TK_OWN(ph_system) *system = lag_create(&s, c.given, false);
        TK_MEMORY double *work = make_work(field, system);
        for (size_t i = 0; i < PAIR_N; i += 3)
            tk_unit(&r, y + i);
        for (size_t i = 0; i < 2 * PAIR_N; i++)
            y[i] = (i < PAIR_N ? y[i] : 0) + (i < PAIR_N ? 0.05 : 1) * tk_normal(&r);
        for (size_t i = 0; i < 2 * PAIR_N; i++) {
            e[i] = 1;
            mult_derivative(hamiltonian_value, &h, 2 * PAIR_N, 1, y, e, &dH[i]);
            e[i] = 0;
        }
        tk_ok(field->evaluate(system, 0.2, y, ydot, work));
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < PAIR; i++) {
                const double *q = y + 3 * i, *p = y + PAIR_N + 3 * i, *u = dH + PAIR_N + 3 * i;
                double push[3], turn[3], a[3], b[3], along = ph_dot3(q, u);
                if (!pass) { /* the velocities first, for the force */
                    ph_cross3(u, q, turn);
                    for (size_t k = 0; k < 3; k++) {
                        v[3 * i + k] = _i ? turn[k] : u[k] - along * q[k];
                        worst = tk_max(worst, fabs(ydot[3 * i + k] - v[3 * i + k]));
                    }
                    continue;
                }
                mult_force(&s, 0.2, y, v, f);
                for (size_t k = 0; k < 3; k++)
                    push[k] = dH[3 * i + k] - f[3 * i + k];
                if (_i) { /* -q x push + w x pi */
                    ph_cross3(q, push, a);
                    ph_cross3(u, p, b);
                } else { /* -P push + u x (mu x q) */
                    along = ph_dot3(q, push);
                    for (size_t k = 0; k < 3; k++)
                        a[k] = push[k] - along * q[k];
                    ph_cross3(p, q, turn);
                    ph_cross3(u, turn, b);
                }
                for (size_t k = 0; k < 3; k++)
                    worst = tk_max(worst, fabs(ydot[PAIR_N + 3 * i + k] - (b[k] - a[k])) /
                                              (1 + ph_max_norm(b, 3) + ph_max_norm(a, 3)));
            }
    }
    printf("as printed off the spheres, %s: %.1e\n", _i ? "q-pi" : "q-mu", worst);
    ck_assert_double_le(worst, 1e-13);
}

/* ---- Off the manifold: (2.7), (2.8) as printed, L = (m/2) |v|^2 - U on one sphere --------------------- */

/* dP[d] y for P = I - q q^T */
static void bend_sphere(const double *q, const double *d, const double *y, double out[3])
{
    for (size_t a = 0; a < 3; a++)
        out[a] = -d[a] * ph_dot3(q, y) - q[a] * ph_dot3(d, y);
}

TEST(matrices_as_printed_off_the_sphere)
{
    const trial c = {CS_SPHERES, 1, CS_QUADRATIC, CS_GIVEN_CONSTANT_PAIRS, 0, false};
    tk_random r = {331};
    double worst = 0;
    for (int round = 0; round < 20; round++) {
        const ph_field *field = ph_field_find("x-mu", NULL);
        cs_system own;
        mult_system s = make_system(&c, &own, &r);
        double y[6], ydot[6], P[9], J[9], E[6], G[3], x[2], b[2], v[3], f[3], dU[3], Hx[3], e[3], column[3];
        double a[3], PJtPv[3], JPv[3], PJtv[3], Pv[3], push[3], m = own.c[0][0];
        mult_number qc[3], dUc[3];
        TK_OWN(ph_system) *system = lag_create(&s, c.given, false);
        TK_MEMORY double *work = make_work(field, system);
        tk_unit(&r, y);
        for (size_t i = 0; i < 6; i++)
            y[i] = (i < 3 ? y[i] : 0) + (i < 3 ? 0.1 : 1) * tk_normal(&r);
        tk_ok(field->evaluate(system, 0.2, y, ydot, work));
        memcpy(v, y, sizeof v);
        for (size_t k = 0; k < 3; k++)
            v[k] /= ph_norm3(y);
        ph_tangent_basis3(v, E, E + 3); /* of the plane perpendicular to q, where velocities are */
        for (size_t i = 0; i < 2; i++)
            b[i] = ph_dot3(E + 3 * i, y + 3) / m;
        G[0] = ph_dot3(E, E);
        G[1] = ph_dot3(E, E + 3);
        G[2] = ph_dot3(E + 3, E + 3);
        x[0] = (G[2] * b[0] - G[1] * b[1]) / (G[0] * G[2] - G[1] * G[1]);
        x[1] = (G[0] * b[1] - G[1] * b[0]) / (G[0] * G[2] - G[1] * G[1]);
        for (size_t k = 0; k < 3; k++)
            v[k] = x[0] * E[k] + x[1] * E[3 + k];
        mult_force(&s, 0.2, y, v, f);
        mult_complex(3, y, qc);
        cs_potential_gradient(&own, qc, dUc);
        for (size_t k = 0; k < 3; k++) {
            for (size_t i = 0; i < 3; i++)
                e[i] = i == k;
            bend_sphere(y, e, y + 3, column);
            dU[k] = creal(dUc[k]);
            Hx[k] = dU[k];
            for (size_t i = 0; i < 3; i++) {
                J[3 * i + k] = column[i];
                P[3 * i + k] = (i == k) - y[i] * y[k];
            }
            bend_sphere(y, e, v, column);
            for (size_t i = 0; i < 3; i++)
                Hx[k] += (y[3 + i] - m * v[i]) * column[i];
            push[k] = Hx[k] - f[k];
        }
        ph_apply3(P, v, Pv);
        ph_apply3(J, Pv, JPv);
        ph_apply_transposed3(J, Pv, a);
        ph_apply3(P, a, PJtPv);
        ph_apply_transposed3(J, v, a);
        ph_apply3(P, a, PJtv);
        ph_apply3(P, push, a);
        for (size_t k = 0; k < 3; k++) {
            double expected = -a[k] + PJtPv[k] + JPv[k] - PJtv[k];
            worst = tk_max(worst, fabs(ydot[k] - Pv[k]) / (1 + fabs(Pv[k])));
            worst = tk_max(worst, fabs(ydot[3 + k] - expected) / (1 + ph_max_norm(a, 3)));
        }
    }
    printf("as printed off the sphere, x-mu: %.1e\n", worst);
    ck_assert_double_le(worst, 1e-13);
}

/* Off the manifold, where stages are, the equations are as smooth as on it, in every form: they do not depend
 * on the bases of tangent planes, which are discontinuous across q_3 = 0 on S^2. With a discontinuity arkode,
 * whose error estimate misses one within a step, was off by 100 to 10 000 times its tolerance on products
 * with S^2. */
TEST_EACH(smooth_off_the_manifold, FORMS)
{
    enum { NZ = 3 + 9 + 6, ROUNDS = 20 };
    const double off = 1e-3, apart = 1e-9, links = 2;
    const ph_parameter_value count = {"links", &links, 1};
    const ph_field *field = ph_field_at((size_t)_i);
    ph_system *system = tk_build("quadrotor-cable", &count, 1); /* R^3 x SO(3) x S^2 x S^2 */
    const size_t n = field->size(system);
    double worst = 0, *work = make_work(field, system);
    tk_random r = {900};
    for (int round = 0; round < ROUNDS; round++) {
        double z[NZ], v[NZ], p[NZ], y[2][2 * NZ], ydot[2][2 * NZ];
        tk_random_motion(system, &r, z, v);
        tk_momentum(system, z, v, p);
        tk_ok(field->from_momentum(system, 0, z, p, y[0], work));
        for (size_t i = 0; i < n; i++)
            y[0][i] += off * tk_normal(&r);
        memcpy(y[1], y[0], sizeof y[0]);
        for (int side = 0; side < 2; side++) {
            y[side][14] = y[side][17] = side ? apart : -apart; /* the third of each sphere */
            tk_ok(field->evaluate(system, 0.2, y[side], ydot[side], work));
        }
        worst = tk_max(worst, tk_max_difference(ydot[0], ydot[1], n) / (1 + ph_max_norm(ydot[0], n)));
    }
    printf("across q_3 = 0, some %g off the spheres, %s: ydot changes by %.1e\n", off, field->name, worst);
    ck_assert_double_le(worst, 1e-6); /* slopes of some tens times 2e-9; what jumped was 1e-3 and more */
    free(work);
    ph_system_free(system);
}

/* ---- The chain pendulum, two-spheres paper, section V ------------------------------------------------- */

enum { LINKS = 3, CHAIN_N = 3 * LINKS };
static const double mass[LINKS] = {0.7, 1.1, 0.4}, length[LINKS] = {0.5, 0.8, 0.3}, tau[3] = {0.6, -0.4, 0.9},
                    tip[3] = {0.3, 0.8, -0.5}, gravity = 9.81;

static ph_system *build_chain(void)
{
    const double g[3] = {0, 0, -gravity};
    const ph_parameter_value values[] = {{"masses", mass, LINKS},
                                         {"lengths", length, LINKS},
                                         {"gravity", g, 3},
                                         {"torque", tau, 3},
                                         {"tip_force", tip, 3}};
    return tk_build("chain-pendulum", values, sizeof values / sizeof values[0]);
}

/* M_ij = sum over k >= max(i, j) of m_k */
static double chain_mass(size_t i, size_t j)
{
    double sum = 0;
    for (size_t k = i > j ? i : j; k < LINKS; k++)
        sum += mass[k];
    return sum;
}

/* P_i of the moments f_1 = tau + l_1 q_1 x d, f_j = l_j q_j x d: of tau only what is perpendicular to q_1
 * acts. */
static void chain_moment(size_t i, const double *q, double out[3])
{
    double moment[3], along;
    ph_cross3(q, tip, moment);
    for (size_t a = 0; a < 3; a++)
        moment[a] = length[i] * moment[a] + (i ? 0 : tau[a]);
    along = ph_dot3(q, moment);
    for (size_t a = 0; a < 3; a++)
        out[a] = moment[a] - along * q[a];
}

static void chain_start(tk_random *r, double *q, double *w)
{
    for (size_t i = 0; i < CHAIN_N; i += 3) {
        tk_unit(r, q + i);
        tk_tangent(r, q + i, w + i);
    }
}

/* (40) with the wdot that the form q-omega gives. */
TEST(chain_euler_lagrange)
{
    tk_random r = {401};
    TK_OWN(ph_system) *system = build_chain();
    const ph_field *field = ph_field_find("q-omega", NULL);
    double *work = make_work(field, system), worst = 0, size = 1;
    for (int round = 0; round < 10; round++) {
        double y[2 * CHAIN_N], ydot[2 * CHAIN_N];
        const double *q = y, *w = y + CHAIN_N, *wdot = ydot + CHAIN_N, e3[3] = {0, 0, 1};
        chain_start(&r, y, y + CHAIN_N);
        tk_ok(field->evaluate(system, 0, y, ydot, work));
        for (size_t i = 0; i < LINKS; i++) {
            double left[3], right[3], weight[3];
            chain_moment(i, q + 3 * i, right);
            ph_cross3(e3, q + 3 * i, weight);
            for (size_t a = 0; a < 3; a++)
                left[a] = chain_mass(i, i) * length[i] * length[i] * wdot[3 * i + a] -
                          chain_mass(i, i) * gravity * length[i] * weight[a];
            for (size_t j = 0; j < LINKS; j++) {
                double turn[3], lever[3], pull[3], M = chain_mass(i, j) * length[i] * length[j];
                if (j == i)
                    continue;
                ph_cross3(q + 3 * j, wdot + 3 * j, turn);
                ph_cross3(turn, q + 3 * i, lever); /* S(q_i)^T S(q_j) wdot_j */
                ph_cross3(q + 3 * i, q + 3 * j, pull);
                for (size_t a = 0; a < 3; a++)
                    left[a] += M * (lever[a] - ph_dot3(w + 3 * j, w + 3 * j) * pull[a]);
            }
            worst = tk_max(worst, tk_max_difference(left, right, 3));
            size = tk_max(size, ph_max_norm(wdot, CHAIN_N));
        }
    }
    printf("chain, (40): %.1e of %.1e\n", worst, size);
    ck_assert_double_le(worst, 1e-14 * size);
    free(work);
}

/* A(q) of (33), and out <- (pi . A^-1 pi) / 2 as a function of z = (q, pi); w <- A^-1 pi. */
static mult_number chain_kinetic(const mult_number *z, mult_number *w)
{
    mult_number A[CHAIN_N * CHAIN_N];
    for (size_t i = 0; i < LINKS; i++)
        for (size_t j = 0; j < LINKS; j++) {
            const mult_number *a = z + 3 * i, *b = z + 3 * j;
            double M = chain_mass(i, j) * length[i] * length[j];
            for (size_t k = 0; k < 3; k++)
                for (size_t l = 0; l < 3; l++) /* a^T b I - b a^T */
                    A[(3 * i + k) * CHAIN_N + 3 * j + l] =
                        M * (i == j ? k == l : (k == l ? mult_dot(3, a, b) : 0) - b[k] * a[l]);
        }
    memcpy(w, z + CHAIN_N, CHAIN_N * sizeof *w);
    mult_solve(CHAIN_N, A, 1, w);
    return mult_dot(CHAIN_N, z + CHAIN_N, w) / 2;
}

static void chain_kinetic_value(const void *self, const mult_number *z, mult_number *out)
{
    mult_number w[CHAIN_N];
    (void)self;
    out[0] = chain_kinetic(z, w);
}

/* (41), (42): the weight of link i is that of all masses from i on. */
TEST(chain_hamilton)
{
    tk_random r = {409};
    TK_OWN(ph_system) *system = build_chain();
    const ph_field *field = ph_field_find("q-pi", NULL);
    double *work = make_work(field, system), worst = 0, size = 1;
    for (int round = 0; round < 10; round++) {
        double y[2 * CHAIN_N], ydot[2 * CHAIN_N], e[2 * CHAIN_N] = {0};
        mult_number z[2 * CHAIN_N], wc[CHAIN_N];
        chain_start(&r, y, y + CHAIN_N);
        mult_complex(2 * CHAIN_N, y, z);
        chain_kinetic(z, wc);
        tk_ok(field->evaluate(system, 0, y, ydot, work));
        for (size_t i = 0; i < LINKS; i++) {
            double push[3], w[3], f[3], pull[3], turn[3], qdot[3];
            const double *q = y + 3 * i, *pi = y + CHAIN_N + 3 * i;
            for (size_t a = 0; a < 3; a++) {
                w[a] = creal(wc[3 * i + a]);
                e[3 * i + a] = 1;
                mult_derivative(chain_kinetic_value, NULL, 2 * CHAIN_N, 1, y, e, &push[a]);
                e[3 * i + a] = 0;
                push[a] += a == 2 ? chain_mass(i, i) * gravity * length[i] : 0;
            }
            chain_moment(i, q, f);
            ph_cross3(q, push, pull);
            ph_cross3(w, pi, turn);
            ph_cross3(w, q, qdot); /* -S(q_i) w */
            for (size_t a = 0; a < 3; a++) {
                worst = tk_max(worst, fabs(ydot[3 * i + a] - qdot[a]));
                worst = tk_max(worst, fabs(ydot[CHAIN_N + 3 * i + a] - (turn[a] - pull[a] + f[a])));
            }
            size = tk_max(size, ph_max_norm(ydot, 2 * CHAIN_N));
        }
    }
    printf("chain, (41), (42): %.1e of %.1e\n", worst, size);
    ck_assert_double_le(worst, 1e-14 * size);
    free(work);
}

/* ---- Order -------------------------------------------------------------------------------------------- */

static const trial moving[] = {
    {CS_SPHERES, 2, CS_QUADRATIC, CS_GIVEN_PAIRS, 0, false},
    {CS_SPHERES, 1, CS_GENERAL, CS_GIVEN_GRADIENT, 0, false},
    {CS_PRODUCT, 0, CS_AMBIENT, CS_GIVEN_AMBIENT, 0, false},
    {CS_ROTATIONS, 0, CS_AMBIENT, CS_GIVEN_CONSTANT_AMBIENT, 0, false},
    {CS_SURFACE, 0, CS_GENERAL, CS_GIVEN_HESSIAN, 0, false},
};
enum { MOVING = sizeof moving / sizeof moving[0] };

/* Differences of the end of a motion between h and h/2. */
TEST_EACH(order_4, 2 * MOVING * FORMS)
{
    enum { MOST = 5 };
    const int levels = tk_short() ? MOST - 1 : MOST;
    static const char *const methods[] = {"rk4", "rk4-projected"};
    const trial *c = &moving[_i / (2 * FORMS)];
    const char *form = names[_i / 2 % FORMS], *method = methods[_i % 2];
    tk_random r = {503 + (uint64_t)(_i / (2 * FORMS))};
    cs_system own;
    mult_system s = make_system(c, &own, &r);
    double x[MULT_N], v[MULT_N], end[MOST][MULT_N], h[MOST], difference[MOST];
    TK_OWN(ph_system) *system = lag_create(&s, c->given, c->by_projection);
    cs_point(&s, &r, x, v);
    for (int k = 0; k < levels; k++) {
        int64_t steps = (int64_t)16 << k;
        TK_START(it, state, system, method, form, 0.4 / (double)steps, x, v);
        tk_steps(it, state, steps);
        memcpy(end[k], state->z, s.n * sizeof *x);
        if (k) {
            h[k - 1] = 0.4 / (double)steps;
            difference[k - 1] = tk_max_difference(end[k], end[k - 1], s.n);
        }
    }
    double slope = tk_slope(h + 1, difference + 1, (size_t)levels - 2);
    printf("%s, %s %s: %.1e ... %.1e, slope %.3f\n", trial_name(c), method, form, difference[0],
           difference[levels - 2], slope);
    ck_assert_double_eq_tol(slope, 4, 0.25);
}

/* ---- Callbacks that go wrong -------------------------------------------------------------------------- */

/* Repeats a step with the callback failing at its 1st, 2nd, ... call, until there are no more calls: the
 * failure is returned, non-finite results are reported as such, and the state is unchanged. Returns the
 * number of calls. */
static int64_t strike(hk_user *user, ph_integrator *it, const ph_state *before, hk_callback which, hk_how how,
                      ph_status given)
{
    for (int64_t at = 1;; at++) {
        ph_state *state = hk_clone(it, before);
        hk_arm(user, which, how, given, at, true);
        ph_status status = ph_integrator_step(it, state, 1);
        bool wrong = hk_went_wrong(user);
        hk_behave(user);
        if (!wrong) {
            tk_ok(status);
            ph_state_free(state);
            return at - 1;
        }
        ck_assert_msg(hk_same(state, before), "a failed step changed the state");
        if (how == HK_FAIL)
            ck_assert_msg(status == given, "call %d: %s", (int)at, ph_status_name(status));
        else
            ck_assert_msg(status == PH_E_NOT_FINITE || status == PH_E_DIVERGED, "call %d: %s", (int)at,
                          ph_status_name(status));
        ph_state_free(state);
        if (at >
            40) /* differences of values call thousands of times: the first will do, and the later below */
            return at;
    }
}

TEST_EACH(failures_are_passed_on, (HK_EVERY - HK_FLAVOURS) * FORMS)
{
    static const struct {
        hk_how how;
        ph_status status;
    } faults[] = {{HK_FAIL, PH_E_CALLBACK},
                  {HK_FAIL, PH_E_SINGULAR},
                  {HK_FAIL, PH_E_NO_CONVERGENCE},
                  {HK_NAN, PH_OK},
                  {HK_INF, PH_OK}};
    hk_flavour flavour = (hk_flavour)(HK_FLAVOURS + _i / FORMS);
    const char *form = names[_i % FORMS];
    hk_user user = {0};
    double z[HK_NZ], zdot[HK_NZ];
    TK_OWN(ph_system) *system = hk_system(&user, flavour);
    int64_t calls = 0;
    hk_start(0.7, z, zdot);
    TK_START(it, state, system, "rk4", form, 0.05, z, zdot);
    for (int which = 0; which < HK_CALLBACKS; which++)
        for (size_t i = 0; i < sizeof faults / sizeof faults[0] && hk_has(flavour, (hk_callback)which); i++)
            calls += strike(&user, it, state, (hk_callback)which, faults[i].how, faults[i].status);
    ck_assert_msg(calls >= 4 * 5, "%s, %s: %d calls only", hk_flavour_name(flavour), form, (int)calls);
}

/* An inertia that has no inverse where y is, and a Lagrangian that has none anywhere. */
static ph_status negative(void *user, const double *z, double *MM)
{
    (void)user;
    for (size_t i = 0; i < 9; i++)
        MM[i] = i % 4 ? 0 : z[2] + 0.99;
    return PH_OK;
}

static ph_status negative_dz(void *user, const double *z, double *dMM)
{
    (void)user, (void)z;
    for (size_t i = 0; i < 27; i++)
        dMM[i] = i % 3 == 2 && i / 3 % 4 == 0;
    return PH_OK;
}

static ph_status negative_pair(void *user, const double *z, double *M)
{
    (void)user;
    *M = z[2] + 0.99;
    return PH_OK;
}

static ph_status negative_pair_dz(void *user, const double *z, double *dM)
{
    (void)user, (void)z;
    dM[0] = dM[1] = 0;
    dM[2] = 1;
    return PH_OK;
}

static ph_status linear(void *user, double t, const double *z, const double *v, double *L)
{
    (void)t, (void)user;
    *L = z[0] * v[1] - z[1] * v[0];
    return PH_OK;
}

static ph_status linear_gradient(void *user, double t, const double *z, const double *v, double *Lz,
                                 double *Lv)
{
    (void)t, (void)user;
    Lz[0] = v[1];
    Lz[1] = -v[0];
    Lv[0] = -z[1];
    Lv[1] = z[0];
    Lz[2] = Lv[2] = 0;
    return PH_OK;
}

TEST_EACH(singular_matrices, 3 * FORMS)
{
    static const struct {
        ph_system_definition d;
        ph_status status;
    } cases[] = {
        {{.ambient_inertia_at = negative, .inertia_dz = negative_dz}, PH_E_DIVERGED},
        {{.inertia_at = negative_pair, .inertia_dz = negative_pair_dz}, PH_E_DIVERGED},
        {{.lagrangian = linear, .lagrangian_gradient = linear_gradient}, PH_E_SINGULAR},
    };
    const double y[6] = {0, 0, -1, 0.3, 0.2, 0};
    const ph_factor sphere = {.kind = PH_FACTOR_S2};
    const ph_field *field = ph_field_at((size_t)_i % FORMS);
    ph_system_definition d = cases[_i / FORMS].d;
    double ydot[6];
    TK_OWN(ph_space) *space = tk_space(&sphere, 1);
    d.space = space;
    TK_OWN(ph_system) *system = tk_defined(&d);
    TK_MEMORY double *work = make_work(field, system);
    ph_status status = field->evaluate(system, 0, y, ydot, work);
    /* the one form that is solved by LU does not need a positive definite matrix */
    bool indifferent = !strcmp(field->name, "q-qdot") && d.inertia_at;
    if (!indifferent)
        ck_assert_msg(status == cases[_i / FORMS].status, "%s: %s", field->name, ph_status_name(status));
}

int main(void)
{
    return tk_run("forms");
}
