/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of spins: the fastest one against closed forms and a dense formulation; dense output, whose order needs s''; events
 * against exact times; and the check of derivatives with mistakes that it must find. */
#include "tests/kit/spinkit.h"

#include <polhode/dense.h>
#include <polhode/events.h>

/* ---- The fastest rate ----------------------------------------------------------------------------------- */

static double rate_of(const ph_system *system, const double *z)
{
    double rate = NAN;
    tk_ok(ph_system_fastest_rate(system, 0, z, &rate, tk_err));
    return rate;
}

/* In a uniform field B a spin at the angle theta: |B / Gamma| max(sin theta, |cos theta|). */
TEST(rate_in_a_field)
{
    static const double field[] = {0, 0, 1.7}, strength = -0.6;
    const ph_spins spins = {.n = 1, .strengths = &strength, .field = field, .field_is_uniform = true};
    TK_MAKE(ph_system, system, ph_system_create(&(ph_system_definition){.spins = &spins}, &system, NULL));
    for (int i = 0; i <= 8; i++) {
        const double theta = i * acos(-1) / 8, z[] = {sin(theta), 0, cos(theta)};
        ck_assert_double_eq_tol(rate_of(system, z), 1.7 / 0.6 * fmax(sin(theta), fabs(cos(theta))), 1e-13);
    }
}

/* Spin waves of an aligned ring: the largest of 2 J (1 - cos k) / Gamma, k = 2 pi m / N; of the state with alternating spins
 * 2 J |sin k| (J < 0: stable; the rates are the same). */
TEST(rate_of_spin_waves)
{
    static const size_t sizes[] = {2, 3, 6, 20, 64, 101, 300};
    for (size_t c = 0; c < sizeof sizes / sizeof *sizes; c++) {
        const size_t n = sizes[c];
        TK_OWN(ph_system) *ring = n > 2 ? sk_ring(n) : NULL;
        if (!ring)
            continue;
        double *z = calloc(3 * n, sizeof *z), aligned = 0, alternating = 0;
        for (size_t m = 0; m < n; m++) {
            const double k = 2 * acos(-1) * (double)m / (double)n;
            aligned = fmax(aligned, 2 * (1 - cos(k)));
            alternating = fmax(alternating, 2 * fabs(sin(k)));
            z[3 * m + 2] = 1;
        }
        /* by many spins the next rates are as near as 1 / N^2, and the iteration has 30 turns */
        const double found = rate_of(ring, z);
        printf("ring of %zu: rate %.10f, exact %.10f\n", n, found, aligned);
        ck_assert_double_eq_tol(found / aligned, 1, n <= 20 ? 1e-12 : 1e-6);
        for (size_t m = 1; m < n; m += 2)
            z[3 * m + 2] = -1;
        if (n % 2 ==
            0) /* at k = pi / 2 two modes meet in a Jordan block, of which rounding has the square root */
            ck_assert_double_eq_tol(rate_of(ring, z) / alternating, 1, n <= 20 ? 1e-6 : 1e-3);
        free(z);
    }
}

/* rho(A) (n x n) = lim |A^(2^k)|^(1 / 2^k), by squaring: no eigenvalues are computed. A is overwritten. */
static double spectral_radius(size_t n, double *A)
{
    double *square = malloc(n * n * sizeof *square), log_size = 0, power = 1;
    for (int k = 0; k < 40; k++) {
        double size = 0;
        for (size_t i = 0; i < n * n; i++)
            size = fmax(size, fabs(A[i]));
        if (!(size > 0)) {
            free(square);
            return 0;
        }
        log_size += log(size) / power;
        for (size_t i = 0; i < n * n; i++)
            A[i] /= size;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double sum = 0;
                for (size_t m = 0; m < n; m++)
                    sum += A[i * n + m] * A[m * n + j];
                square[i * n + j] = sum;
            }
        memcpy(A, square, n * n * sizeof *A);
        power *= 2;
    }
    free(square);
    return exp(log_size);
}

