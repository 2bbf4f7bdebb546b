/* SPDX-License-Identifier: BSD-3-Clause */
/* The method spherical-midpoint: its steps against closed forms and against its equations in other
 * formulations, the discrete phase-space action, orders by many-digit ends, what it must keep, solvability,
 * roots, failures. */
#include "integrators/spherical-midpoint/midpoint.h"
#include "tests/kit/spinkit.h"

#include <complex.h>

static const ph_setting ambient[1] = {{"extension", "ambient"}};

enum { MOST = 3 * SK_MOST };
static const double none[1] = {0}; /* momenta */
static const double pi = 3.14159265358979323846;

/* z (3n) <- after `steps` steps of h from z0 at t = 0. The status of the steps. */
static ph_status steps_of(const ph_system *system, const ph_setting *settings, size_t n, double h,
                          const double *z0, int64_t steps, double *z)
{
    TK_OWN(ph_integrator) *it = sk_bind(system, "spherical-midpoint", h, settings, n);
    TK_OWN(ph_state) *state = sk_state(it, z0);
    const ph_status status = ph_integrator_step(it, state, steps);
    memcpy(z, state->z, state->nz * sizeof *z);
    return status;
}

/* ---- The equations of a step --------------------------------------------------------------------------- */

static void unit(double *v)
{
    const double length = ph_norm3(v);
    for (size_t k = 0; k < 3; k++)
        v[k] /= length;
}

/* s+ - s = h X(n), with n formed as the midpoint divided by its length; every kind of part, control,
 * callbacks. Short steps and long ones, for which the fixed point does not contract. */
TEST_EACH(equation_on_spheres, 2 * SK_MOST)
{
    tk_random r = {501 + (uint64_t)_i};
    const size_t n = 1 + (size_t)_i % SK_MOST;
    TK_OWN(ph_system) *system = sk_random(n, _i % 2, _i % 3 > 0, &r);
    double z0[MOST], z[MOST], middle[MOST], X[MOST], worst = 0;
    const double h = _i < SK_MOST ? 0.03 : -0.2;
    sk_random_spins(&r, n, z0);
    ck_assert(!steps_of(system, NULL, 0, h, z0, 1, z));
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            middle[k] = z0[k] + z[k];
        unit(middle + 3 * i);
    }
    ck_assert(!ph_spins_flow(system, 0.5 * h, middle, X));
    for (size_t k = 0; k < 3 * n; k++)
        worst = fmax(worst, fabs(z[k] - z0[k] - h * X[k]));
    ck_assert_msg(worst < 1e-15, "%g", worst);
}

/* a . S, S_1, S_2, S_3 the basis of su(2) whose commutators are [S_a, S_b] = eps_abc S_c. */
static void to_matrix(const double *a, double complex *M)
{
    M[0] = -0.5 * I * a[2];
    M[1] = -0.5 * I * a[0] - 0.5 * a[1];
    M[2] = -0.5 * I * a[0] + 0.5 * a[1];
    M[3] = 0.5 * I * a[2];
}

/* out <- A B C of 2 x 2 matrices. */
static void product(const double complex *A, const double complex *B, const double complex *C,
                    double complex *out)
{
    double complex AB[4];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            AB[2 * i + j] = A[2 * i] * B[j] + A[2 * i + 1] * B[2 + j];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            out[2 * i + j] = AB[2 * i] * C[j] + AB[2 * i + 1] * C[2 + j];
}

/* ambient against the isospectral midpoint in su(2): W_0 = (1 - hB/2) W (1 + hB/2), W_1 = (1 + hB/2) W (1 -
 * hB/2), B of the gradient at w, by its own iteration: W <- (1 - hB/2)^-1 W_0 (1 + hB/2)^-1. */
TEST_EACH(equation_in_su2, 2 * SK_MOST)
{
    tk_random r = {611 + (uint64_t)_i};
    const size_t n = 1 + (size_t)_i % SK_MOST;
    TK_OWN(ph_system) *system = sk_random(n, _i % 2, _i % 3 > 0, &r);
    const ph_spins *is = ph_system_spins(system);
    const double h = _i < SK_MOST ? 0.03 : -0.08;
    double z0[MOST], z[MOST], w[MOST], g[MOST], worst = 0;
    sk_random_spins(&r, n, z0);
    ck_assert(!steps_of(system, ambient, 1, h, z0, 1, z));
    memcpy(w, z0, sizeof w);
    for (int pass = 0; pass < 100; pass++) {
        ck_assert(!ph_spins_gradient(system, 0.5 * h, w, g));
        worst = 0;
        for (size_t i = 0; i < n; i++) {
            double complex B[4], plus[4], minus[4], W[4], S[4], det;
            for (size_t k = 0; k < 3; k++)
                g[3 * i + k] /= is->strengths[i];
            to_matrix(g + 3 * i, B);
            for (int k = 0; k < 4; k++) {
                plus[k] = (k % 3 == 0) + 0.5 * h * B[k];
                minus[k] = (k % 3 == 0) - 0.5 * h * B[k];
            }
            det = plus[0] * plus[3] - plus[1] * plus[2]; /* the same of minus; minus^-1 = plus / det */
            to_matrix(z0 + 3 * i, S);
            product(plus, S, minus, W);
            for (int k = 0; k < 4; k++)
                W[k] /= det * det;
            w[3 * i + 2] = -2 * cimag(W[0]);
            w[3 * i] = -2 * cimag(W[1]);
            w[3 * i + 1] = -2 * creal(W[1]);
            product(plus, W, minus, S);
            worst = fmax(worst, fabs(z[3 * i + 2] + 2 * cimag(S[0])));
            worst = fmax(worst, fabs(z[3 * i] + 2 * cimag(S[1])));
            worst = fmax(worst, fabs(z[3 * i + 1] + 2 * creal(S[1])));
        }
    }
    ck_assert_msg(worst < 2e-15, "%g", worst);
}

/* The oriented area of the geodesic triangle (a, s, r). */
static double area(const double *a, const double *s, const double *r)
{
    double c[3];
    ph_cross3(s, r, c);
    return 2 * atan2(ph_dot3(a, c), 1 + ph_dot3(a, s) + ph_dot3(s, r) + ph_dot3(r, a));
}

