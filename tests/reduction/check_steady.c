/* SPDX-License-Identifier: BSD-3-Clause */
/* Steady motions with velocity constraints: closed forms of a rolling disk, a sleigh and a car with trailers; that the motion
 * goes along the group, by integration; the growth that a rattleback really has; and what is refused. */
#include <polhode/constraints.h>
#include <polhode/domain/steady.h>
#include <polhode/kit/equations.h>

#include "tests/kit/testkit.h"

enum { NZ = 30 };

typedef struct search {
    ph_system *system;
    ph_steady *steady;
    ph_steady_motion *found;
    size_t nz, k;
    double z[NZ], v[NZ];
} search;

static search begin(const char *model, const char *preset)
{
    search s = {.system = tk_model(model)};
    s.nz = ph_space_ambient(ph_system_space(s.system));
    ck_assert_uint_le(s.nz, NZ);
    tk_preset(model, NULL, 0, preset, s.z, s.v);
    tk_ok(ph_steady_create(s.system, &s.steady, NULL));
    s.found = ph_steady_motion_create(s.steady);
    ck_assert_ptr_nonnull(s.found);
    s.k = ph_steady_parts(s.steady);
    return s;
}

static void end(search *s)
{
    free(s->found);
    ph_steady_free(s->steady);
    ph_system_free(s->system);
}

static void find(search *s)
{
    tk_ok(ph_steady_find(s->steady, s->z, s->v, s->found, tk_err));
    ck_assert_double_le(s->found->residual, 1e-13);
}

/* The rate of this part; 0 where there is none. */
static double rate_of(const search *s, ph_steady_kind kind, size_t axis)
{
    for (size_t i = 0; i < s->k; i++) {
        const ph_steady_part *p = ph_steady_part_at(s->steady, i);
        if (p->kind == kind && p->axis == axis)
            return s->found->rate[i];
    }
    return 0;
}

/* ---- A disk ------------------------------------------------------------------------------------------------------ */

static const double m = 15, a = 1, A = 3.75, C = 7.5, g = 9.81; /* the model's */

/* lambda^2 of the tilt of a disk that rolls in a circle, axle at th from upwards, precession Om, rate n about the axle:
 *     (A + m a^2) th'' = A Om^2 sin cos - (C + m a^2) n Om sin - m g a cos,
 *     A sin Om' = (C n - 2 A Om cos) th',   (C + m a^2) n' = m a^2 Om sin th' (Borisov, Mamaev 2002);
 * *off <- by how much the first is missed, relative. */
static double tilt(double th, double Om, double n, double *off)
{
    const double s = sin(th), c = cos(th), K = A + m * a * a, D = C + m * a * a;
    const double by_th = A * Om * Om * (c * c - s * s) - D * n * Om * c + m * g * a * s,
                 by_Om = 2 * A * Om * s * c - D * n * s, by_n = -D * Om * s;
    *off = fabs(A * Om * Om * s * c - D * n * Om * s - m * g * a * c) / (m * g * a);
    return (by_th + by_Om * (C * n - 2 * A * Om * c) / (A * s) + by_n * m * a * a * Om * s / D) / K;
}

/* From 1e-2 off, in all directions. */
TEST_EACH(disk, 4)
{
    search s = begin("rolling-disk", "circle");
    const ph_space *space = ph_system_space(s.system);
    tk_random r = {(uint64_t)_i + 1};
    double z[NZ], u[NZ], off;
    for (size_t l = 0; l < s.nz; l++)
        u[l] = _i ? 1e-2 * tk_uniform(&r, -1, 1) : 0;
    ph_space_project_tangent(space, s.z, u);
    memcpy(z, s.z, sizeof z);
    ph_space_exp(space, z, u, s.z);
    for (size_t l = 0; l < s.nz; l++)
        s.v[l] += _i ? 1e-2 * tk_uniform(&r, -1, 1) : 0;
    ph_space_project_tangent(space, s.z, s.v);
    find(&s);
    const double th = acos(s.found->z[10]), Om = rate_of(&s, PH_STEADY_TURN, 2),
                 n = rate_of(&s, PH_STEADY_SPIN, 2) + Om * cos(th), square = tilt(th, Om, n, &off);
    ck_assert_uint_le(s.found->iterations, 5);
    ck_assert_double_le(off, 2e-14);
    ck_assert_uint_eq(s.found->modes, 4);
    ck_assert_uint_eq(s.found->zero, 2);
    ck_assert_double_lt(square, 0);
    ck_assert_double_eq_tol(s.found->imaginary[0], sqrt(-square), 1e-11);
    ck_assert_double_eq(s.found->growth, 0);
    if (!_i) { /* 60 degrees, -1.7 rad/s: values of 13 digits */
        ck_assert_double_eq_tol(n, 2.079433780686365, 1e-13);
        ck_assert_double_eq_tol(s.found->imaginary[0], 3.117238793241476, 1e-11);
    }
    end(&s);
}

