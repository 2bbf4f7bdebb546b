/* SPDX-License-Identifier: BSD-3-Clause */
/* The physics of the chain models against point masses: what a mass k at x_k = sum_{j<=k} l_j q_j has by
 * Newton and d'Alembert (kinetic and potential energy, angular momentum, the work of a torque, a force,
 * dampers), for every model that is a chain, random parameters and random motions. */
#include "tests/kit/testkit.h"

#include <float.h>
#include <stdbool.h>

enum { LINKS = 7, NZ = 3 * LINKS };
static const double eps = DBL_EPSILON;

/* constant + amplitude sin(frequency t + phase) */
typedef struct load {
    double constant[3], amplitude[3], frequency, phase;
} load;

typedef struct setup {
    const char *model;
    size_t n;
    double m[LINKS], l[LINKS], c[LINKS], G[3];
    load torque, tip;
} setup;

/* Which of the loads a setup has. */
enum { DAMPING = 1, TORQUE = 2, TORQUE_WAVE = 4, TIP = 8, TIP_WAVE = 16, ALL = 31 };

static const struct {
    const char *model;
    size_t n;
} chains[] = {
    {"spherical-pendulum", 1}, {"double-spherical-pendulum", 2}, {"chain-pendulum", 1}, {"chain-pendulum", 2},
    {"chain-pendulum", 3},     {"chain-pendulum", LINKS},
};
enum { CHAINS = sizeof chains / sizeof *chains };

static void fill(tk_random *r, double *x, size_t n, bool wanted)
{
    for (size_t i = 0; i < n; i++)
        x[i] = wanted ? tk_normal(r) : 0;
}

static setup random_setup(int which, unsigned loads, tk_random *r)
{
    setup s = {.model = chains[which].model, .n = chains[which].n};
    for (size_t i = 0; i < s.n; i++) {
        s.m[i] = tk_log_uniform(r, 0.1, 10);
        s.l[i] = tk_log_uniform(r, 0.1, 10);
        s.c[i] = loads & DAMPING ? tk_uniform(r, 0, 3) : 0;
    }
    fill(r, s.G, 3, true);
    fill(r, s.torque.constant, 3, loads & TORQUE);
    fill(r, s.torque.amplitude, 3, loads & TORQUE_WAVE);
    fill(r, s.tip.constant, 3, loads & TIP);
    fill(r, s.tip.amplitude, 3, loads & TIP_WAVE);
    fill(r, &s.torque.frequency, 1, true);
    fill(r, &s.torque.phase, 1, true);
    fill(r, &s.tip.frequency, 1, true);
    fill(r, &s.tip.phase, 1, true);
    return s;
}

static ph_system *build(const setup *s)
{
    bool one = !strcmp(s->model, "spherical-pendulum");
    const ph_parameter_value values[] = {
        {one ? "mass" : "masses", s->m, s->n},
        {one ? "length" : "lengths", s->l, s->n},
        {"gravity", s->G, 3},
        {"damping", s->c, s->n},
        {"torque", s->torque.constant, 3},
        {"torque_amplitude", s->torque.amplitude, 3},
        {"torque_frequency", &s->torque.frequency, 1},
        {"torque_phase", &s->torque.phase, 1},
        {"tip_force", s->tip.constant, 3},
        {"tip_force_amplitude", s->tip.amplitude, 3},
        {"tip_force_frequency", &s->tip.frequency, 1},
        {"tip_force_phase", &s->tip.phase, 1},
        {"links", (double[]){(double)s->n}, 1},
    };
    size_t count = sizeof values / sizeof *values - (strcmp(s->model, "chain-pendulum") ? 1 : 0);
    ph_system *system = NULL;
    tk_ok(ph_model_build(ph_model_find(s->model, NULL), values, count, &system, tk_err));
    return system;
}