static const double pole[3] = {1. / 9, -4. / 9, 8. / 9};

/* L_d(s, r) = sum Gamma int A.ds - h H(n), A = 0 along the rays from the pole. */
static double action(const ph_system *system, double h, const double *s, const double *r)
{
    const ph_spins *is = ph_system_spins(system);
    double n[MOST], H, sum = 0;
    for (size_t i = 0; i < is->n; i++) {
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            n[k] = s[k] + r[k];
        unit(n + 3 * i);
        sum -= is->strengths[i] * area(pole, s + 3 * i, r + 3 * i);
    }
    ck_assert(!ph_spins_energy(system, 0.5 * h, n, &H));
    return sum - h * H;
}

/* Both discrete Legendre transforms of a step are on the constraint p = Gamma A: -D_1 L_d = Gamma A(s), D_2
 * L_d = Gamma A(s+), A(s).u = -(z x s).u / (1 + z.s). By differences of order 8. */
TEST_EACH(discrete_action, 5)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280}, step = 1. / 128;
    tk_random r = {701 + (uint64_t)_i};
    const size_t n = 1 + (size_t)_i;
    TK_OWN(ph_system) *system = sk_random(n, true, true, &r);
    const ph_spins *is = ph_system_spins(system);
    const double h = 0.07;
    double ends[2][MOST], worst = 0;
    sk_random_spins(&r, n, ends[0]);
    ck_assert(!steps_of(system, NULL, 0, h, ends[0], 1, ends[1]));
    for (int end = 0; end < 2; end++)
        for (size_t i = 0; i < n; i++) {
            double *s = ends[end] + 3 * i, at[3], u[3], turn[3], slope = 0;
            memcpy(at, s, sizeof at);
            tk_tangent(&r, at, u);
            unit(u);
            for (int m = -4; m <= 4; m++) {
                for (size_t k = 0; k < 3; k++)
                    s[k] = cos(m * step) * at[k] + sin(m * step) * u[k];
                if (m)
                    slope +=
                        weight[abs(m) - 1] * (m > 0 ? 1 : -1) / step * action(system, h, ends[0], ends[1]);
            }
            memcpy(s, at, sizeof at);
            ph_cross3(pole, at, turn);
            const double A = -ph_dot3(turn, u) / (1 + ph_dot3(pole, at));
            worst = fmax(worst, fabs((end ? slope : -slope) - is->strengths[i] * A));
        }
    ck_assert_msg(worst < 1e-10, "%g", worst);
}

/* ---- Closed forms -------------------------------------------------------------------------------------- */

/* 2 tan(b/2) D = h w(th_n), tan th_n = tan th cos(b/2), D^2 = 1 - sin^2 th sin^2(b/2), of a turn by b about
 * e3. */
static double turn_defect(double th, double b, double h, double (*rate)(void *user, double cosine),
                          void *user)
{
    const double D = sqrt(1 - pow(sin(th) * sin(b / 2), 2));
    return 2 * tan(b / 2) * D - h * rate(user, cos(th) / D);
}

static double azimuth(const double *s)
{
    return atan2(s[1], s[0]);
}

static ph_system *create(const ph_spins *spins)
{
    const ph_system_definition d = {.spins = spins};
    ph_system *system = NULL;
    tk_ok(ph_system_create(&d, &system, tk_err));
    return system;
}

static double constant_rate(void *user, double cosine)
{
    (void)cosine;
    return *(double *)user;
}

/* H = w s_3; in ambient form the turn is 4 atan(h w/4) at every height. */
TEST_EACH(uniform_field, 4)
{
    const double heights[] = {0.3, 1.2, pi / 2, 2.9};
    const double th = heights[_i], field[3] = {0, 0, -1.3};
    double w = 1.3, h = 0.7, z0[3] = {sin(th), 0, cos(th)}, z[3];
    TK_OWN(ph_system) *system = create(&(ph_spins){.n = 1, .field = field, .field_is_uniform = true});
    ck_assert(!steps_of(system, NULL, 0, h, z0, 1, z));
    ck_assert_double_eq_tol(turn_defect(th, azimuth(z), h, constant_rate, &w), 0, 1e-14);
    ck_assert_double_eq_tol(z[2], z0[2], 1e-15);
    for (h = 0.7; h < 30; h *= 2) {
        ck_assert(!steps_of(system, ambient, 1, h, z0, 1, z));
        ck_assert_double_eq_tol(remainder(azimuth(z) - 4 * atan(h * w / 4), 2 * pi), 0, 3e-15);
    }
}

/* A ring of N vortices of strength Gamma at colatitude th: w = Gamma (N - 1) cos th / (4 pi sin^2 th). */
static double ring_rate(void *user, double cosine)
{
    return *(double *)user * cosine / (4 * pi * (1 - cosine * cosine));
}

TEST_EACH(vortex_ring, 6)
{
    const size_t N = 3 + (size_t)_i;
    const double th = 0.8, h = 1, one = 1;
    double strengths[SK_MOST], z0[MOST], z[MOST], of = 0.9 * (double)(N - 1);
    for (size_t i = 0; i < N; i++) {
        const double at = 2 * pi * (double)i / (double)N;
        strengths[i] = 0.9;
        z0[3 * i] = sin(th) * cos(at);
        z0[3 * i + 1] = sin(th) * sin(at);
        z0[3 * i + 2] = cos(th);
        unit(z0 + 3 * i);
    }
    const ph_bonds all = {.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true};
    TK_OWN(ph_system) *system =
        create(&(ph_spins){.n = N, .strengths = strengths, .bonds = &all, .n_bonds = 1});
    ck_assert(!steps_of(system, NULL, 0, h, z0, 1, z));
    for (size_t i = 0; i < N; i++) {
        const double b = remainder(azimuth(z + 3 * i) - azimuth(z0 + 3 * i), 2 * pi);
        ck_assert(fabs(b) > 0.05);
        ck_assert_double_eq_tol(turn_defect(th, b, h, ring_rate, &of), 0, 1e-14);
    }
}

/* Conical waves on an XXZ ring, w = (2J/Gamma) cos th (cos phi - Delta): 2 tan(b/2) D^2 = h w(th). */
static double wave_rate(void *user, double cosine)
{
    return *(double *)user * cosine;
}

