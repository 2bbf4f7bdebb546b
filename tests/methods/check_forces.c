/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces in the discrete Lagrange-d'Alembert principle: order 2 with drag, relative damping, gyroscopic and
 * time-dependent forces; the change of energy is the work done, to the order; a step and its reverse are the
 * identity nevertheless; exact and differenced df/dv give the same step; only the root on the branch from
 * h = 0 is accepted. */
#include "tests/kit/testkit.h"

enum { LINKS = 3 };

typedef struct forced {
    tk_chain c;
    int kind;
    int calls; /* of force_dv */
} forced;

enum { DRAG, RELATIVE_DAMPING, GYROSCOPIC, TIME_DEPENDENT, QUADRATIC_DRAG, KINDS };
static const char *const names[KINDS] = {"drag", "relative damping", "gyroscopic force",
                                         "time-dependent force", "quadratic drag"};

static const double axis[3] = {0.3, -0.8, 1.1};

static ph_status force(void *user, double t, const double *z, const double *v, double *f)
{
    const forced *s = user;
    for (size_t i = 0; i < LINKS; i++) {
        double turn[3];
        ph_cross3(axis, v + 3 * i, turn);
        double speed = ph_norm3(v + 3 * i);
        for (size_t k = 0; k < 3; k++) {
            size_t at = 3 * i + k;
            double above = i ? v[at - 3] : 0, below = i + 1 < LINKS ? v[at + 3] : v[at];
            switch (s->kind) {
            case DRAG:
                f[at] = -0.4 * v[at];
                break;
            case RELATIVE_DAMPING:
                f[at] = -0.5 * (v[at] - above) + 0.5 * (below - v[at]);
                break;
            case GYROSCOPIC:
                f[at] = turn[k];
                break;
            case TIME_DEPENDENT:
                f[at] = 2 * sin(3 * t + (double)at) + z[at] * cos(t);
                break;
            default:
                f[at] = -0.3 * speed * v[at];
            }
        }
    }
    return PH_OK;
}

static ph_status force_dv(void *user, double t, const double *z, const double *v, double *J)
{
    forced *s = user;
    const size_t m = 3 * LINKS;
    (void)t, (void)z;
    s->calls++;
    memset(J, 0, m * m * sizeof *J);
    for (size_t i = 0; i < LINKS; i++) {
        double speed = ph_norm3(v + 3 * i);
        const double hat[3][3] = {{0, -axis[2], axis[1]}, {axis[2], 0, -axis[0]}, {-axis[1], axis[0], 0}};
        for (size_t k = 0; k < 3; k++)
            for (size_t l = 0; l < 3; l++) {
                double *entry = J + (3 * i + k) * m + 3 * i + l;
                if (s->kind == DRAG)
                    *entry = k == l ? -0.4 : 0;
                else if (s->kind == GYROSCOPIC)
                    *entry = hat[k][l];
                else if (s->kind == QUADRATIC_DRAG && speed > 0)
                    *entry = -0.3 * ((k == l ? speed : 0) + v[3 * i + k] * v[3 * i + l] / speed);
                else if (s->kind == RELATIVE_DAMPING && k == l) {
                    *entry = i + 1 < LINKS ? -1 : -0.5;
                    if (i)
                        entry[-3] = 0.5;
                    if (i + 1 < LINKS)
                        entry[3] = 0.5;
                }
            }
    }
    return PH_OK;
}

static ph_system *forced_system(forced *s, int kind, int differenced)
{
    static const double m[LINKS] = {1, 0.7, 1.2}, l[LINKS] = {1, 0.8, 0.6}, gravity[3] = {0, 0, -9.81};
    s->kind = kind;
    s->calls = 0;
    tk_chain_fill(&s->c, LINKS, m, l, gravity);
    ph_system_definition d = tk_chain_definition(&s->c);
    d.force = force;
    d.force_dv = differenced ? NULL : force_dv;
    d.force_ignores_velocity = kind == TIME_DEPENDENT;
    d.user = s;
    return tk_create(&d, LINKS);
}

static void start_state(double *q, double *v)
{
    static const double q0[9] = {0.6, 0, -0.8, 0.48, 0.6, -0.64, 0, 0.28, -0.96};
    static const double w0[9] = {0.4, 1.5, 0.3, -0.5, 1, 1, 2, 0.2, 0.1};
    for (size_t i = 0; i < LINKS; i++) {
        memcpy(q + 3 * i, q0 + 3 * i, 3 * sizeof *q);
        ph_cross3(w0 + 3 * i, q + 3 * i, v + 3 * i);
    }
}