static void random_motion(size_t n, tk_random *r, double *z, double *v)
{
    for (size_t i = 0; i < n; i++) {
        tk_unit(r, z + 3 * i);
        tk_tangent(r, z + 3 * i, v + 3 * i);
    }
}

/* x_k or its velocity: sum_{j<=k} l_j w_j. */
static void mass_vector(const setup *s, size_t k, const double *w, long double x[3])
{
    x[0] = x[1] = x[2] = 0;
    for (size_t j = 0; j <= k; j++)
        for (size_t a = 0; a < 3; a++)
            x[a] += (long double)s->l[j] * w[3 * j + a];
}

static void load_at(const load *f, double t, double value[3])
{
    for (int a = 0; a < 3; a++)
        value[a] = f->constant[a] + f->amplitude[a] * sin(f->frequency * t + f->phase);
}

/* Run a check on every chain with random setups of these loads. */
static void each_chain(int which, unsigned loads,
                       void (*check)(const setup *, const ph_system *, tk_random *))
{
    tk_random r = {2000 + (uint64_t)which};
    for (int trial = 0; trial < 50; trial++) {
        setup s = random_setup(which, loads, &r);
        TK_OWN(ph_system) *system = build(&s);
        check(&s, system, &r);
    }
}

/* ---- Energies ----------------------------------------------------------------------------------- */

/* T = sum m_k |v_k|^2 / 2, U = - sum m_k G.x_k. Both sum n^2 and n rounded terms, all positive for T
 * up to the angles between links: n^2 eps of the sum of the magnitudes. */
static void check_energies(const setup *s, const ph_system *system, tk_random *r)
{
    double z[NZ], v[NZ], U;
    long double T = 0, V = 0, Tsize = 0, Vsize = 0;
    random_motion(s->n, r, z, v);
    for (size_t k = 0; k < s->n; k++) {
        long double x[3], xdot[3], reach = 0, speed = 0;
        mass_vector(s, k, z, x);
        mass_vector(s, k, v, xdot);
        for (size_t j = 0; j <= k; j++) {
            reach += s->l[j];
            speed += s->l[j] * ph_norm3(v + 3 * j);
        }
        for (int a = 0; a < 3; a++) {
            T += s->m[k] * xdot[a] * xdot[a] / 2;
            V -= s->m[k] * s->G[a] * x[a];
        }
        Tsize += s->m[k] * speed * speed / 2;
        Vsize += s->m[k] * ph_norm3(s->G) * reach;
    }
    tk_ok(ph_system_potential(system, z, &U));
    ck_assert(fabsl(tk_kinetic(system, z, v) - T) <= (double)(s->n * s->n + 2) * eps * Tsize);
    ck_assert(fabsl(U - V) <= (double)(s->n + 2) * eps * Vsize);
}

TEST_EACH(energies_are_those_of_point_masses, CHAINS)
{
    each_chain(_i, 0, check_energies);
}

/* U is linear in z, so central differences have no truncation error, whatever the step: here 1. */
static void check_gradient(const setup *s, const ph_system *system, tk_random *r)
{
    double z[NZ], v[NZ], dU[NZ], size = 0;
    random_motion(s->n, r, z, v);
    tk_ok(ph_system_gradient(system, z, dU));
    for (size_t i = 0; i < 3 * s->n; i++)
        size += fabs(dU[i]);
    for (size_t i = 0; i < 3 * s->n; i++) {
        double ahead, behind, keep = z[i];
        z[i] = keep + 1;
        tk_ok(ph_system_potential(system, z, &ahead));
        z[i] = keep - 1;
        tk_ok(ph_system_potential(system, z, &behind));
        z[i] = keep;
        ck_assert(fabs((ahead - behind) / 2 - dU[i]) <= 4 * (double)s->n * eps * size);
    }
}

TEST_EACH(gradient_is_the_derivative, CHAINS)
{
    each_chain(_i, ALL, check_gradient);
}