/* The vector field's tangent part along geodesics, by differences, as a dense matrix in ambient coordinates (normal vectors go
 * to 0). */
static double dense_rate(const ph_system *system, const double *z)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
    const ph_space *space = ph_system_space(system);
    const size_t nz = ph_space_ambient(space);
    double *A = calloc(nz * nz, sizeof *A), *x = malloc(nz * sizeof *x), *v = malloc(nz * sizeof *v),
           speed = 0;
    ck_assert(!ph_spins_flow(system, 0, z, v));
    for (size_t i = 0; i < nz; i += 3)
        speed = fmax(speed, sqrt(ph_dot3(v + i, v + i)));
    for (size_t j = 0; j < nz; j++) {
        const double *s = z + j / 3 * 3;
        double u[3] = {0, 0, 0};
        u[j % 3] = 1;
        const double along = ph_dot3(u, s);
        for (size_t k = 0; k < 3; k++)
            u[k] -= along * s[k];
        const double length = sqrt(ph_dot3(u, u));
        for (int m = -4; m <= 4; m++) {
            const double h = 1. / 128, turn = m * h * length;
            if (!m || length < 1e-9)
                continue;
            memcpy(x, z, nz * sizeof *x);
            for (size_t k = 0; k < 3; k++)
                x[j / 3 * 3 + k] = cos(turn) * s[k] + sin(turn) * u[k] / length;
            ck_assert(!ph_spins_flow(system, 0, x, v));
            for (size_t i = 0; i < nz; i++)
                A[i * nz + j] += (m < 0 ? -1 : 1) * weight[abs(m) - 1] / h * v[i];
        }
    }
    for (size_t i = 0; i < nz; i += 3) /* rows: tangent parts */
        for (size_t j = 0; j < nz; j++) {
            double along = 0;
            for (size_t k = 0; k < 3; k++)
                along += z[i + k] * A[(i + k) * nz + j];
            for (size_t k = 0; k < 3; k++)
                A[(i + k) * nz + j] -= along * z[i + k];
        }
    const double rate = spectral_radius(nz, A);
    free(A);
    free(x);
    free(v);
    return fmax(rate, speed);
}

/* Every kind of part, callbacks, a control, damping; and more spins than the basis has vectors. */
TEST_EACH(rate_against_dense, 2 * SK_MOST + 3)
{
    tk_random r = {800 + (uint64_t)_i};
    const bool many = _i >= 2 * SK_MOST;
    const size_t n = many ? 24 + (size_t)_i : 1 + (size_t)_i % SK_MOST;
    TK_OWN(ph_system) *system = many            ? sk_ring(n)
                                : _i == SK_MOST ? sk_problems[SK_DAMPED].create()
                                                : sk_random(n, _i % 2, _i % 3 > 0, &r);
    TK_MEMORY double *z = malloc(3 * n * sizeof *z);
    sk_random_spins(&r, n, z);
    const double found = rate_of(system, z), expected = dense_rate(system, z);
    ck_assert_msg(fabs(found / expected - 1) < (many ? 1e-5 : 1e-9), "%zu spins: %.12g, not %.12g", n, found,
                  expected);
}

/* ---- Dense output --------------------------------------------------------------------------------------- */

/* H = cos(t) (w . s_1) (w . s_2)^2 + (w . s_1)^3 by callbacks, n spins. */
static const double w[3] = {0.8, -0.5, 1.1};

static double along(const double *s)
{
    return ph_dot3(w, s);
}

static ph_status potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = along(z) * along(z) * along(z);
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *g)
{
    (void)user;
    memset(g, 0, 6 * sizeof *g);
    for (size_t k = 0; k < 3; k++)
        g[k] = 3 * along(z) * along(z) * w[k];
    return PH_OK;
}