/* State after 2 s, and the work of the force on the way by the trapezoidal rule of the step's own forces. */
static void after_2s(const ph_system *system, const char *method, double h, double *z, double *energy_defect)
{
    double q[9], v[9], f[9], work = 0;
    ph_measures a, b;
    start_state(q, v);
    TK_MAKE(ph_diagnostics, dg, ph_diagnostics_create(system, &dg, NULL));
    TK_START(it, state, system, method, NULL, h, q, v);
    tk_ok(ph_diagnostics_measure(dg, state, &a));
    int64_t steps = (int64_t)(2 / h + 0.5);
    for (int64_t k = 0; k < steps; k++) {
        memcpy(q, state->z, sizeof q);
        double t = state->t;
        tk_ok(ph_integrator_step(it, state, 1));
        for (size_t i = 0; i < 9; i++)
            v[i] = (state->z[i] - q[i]) / h;
        tk_ok(ph_system_force(system, t, q, v, f));
        for (size_t i = 0; i < 9; i++)
            work += 0.5 * h * f[i] * v[i];
        tk_ok(ph_system_force(system, state->t, state->z, v, f));
        for (size_t i = 0; i < 9; i++)
            work += 0.5 * h * f[i] * v[i];
    }
    tk_ok(ph_diagnostics_measure(dg, state, &b));
    memcpy(z, state->z, 9 * sizeof *z);
    memcpy(z + 9, state->p, 9 * sizeof *z);
    *energy_defect = fabs(b.energy - a.energy - work);
}

TEST_EACH(order_2_and_the_energy_balance, KINDS)
{
    static const double h[] = {4e-3, 2e-3, 1e-3, 5e-4};
    forced s;
    double reference[18], z[18], error[4], defect[4], ignored, change;
    TK_OWN(ph_system) *system = forced_system(&s, _i, 0);
    /* errs by less than a thousandth of what it judges */
    after_2s(system, "rk4-projected", 4e-4, reference, &ignored);
    for (int i = 0; i < 4; i++) {
        after_2s(system, "variational", h[i], z, &defect[i]);
        error[i] = tk_max_difference(z, reference, 18);
    }
    change = tk_slope(h, defect, 4);
    printf("%s: error after 2 s %.1e (h = 4e-3) ... %.1e (h = 5e-4), slope %.4f; "
           "energy change less work %.1e ... %.1e J, slope %.3f\n",
           names[_i], error[0], error[3], tk_slope(h, error, 4), defect[0], defect[3], change);
    ck_assert_double_eq_tol(tk_slope(h, error, 4), 2, 0.03);
    ck_assert_double_eq_tol(change, 2, 0.1);
}

TEST_EACH(a_forced_step_and_its_reverse_are_the_identity, KINDS)
{
    forced s;
    double q[9], v[9], p[9];
    TK_OWN(ph_system) *system = forced_system(&s, _i, 0);
    start_state(q, v);
    TK_START(it, state, system, "variational", NULL, 0.01, q, v);
    memcpy(q, state->z, sizeof q);
    memcpy(p, state->p, sizeof p);
    tk_ok(ph_integrator_step(it, state, 10));
    tk_ok(ph_integrator_set_step_size(it, -0.01));
    tk_ok(ph_integrator_step(it, state, 10));
    ck_assert_double_le(tk_max_difference(state->z, q, 9), 1e-13);
    ck_assert_double_le(tk_max_difference(state->p, p, 9), 1e-13 * 10);
}

/* The Newton matrix affects only the convergence: exact and differenced derivatives lead to the same root,
 * and the exact one needs about as few iterations as the conservative system does. */