/* M^-1 is tridiagonal: (1/m_i + 1/m_(i-1))/l_i^2 with 1/m_0 = 0, and -1/(m_i l_i l_(i+1)) off the diagonal.
 * M D = 1 to rounding of terms as large as the ratios of the masses and lengths, 1e4. */
static void check_inverse(const setup *s, const ph_system *system, tk_random *r)
{
    const double *M = ph_system_inertia(system);
    size_t n = s->n;
    (void)r;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = j ? j - 1 : 0; k <= j + 1 && k < n; k++) {
                size_t low = k < j ? k : j;
                double D = k == j ? (1 / s->m[j] + (j ? 1 / s->m[j - 1] : 0)) / (s->l[j] * s->l[j])
                                  : -1 / (s->m[low] * s->l[low] * s->l[low + 1]);
                sum += M[i * n + k] * D;
            }
            ck_assert(fabs(sum - (i == j)) <= 1e4 * 10 * eps);
        }
}

TEST_EACH(inverse_inertia_is_tridiagonal, CHAINS)
{
    each_chain(_i, 0, check_inverse);
}

/* ---- Forces ------------------------------------------------------------------------------------- */

/* Virtual work of sum f_i . delta q_i on any tangent displacement: the torque turns link 1 by
 * q_1 x delta q_1, the force moves the last mass, a damper opposes the relative motion of its links. */
static void check_work(const setup *s, const ph_system *system, tk_random *r)
{
    double z[NZ], v[NZ], w[NZ], other[NZ], f[NZ], tau[3], d[3], turn[3], t = tk_uniform(r, -5, 5);
    long double tip[3], expected = 0, work = 0, size = 0;
    random_motion(s->n, r, z, v);
    random_motion(s->n, r, other, w);
    for (size_t i = 0; i < s->n; i++)
        tk_tangent(r, z + 3 * i, w + 3 * i);
    load_at(&s->torque, t, tau);
    load_at(&s->tip, t, d);
    ph_cross3(z, w, turn);
    mass_vector(s, s->n - 1, w, tip);
    for (size_t a = 0; a < 3; a++)
        expected += tau[a] * turn[a] + d[a] * tip[a];
    for (size_t i = 0; i < s->n; i++)
        for (size_t a = 0; a < 3; a++) {
            double rate = v[3 * i + a] - (i ? v[3 * i - 3 + a] : 0),
                   bend = w[3 * i + a] - (i ? w[3 * i - 3 + a] : 0);
            expected -= (long double)s->c[i] * rate * bend;
        }
    for (size_t i = 0; i < 3 * s->n; i++)
        f[i] = NAN; /* every entry must be written */
    tk_ok(ph_system_force(system, t, z, v, f));
    for (size_t i = 0; i < 3 * s->n; i++) {
        work += (long double)f[i] * w[i];
        size += fabs(f[i] * w[i]);
    }
    ck_assert(fabsl(work - expected) <= 1e-14 * (size + 100)); /* 100: damper terms that cancel in f */
}

TEST_EACH(force_does_the_work_of_its_loads, CHAINS)
{
    static const unsigned loads[] = {DAMPING, TORQUE, TORQUE_WAVE, TIP, TIP_WAVE, TORQUE | TIP_WAVE, ALL};
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++)
        each_chain(_i, loads[k], check_work);
}

/* q_1 x f_1 is the part of the torque perpendicular to q_1 (two-spheres paper, (40), corrected). */
static void check_torque(const setup *s, const ph_system *system, tk_random *r)
{
    double z[NZ], v[NZ], f[NZ], moment[3], tau[3], t = tk_uniform(r, -5, 5);
    random_motion(s->n, r, z, v);
    load_at(&s->torque, t, tau);
    tk_ok(ph_system_force(system, t, z, v, f));
    ph_cross3(z, f, moment);
    for (int a = 0; a < 3; a++)
        ck_assert(fabs(moment[a] - (tau[a] - ph_dot3(z, tau) * z[a])) <= 8 * eps * ph_norm3(tau));
    for (size_t i = 3; i < 3 * s->n; i++)
        ck_assert(f[i] == 0);
}