/* Not defined before 0 and after 10 s. */
static ph_status in_time(void *user, double t, const double *z, double *U)
{
    (void)user;
    *U = cos(t) * along(z) * along(z + 3) * along(z + 3);
    return t < 0 || t > 10 ? PH_E_CALLBACK : PH_OK;
}

static ph_status gradient_in_time(void *user, double t, const double *z, double *g)
{
    (void)user;
    for (size_t k = 0; k < 3; k++) {
        g[k] += cos(t) * along(z + 3) * along(z + 3) * w[k];
        g[3 + k] += 2 * cos(t) * along(z) * along(z + 3) * w[k];
    }
    return t < 0 || t > 10 ? PH_E_CALLBACK : PH_OK;
}

static ph_system *by_callbacks(void)
{
    static const double strengths[] = {1, -0.8}, damping[] = {0.1, 0};
    const ph_spins spins = {.n = 2, .strengths = strengths, .damping = damping};
    ph_system *system = NULL;
    ck_assert(!ph_system_create(&(ph_system_definition){.spins = &spins,
                                                        .potential = potential,
                                                        .gradient = gradient,
                                                        .potential_in_time = in_time,
                                                        .gradient_in_time = gradient_in_time},
                                &system, NULL));
    return system;
}

enum { LEVELS = 3, POINTS = 16, DENSE_PROBLEMS = SK_PROBLEMS + 1 };

/* Order 6 of z against a fine trajectory by rk8, with the estimate of its error; every problem, and callbacks in time that are
 * defined during the run alone. */
TEST_EACH(dense_order, DENSE_PROBLEMS)
{
    const bool callbacks = _i == SK_PROBLEMS;
    TK_OWN(ph_system) *system = callbacks ? by_callbacks() : sk_problems[_i].create();
    const size_t nz = 3 * ph_system_spins(system)->n;
    const double *start = callbacks ? sk_problems[SK_RING].start : sk_problems[_i].start;
    const double h = 0.2;
    double error[LEVELS], estimate = 0;
    TK_OWN(ph_integrator) *it = sk_bind(system, "rk8", h / (8 * POINTS), NULL, 0);
    ph_state *state = sk_state(it, start), *states[POINTS + 1];
    for (int i = 0; i <= POINTS; i++) {
        ck_assert(!ph_state_create(it, &states[i], NULL));
        ck_assert(!ph_state_copy(states[i], state));
        if (i < POINTS)
            ck_assert(!ph_integrator_step(it, state, 8));
    }
    TK_MAKE(ph_dense, dense, ph_dense_create(it, &dense, tk_err));
    ck_assert_int_eq(ph_dense_order(dense), 6);
    for (int level = 0; level < LEVELS; level++) {
        const size_t points = (size_t)POINTS >> level;
        const ph_state *there;
        error[level] = 0;
        ck_assert(!ph_dense_begin(dense, states[0], tk_err));
        tk_ok(ph_dense_end(dense, states[points], tk_err));
        for (size_t k = points / 4; k < points; k += points / 4) {
            tk_ok(ph_dense_at(dense, states[k]->t, &there, tk_err));
            for (size_t m = 0; m < nz; m++)
                error[level] = fmax(error[level], fabs(there->z[m] - states[k]->z[m]));
            for (size_t m = 0; m < nz; m += 3)
                ck_assert_double_eq_tol(ph_dot3(there->z + m, there->z + m), 1, 1e-15);
        }
        ck_assert(!ph_dense_error(dense, &estimate, tk_err));
    }
    const double order = log2(error[LEVELS - 2] / error[LEVELS - 1]);
    printf("%s: %.1e %.1e %.1e, order %.2f, estimate %.1e\n", callbacks ? "callbacks" : sk_problems[_i].name,
           error[0], error[1], error[2], order, estimate);
    fflush(stdout);
    /* where the errors stay above rounding */
    ck_assert(error[LEVELS - 1] < 1e-13 || fabs(order - 6) < 0.35);
    ck_assert(error[LEVELS - 1] < 1e-13 ||
              (estimate > 0.5 * error[LEVELS - 1] && estimate < 2 * error[LEVELS - 1]));
    for (int i = 0; i <= POINTS; i++)
        ph_state_free(states[i]);
    ph_state_free(state);
}