TEST_EACH(conical_wave, 8)
{
    enum { N = 8 };
    const double J = 0.7, Delta = 0.4, more = J * (Delta - 1), th = 1.1, phi = 2 * pi * _i / N, h = 0.3;
    uint32_t first[N], second[N];
    double strengths[N], z0[3 * N], z[3 * N], of = 2 * J / 1.5 * (cos(phi) - Delta);
    for (uint32_t i = 0; i < N; i++) {
        first[i] = i;
        second[i] = (i + 1) % N;
        strengths[i] = 1.5;
        z0[3 * i] = sin(th) * cos(phi * i);
        z0[3 * i + 1] = sin(th) * sin(phi * i);
        z0[3 * i + 2] = cos(th);
        unit(z0 + 3 * i);
    }
    const ph_bonds bonds[] = {
        {.kind = PH_BOND_EXCHANGE, .n = N, .first = first, .second = second, .c = &J, .uniform = true},
        {.kind = PH_BOND_AXIAL,
         .n = N,
         .first = first,
         .second = second,
         .c = &more,
         .uniform = true,
         .axis = {0, 0, 1}}};
    TK_OWN(ph_system) *system =
        create(&(ph_spins){.n = N, .strengths = strengths, .bonds = bonds, .n_bonds = 2});
    ck_assert(!steps_of(system, NULL, 0, h, z0, 1, z));
    for (size_t i = 0; i < N; i++) {
        const double b = remainder(azimuth(z + 3 * i) - azimuth(z0 + 3 * i), 2 * pi);
        ck_assert(fabs(b) > 0.01);
        ck_assert_double_eq_tol(turn_defect(th, b, h, wave_rate, &of), 0, 1e-14);
        ck_assert_double_eq_tol(2 * tan(b / 2) * (1 - pow(sin(th) * sin(b / 2), 2)), h * of * cos(th), 1e-14);
    }
}

/* ---- Order ---------------------------------------------------------------------------------------- */

TEST_EACH(orders, SK_PROBLEMS * 8)
{
    static const char *const words[] = {"2", "4", "6", "8"};
    /* steps of the coarser of two runs, by problem and order, where the error is its leading term and far
     * above rounding */
    static const int64_t steps[SK_PROBLEMS][4] = {
        {400, 100, 40, 12}, {800, 200, 80, 24}, {400, 100, 50, 24}, {400, 100, 60, 50}, {400, 60, 40, 30}};
    static const double allowed[] = {0.03, 0.1, 0.25, 0.5};
    const sk_problem *p = &sk_problems[_i / 8];
    const int order = _i / 2 % 4;
    const ph_setting settings[2] = {{"order", words[order]}, ambient[0]};
    const size_t n = 1 + (size_t)_i % 2;
    double error[2];
    for (int k = 0; k < 2; k++)
        error[k] = sk_error(p, "spherical-midpoint", settings, n, steps[_i / 8][order] << k);
    const double measured = log2(error[0] / error[1]);
    printf("%s, order %s%s: %.3f (%.1e, %.1e)\n", p->name, words[order], n > 1 ? ", ambient" : "", measured,
           error[0], error[1]);
    ck_assert_msg(fabs(measured - 2 * (order + 1)) < allowed[order], "%s, order %s: %g (%g, %g)", p->name,
                  words[order], measured, error[0], error[1]);
}

/* ---- Structure ----------------------------------------------------------------------------------------- */

/* Dphi u, the derivative of a step along tangent vectors, by differences of order 8 along great circles. */
static void tangent_map(const ph_system *system, const ph_setting *settings, size_t n, double h,
                        const double *z, const double *u, double *out)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280}, step = 1. / 256;
    const size_t spins = ph_system_spins(system)->n;
    memset(out, 0, 3 * spins * sizeof *out);
    for (int m = -4; m <= 4; m++) {
        double from[MOST], to[MOST];
        if (m == 0)
            continue;
        for (size_t i = 0; i < spins; i++) {
            const double size = ph_norm3(u + 3 * i), turn = m * step * size;
            for (size_t k = 3 * i; k < 3 * i + 3; k++)
                from[k] = cos(turn) * z[k] + sin(turn) / size * u[k];
        }
        ck_assert(!steps_of(system, settings, n, h, from, 1, to));
        for (size_t k = 0; k < 3 * spins; k++)
            out[k] += weight[abs(m) - 1] * (m > 0 ? 1 : -1) / step * to[k];
    }
}

/* The largest defect of Omega(Dphi u, Dphi v) = Omega(u, v). */
static double symplectic_defect(const ph_system *system, const ph_setting *settings, size_t n, double h,
                                tk_random *r)
{
    const size_t spins = ph_system_spins(system)->n;
    double z[MOST], z1[MOST], u[MOST], v[MOST], Du[MOST], Dv[MOST];
    sk_random_spins(r, spins, z);
    for (size_t i = 0; i < spins; i++) {
        tk_tangent(r, z + 3 * i, u + 3 * i);
        tk_tangent(r, z + 3 * i, v + 3 * i);
        unit(u + 3 * i);
        unit(v + 3 * i);
    }
    ck_assert(!steps_of(system, settings, n, h, z, 1, z1));
    tangent_map(system, settings, n, h, z, u, Du);
    tangent_map(system, settings, n, h, z, v, Dv);
    return fabs(sk_omega(system, z1, Du, Dv) - sk_omega(system, z, u, v));
}

/* Every kind of part and callbacks, signed strengths, control; both extensions; a composition. The
 * differences are good to some 1e-13. */
TEST_EACH(symplectic, 12)
{
    tk_random r = {811 + (uint64_t)_i};
    TK_OWN(ph_system) *system = sk_random(1 + (size_t)_i % 4, _i % 3, _i % 2, &r);
    const ph_setting settings[2] = {{"order", _i % 5 ? "2" : "4"}, ambient[0]};
    const double defect = symplectic_defect(system, settings, 1 + (size_t)(_i % 4 > 1), 0.05, &r);
    printf("%g\n", defect);
    ck_assert_msg(defect < 5e-13, "%g", defect);
}