TEST_EACH(exact_and_differenced_derivatives_agree, KINDS)
{
    double z[2][9], passes[2];
    for (int differenced = 0; differenced < 2; differenced++) {
        forced s;
        double q[9], v[9];
        TK_OWN(ph_system) *system = forced_system(&s, _i, differenced);
        start_state(q, v);
        TK_START(it, state, system, "variational", NULL, 0.01, q, v);
        tk_ok(ph_integrator_step(it, state, 50));
        memcpy(z[differenced], state->z, sizeof q);
        passes[differenced] = (double)ph_integrator_statistics(it)->newton_passes / 50;
        ck_assert_int_eq(s.calls > 0, !differenced && _i != TIME_DEPENDENT);
    }
    printf("%s: Newton passes a step %.2f (exact df/dv), %.2f (differenced)\n", names[_i], passes[0],
           passes[1]);
    ck_assert_double_le(tk_max_difference(z[0], z[1], 9), 1e-12);
    ck_assert_double_le(passes[0], 5); /* cold start and first extrapolations included */
    ck_assert_double_le(passes[1], 5);
}

/* ---- Roots with strong forces ------------------------------------------------------------------- */

/* One unit pendulum without gravity, q = e1, qdot = e2, damping c, run backwards with h = -0.01: the step
 * solves (1 + c h/2) sin(turn) = h, so its branch from h = 0 ends at c |h|/2 = 1 - |h|, c = 198. Beyond
 * c = 200 there is a root again, with the wrong sign: both eigenvalues of the Jacobian have changed theirs
 * and det J > 0. */
TEST_EACH(no_root_is_taken_beyond_a_pole, 12)
{
    static const double c[] = {100, 190, 197.9, 198.1, 199, 201, 250, 300, 600, 1e3, 1e4, 1e6};
    const double one = 1, h = -0.01, q[3] = {1, 0, 0}, v[3] = {0, 1, 0}, gravity[3] = {0, 0, 0};
    const ph_parameter_value values[] = {
        {"mass", &one, 1}, {"length", &one, 1}, {"gravity", gravity, 3}, {"damping", &c[_i], 1}};
    ph_error err = {PH_OK, ""};
    TK_OWN(ph_system) *system = NULL;
    ck_assert_msg(!ph_model_build(ph_model_find("spherical-pendulum", NULL), values, 4, &system, &err), "%s",
                  err.message);
    TK_START(it, state, system, "variational", NULL, h, q, v);
    ph_status status = ph_integrator_step(it, state, 1);
    if (c[_i] < 198) {
        tk_ok(status);
        ck_assert_double_eq_tol(state->z[1], h / (1 + 0.5 * c[_i] * h), 1e-13);
        ck_assert_double_gt(state->z[0], 0);
    } else {
        ck_assert_int_eq(status, PH_E_NO_SOLUTION);
        ck_assert_double_eq(state->z[1], 0);
    }
}

static ph_status growing_drag(void *user, double t, const double *z, const double *v, double *f)
{
    const double *c = user; /* before and after t = -0.055 */
    (void)z;
    for (size_t k = 0; k < 3; k++)
        f[k] -= (t > -0.055 ? c[0] : c[1]) * v[k];
    return PH_OK;
}

/* The same with a warm start: the damping jumps while the pendulum moves. The wrong root is then only 0.04
 * rad from the extrapolated guess, and the equations are as good as linear there. */
TEST_EACH(no_root_is_taken_beyond_a_pole_later_either, 2)
{
    double c[2] = {100, _i ? 120 : 300}, q[3] = {1, 0, 0}, v[3] = {0, 1e-3, 0};
    const double one = 1, gravity[3] = {0, 0, 0};
    const ph_parameter_value values[] = {{"mass", &one, 1}, {"length", &one, 1}, {"gravity", gravity, 3}};
    TK_OWN(ph_system) *bare = NULL;
    tk_ok(ph_model_build(ph_model_find("spherical-pendulum", NULL), values, 3, &bare, NULL));
    ph_system_definition drag = {.force = growing_drag, .user = c};
    TK_MAKE(ph_system, driven, ph_system_create_forced(bare, &drag, &driven, NULL));
    TK_START(it, state, driven, "variational", NULL, -0.01, q, v);
    tk_ok(ph_integrator_step(it, state, 6)); /* to t = -0.06 with c = 100 at the start of each step */
    ph_status status = ph_integrator_step(it, state, 1);
    ck_assert_int_eq(status, _i ? PH_OK : PH_E_NO_SOLUTION);
    ck_assert_int_eq((int)state->k, _i ? 7 : 6);
}

/* ---- Roots with sudden forces -------------------------------------------------------------------- */