/* Upright it is stable where n^2 > m g a A / (C (C + m a^2)). */
TEST(upright_disk)
{
    const double least = sqrt(m * g * a * A / (C * (C + m * a * a)));
    ck_assert_double_eq_tol(least, 1.808314132003, 1e-12);
    for (int side = 0; side < 2; side++) {
        search s = begin("rolling-disk", "straight");
        const double n = (side ? 1.01 : 0.99) * least;
        double off;
        for (size_t l = 0; l < s.nz; l++)
            s.v[l] *= n / 3; /* the preset's rate */
        find(&s);
        const double square = tilt(acos(0), 0, n, &off);
        ck_assert((s.found->growth > 0) == !side);
        ck_assert_double_eq_tol(side ? s.found->imaginary[0] : s.found->growth, sqrt(fabs(square)), 1e-10);
        end(&s);
    }
}

/* ---- Motions that are attracted ----------------------------------------------------------------------------------------- */

/* omega' = -m d v / (I + m d^2) omega; a trailer d behind its axle follows at v/d. */
TEST(attracted)
{
    search s = begin("chaplygin-sleigh", "straight");
    find(&s);
    const double v = hypot(s.found->rate[0], s.found->rate[1]);
    ck_assert_double_eq_tol(s.found->decay, 1 * 0.3 * v / (0.5 + 0.3 * 0.3), 1e-12);
    ck_assert_double_eq(s.found->growth, 0);
    ck_assert_uint_eq(s.found->zero, 1);
    end(&s);
    s = begin("chaplygin-sleigh",
              "turning"); /* the centre behind the blade: backwards, where turning grows */
    find(&s);
    ck_assert_double_eq_tol(s.found->growth, 0.3 * hypot(s.found->rate[0], s.found->rate[1]) / 0.59, 1e-12);
    ck_assert_double_eq(s.found->rate[2], 0);
    end(&s);
    s = begin("car-trailers", "straight");
    find(&s);
    size_t trailers = 0;
    for (size_t i = 0; i < s.found->modes; i++) /* a double eigenvalue: to the root of rounding */
        trailers += s.found->imaginary[i] == 0 && fabs(s.found->real[i] + 3.0 / 2) < 1e-6;
    ck_assert_uint_eq(trailers, 2);
    ck_assert_double_eq(s.found->growth, 0);
    end(&s);
}

/* ---- The motion goes along the group --------------------------------------------------------------------------------------- */

/* xdot = sum_a xi_a (Z_a x + c_a), written out. */
static void along(const search *s, const double *x, double *xdot)
{
    const ph_space *space = ph_system_space(s->system);
    memset(xdot, 0, s->nz * sizeof *xdot);
    for (size_t i = 0; i < s->k; i++) {
        const ph_steady_part *p = ph_steady_part_at(s->steady, i);
        const double xi = s->found->rate[i], e[3] = {p->axis == 0, p->axis == 1, p->axis == 2};
        for (size_t j = 0; j < ph_space_factors(space); j++) {
            const ph_factor_place *f = ph_space_factor(space, j);
            const double *q = x + f->z;
            double *out = xdot + f->z;
            const bool own = p->kind != PH_STEADY_TURN;
            if (own && p->factor != j)
                continue;
            if (p->kind == PH_STEADY_SHIFT) {
                out[p->axis] += xi;
            } else if (f->nz == 2) {
                out[0] -= xi * (own ? 1 : e[2]) * q[1];
                out[1] += xi * (own ? 1 : e[2]) * q[0];
            } else if (f->kind == PH_FACTOR_SO3) {
                double S[9], B[9];
                ph_hat3(e, S);
                if (own)
                    ph_multiply3(q, S, B);
                else
                    ph_multiply3(S, q, B);
                for (size_t l = 0; l < 9; l++)
                    out[l] += xi * B[l];
            }
        }
    }
}

/* One step of Runge-Kutta's method, x (nz). */
static void go(const search *s, double h, double *x)
{
    double k[4][NZ], y[NZ];
    static const double at[4] = {0, 0.5, 0.5, 1};
    for (size_t i = 0; i < 4; i++) {
        for (size_t l = 0; l < s->nz; l++)
            y[l] = x[l] + (i ? at[i] * h * k[i - 1][l] : 0);
        along(s, y, k[i]);
    }
    for (size_t l = 0; l < s->nz; l++)
        x[l] += h / 6 * (k[0][l] + 2 * k[1][l] + 2 * k[2][l] + k[3][l]);
}