/* With damping it is not, and does not claim to be. */
TEST(claims)
{
    static const double lambda[] = {0.1, 0.2};
    const ph_method *method = ph_method_find("spherical-midpoint", NULL);
    const double one = 1;
    double values[PH_MIDPOINT_OPTIONS];
    tk_random r = {5};
    const ph_bonds all = {.kind = PH_BOND_EXCHANGE, .all_pairs = true, .c = &one, .uniform = true};
    TK_OWN(ph_system) *free = create(&(ph_spins){.n = 2, .bonds = &all, .n_bonds = 1}),
                      *damped = create(&(ph_spins){.n = 2, .bonds = &all, .n_bonds = 1, .damping = lambda});
    ck_assert(!ph_method_options(method, NULL, 0, values, NULL));
    const unsigned always = PH_CLAIM_SYMMETRIC | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT;
    ck_assert_uint_eq(ph_method_claims(method, free, values),
                      always | PH_CLAIM_SYMPLECTIC | PH_CLAIM_MOMENTUM);
    ck_assert_uint_eq(ph_method_claims(method, damped, values), always);
    ck_assert(symplectic_defect(free, NULL, 0, 0.05, &r) < 5e-13);
    ck_assert(symplectic_defect(damped, NULL, 0, 0.05, &r) > 1e-4);
}

/* h, then -h, by the same integrator; damped systems, too. */
TEST_EACH(reversal, 18)
{
    tk_random r = {911 + (uint64_t)_i};
    const size_t n = 1 + (size_t)_i % SK_MOST;
    TK_OWN(ph_system) *system =
        _i % 9 == 8 ? sk_problems[SK_DAMPED].create() : sk_random(n, _i % 2, true, &r);
    const ph_setting settings[2] = {{"order", _i % 3 ? "2" : "6"}, ambient[0]};
    TK_OWN(ph_integrator) *it =
        sk_bind(system, "spherical-midpoint", 0.04, settings, 1 + (size_t)(_i % 4 > 1));
    double z0[MOST];
    sk_random_spins(&r, ph_system_spins(system)->n, z0);
    TK_OWN(ph_state) *state = sk_state(it, z0);
    ck_assert_msg(!ph_integrator_step(it, state, 5), "%s", ph_integrator_message(it));
    ck_assert(tk_max_difference(state->z, z0, state->nz) > 1e-2);
    ck_assert(!ph_integrator_set_step_size(it, -0.04));
    ck_assert(!ph_integrator_step(it, state, 5));
    ck_assert_double_eq_tol(state->t, 0, 1e-15);
    ck_assert_double_lt(tk_max_difference(state->z, z0, state->nz), 1e-14);
}

/* A rotation of the start of an isotropic ring is a rotation of its end. */
TEST_EACH(equivariance, 4)
{
    enum { N = 8 };
    tk_random r = {1011 + (uint64_t)_i};
    TK_OWN(ph_system) *ring = sk_ring(N);
    double R[9], q[3], z0[3 * N], z[3 * N], turned[3 * N], image[3];
    tk_unit(&r, R);
    tk_tangent(&r, R, q);
    unit(q);
    memcpy(R + 3, q, sizeof q);
    ph_cross3(R, R + 3, R + 6);
    sk_random_spins(&r, N, z0);
    ck_assert(!steps_of(ring, ambient, (size_t)_i % 2, 0.1, z0, 20, z));
    for (size_t i = 0; i < N; i++) {
        ph_apply3(R, z0 + 3 * i, image);
        memcpy(z0 + 3 * i, image, sizeof image);
    }
    ck_assert(!steps_of(ring, ambient, (size_t)_i % 2, 0.1, z0, 20, turned));
    for (size_t i = 0; i < N; i++) {
        ph_apply3(R, z + 3 * i, image);
        for (size_t k = 0; k < 3; k++)
            ck_assert_double_eq_tol(turned[3 * i + k], image[k], 5e-14);
    }
}

/* A free rigid body, H = (1/2) s . A s in the other sign: on one sphere with a homogeneous quadratic energy
 * it is kept to rounding by the spherical midpoint, and not by the other. */
TEST(free_body)
{
    const double strength = -1, K[2] = {-0.5 / 0.6, -0.5 / 0.8};
    const ph_anisotropy inertia[2] = {{.axis = {1, 0, 0}, .K = &K[0], .uniform = true},
                                      {.axis = {0, 1, 0}, .K = &K[1], .uniform = true}};
    TK_OWN(ph_system) *body =
        create(&(ph_spins){.n = 1, .strengths = &strength, .anisotropies = inertia, .n_anisotropies = 2});
    const double z0[3] = {2. / 7, 3. / 7, 6. / 7};
    double z[3], before, after;
    ck_assert(!ph_spins_energy(body, 0, z0, &before));
    ck_assert(!steps_of(body, NULL, 0, 0.2, z0, 1000, z) && !ph_spins_energy(body, 0, z, &after));
    ck_assert_double_eq_tol(after, before, 1e-15);
    ck_assert(!steps_of(body, ambient, 1, 0.2, z0, 1000, z) && !ph_spins_energy(body, 0, z, &after));
    ck_assert(fabs(after - before) > 1e-6);
}

/* ---- Solvability and roots ----------------------------------------------------------------------------- */

/* On the equator of a uniform field 2 sin(b/2) = h w: just below h w = 2 there is a step, above there is
 * none. */
TEST(limit_of_the_step)
{
    const double field[3] = {0, 0, -1}, z0[3] = {0.6, 0.8, 0};
    double z[3];
    TK_OWN(ph_system) *system = create(&(ph_spins){.n = 1, .field = field, .field_is_uniform = true});
    ck_assert(!steps_of(system, NULL, 0, 1.999, z0, 1, z));
    ck_assert_double_eq_tol(remainder(azimuth(z) - azimuth(z0), 2 * pi), 2 * asin(0.9995), 1e-11);
    TK_OWN(ph_integrator) *it = sk_bind(system, "spherical-midpoint", 2.001, NULL, 0);
    TK_OWN(ph_state) *state = sk_state(it, z0);
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_NO_SOLUTION);
    ck_assert_msg(strstr(ph_integrator_message(it), "take a smaller one") != NULL, "%s",
                  ph_integrator_message(it));
    ck_assert_mem_eq(state->z, z0, sizeof z0);
}