TEST_EACH(torque_acts_on_the_first_link, CHAINS)
{
    each_chain(_i, TORQUE | TORQUE_WAVE, check_torque);
}

/* The forces are linear in the velocity: differences over 2 are exact but for rounding. */
static void check_force_dv(const setup *s, const ph_system *system, tk_random *r)
{
    double z[NZ] = {0}, v[NZ] = {0}, ahead[NZ], behind[NZ], dfdv[NZ * NZ], work[3 * NZ];
    size_t nz = 3 * s->n;
    random_motion(s->n, r, z, v);
    for (size_t i = 0; i < nz * nz; i++)
        dfdv[i] = NAN; /* zeros must be written, too */
    tk_ok(ph_system_force_dv(system, 0.3, z, v, dfdv, work));
    for (size_t j = 0; j < nz; j++) {
        double keep = v[j];
        v[j] = keep + 1;
        tk_ok(ph_system_force(system, 0.3, z, v, ahead));
        v[j] = keep - 1;
        tk_ok(ph_system_force(system, 0.3, z, v, behind));
        v[j] = keep;
        for (size_t i = 0; i < nz; i++)
            ck_assert(fabs((ahead[i] - behind[i]) / 2 - dfdv[i * nz + j]) <= 1e-13);
    }
}

TEST_EACH(force_dv_is_the_derivative, CHAINS)
{
    each_chain(_i, ALL, check_force_dv);
    each_chain(_i, DAMPING, check_force_dv);
    each_chain(_i, TORQUE | TIP, check_force_dv);
    each_chain(_i, 0, check_force_dv);
}

/* Dampers only take energy: f.v <= 0, and = 0 at rest only. */
static void check_dissipation(const setup *s, const ph_system *system, tk_random *r)
{
    double z[NZ], v[NZ], f[NZ], power = 0;
    random_motion(s->n, r, z, v);
    tk_ok(ph_system_force(system, 0, z, v, f));
    for (size_t i = 0; i < 3 * s->n; i++)
        power += f[i] * v[i];
    ck_assert(power < 0);
}

TEST_EACH(damping_dissipates, CHAINS)
{
    each_chain(_i, DAMPING, check_dissipation);
}

TEST_EACH(force_flags, CHAINS)
{
    tk_random r = {5};
    for (unsigned loads = 0; loads <= ALL; loads++) {
        setup s = random_setup(_i, loads, &r);
        TK_OWN(ph_system) *system = build(&s);
        ck_assert_int_eq(ph_system_has_force(system), loads != 0);
        ck_assert_int_eq(ph_system_force_ignores_velocity(system), !(loads & DAMPING));
    }
}

/* ---- Symmetries --------------------------------------------------------------------------------- */

/* The map is the angular momentum of the masses about the axis, axis . sum x_k x m_k v_k. */
static void check_map(const setup *s, const ph_system *system, size_t i, tk_random *r)
{
    const double *axis = ph_system_symmetry(system, i)->axis;
    double z[NZ], v[NZ], p[NZ], f[NZ], work[NZ], J, power = 0, loose = 0;
    long double expected = 0, size = 0;
    random_motion(s->n, r, z, v);
    tk_momentum(system, z, v, p);
    tk_ok(ph_system_momentum_map(system, i, z, p, &J, work));
    for (size_t k = 0; k < s->n; k++) {
        long double x[3], xdot[3], reach = 0, speed = 0;
        mass_vector(s, k, z, x);
        mass_vector(s, k, v, xdot);
        for (int a = 0; a < 3; a++)
            expected +=
                axis[a] * s->m[k] * (x[(a + 1) % 3] * xdot[(a + 2) % 3] - x[(a + 2) % 3] * xdot[(a + 1) % 3]);
        for (size_t j = 0; j <= k; j++) {
            reach += s->l[j];
            speed += s->l[j] * ph_norm3(v + 3 * j);
        }
        size += s->m[k] * reach * speed;
    }
    ck_assert(fabsl(J - expected) <= (double)(s->n * s->n + 4) * eps * size);
    ck_assert(fabs(ph_norm3(axis) - 1) <= 2 * eps);
    /* and nothing changes it: neither gravity nor the loads have a moment about the axis */
    tk_ok(ph_system_gradient(system, z, work));
    tk_ok(ph_system_force(system, 0.7, z, v, f));
    for (size_t j = 0; j < s->n; j++) {
        double moment[3], total[3];
        for (size_t a = 0; a < 3; a++)
            total[a] = f[3 * j + a] - work[3 * j + a];
        ph_cross3(z + 3 * j, total, moment);
        power += ph_dot3(axis, moment);
        loose += ph_norm3(total);
    }
    ck_assert(fabs(power) <= 8 * eps * loose);
}