/* Pairs of spheres of inertia [1 mu; mu 1] in a plane, at an angle a to each other and driven as mirror
 * images: one turns by x, the other by -x. A step solves
 *     sin x + mu (sin(a - x) - sin a) = b,    that is    R sin(x + phi) = b + mu sin a,
 *     R cos phi = 1 - mu cos a,  R sin phi = mu sin a,
 * with b the momentum carried along plus the push. The branch from x = 0 ends at x + phi = pi/2; for each
 * root on it there is one behind the fold, x' = pi - 2 phi - x, where the Jacobian has one negative
 * eigenvalue for each pair (two for mu = 0, where a pair falls apart). Pushes make the pair swing to and fro
 * before the step that is judged, and by how much it swings decides what guess is extrapolated.
 *
 * The motion is plane, and the same for circles, and for bodies with (1/2) of this inertia at each entry of R
 * (two columns turn): these, and spheres whose inertia is given in full, are stepped by the form of the
 * method for products; an inertia that is given by a callback, by the form for any Lagrangian. For bodies the
 * force is declared to depend on the velocity, as they would otherwise be stepped one by one where mu = 0. */
enum { MOST_PAIRS = 2, SWINGS = 2, MOST_NZ = 18 * MOST_PAIRS };
typedef enum given { BY_PAIRS, IN_FULL, BY_CALLBACK } given;
static const struct {
    ph_factor_kind kind;
    given given;
    size_t nz, sine; /* cos is entry 0, sin this one */
    double inertia;
} wheels[] = {{PH_FACTOR_S2, BY_PAIRS, 3, 1, 1},      {PH_FACTOR_S2, IN_FULL, 3, 1, 1},
              {PH_FACTOR_S1, IN_FULL, 2, 1, 1},       {PH_FACTOR_SO3, IN_FULL, 9, 3, 0.5},
              {PH_FACTOR_S2, BY_CALLBACK, 3, 1, 1},   {PH_FACTOR_S1, BY_CALLBACK, 2, 1, 1},
              {PH_FACTOR_SO3, BY_CALLBACK, 9, 3, 0.5}};
enum { WHEELS = sizeof wheels / sizeof *wheels };

/* What the user of every system of wheels begins with. */
typedef struct inertia {
    size_t nz;
    double MM[MOST_NZ * MOST_NZ];
} inertia;

static ph_status call_inertia(void *user, const double *z, double *MM)
{
    const inertia *s = user;
    (void)z;
    memcpy(MM, s->MM, s->nz * s->nz * sizeof *MM);
    return PH_OK;
}

static ph_status call_inertia_dz(void *user, const double *z, double *dM)
{
    const inertia *s = user;
    (void)z;
    memset(dM, 0, s->nz * s->nz * s->nz * sizeof *dM);
    return PH_OK;
}

static ph_system *create_wheels(int wheel, const double *M, size_t n, const ph_system_definition *other)
{
    ph_factor factors[2 * MOST_PAIRS];
    inertia *full = other->user;
    size_t d = wheels[wheel].nz;
    ph_system_definition definition = *other;
    for (size_t i = 0; i < n; i++)
        factors[i] = (ph_factor){.kind = wheels[wheel].kind};
    *full = (inertia){.nz = d * n};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < d; k++)
                full->MM[(d * i + k) * d * n + d * j + k] = wheels[wheel].inertia * M[i * n + j];
    TK_OWN(ph_space) *space = tk_space(factors, n);
    definition.space = space;
    definition.inertia = wheels[wheel].given == BY_PAIRS ? M : NULL;
    definition.ambient_inertia = wheels[wheel].given == IN_FULL ? full->MM : NULL;
    definition.ambient_inertia_at = wheels[wheel].given == BY_CALLBACK ? call_inertia : NULL;
    definition.inertia_dz = wheels[wheel].given == BY_CALLBACK ? call_inertia_dz : NULL;
    return tk_defined(&definition);
}

static void set_wheel(int wheel, double angle, double *z)
{
    memset(z, 0, wheels[wheel].nz * sizeof *z);
    z[0] = cos(angle);
    z[wheels[wheel].sine] = sin(angle);
    if (wheels[wheel].kind == PH_FACTOR_SO3) {
        z[1] = -sin(angle);
        z[4] = cos(angle);
        z[8] = 1;
    }
}

/* The swing whose extrapolation, `times` itself, is the guess. On spheres increments D are extrapolated: the
 * tangent part is taken for the sine of the turn, or where it is nearly one or more for the turn itself. */