/* One sphere, h sup|X| = 1.9: a step exists from every start. */
TEST_EACH(solvable_everywhere, 3)
{
    tk_random r = {1111 + (uint64_t)_i};
    TK_OWN(ph_system) *system = sk_random(1, false, false, &r);
    double sup = 0, s[3], X[3], z[3];
    for (int k = 0; k < 20000; k++) {
        tk_unit(&r, s);
        ck_assert(!ph_spins_flow(system, 0, s, X));
        sup = fmax(sup, ph_norm3(X));
    }
    for (int k = 0; k < (tk_short() ? 5 : 100); k++) {
        tk_unit(&r, s);
        TK_OWN(ph_integrator) *it = sk_bind(system, "spherical-midpoint", 1.9 / sup, NULL, 0);
        TK_OWN(ph_state) *state = sk_state(it, s);
        ck_assert_msg(!ph_integrator_step(it, state, 1), "%s", ph_integrator_message(it));
        memcpy(z, state->z, sizeof z);
        ck_assert_double_eq_tol(ph_norm3(z), 1, 4e-16);
    }
}

/* Three vortices shortly before their collapse, in a step far beyond it: refused with advice, and taken by
 * short steps. */
TEST(close_vortices)
{
    static const double strengths[3] = {1, 1, -0.5}, one = 1;
    /* chords^2 3/4, 1/2, 1 times a: the triangle in its plane, its circumcentre the origin */
    const double a = 0.01, c12 = sqrt(0.75 * a), c23 = sqrt(0.5 * a), c31 = sqrt(a);
    const double x3 = (c31 * c31 + c12 * c12 - c23 * c23) / (2 * c12), y3 = sqrt(c31 * c31 - x3 * x3);
    const double cx = 0.5 * c12, cy = (x3 * x3 + y3 * y3 - c12 * x3) / (2 * y3);
    const double up = sqrt(1 - cx * cx - cy * cy);
    double z0[9] = {-cx, -cy, up, c12 - cx, -cy, up, x3 - cx, y3 - cy, up};
    const ph_bonds all = {.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true};
    TK_OWN(ph_system) *system =
        create(&(ph_spins){.n = 3, .strengths = strengths, .bonds = &all, .n_bonds = 1});
    TK_OWN(ph_integrator) *it = sk_bind(system, "spherical-midpoint", 1, NULL, 0);
    for (size_t i = 0; i < 3; i++)
        unit(z0 + 3 * i);
    TK_OWN(ph_state) *state = sk_state(it, z0);
    const ph_status status = ph_integrator_step(it, state, 1);
    ck_assert_msg(status == PH_E_NO_SOLUTION, "%s: %s", ph_status_name(status), ph_integrator_message(it));
    ck_assert_msg(strstr(ph_integrator_message(it), "take a smaller one") != NULL, "%s",
                  ph_integrator_message(it));
    ck_assert(!ph_integrator_set_step_size(it, 0.001) && !ph_integrator_step(it, state, 10));
}

/* Newton's iteration finds what the fixed point finds, where both work. */
TEST_EACH(same_root, 18)
{
    tk_random r = {1211 + (uint64_t)_i};
    const size_t n = 1 + (size_t)_i % SK_MOST;
    TK_OWN(ph_system) *system =
        _i % 9 == 8 ? sk_problems[SK_DAMPED].create() : sk_random(n, _i % 2, true, &r);
    double z0[MOST];
    TK_OWN(ph_integrator) *it = sk_bind(system, "spherical-midpoint", 0.03, ambient, _i % 4 > 1);
    sk_random_spins(&r, ph_system_spins(system)->n, z0);
    TK_OWN(ph_state) *state = sk_state(it, z0), *other = sk_state(it, z0);
    ck_assert(!ph_integrator_step(it, state, 3));
    ck_assert(!ph_state_copy(other, state));
    other->carry[PH_MIDPOINT_DIRECT] = 1;
    const int64_t before = ph_integrator_statistics(it)->branches;
    ck_assert(!ph_integrator_step(it, state, 1) && !ph_integrator_step(it, other, 1));
    ck_assert_double_eq(other->carry[PH_MIDPOINT_DIRECT], 0);
    ck_assert_double_lt(tk_max_difference(state->z, other->z, state->nz), 4e-16);
    ck_assert_int_eq(ph_integrator_statistics(it)->branches, before);
}

/* Larger systems, of which the matrix is dense (14), sparse (40), or that have a step for which the fixed
 * point does not contract: Newton's iteration from a guess, the branch from h = 0, and the fixed point,
 * where it works, find the same. */
TEST_EACH(same_root_of_rings, 12)
{
    static const double sizes[] = {0.1, 0.25, 0.45};
    const size_t n = _i % 2 ? 40 : 14;
    tk_random r = {1251 + (uint64_t)_i};
    double z0[120], X[120], middle[120], worst = 0;
    const double h = sizes[_i / 4];
    TK_OWN(ph_system) *ring = sk_ring(n);
    TK_OWN(ph_integrator) *it = sk_bind(ring, "spherical-midpoint", h, ambient, (size_t)(_i / 2 % 2));
    sk_random_spins(&r, n, z0);
    TK_OWN(ph_state) *state = sk_state(it, z0), *guessed = sk_state(it, z0), *followed = sk_state(it, z0);
    ck_assert_msg(!ph_integrator_step(it, state, 3), "%s", ph_integrator_message(it));
    ck_assert(!ph_state_copy(guessed, state) && !ph_state_copy(followed, state));
    guessed->carry[PH_MIDPOINT_DIRECT] = followed->carry[PH_MIDPOINT_DIRECT] = 1;
    followed->carry[PH_MIDPOINT_COUNT] = 0;
    memcpy(z0, state->z, state->nz * sizeof *z0);
    ck_assert(!ph_integrator_step(it, state, 1) && !ph_integrator_step(it, guessed, 1));
    const int64_t before = ph_integrator_statistics(it)->branches;
    ck_assert_msg(!ph_integrator_step(it, followed, 1), "%s", ph_integrator_message(it));
    ck_assert_int_eq(ph_integrator_statistics(it)->branches, before + 1);
    ck_assert_double_lt(tk_max_difference(state->z, guessed->z, state->nz), 1e-15);
    ck_assert_double_lt(tk_max_difference(state->z, followed->z, state->nz), 1e-15);
    for (size_t i = 0; i < n && _i / 2 % 2 == 0; i++) {
        for (size_t k = 3 * i; k < 3 * i + 3; k++)
            middle[k] = z0[k] + followed->z[k];
        unit(middle + 3 * i);
    }
    if (_i / 2 % 2 == 0) {
        ck_assert(!ph_spins_flow(ring, 0, middle, X));
        for (size_t k = 0; k < 3 * n; k++)
            worst = fmax(worst, fabs(followed->z[k] - z0[k] - h * X[k]));
        ck_assert_msg(worst < 2e-15, "%g", worst);
    }
}