/* ---- Events --------------------------------------------------------------------------------------------- */

typedef struct seen {
    size_t n;
    double t[8];
    double z[8][3];
} seen;

static ph_status note(void *self, const ph_occurrence *o, ph_error *err)
{
    seen *s = self;
    (void)err;
    ck_assert_uint_lt(s->n, 8);
    memcpy(s->z[s->n], o->state->z, sizeof s->z[0]);
    s->t[s->n++] = o->t;
    return PH_OK;
}

/* The event's times along a run of `steps` steps by rk8. */
static seen look(ph_system *system, const double *start, double h, int steps, const ph_event *event)
{
    seen found = {0};
    const ph_event_sink sink = {note, &found};
    TK_OWN(ph_system) *own = system;
    TK_OWN(ph_integrator) *it = sk_bind(own, "rk8", h, NULL, 0);
    TK_OWN(ph_state) *state = sk_state(it, start);
    TK_MAKE(ph_events, events, ph_events_create(it, event, 1, &sink, &events, tk_err));
    ck_assert(!ph_events_begin(events, state, tk_err));
    for (int k = 0; k < steps; k++) {
        ck_assert(!ph_integrator_step(it, state, 1));
        tk_ok(ph_events_look(events, state, tk_err));
    }
    return found;
}

/* A spin that falls to its field, s_3 = tanh(artanh s_3(0) + lambda G t): s_3 crosses 0, and H = -G s_3 a level. */
TEST(events_of_a_falling_spin)
{
    const double lambda = 0.1, s3 = -6. / 7;
    const ph_event crossing = {.name = "equator", .column = "s1z"},
                   level = {.name = "energy", .column = "energy", .level = -0.5};
    const seen a = look(sk_problems[SK_DAMPED].create(), sk_problems[SK_DAMPED].start, 0.05, 400, &crossing),
               b = look(sk_problems[SK_DAMPED].create(), sk_problems[SK_DAMPED].start, 0.05, 400, &level);
    ck_assert_uint_eq(a.n, 1);
    ck_assert_uint_eq(b.n, 1);
    printf("equator at %.15g, off by %.1e; energy off by %.1e s\n", a.t[0], a.t[0] + atanh(s3) / lambda,
           b.t[0] - (atanh(0.5) - atanh(s3)) / lambda);
    ck_assert_double_eq_tol(a.t[0], -atanh(s3) / lambda, 2e-13);
    ck_assert_double_eq_tol(b.t[0], (atanh(0.5) - atanh(s3)) / lambda, 2e-13);
    ck_assert_double_eq_tol(a.z[0][2], 0, 1e-14);
    ck_assert_double_eq_tol(b.z[0][2], 0.5, 1e-14);
}

/* ---- The check of derivatives --------------------------------------------------------------------------- */

typedef enum mistake {
    RIGHT,
    GRADIENT,
    SECOND,
    CONTROL,
    SYMMETRY,
    SLOPE, /* f' of a bond by function */
    MISTAKES
} mistake;

typedef struct faulty {
    mistake how;
    size_t n;
} faulty;

/* sum_i (s_i3)^2 s_(i+1)3, the first of them alone with a mistake. */
static ph_status column_potential(void *user, const double *z, double *U)
{
    const faulty *f = user;
    *U = 0;
    for (size_t i = 0; i < f->n; i++)
        *U += z[3 * i + 2] * z[3 * i + 2] * z[3 * ((i + 1) % f->n) + 2];
    return PH_OK;
}