static double swing_for(int wheel, double times, double guess)
{
    if (wheels[wheel].kind != PH_FACTOR_S2)
        return guess / times;
    return asin((guess > asin(sqrt(0.9)) ? guess : sin(guess)) / times);
}

typedef struct mirror {
    inertia inertia;
    int wheel;
    size_t pairs;
    double mu, angle;
    double push[SWINGS + 1];
    ph_system *system;
    ph_integrator *it;
    ph_state *state;
} mirror;

static const double mirror_h = 0.1;

static ph_status mirror_force(void *user, double t, const double *z, const double *v, double *f)
{
    const mirror *m = user;
    long k = lround(t / mirror_h);
    (void)v;
    for (size_t i = 0; i < 2 * m->pairs && k <= SWINGS; i++) {
        const double F = i % 2 ? -m->push[k] : m->push[k], moment[3] = {0, 0, F},
                     *q = z + wheels[m->wheel].nz * i;
        double *own = f + wheels[m->wheel].nz * i;
        if (wheels[m->wheel].kind == PH_FACTOR_SO3) {
            ph_add_moment3(q, moment, own);
        } else { /* along e3 x q */
            own[0] -= F * q[1];
            own[1] += F * q[0];
        }
    }
    return PH_OK;
}

static void take_a_step(mirror *m)
{
    ck_assert_msg(!ph_integrator_step(m->it, m->state, 1), "wheel %d: %s", m->wheel,
                  ph_integrator_message(m->it));
}

/* Ready for the step from the given angle that has a root at x, with the guess `off` short of it. */
static void open_mirror(mirror *m, double x, double off)
{
    double M[4 * MOST_PAIRS * MOST_PAIRS] = {0}, z[MOST_NZ] = {0}, rest[MOST_NZ] = {0};
    double angle = m->angle, carried = 0;
    size_t n = 2 * m->pairs, nz = wheels[m->wheel].nz, sine = wheels[m->wheel].sine;
    const double swing = swing_for(m->wheel, 3, x - off); /* twice the last less the one before */
    const double turns[SWINGS + 1] = {-swing, swing, x};
    for (size_t k = 0; k <= SWINGS; k++) {
        double b = sin(turns[k]) + m->mu * (sin(angle - turns[k]) - sin(angle));
        /* half of it comes at the end of the step before */
        m->push[k] = (k ? 1 : 2) * (b - carried) / (mirror_h * mirror_h);
        carried = sin(turns[k]) + m->mu * (sin(angle - 2 * turns[k]) - sin(angle - turns[k]));
        angle -= 2 * turns[k];
    }
    for (size_t i = 0; i < n; i++) {
        M[i * n + i] = 1;
        M[i * n + (i ^ 1)] = m->mu;
        set_wheel(m->wheel, i % 2 ? m->angle : 0, z + nz * i);
    }
    ph_system_definition d = {
        .force = mirror_force, .force_ignores_velocity = wheels[m->wheel].kind != PH_FACTOR_SO3, .user = m};
    m->system = create_wheels(m->wheel, M, n, &d);
    tk_start(m->system, "variational", NULL, mirror_h, z, rest, &m->it, &m->state);
    take_a_step(m);
    ck_assert_double_eq_tol(m->state->z[sine], -sin(swing), 1e-14);
    take_a_step(m);
    ck_assert_double_eq_tol(m->state->z[sine], 0, 1e-14);
}

static void take_the_step(mirror *m, double x)
{
    take_a_step(m);
    for (size_t i = 0; i < 2 * m->pairs; i++) {
        double to[9];
        set_wheel(m->wheel, i % 2 ? m->angle - x : x, to);
        ck_assert_double_le(tk_max_difference(m->state->z + wheels[m->wheel].nz * i, to, wheels[m->wheel].nz),
                            1e-12);
    }
}

static void close_mirror(mirror *m)
{
    tk_end(m->it, m->state);
    ph_system_free(m->system);
}