/* Magnets that are relaxed spin after spin, with every kind of part: the equation of the step, the same root by Newton's
 * iteration, the way back, and the same bits by all kernels. */
TEST_EACH(relaxed, 12)
{
    enum { MANY = 60 };
    tk_random r = {1281 + (uint64_t)_i};
    const size_t n = _i < 2 ? 21 : 21 + (size_t)tk_uniform(&r, 0, MANY - 20);
    const bool damped = _i % 3 == 2;
    const double h = _i % 4 ? 0.03 : 0.12;
    double z0[3 * MANY], middle[3 * MANY], X[3 * MANY] = {0}, plain[3 * MANY], worst = 0;
    sk_random_spins(&r, n, z0);
    TK_OWN(ph_system) *system = sk_magnet(n, _i % 2, damped, &r);
    for (int kernels = 0; kernels < TK_KERNELS; kernels++) {
        if (tk_kernels(kernels))
            ck_assert(!steps_of(system, NULL, 0, h, z0, 3, kernels ? X : plain));
        if (kernels && X[0] != 0)
            ck_assert_mem_eq(X, plain, 3 * n * sizeof *X);
    }
    tk_kernels(false);
    TK_OWN(ph_integrator) *it = sk_bind(system, "spherical-midpoint", h, NULL, 0);
    TK_OWN(ph_state) *state = sk_state(it, z0), *other = sk_state(it, z0);
    ck_assert_msg(!ph_integrator_step(it, state, 3), "%s", ph_integrator_message(it));
    ck_assert(!ph_state_copy(other, state));
    other->carry[PH_MIDPOINT_DIRECT] = 1;
    memcpy(middle, state->z, 3 * n * sizeof *middle);
    ck_assert(!ph_integrator_step(it, state, 1) && !ph_integrator_step(it, other, 1));
    ck_assert_double_lt(tk_max_difference(state->z, other->z, state->nz), 1e-15);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            plain[k] = state->z[k] - middle[k];
            middle[k] += state->z[k];
        }
        unit(middle + 3 * i);
    }
    ck_assert(!ph_spins_flow(system, 3.5 * h, middle, X));
    for (size_t k = 0; k < 3 * n; k++)
        worst = fmax(worst, fabs(plain[k] - h * X[k]));
    ck_assert_msg(worst < 1e-15, "%g", worst);
    ck_assert(!ph_integrator_set_step_size(it, -h) && !ph_integrator_step(it, state, 4));
    ck_assert_double_lt(tk_max_difference(state->z, z0, state->nz), 1e-14);
}

/* A lattice that is relaxed: side^3 spins, periodic, that repeat a cube of `side` 4, of which bonds have their own coefficients; and
 * twists, if so, and a tilted axis. */
static ph_system *repeated_cube(size_t side, bool further, const double *c)
{
    const size_t n = side * side * side;
    uint32_t *first = malloc(6 * n * sizeof *first), *second = first + 3 * n;
    double *own = malloc(3 * n * sizeof *own);
    ph_system *system = NULL;
    size_t bonds = 0;
    for (size_t stride = 1; stride < n; stride *= side)
        for (size_t i = 0; i < n; i++, bonds++) {
            const bool ends = i / stride % side + 1 == side;
            first[bonds] = (uint32_t)i;
            second[bonds] = (uint32_t)(ends ? i + stride - side * stride : i + stride);
            own[bonds] =
                c[(bonds / n * 64) + i % side % 4 + i / side % side % 4 * 4 + i / side / side % 4 * 16];
        }
    ph_bonds all[3] = {{.kind = PH_BOND_EXCHANGE,
                        .n = bonds,
                        .first = first,
                        .second = second,
                        .c = own,
                        .axis = {0.6, 0, 0.8}}};
    all[1] = all[2] = all[0];
    all[1].kind = PH_BOND_TWIST;
    all[2].kind = PH_BOND_AXIAL;
    all[2].c = c;
    all[2].uniform = true;
    tk_ok(ph_system_create(
        &(ph_system_definition){.spins = &(ph_spins){.n = n, .bonds = all, .n_bonds = further ? 3 : 1}},
        &system, tk_err));
    free(first);
    free(own);
    return system;
}

/* Its step is that of the cube, which has shorter rows and no gaps between components. */
TEST_EACH(repeated, 2)
{
    enum { SMALL = 64, LARGE = 1728 };
    static double z[3 * LARGE], end[3 * LARGE], plain[3 * LARGE];
    double c[3 * SMALL], once[3 * SMALL], small[3 * SMALL], worst = 0;
    tk_random r = {99};
    sk_random_spins(&r, SMALL, small);
    for (size_t k = 0; k < 3 * SMALL; k++)
        c[k] = tk_uniform(&r, 0.5, 1.5);
    for (size_t k = 0; k < 3 * LARGE; k++) {
        const size_t i = k / 3;
        z[k] = small[3 * (i % 12 % 4 + i / 12 % 12 % 4 * 4 + i / 144 % 4 * 16) + k % 3];
    }
    TK_OWN(ph_system) *cube = repeated_cube(4, _i, c), *large = repeated_cube(12, _i, c);
    ck_assert(!steps_of(cube, NULL, 0, 0.05, small, 5, once));
    for (int kernels = 0; kernels < TK_KERNELS; kernels++)
        if (tk_kernels(kernels)) {
            ck_assert(!steps_of(large, NULL, 0, 0.05, z, 5, kernels ? end : plain));
            ck_assert_mem_eq(kernels ? end : plain, plain, sizeof plain);
        }
    tk_kernels(false);
    for (size_t k = 0; k < 3 * LARGE; k++) {
        const size_t i = k / 3, at = i % 12 % 4 + i / 12 % 12 % 4 * 4 + i / 144 % 4 * 16;
        worst = fmax(worst, fabs(plain[k] - once[3 * at + k % 3]));
    }
    ck_assert_msg(worst < 2e-15, "%g", worst);
}