static ph_status column_gradient(void *user, const double *z, double *g)
{
    const faulty *f = user;
    memset(g, 0, 3 * f->n * sizeof *g);
    for (size_t i = 0; i < f->n; i++) {
        const size_t j = (i + 1) % f->n;
        g[3 * i + 2] += 2 * z[3 * i + 2] * z[3 * j + 2];
        g[3 * j + 2] += z[3 * i + 2] * z[3 * i + 2];
    }
    if (f->how == GRADIENT)
        g[2] *= -1;
    return PH_OK;
}

/* In the order (i, i) of all, then (i + 1, i), and (n - 1, 0). */
static ph_status column_hessian(void *user, double t, const double *z, double *blocks)
{
    const faulty *f = user;
    (void)t;
    for (size_t i = 0; i < f->n; i++) {
        const size_t j = (i + 1) % f->n;
        blocks[9 * i + 8] = 2 * z[3 * j + 2];
        blocks[9 * (f->n + i) + 8] = f->how == SECOND && !i ? 0 : 2 * z[3 * i + 2];
    }
    return PH_OK;
}

static ph_status drive(void *user, double t, double *B, double *dB)
{
    const faulty *f = user;
    B[0] = f->how == SYMMETRY ? 0.1 : 0;
    B[1] = 0;
    B[2] = sin(t);
    if (dB) {
        dB[0] = dB[1] = 0;
        dB[2] = f->how == CONTROL ? -cos(t) : cos(t);
    }
    return PH_OK;
}

static ph_status bond(void *user, double x, double *f)
{
    f[0] = exp(x);
    f[1] = (((const faulty *)user)->how == SLOPE ? 2 : 1) * exp(x);
    f[2] = exp(x);
    return PH_OK;
}

static ph_system *make_faulty(faulty *f)
{
    static const double one = 1;
    static const ph_symmetry about = {
        .name = "J3", .text = "about the third axis", .unit = "", .axis = {0, 0, 1}};
    const size_t n = f->n;
    TK_MEMORY uint32_t *first = malloc(n * sizeof *first), *second = malloc(n * sizeof *second),
                       *row = malloc(2 * n * sizeof *row), *column = malloc(2 * n * sizeof *column);
    for (size_t i = 0; i < n; i++) {
        first[i] = row[i] = column[i] = (uint32_t)i;
        second[i] = (uint32_t)((i + 1) % n);
        row[n + i] = (uint32_t)(i + 1 < n ? i + 1 : i);
        column[n + i] = (uint32_t)(i + 1 < n ? i : 0);
    }
    const ph_bonds bonds[] = {{.kind = PH_BOND_FUNCTION,
                               .n = n,
                               .first = first,
                               .second = second,
                               .c = &one,
                               .uniform = true,
                               .function = bond},
                              {.kind = PH_BOND_TWIST,
                               .n = n,
                               .first = first,
                               .second = second,
                               .c = &one,
                               .uniform = true,
                               .axis = {0, 0, 1}}};
    const ph_spins spins = {.n = n, .bonds = bonds, .n_bonds = 2, .control = drive};
    const ph_system_definition d = {.spins = &spins,
                                    .potential = column_potential,
                                    .gradient = column_gradient,
                                    .spin_hessian = column_hessian,
                                    .hessian_row = row,
                                    .hessian_column = column,
                                    .n_hessian = 2 * n,
                                    .symmetries = &about,
                                    .n_symmetries = 1,
                                    .user = f};
    ph_system *system = NULL;
    tk_ok(ph_system_create(&d, &system, tk_err));
    return system;
}