static const struct {
    const char *model, *preset;
    size_t parts;
} steady[] = {{"rolling-disk", "wobbling", 4},   {"rattleback", "spun", 3},
              {"chaplygin-ball", "tumbling", 3}, {"turntable-ball", "tumbling", 1},
              {"vertical-disk", "circle", 4},    {"car-trailers", "straight", 3},
              {"wheeled-cart", "straight", 5},   {"belt-ball", "tumbling", 2}};

TEST_EACH(along_the_group, sizeof steady / sizeof steady[0])
{
    search s = begin(steady[_i].model, steady[_i].preset);
    const double h = 1e-3;
    double x[NZ], y[2 * NZ];
    ck_assert_uint_eq(s.k, steady[_i].parts);
    find(&s);
    const ph_field *field = ph_field_find("q-qdot", NULL);
    TK_MEMORY double *work = malloc((PH_FIELD_RK4_VECTORS * 2 * s.nz + field->work(s.system)) * sizeof *work);
    memcpy(x, s.found->z, s.nz * sizeof *x);
    memcpy(y, s.found->z, s.nz * sizeof *x);
    memcpy(y + s.nz, s.found->zdot, s.nz * sizeof *x);
    for (int step = 0; step < 200; step++) {
        tk_ok(ph_field_rk4(field, s.system, 0, h, y, work));
        go(&s, h, x);
    }
    printf("%s: off by %.1e\n", steady[_i].model, tk_max_difference(x, y, s.nz));
    ck_assert_double_le(tk_max_difference(x, y, s.nz), 3e-9); /* of a wheel at 10 rad/s */
    end(&s);
}

/* ---- A rattleback ------------------------------------------------------------------------------------------------------------ */

/* Spun the other way the motion is the same backwards: eigenvalues of the other sign. */
TEST(both_ways)
{
    search s[2] = {begin("rattleback", "spun"), begin("rattleback", "other-way")};
    find(&s[0]);
    find(&s[1]);
    ck_assert_double_gt(s[0].found->growth, 0);
    ck_assert_double_gt(s[1].found->growth, 0);
    ck_assert_double_eq_tol(s[0].found->growth, s[1].found->decay, 1e-9);
    ck_assert_double_eq_tol(s[1].found->growth, s[0].found->decay, 1e-9);
    end(&s[0]);
    end(&s[1]);
}

/* The tilt of the body grows as it is said to: between the largest tilts of two spans of time, far from the end. */
TEST(growth)
{
    search s = begin("rattleback", "spun");
    find(&s);
    const double h = 1e-3;
    const ph_field *field = ph_field_find("q-qdot", NULL);
    double y[2 * NZ], largest[2] = {0, 0};
    TK_MEMORY double *work = malloc((PH_FIELD_RK4_VECTORS * 2 * s.nz + field->work(s.system)) * sizeof *work);
    memcpy(y, s.found->z, s.nz * sizeof *y);
    memcpy(y + s.nz, s.found->zdot, s.nz * sizeof *y);
    const double tilt[3] = {1e-9, 0, 0};
    double T[9], R[9];
    ph_exp3(tilt, T);
    ph_multiply3(T, y + 2, R);
    memcpy(y + 2, R, sizeof R);
    ph_multiply3(T, y + s.nz + 2, R);
    memcpy(y + s.nz + 2, R, sizeof R);
    TK_MEMORY double *room = malloc(ph_system_constraint_work(s.system) * sizeof *room);
    tk_ok(ph_system_constraint_project(s.system, 0, y, y + s.nz, room, NULL));
    for (int step = 0; step < 7500; step++) {
        tk_ok(ph_field_rk4(field, s.system, 0, h, y, work));
        const double off = hypot(y[2 + 2], y[2 + 5]);
        if (step >= 3000 && step < 3500)
            largest[0] = fmax(largest[0], off);
        if (step >= 7000)
            largest[1] = fmax(largest[1], off);
    }
    printf("rattleback: grows at %.4f /s, %.4f /s in a run\n", s.found->growth,
           log(largest[1] / largest[0]) / 4);
    ck_assert_double_eq_tol(log(largest[1] / largest[0]) / 4, s.found->growth, 0.01 * s.found->growth);
    end(&s);
}

/* ---- What is refused ------------------------------------------------------------------------------------------------------------ */