/* Random systems in steps of up to 1.6: what the fixed point finds, however slowly it contracts, is on the
 * branch from h = 0, and where it finds nothing the branch decides. */
TEST(roots_are_on_the_branch)
{
    int slowly = 0, refused = 0, lost = 0;
    for (uint64_t k = 0; k < (tk_thorough() ? 2000 : tk_short() ? 6 : 150); k++) {
        tk_random r = {5000 + k};
        const bool relaxed = k % 10 == 9;
        const size_t n = relaxed ? 21 + (size_t)k % 5 : 1 + (size_t)k % 6;
        TK_OWN(ph_system) *system =
            relaxed ? sk_magnet(n, true, k % 4 == 1, &r) : sk_random(n, k % 2, true, &r);
        const double h = tk_uniform(&r, 0.02, relaxed ? 0.9 : 1.6);
        double z[MOST + 3 * 20];
        sk_random_spins(&r, n, z);
        TK_OWN(ph_integrator) *it = sk_bind(system, "spherical-midpoint", h, ambient, k % 7 == 0);
        TK_OWN(ph_state) *state = sk_state(it, z), *followed = sk_state(it, z);
        followed->carry[PH_MIDPOINT_STAMP] = h;
        followed->carry[PH_MIDPOINT_DIRECT] = 1;
        const ph_status status = ph_integrator_step(it, state, 1);
        const ph_statistics *done = ph_integrator_statistics(it);
        slowly += done->newton_passes > 40 && !done->branches;
        ck_assert_int_eq(ph_integrator_step(it, followed, 1), status);
        ck_assert_msg(!status || status == PH_E_NO_SOLUTION || status == PH_E_NO_CONVERGENCE,
                      "system %d, h = %g: %s", (int)k, h, ph_integrator_message(it));
        lost += status == PH_E_NO_CONVERGENCE; /* the branch ends, and not in a fold that is seen as one */
        ck_assert_double_lt(tk_max_difference(state->z, followed->z, state->nz), 1e-13);
        refused += status == PH_E_NO_SOLUTION;
    }
    printf("%d roots by slow contraction, %d refused, %d lost\n", slowly, refused, lost);
    ck_assert_int_le(lost, tk_thorough() ? 4 : 0);
    ck_assert_msg(tk_short() || (slowly > 10 && refused > 2), "%d, %d", slowly, refused);
}

/* ---- States -------------------------------------------------------------------------------------------- */

/* n steps at once have the bits of n single ones, of a copy and of a packed state. */
TEST_EACH(bits, 12)
{
    static const double sizes[] = {0.05, 0.3, -0.45}; /* the last two by Newton's iteration, too */
    tk_random r = {1311};
    TK_OWN(ph_system) *system = sk_random(5, true, true, &r);
    const ph_setting settings[2] = {{"order", _i % 2 ? "4" : "2"}, ambient[0]};
    double z0[MOST];
    const double h = sizes[_i / 4] * (_i % 2 ? 0.5 : 1);
    TK_OWN(ph_integrator) *it = sk_bind(system, "spherical-midpoint", h, settings, 1 + (size_t)(_i / 2 % 2));
    sk_random_spins(&r, 5, z0);
    ph_state *state = sk_state(it, z0), *other = sk_state(it, z0);
    ck_assert_msg(!ph_integrator_step(it, state, 24), "%s", ph_integrator_message(it));
    for (int k = 0; k < 24; k++) {
        ck_assert(!ph_integrator_step(it, other, 1));
        if (k % 7 == 3) {
            TK_MEMORY unsigned char *bytes = malloc(ph_state_packed_size(other));
            ph_state_pack(other, bytes);
            ph_state *again = sk_state(it, z0);
            tk_ok(ph_state_unpack(again, bytes, ph_state_packed_size(other), NULL));
            ph_state_free(other);
            other = again;
        }
    }
    ck_assert_mem_eq(state->z, other->z, state->nz * sizeof *state->z);
    ck_assert_mem_eq(state->carry, other->carry, state->ncarry * sizeof *state->z);
    ph_state_free(state);
    ph_state_free(other);
}

/* An energy s_1 . a + (s_1 . s_2)^2 / 2 by callback whose gradient fails, or is not finite, at some call. */
typedef struct faulty {
    int calls, fails_at;
    bool nan;
} faulty;

static ph_status faulty_energy(void *user, const double *z, double *H)
{
    (void)user;
    const double along = ph_dot3(z, z + 3);
    *H = z[0] + 0.5 * along * along;
    return PH_OK;
}

static ph_status faulty_gradient(void *user, const double *z, double *g)
{
    faulty *f = user;
    const double along = ph_dot3(z, z + 3);
    for (size_t k = 0; k < 3; k++) {
        g[k] = along * z[3 + k] + (k == 0);
        g[3 + k] = along * z[k];
    }
    if (++f->calls != f->fails_at)
        return PH_OK;
    if (f->nan)
        g[1] = (double)NAN;
    return f->nan ? PH_OK : PH_E_CALLBACK;
}

/* All or nothing: a state after a step that failed is the state before it, and a later step has the same
 * bits. */