/* Of few spins, and of more than are tried one by one. */
TEST_EACH(mistakes_found, 2 * MISTAKES)
{
    static const ph_derivative where[MISTAKES] = {PH_DERIVATIVE_ENTRIES,  PH_DERIVATIVE_POTENTIAL,
                                                  PH_DERIVATIVE_SPINS,    PH_DERIVATIVE_CONTROL,
                                                  PH_DERIVATIVE_SYMMETRY, PH_DERIVATIVE_POTENTIAL};
    const mistake how = (mistake)(_i % MISTAKES);
    faulty f = {how, _i < MISTAKES ? 4 : 700};
    TK_OWN(ph_system) *system = make_faulty(&f);
    double *z = malloc(6 * f.n * sizeof *z), *v = z + 3 * f.n;
    tk_random r = {33};
    ph_derivative_report report;
    sk_random_spins(&r, f.n, z);
    ck_assert(!ph_spins_flow(system, 0.3, z, v));
    tk_ok(ph_system_check_derivatives(system, 0.3, z, v, &report, tk_err));
    for (size_t i = 0; i < report.n; i++) {
        const ph_derivative_entry *e = &report.entry[i];
        ck_assert(!i || report.entry[i - 1].what < e->what);
        if (how == CONTROL && e->what == PH_DERIVATIVE_RATE)
            ck_assert_msg(e->error > PH_DERIVATIVE_WRONG, "the rate is wrong with dB/dt");
        else if (e->what == where[how])
            ck_assert_msg(e->error > 100 * PH_DERIVATIVE_WRONG, "%s: %g", e->name, e->error);
        else
            ck_assert_msg(e->error < 1e-8, "%s: %g", e->name, e->error);
        if (how == SYMMETRY && e->what == PH_DERIVATIVE_SYMMETRY)
            ck_assert_msg(strstr(e->mistake, "J3 is no symmetry: the energy changes") != NULL, "%s",
                          e->mistake);
    }
    if (how == RIGHT)
        ck_assert_uint_eq(report.n, 6); /* U, U in time, its rate, dB/dt, second derivative, symmetry */
    else
        ck_assert_ptr_nonnull(ph_derivative_report_entry(&report, where[how]));
    free(z);
}

/* Everything declared is right, vortices that are near, and damping: what it takes away is no part of dH/dt. */
TEST_EACH(declared_is_right, 6)
{
    tk_random r = {900 + (uint64_t)_i};
    const size_t n = 2 + (size_t)_i;
    TK_OWN(ph_system) *system = _i ? sk_random(n, true, true, &r) : by_callbacks();
    double z[3 * SK_MOST], v[3 * SK_MOST];
    ph_derivative_report report;
    sk_random_spins(&r, n, z);
    ck_assert(!ph_spins_flow(system, 0.4, z, v));
    tk_ok(ph_system_check_derivatives(system, 0.4, z, v, &report, tk_err));
    ck_assert_uint_ge(report.n, 2);
    for (size_t i = 0; i < report.n; i++)
        ck_assert_msg(report.entry[i].error < 1e-8, "%s: %g", report.entry[i].name, report.entry[i].error);
}

/* Damping keeps no momentum map, and that is said. */
TEST(damping_breaks_symmetries)
{
    static const double field[] = {0, 0, 1}, lambda = 0.1;
    static const ph_symmetry about = {
        .name = "J3", .text = "about the third axis", .unit = "", .axis = {0, 0, 1}};
    const ph_spins spins = {.n = 1, .field = field, .field_is_uniform = true, .damping = &lambda};
    const ph_system_definition d = {.spins = &spins, .symmetries = &about, .n_symmetries = 1};
    const double z[] = {0.6, 0, 0.8}, v[] = {0, 0, 0};
    ph_derivative_report report;
    TK_MAKE(ph_system, system, ph_system_create(&d, &system, NULL));
    ck_assert(!ph_system_check_derivatives(system, 0, z, v, &report, NULL));
    const ph_derivative_entry *e = ph_derivative_report_entry(&report, PH_DERIVATIVE_SYMMETRY);
    ck_assert_ptr_nonnull(e);
    ck_assert_msg(strstr(e->mistake, "damping changes its momentum map") != NULL, "%s", e->mistake);
    /* lambda (s x (s x g))_3 with g = -e3 */
    ck_assert_double_eq_tol(e->given, 0.1 * (1 - 0.64), 1e-15);
}

int main(void)
{
    return tk_run("rates of spins");
}