static void expect_symmetries(const setup *s, size_t n, const char *first, const double *axis)
{
    tk_random r = {6};
    TK_OWN(ph_system) *system = build(s);
    ck_assert_uint_eq(ph_system_symmetries(system), n);
    if (n) {
        ck_assert_str_eq(ph_system_symmetry(system, 0)->name, first);
        for (int a = 0; a < 3; a++)
            ck_assert(fabs(ph_system_symmetry(system, 0)->axis[a] - axis[a]) <= eps);
    }
    for (size_t i = 0; i < n; i++)
        for (int trial = 0; trial < 20; trial++)
            check_map(s, system, i, &r);
}

#define SET(x, a, b, c) ((x)[0] = (a), (x)[1] = (b), (x)[2] = (c))
static const double ex[3] = {1, 0, 0}, ey[3] = {0, 1, 0}, up[3] = {0, 0, 1};

TEST_EACH(symmetries_without_loads, CHAINS)
{
    tk_random r = {7};
    setup s = random_setup(_i, 0, &r);
    const double oblique[3] = {-2. / 3, -1. / 3, 2. / 3};
    SET(s.G, 0, 0, -9.81);
    expect_symmetries(&s, 1, "Jg", up);
    SET(s.G, 0, 0, 9.81); /* the axis is +e3 here, too */
    expect_symmetries(&s, 1, "Jg", up);
    SET(s.G, 2, 1, -2);
    expect_symmetries(&s, 1, "Jg", oblique);
    SET(s.G, 0, 0, 0);
    expect_symmetries(&s, 3, "Jx", ex);
}

TEST_EACH(symmetries_with_loads, CHAINS)
{
    static const unsigned breaking[] = {DAMPING, TORQUE, TORQUE_WAVE, TIP, TIP_WAVE, ALL};
    tk_random r = {8};
    for (size_t k = 0; k < sizeof breaking / sizeof *breaking; k++) {
        setup s = random_setup(_i, breaking[k], &r);
        expect_symmetries(&s, 0, NULL, NULL);
        SET(s.G, 0, 0, 0);
        expect_symmetries(&s, 0, NULL, NULL);
    }
    setup s = random_setup(_i, TIP | TIP_WAVE, &r); /* a force on the tip along the axis is harmless */
    SET(s.G, 0, 0, -1);
    SET(s.tip.constant, 0, 0, 3);
    SET(s.tip.amplitude, 0, 0, -2);
    expect_symmetries(&s, 1, "Jg", up);
    SET(s.G, 0, 0, 0);
    SET(s.tip.constant, 0, 3, 0);
    SET(s.tip.amplitude, 0, 1, 0);
    expect_symmetries(&s, 1, "Jy", ey);
    SET(s.tip.amplitude, 0, 1, 1);
    expect_symmetries(&s, 0, NULL, NULL);
}

int main(void)
{
    return tk_run("chain");
}