static ph_status slope(void *user, const double *z, double *U)
{
    (void)user;
    *U = z[0];
    return PH_OK;
}

static ph_status slope_gradient(void *user, const double *z, double *dU)
{
    (void)user;
    (void)z;
    dU[0] = 1;
    dU[1] = 0;
    return PH_OK;
}

static ph_status straight(void *user, double t, const double *z, double *row, double *b)
{
    (void)user;
    (void)t;
    (void)z;
    row[1] = 1;
    b[0] = 0;
    return PH_OK;
}

/* A bead that slides down a straight wire, ever faster. */
static search falling(void)
{
    static const double inertia[4] = {1, 0, 0, 1};
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 2};
    ph_space *space;
    search s = {.nz = 2, .z = {0.3, 0.1}, .v = {0.5, 0}};
    tk_ok(ph_space_create(&factor, 1, &space, NULL));
    const ph_system_definition d = {.space = space,
                                    .ambient_inertia = inertia,
                                    .potential = slope,
                                    .gradient = slope_gradient,
                                    .constraint = straight,
                                    .n_constraints = 1};
    tk_ok(ph_system_create(&d, &s.system, NULL));
    ph_space_free(space);
    tk_ok(ph_steady_create(s.system, &s.steady, NULL));
    s.found = ph_steady_motion_create(s.steady);
    s.k = ph_steady_parts(s.steady);
    return s;
}

/* L = m(t) |v|^2 / 2: its steady motions at one time are none at another. */
static ph_status heavier(void *user, double t, const double *z, const double *v, double *L)
{
    (void)user, (void)z;
    *L = 0.5 * (2 + t) * (v[0] * v[0] + v[1] * v[1]);
    return PH_OK;
}

static ph_status heavier_rate(void *user, double t, const double *z, const double *v, double *Lt, double *Lvt)
{
    (void)user, (void)t, (void)z;
    *Lt = 0.5 * (v[0] * v[0] + v[1] * v[1]);
    Lvt[0] = v[0];
    Lvt[1] = v[1];
    return PH_OK;
}

TEST(not_with_a_lagrangian_in_time)
{
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 2};
    TK_MAKE(ph_space, space, ph_space_create(&factor, 1, &space, NULL));
    const ph_system_definition d = {.space = space,
                                    .lagrangian = heavier,
                                    .lagrangian_rate = heavier_rate,
                                    .constraint = straight,
                                    .n_constraints = 1};
    TK_MAKE(ph_system, system, ph_system_create(&d, &system, NULL));
    ph_steady *none = NULL;
    tk_refused(ph_steady_create(system, &none, tk_err), PH_E_UNSUPPORTED, "depend on the time");
    ck_assert_ptr_null(none);
}

TEST(refusals)
{
    ph_error err = {0};
    ph_steady *none;
    ph_system *board = tk_model("snakeboard"), *oscillator = tk_model("contact-oscillator");
    ck_assert_int_eq(ph_steady_create(NULL, &none, &err), PH_E_INVALID);
    err = (ph_error){0};
    ck_assert_int_eq(ph_steady_create(board, &none, &err), PH_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "depend on the time"));
    ck_assert_int_eq(ph_steady_create(oscillator, &none, &err), PH_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "no translation"));
    ck_assert_ptr_null(none);
    ck_assert_uint_eq(ph_steady_parts(NULL), 0);
    ck_assert_ptr_null(ph_steady_part_at(NULL, 0));
    ck_assert_ptr_null(ph_steady_motion_create(NULL));
    ph_steady_free(NULL);
    ph_system_free(board);
    ph_system_free(oscillator);
    search s = falling();
    s.found->energy = 7;
    ck_assert_int_eq(ph_steady_find(s.steady, s.z, s.v, s.found, &err), PH_E_NO_CONVERGENCE);
    ck_assert_ptr_nonnull(strstr(err.message, "no steady motion was found"));
    s.v[0] = NAN;
    ck_assert_int_eq(ph_steady_find(s.steady, s.z, s.v, s.found, &err), PH_E_NOT_FINITE);
    ck_assert_int_eq(ph_steady_find(NULL, s.z, s.v, s.found, &err),
                     PH_E_NOT_FINITE); /* that of err is kept */
    err = (ph_error){0};
    ck_assert_int_eq(ph_steady_find(NULL, s.z, s.v, s.found, &err), PH_E_INVALID);
    ck_assert_double_eq(s.found->energy, 7);
    ck_assert_ptr_null(ph_steady_part_at(s.steady, s.k));
    end(&s);
}

int main(void)
{
    return tk_run("steady");
}