TEST_EACH(no_root_is_taken_behind_a_fold, 8)
{
    static const struct {
        size_t pairs;
        double mu, angle, behind, off; /* x' and how far the guess is from it */
    } cases[] = {
        {1, 0.9, M_PI / 2, 0.98, 0.003}, /* det J < 0 */
        {2, 0.9, M_PI / 2, 0.98, 0.003}, /* det J > 0 */
        {2, 0.9, M_PI / 2, 0.98, 0.02},  /* contracts slowly */
        {1, 0, M_PI / 2, 1.94, 0.003},   /* det J > 0 */
        {1, 0, M_PI / 2, 1.94, 0.06},    /* contracts slowly */
        {2, 0, 1, 1.94, 0.003},
        {1, 0.99, 0.1415, 0.22, 0.001}, /* the fold is at 0.142, where it is nearest for this mu */
        {2, 0.99, 0.1415, 0.22, 0.001},
    };
    mirror m = {0};
    for (m.wheel = 0; m.wheel < WHEELS; m.wheel++) {
        m.pairs = cases[_i].pairs, m.mu = cases[_i].mu, m.angle = cases[_i].angle;
        double phi = atan2(m.mu * sin(m.angle), 1 - m.mu * cos(m.angle));
        ck_assert_double_gt(cases[_i].behind, M_PI / 2 - phi);
        open_mirror(&m, cases[_i].behind, cases[_i].off);
        take_the_step(&m, M_PI - 2 * phi - cases[_i].behind);
        close_mirror(&m);
    }
}

/* With mu = 0 Newton's corrections from a guess that is `off` by d are d and, to the order, (tan x / 2) d^2.
 * The guess is trusted where the first is below 0.1 and the second at most 1/20 of the first; else the branch
 * is followed, to the same root. */
TEST_EACH(a_guess_is_trusted_where_newton_contracts, 8)
{
    static const struct {
        double x, off;
        bool trusted;
    } cases[] = {
        {1.2, 0.003, true}, {1.2, 0.025, true},  /* 0.004, 0.032 */
        {1.2, 0.06, false}, {1.2, 0.09, false},  /* 0.077, 0.12 */
        {0.4, 0.07, true},  {0.4, -0.07, true},  /* 0.015 */
        {0.4, 0.13, false}, {0.4, -0.13, false}, /* the first correction is too large */
    };
    mirror m = {.pairs = 1, .mu = 0, .angle = 1};
    for (m.wheel = 0; m.wheel < WHEELS; m.wheel++) {
        open_mirror(&m, cases[_i].x, cases[_i].off);
        int64_t before = ph_integrator_statistics(m.it)->branches;
        take_the_step(&m, cases[_i].x);
        ck_assert_int_eq(ph_integrator_statistics(m.it)->branches - before, cases[_i].trusted ? 0 : 1);
        close_mirror(&m);
    }
}

/* One wheel of unit inertia, pushed to and fro backwards in time, and before the fourth step a drag c: it
 * solves (1 + s c h/2) sin x = b(s) at s = 1, but the left side vanishes at s = 1/2 where b does not, so that
 * the branch has ended before. There is a root beyond both this pole and a half turn, x = 4.34: both factors
 * of the Jacobian have changed their sign, and it is positive definite. The guess is next to it. */
static const double beyond_h = -0.1, beyond_drag = 40;
enum { BEYOND = 3 };

typedef struct beyond {
    inertia inertia;
    int wheel;
    double push[BEYOND + 1];
} beyond;

static ph_status beyond_force(void *user, double t, const double *z, const double *v, double *f)
{
    const beyond *b = user;
    long k = lround(t / beyond_h);
    const double moment[3] = {0, 0, k <= BEYOND ? b->push[k] : 0};
    size_t nz = wheels[b->wheel].nz;
    for (size_t i = 0; i < nz && k == BEYOND; i++)
        f[i] -= wheels[b->wheel].inertia * beyond_drag * v[i];
    if (wheels[b->wheel].kind == PH_FACTOR_SO3) {
        ph_add_moment3(z, moment, f);
    } else {
        f[0] -= moment[2] * z[1];
        f[1] += moment[2] * z[0];
    }
    return PH_OK;
}