TEST_EACH(all_or_nothing, 16)
{
    faulty f = {0, 0, _i / 8};
    const ph_spins two = {.n = 2};
    const ph_system_definition d = {
        .spins = &two, .potential = faulty_energy, .gradient = faulty_gradient, .user = &f};
    TK_MAKE(ph_system, system, ph_system_create(&d, &system, NULL));
    const ph_setting settings[2] = {{"order", _i % 2 ? "4" : "2"}, ambient[0]};
    TK_OWN(ph_integrator) *it =
        sk_bind(system, "spherical-midpoint", _i / 4 % 2 ? 1.2 : 0.1, settings, 1 + (size_t)(_i / 2 % 2));
    const double z0[6] = {2. / 7, 3. / 7, 6. / 7, 1. / 3, -2. / 3, 2. / 3};
    TK_OWN(ph_state) *state = sk_state(it, z0), *good = sk_state(it, z0);
    ck_assert_msg(!ph_integrator_step(it, good, 4), "%s", ph_integrator_message(it));
    int failures = 0;
    for (int at = 1; at < 400; at += 1 + at / 4) {
        tk_ok(ph_state_set(it, state, 0, z0, none, PH_STRICT, NULL));
        f.fails_at = 0;
        ck_assert(!ph_integrator_step(it, state, 3));
        double z[6], *carry = malloc(state->ncarry * sizeof *carry);
        memcpy(z, state->z, sizeof z);
        memcpy(carry, state->carry, state->ncarry * sizeof *carry);
        f.calls = 0;
        f.fails_at = at;
        const ph_status status = ph_integrator_step(it, state, 1);
        f.fails_at = 0;
        if (status) {
            failures++;
            ck_assert_msg(strstr(ph_integrator_message(it), f.nan ? "finite" : "gradient") != NULL, "%s",
                          ph_integrator_message(it));
            ck_assert_int_eq(status, f.nan ? PH_E_NOT_FINITE : PH_E_CALLBACK);
            ck_assert_mem_eq(state->z, z, sizeof z);
            ck_assert_mem_eq(state->carry, carry, state->ncarry * sizeof *carry);
            ck_assert(!ph_integrator_step(it, state, 1));
        }
        if (status || f.calls < at)
            ck_assert_mem_eq(state->z, good->z, sizeof z);
        ck_assert_double_lt(tk_max_difference(state->z, good->z, state->nz), 1e-14);
        free(carry);
        if (f.calls < at)
            break;
    }
    ck_assert(failures > 3 || f.nan); /* a NaN may be overcome by another way to the solution */
}

/* A bound on iterations changes no bits; a step that meets it leaves the state, and one without a bound continues from there. */
TEST_EACH(iterations_are_bounded, 8)
{
    static const char *const bounds[] = {"1", "2", "5", "12"};
    TK_OWN(ph_system) *system = tk_model(_i / 4 ? "spin-lattice" : "spin-chain");
    const ph_setting settings[2] = {{"max-iterations", bounds[_i % 4]}, {"order", "4"}};
    TK_OWN(ph_integrator) *bounded = sk_bind(system, "spherical-midpoint", 0.2, settings, 2);
    TK_OWN(ph_integrator) *it = sk_bind(system, "spherical-midpoint", 0.2, settings + 1, 1);
    tk_random r = {8};
    const size_t nz = ph_space_ambient(ph_system_space(system));
    TK_MEMORY double *z = calloc(nz, sizeof *z);
    for (size_t i = 0; i < nz; i += 3)
        tk_unit(&r, z + i);
    TK_OWN(ph_state) *state = sk_state(it, z), *own = sk_state(it, z), *before = sk_state(it, z);
    int failures = 0;
    for (int k = 0; k < 6; k++) {
        tk_ok(ph_state_copy(before, own));
        const int64_t made = ph_integrator_statistics(bounded)->newton_passes;
        const ph_status status = ph_integrator_step(bounded, own, 1);
        ck_assert(ph_integrator_statistics(bounded)->newton_passes - made <=
                  atoi(bounds[_i % 4]) + 2 * PH_IMPLICIT_PASSES);
        tk_ok(ph_integrator_step(it, state, 1));
        if (status) {
            tk_returns(status, PH_E_NO_CONVERGENCE);
            ck_assert_ptr_nonnull(strstr(ph_integrator_message(bounded), "max-iterations"));
            ck_assert_mem_eq(own->z, before->z, nz * sizeof *z);
            ck_assert_mem_eq(own->carry, before->carry, own->ncarry * sizeof *own->carry);
            tk_ok(ph_integrator_step(it, own, 1));
            failures++;
        }
        ck_assert_mem_eq(own->z, state->z, nz * sizeof *z);
    }
    ck_assert_int_gt(failures, 0);
}

/* Another size of steps in the middle of a motion is the method begun at that point. */
TEST(other_step_size)
{
    tk_random r = {1411};
    TK_OWN(ph_system) *system = sk_random(4, true, true, &r);
    double z0[MOST], z[MOST];
    sk_random_spins(&r, 4, z0);
    TK_OWN(ph_integrator) *it = sk_bind(system, "spherical-midpoint", 0.05, NULL, 0);
    TK_OWN(ph_state) *state = sk_state(it, z0), *begun = NULL;
    ck_assert(!ph_integrator_step(it, state, 10));
    memcpy(z, state->z, state->nz * sizeof *z);
    ck_assert(!ph_integrator_set_step_size(it, 0.02));
    begun = sk_state(it, z0);
    tk_ok(ph_state_set(it, begun, state->t, z, none, PH_STRICT, NULL));
    ck_assert(!ph_integrator_step(it, state, 10) && !ph_integrator_step(it, begun, 10));
    ck_assert_double_lt(tk_max_difference(state->z, begun->z, state->nz), 2e-15);
}

TEST(refused)
{
    ph_integrator *it = NULL;
    const ph_method *method = ph_method_find("spherical-midpoint", NULL);
    const ph_setting both[2] = {{"order", "6"}, {"composition", "suzuki-5"}};
    ph_system *ring = sk_ring(4);
    tk_refused(ph_integrator_create(ring, method, 0.1, both, 2, &it, tk_err), PH_E_INVALID,
               "suzuki-5 is of order 4");
    ck_assert_int_eq(ph_method_order(method, ring, (const double[]){0, 0, 0}), 2);
    ck_assert_int_eq(ph_method_order(method, ring, (const double[]){0, 3, 0}), 6);
    ph_system_free(ring);
    TK_OWN(ph_system) *pendulum = tk_build("spherical-pendulum", NULL, 0);
    tk_refused(ph_method_supports(method, pendulum, tk_err), PH_E_UNSUPPORTED, "use variational");
}

int main(void)
{
    return tk_run("spherical midpoint");
}