TEST_EACH(no_root_is_taken_beyond_half_a_turn, WHEELS)
{
    const double x = M_PI + 1.2, h2 = beyond_h * beyond_h, one = 1, rest[9] = {0};
    /* 3 (y1 - y2) + y3 is seven swings after +swing, -swing, +swing */
    const double swing = swing_for(_i, 7, x - 0.003), side = sin(swing), A = 1 + 0.5 * beyond_drag * beyond_h;
    double z[9];
    beyond b = {.wheel = _i,
                .push = {2 * side / h2, -2 * side / h2, 2 * side / h2,
                         (A * sin(x) - side * (1 - 0.5 * beyond_drag * beyond_h)) / h2}};
    ph_system_definition d = {.force = beyond_force, .user = &b};
    TK_OWN(ph_system) *system = create_wheels(_i, &one, 1, &d);
    set_wheel(_i, 0, z);
    TK_START(it, state, system, "variational", NULL, beyond_h, z, rest);
    tk_ok(ph_integrator_step(it, state, BEYOND));
    ck_assert_double_eq_tol(state->z[wheels[_i].sine], side, 1e-13);
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_NO_SOLUTION);
}

/* ---- A further force on a ready system ---------------------------------------------------------- */

typedef struct drive {
    double tau[3], frequency, drag;
} drive;

static ph_status drive_force(void *user, double t, const double *z, const double *v, double *f)
{
    const drive *d = user;
    double tau[3];
    for (size_t k = 0; k < 3; k++)
        tau[k] = d->tau[k] * sin(d->frequency * t);
    ph_add_torque3(z, tau, f);
    for (size_t k = 0; k < 3; k++) /* a damper between the fixed frame and link 1 */
        f[k] -= d->drag * v[k];
    return PH_OK;
}

static ph_status drive_dv(void *user, double t, const double *z, const double *v, double *J)
{
    const drive *d = user;
    (void)t, (void)z, (void)v;
    for (size_t k = 0; k < 3; k++)
        J[k * 9 + k] -= d->drag;
    return PH_OK;
}

static ph_system *damped_chain(const double *torque, double frequency, double first_damper)
{
    const double damping[3] = {first_damper, 0.02, 0.03}, masses[3] = {1, 2, 0.5},
                 lengths[3] = {0.5, 0.4, 0.7};
    const ph_parameter_value values[] = {{"masses", masses, 3},
                                         {"lengths", lengths, 3},
                                         {"damping", damping, 3},
                                         {"torque_amplitude", torque, 3},
                                         {"torque_frequency", &frequency, 1}};
    ph_system *system = NULL;
    tk_ok(ph_model_build(ph_model_find("chain-pendulum", NULL), values, 5, &system, NULL));
    return system;
}

/* Torque and first damper by the model's parameters, and by a function on top of the model without them: the
 * same motion, with an exact and with a differenced derivative. */
TEST_EACH(any_function_can_drive_a_model, 2)
{
    drive d = {.tau = {0.7, -0.4, 1}, .frequency = 5, .drag = 0.3};
    const double nothing[3] = {0, 0, 0};
    double q[9], v[9], z[2][9], p[2][9];
    TK_OWN(ph_system) *whole = damped_chain(d.tau, d.frequency, d.drag);
    TK_OWN(ph_system) *bare = damped_chain(nothing, 0, 0);
    ph_system *driven = NULL;
    ph_system_definition added = {.force = drive_force, .force_dv = _i ? NULL : drive_dv, .user = &d};
    tk_ok(ph_system_create_forced(bare, &added, &driven, NULL));
    ck_assert(ph_system_has_force(driven) && !ph_system_force_ignores_velocity(driven));
    ck_assert_uint_eq(ph_system_symmetries(driven), 0);
    start_state(q, v);
    for (int which = 0; which < 2; which++) {
        TK_START(it, state, which ? driven : whole, "variational", NULL, 0.01, q, v);
        tk_ok(ph_integrator_step(it, state, 100));
        memcpy(z[which], state->z, sizeof q);
        memcpy(p[which], state->p, sizeof q);
        ck_assert_double_lt((double)ph_integrator_statistics(it)->newton_passes,
                            500); /* the derivative is right */
    }
    ck_assert_double_gt(tk_max_difference(z[0], q, 9), 0.1);
    ck_assert_double_le(tk_max_difference(z[0], z[1], 9), 1e-12);
    ck_assert_double_le(tk_max_difference(p[0], p[1], 9), 1e-12);
    added.inertia = nothing; /* an added force may not set it */
    ck_assert_int_eq(ph_system_create_forced(bare, &added, &driven, NULL), PH_E_INVALID);
    added = (ph_system_definition){.user = &d};
    ck_assert_int_eq(ph_system_create_forced(bare, &added, &driven, NULL), PH_E_INVALID);
    ph_system_free(driven);
}

int main(void)
{
    return tk_run("forces");
}
