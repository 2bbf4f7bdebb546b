/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaplygin reduction of systems that are known: the unsymmetric Chaplygin ball over SO(3), the ball on a
 * turntable with h = R^T, the driven snakeboard; bundles made from systems; every way in which a bundle may
 * be none; what is refused. The numbers at T were computed in 34 digits from explicit equations, two step
 * sizes agreeing to 1e-22. */
#include "sets.h"

static void says(const ph_error *err, const char *what)
{
    ck_assert_msg(strstr(err->message, what) && !strchr(err->message, '\n'), "\"%s\" does not say \"%s\"",
                  err->message, what);
}

static const ph_factor plane = {PH_FACTOR_R, 2, NULL}, rotation = {.kind = PH_FACTOR_SO3};

/* ---- The ball of Chaplygin: base SO(3), G = R^2, xdot = r omega x e3 ------------------------------------
 * */

static const double J_U[9] = {.8, .05, -.1, .05, 1.1, .07, -.1, .07, 1.3}, m_ball = 1.3, r_ball = 0.9;

/* J_d = (tr J / 2) I - J for each row of R, m for the centre; a row that acts on omega as c . omega is S(c)
 * R / 2. */
static ph_status ball(void *user, const double *R, const ph_bundle_data *d)
{
    const double trace = J_U[0] + J_U[4] + J_U[8];
    (void)user;
    for (size_t a = 0; a < 3; a++)
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++)
                d->K[(3 * a + i) * 11 + 3 * a + j] = (i == j ? trace / 2 : 0) - J_U[3 * i + j];
    for (size_t k = 0; k < 2; k++) {
        const double c[3] = {k ? r_ball : 0, k ? 0 : -r_ball, 0}; /* zeta + c . omega = 0 */
        double S[9], SR[9];
        d->K[(9 + k) * 11 + 9 + k] = m_ball;
        ph_hat3(c, S);
        ph_multiply3(S, R, SR);
        for (size_t i = 0; i < 9; i++)
            d->w[k * 9 + i] = SR[i] / 2;
    }
    return PH_OK;
}

static ph_status ball_along(void *user, const double *R, const double *dR, const ph_bundle_data *d)
{
    (void)R;
    double K[121] = {0};
    const ph_bundle_data rate = {K, d->V, d->w, d->xi}; /* w is linear in R, K constant */
    return ball(user, dR, &rate);
}

static ph_bundle *ball_bundle(bool along)
{
    ph_space *base;
    ph_bundle *b;
    tk_ok(ph_space_create(&rotation, 1, &base, NULL));
    const ph_bundle_definition d = {
        .base = base, .group = {PH_GROUP_R, 2}, .data = ball, .along = along ? ball_along : NULL};
    tk_ok(ph_bundle_create(&d, &b, NULL));
    ph_space_free(base);
    return b;
}

static void ball_start(double *R, double *v)
{
    static const double turn[3] = {.3, -.5, .8}, Omega[3] = {.9, -.4, 1.1};
    double S[9];
    ph_exp3(turn, R);
    ph_hat3(Omega, S);
    ph_multiply3(R, S, v);
}

START_TEST(chaplygin_ball)
{
    static const double at_10[11] = {-0.0063487328059446614, 0.55565124757599291,  0.83139123441313799,
                                     0.50103275382051029,    -0.71775160574829392, 0.48352746772523852,
                                     0.86540503418387546,    0.4196240263771705,   -0.27384266157086822,
                                     -2.310094489588273,     -3.2261656184928702};
    const double x0[2] = {.4, -.2};
    ph_bundle *b = ball_bundle(_i);
    ph_bundle_motion *m;
    ph_error err;
    double R[9], v[9], off[2], M0[3], M[3];
    ck_assert_msg(!ph_bundle_check(b, 4, NULL, &err), "%s", err.message);
    ball_start(R, v);
    for (int k = 0; k < 2; k++) {
        tk_ok(ph_bundle_motion_create(b, PH_BUNDLE_ENDS, "kahan-li-9", k ? 0.25 : 0.5, &m, NULL));
        tk_ok(ph_bundle_motion_set(m, 0, R, v, x0, NULL));
        ph_apply3(R, ph_bundle_motion_y(m), M0);
        tk_ok(ph_bundle_motion_step(m, k ? 40 : 20, NULL));
        off[k] = tk_max(tk_max_difference(ph_bundle_motion_base(m), at_10, 9),
                        tk_max_difference(ph_bundle_motion_group(m), at_10 + 9, 2));
        /* y is the moment of momentum about the contact: constant in space */
        ph_apply3(ph_bundle_motion_base(m), ph_bundle_motion_y(m), M);
        printf("ball: %.1e at 10 s, M by %.1e\n", off[k], tk_max_difference(M0, M, 3));
        ck_assert_double_le(tk_max_difference(M0, M, 3), 1e-13);
        ph_bundle_motion_free(m);
    }
    ck_assert_double_le(off[1], 5e-9);
    ck_assert_double_gt(log2(off[0] / off[1]), 5.5);
    ph_bundle_free(b);
}
END_TEST

/* One step by the explicit equation: with f the turn, gamma = R^T e3, D = m r^2,
 *     M = T(f)^{-1} J f/h + D (1 - gamma gamma^T) f/h,   M+ likewise with T(f)^{-T} and gamma+. */
START_TEST(chaplygin_ball_step)
{
    const double x0[2] = {0, 0}, h = 0.05, D = m_ball * r_ball * r_ball;
    ph_bundle *b = ball_bundle(true);
    ph_bundle_motion *m;
    double R[9], v[9], M[2][3], turn[3], F[9], f[3], w[3], centre[3];
    ball_start(R, v);
    tk_ok(ph_bundle_motion_create(b, PH_BUNDLE_ENDS, NULL, h, &m, NULL));
    tk_ok(ph_bundle_motion_set(m, 0, R, v, x0, NULL));
    memcpy(M[0], ph_bundle_motion_y(m), sizeof M[0]);
    tk_ok(ph_bundle_motion_step(m, 1, NULL));
    memcpy(M[1], ph_bundle_motion_y(m), sizeof M[1]);
    ph_transposed_multiply3(R, ph_bundle_motion_base(m), F);
    ck_assert(ph_log3(F, f));
    for (int side = 0; side < 2; side++) {
        const double *gamma = (side ? ph_bundle_motion_base(m) : R) + 6;
        /* T(f)^T applied to both sides, as only T is at hand: T^T = T(-f) */
        const double back[3] = {side ? f[0] : -f[0], side ? f[1] : -f[1], side ? f[2] : -f[2]};
        double rest[3], Jf[3];
        for (int i = 0; i < 3; i++)
            rest[i] = M[side][i] - D * (f[i] - gamma[i] * ph_dot3(gamma, f)) / h;
        const double minus[3] = {-back[0], -back[1], -back[2]};
        ph_dexp3(minus, rest, turn); /* side 0: T(f) rest; side 1: T(-f) rest */
        ph_apply3(J_U, f, Jf);
        for (int i = 0; i < 3; i++)
            ck_assert_double_le(fabs(turn[i] - Jf[i] / h), 1e-13);
    }
    ph_apply3(R, f, w);
    ph_cross3(w, (double[]){0, 0, r_ball}, centre);
    ck_assert_double_le(tk_max_difference(centre, ph_bundle_motion_group(m), 2), 1e-15);
    ph_bundle_motion_free(m);
    ph_bundle_free(b);
}
END_TEST

/* ---- Veselova's body and the rubber ball, over S^2
 * -------------------------------------------------------- */

/* 10 s by compositions of order 4; the ball is the body with J + m r^2, and its centre follows. */
START_TEST(over_the_sphere)
{
    static const double body_10[9] = {0.41938328995679831,  -0.86058689453844956, 0.28897725352297113,
                                      0.78909961702754956,  0.50295886397401279,  0.35263887414314535,
                                      -0.44882006473862846, 0.080140988879835988, 0.89002133198557402},
                        ball_10[9] = {0.49743629783975568,  -0.84848121570517954,  0.18065645902358008,
                                      0.75006173944153967,  0.52529439952679547,   0.4018372566745339,
                                      -0.43584919022227143, -0.064384939397688084, 0.89771379791186583},
                        centre_10[2] = {-1.5406640251038898, -4.5179201271319561};
    static const double Omega0[3] = {.9, -.4, 1.1};
    double J[9], R[9], v[9], y[3], f[3], off[2], shift[3], turned[3], start[9], y0[3];
    for (int i = 0; i < 9; i++)
        J[i] = J_U[i] + (_i && i % 4 == 0 ? m_ball * r_ball * r_ball : 0);
    for (int k = 0; k < 2; k++) {
        const int n = k ? 160 : 80;
        double centre[2] = {.4, -.2};
        const double outer = 1 / (4 - cbrt(4)), part[5] = {outer, outer, 1 - 4 * outer, outer, outer};
        ball_start(R, v);
        const double *gamma = R + 6, along = ph_dot3(gamma, Omega0);
        double Omega[3];
        for (int i = 0; i < 3; i++)
            Omega[i] = Omega0[i] - along * gamma[i];
        ph_apply3(J, Omega, y);
        const double normal = ph_dot3(gamma, y);
        for (int i = 0; i < 3; i++)
            y[i] -= normal * gamma[i];
        memcpy(start, R, sizeof start);
        memcpy(y0, y, sizeof y0);
        tk_ok(ph_bundle_sphere_step(J, 0.1, R, y, f, NULL)); /* there and back */
        tk_ok(ph_bundle_sphere_step(J, -0.1, R, y, f, NULL));
        ck_assert_double_le(tk_max_difference(R, start, 9), 1e-14);
        ck_assert_double_le(tk_max_difference(y, y0, 3), 1e-14);
        for (int i = 0; i < 5 * n; i++) {
            double before[9];
            memcpy(before, R, sizeof before);
            tk_ok(ph_bundle_sphere_step(J, part[i % 5] * 10 / n, R, y, f, NULL));
            ph_apply3(before, f, turned);
            ph_cross3(turned, (double[]){0, 0, r_ball}, shift);
            centre[0] += shift[0];
            centre[1] += shift[1];
        }
        off[k] = tk_max_difference(R, _i ? ball_10 : body_10, 9);
        if (_i)
            off[k] = tk_max(off[k], tk_max_difference(centre, centre_10, 2));
    }
    printf("over the sphere: %.1e at 10 s, order %.2f\n", off[1], log2(off[0] / off[1]));
    ck_assert_double_le(off[1], 1e-9);
    ck_assert(fabs(log2(off[0] / off[1]) - 4) < 0.2);
    memcpy(start, R, sizeof start);
    ck_assert_int_ne(ph_bundle_sphere_step(J, 1e3, R, y, f, NULL), PH_OK);
    ck_assert(!memcmp(start, R, sizeof start));
    ck_assert_int_eq(ph_bundle_sphere_step(J, 0, R, y, f, NULL), PH_E_RANGE);
}
END_TEST

/* ---- Turntable: R^2 x SO(3), h = R^T, the spin fixed -----------------------------------------------------
 * */

static const double table_rate = 0.8, spin = 0.35;

typedef struct table {
    bool level; /* without: a slope */
} table;

static ph_status table_rows(void *user, double t, const double *z, double *A, double *b)
{
    (void)user, (void)t;
    static const double c[3][3] = {{0, -0.9, 0}, {0.9, 0, 0}, {0, 0, 1}};
    const double right[3] = {-table_rate * z[1], table_rate * z[0], spin};
    for (size_t k = 0; k < 3; k++) {
        double S[9], SR[9];
        ph_hat3(c[k], S);
        ph_multiply3(S, z + 2, SR);
        for (size_t i = 0; i < 9; i++)
            A[k * 11 + 2 + i] = SR[i] / 2;
        if (k < 2)
            A[k * 11 + k] = 1;
        b[k] = right[k];
    }
    return PH_OK;
}

static ph_status two_rows(void *user, double t, const double *z, double *A, double *b)
{
    double all[33] = {0}, right[3];
    table_rows(user, t, z, all, right);
    memcpy(A, all, 22 * sizeof *A);
    memcpy(b, right, 2 * sizeof *b);
    return PH_OK;
}

static ph_system *turntable(size_t m)
{
    const ph_factor factors[] = {plane, rotation};
    const double I = 0.4 * m_ball * r_ball * r_ball;
    double MM[121] = {0};
    ph_space *space;
    ph_system *system;
    for (size_t i = 0; i < 11; i++)
        MM[12 * i] = i < 2 ? m_ball : I / 2;
    tk_ok(ph_space_create(factors, 2, &space, NULL));
    const ph_system_definition d = {.space = space,
                                    .ambient_inertia = MM,
                                    .constraint = m == 3 ? table_rows : two_rows,
                                    .n_constraints = m};
    tk_ok(ph_system_create(&d, &system, NULL));
    ph_space_free(space);
    return system;
}

START_TEST(turntable_circles)
{
    const size_t ball_factor[] = {1};
    const ph_bundle_action action = {
        .group = {PH_GROUP_SO3, 0}, .factor = ball_factor, .n_factors = 1, .inverse = true};
    const double x[2] = {.4, -.2}, v[2] = {.7, .3}, wc = 2. / 7 * table_rate,
                 h[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    ph_system *system = turntable(3), *two = turntable(2);
    ph_bundle *b, *none = NULL;
    ph_bundle_motion *m;
    ph_bundle_report report;
    ph_error err = {.message = ""};
    double a[2], lambda[3], T = 5;
    tk_ok(ph_bundle_create_from_system(system, &action, &b, NULL));
    ck_assert_msg(!ph_bundle_check(b, 5, &report, &err), "%s", err.message);
    double *work = malloc(ph_bundle_work(b) * sizeof *work);
    tk_ok(ph_bundle_acceleration(b, 0, x, v, a, lambda, work));
    ck_assert_double_le(fabs(a[0] + wc * v[1]), 1e-12);
    ck_assert_double_le(fabs(a[1] - wc * v[0]), 1e-12);
    tk_ok(ph_bundle_motion_create(b, PH_BUNDLE_ENDS, "suzuki-umeno-15", 0.25, &m, NULL));
    tk_ok(ph_bundle_motion_set(m, 0, x, v, h, NULL));
    tk_ok(ph_bundle_motion_step(m, 20, NULL));
    const double at[2] = {x[0] + (v[0] * sin(wc * T) - v[1] * (1 - cos(wc * T))) / wc,
                          x[1] + (v[1] * sin(wc * T) + v[0] * (1 - cos(wc * T))) / wc};
    printf("turntable: %.1e\n", tk_max_difference(ph_bundle_motion_base(m), at, 2));
    ck_assert_double_le(tk_max_difference(ph_bundle_motion_base(m), at, 2), 1e-11);
    ck_assert_int_eq(ph_bundle_create_from_system(two, &action, &none, &err), PH_E_UNSUPPORTED);
    says(&err, "2 constraints, fewer than the 3 dimensions of the group");
    /* the ball's own group from the other side: w then depends on h */
    const ph_bundle_action left = {.group = {PH_GROUP_SO3, 0}, .factor = ball_factor, .n_factors = 1};
    tk_ok(ph_bundle_create_from_system(system, &left, &none, NULL));
    ck_assert_int_eq(ph_bundle_check(none, 3, &report, &err), PH_E_UNSUPPORTED);
    ck_assert_int_eq(report.fault, PH_BUNDLE_CONNECTION_VARIES);
    says(&err, "does not leave the constraint as it is");
    free(work);
    ph_bundle_motion_free(m);
    ph_bundle_free(b);
    ph_bundle_free(none);
    ph_system_free(system);
    ph_system_free(two);
}
END_TEST

/* ---- Snakeboard: R^2 x R^4, (x, y; theta, psi, phi_b, phi_f) --------------------------------------------
 * */

static ph_status board_rows(void *user, double t, const double *z, double *A, double *b)
{
    (void)user, (void)t, (void)b;
    for (size_t k = 0; k < 2; k++) {
        const double phi = z[4 + k], turn = z[2] + phi;
        A[6 * k] = -sin(turn);
        A[6 * k + 1] = cos(turn);
        A[6 * k + 2] = (k ? 1 : -1) * 0.2 * cos(phi);
    }
    return PH_OK;
}

static ph_status board_potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = 0.1 * (z[4] * z[4] + z[5] * z[5]);
    return PH_OK;
}

static ph_status board_gradient(void *user, const double *z, double *dU)
{
    (void)user;
    memset(dU, 0, 6 * sizeof *dU);
    dU[4] = 0.2 * z[4];
    dU[5] = 0.2 * z[5];
    return PH_OK;
}

static ph_status board_drive(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)z, (void)zdot;
    f[3] += 0.05 * cos(2 * t);
    f[4] += 0.06 * sin(2 * t);
    f[5] -= 0.06 * sin(2 * t);
    return PH_OK;
}

static ph_system *board(void)
{
    const ph_factor factors[] = {plane, {PH_FACTOR_R, 4, NULL}};
    const double m = 6, J = .016, Jr = .072, Jw = .0013;
    double MM[36] = {0};
    ph_space *space;
    ph_system *system;
    MM[0] = MM[7] = m;
    MM[14] = J + Jr + 2 * Jw;
    MM[21] = MM[15] = MM[20] = Jr;
    MM[28] = MM[35] = MM[16] = MM[17] = MM[26] = MM[32] = Jw;
    tk_ok(ph_space_create(factors, 2, &space, NULL));
    const ph_system_definition d = {.space = space,
                                    .ambient_inertia = MM,
                                    .potential = board_potential,
                                    .gradient = board_gradient,
                                    .force = board_drive,
                                    .force_ignores_velocity = true,
                                    .constraint = board_rows,
                                    .n_constraints = 2};
    tk_ok(ph_system_create(&d, &system, NULL));
    ph_space_free(space);
    return system;
}

START_TEST(snakeboard)
{
    const size_t first[] = {0};
    const ph_bundle_action action = {.group = {PH_GROUP_R, 2}, .factor = first, .n_factors = 1};
    const double x[4] = {.3, 0, .4, -.5}, v[4] = {.6, 1, .3, -.2}, none[2] = {0, 0};
    const double straight[4] = {.3, 0, .4, .4};
    ph_system *system = board();
    ph_bundle *b;
    ph_bundle_motion *m;
    ph_bundle_report report;
    ph_error err = {.message = ""};
    double zeta[2], off;
    tk_ok(ph_bundle_create_from_system(system, &action, &b, NULL));
    ck_assert_msg(!ph_bundle_check(b, 20, &report, &err), "%s", err.message);
    double *work = malloc(ph_bundle_work(b) * sizeof *work);
    tk_ok(ph_bundle_group_velocity(b, x, v, zeta, work));
    ck_assert_double_le(fabs(zeta[0] + .24111209404761592), 1e-15);
    ck_assert_double_le(fabs(zeta[1] + .058575948158808076), 1e-15);
    /* the method dla on the whole, up to just before the wheels are parallel for the first time, at 0.12 s.
     * At the ends of a step the discrete constraint depends on how rows are scaled, which a_G^{-1} changes;
     * at the midpoint it does not. */
    const double z[6] = {0, 0, x[0], x[1], x[2], x[3]}, zdot[6] = {zeta[0], zeta[1], v[0], v[1], v[2], v[3]};
    ph_integrator *it;
    ph_state *state;
    tk_start_with(system, ph_method_find("dla", NULL), "discrete-lagrangian", "exponential-midpoint", 0.01, 0,
                  z, zdot, &it, &state);
    tk_steps(it, state, 10);
    tk_ok(ph_bundle_motion_create(b, PH_BUNDLE_MIDPOINT, NULL, 0.01, &m, NULL));
    tk_ok(ph_bundle_motion_set(m, 0, x, v, none, NULL));
    ck_assert_msg(!ph_bundle_motion_step(m, 10, &err), "%s", err.message);
    off = tk_max(tk_max_difference(ph_bundle_motion_group(m), state->z, 2),
                 tk_max_difference(ph_bundle_motion_base(m), state->z + 2, 4));
    printf("snakeboard: %.1e from dla\n", off);
    ck_assert_double_le(off, 1e-12);
    tk_end(it, state);
    /* wheels that are parallel leave the board free to slide along them: det a_G = sin(phi_b - phi_f) */
    ck_assert_int_eq(ph_bundle_group_velocity(b, straight, v, zeta, work), PH_E_SINGULAR);
    free(work);
    ph_bundle_motion_free(m);
    ph_bundle_free(b);
    ph_system_free(system);
}
END_TEST

/* ---- What is no bundle
 * ------------------------------------------------------------------------------------ */

static set *sound(void)
{
    return st_create(&plane, 1, (ph_group){PH_GROUP_SO3, 0}, true, true, true, 5);
}

START_TEST(faults_of_systems)
{
    static const struct {
        size_t offset;
        ph_bundle_fault fault;
        const char *says;
    } rows[] = {{offsetof(set, tilt_metric), PH_BUNDLE_METRIC_VARIES, "the metric as it is"},
                {offsetof(set, tilt_potential), PH_BUNDLE_POTENTIAL_VARIES, "the potential as it is"},
                {offsetof(set, tilt_rows), PH_BUNDLE_CONNECTION_VARIES, "the constraint as it is"},
                {offsetof(set, tilt_affine), PH_BUNDLE_AFFINE_VARIES, "not equivariant"},
                {offsetof(set, tilt_force), PH_BUNDLE_FORCE_VARIES, "the force is not equivariant"},
                {SIZE_MAX, PH_BUNDLE_SOUND, ""}};
    const size_t second[] = {1};
    const ph_bundle_action action = {.group = {PH_GROUP_SO3, 0}, .factor = second, .n_factors = 1};
    set *s = sound();
    ph_bundle *b;
    ph_bundle_report report;
    ph_error err = {.message = ""};
    if (rows[_i].offset != SIZE_MAX)
        *(double *)((char *)s + rows[_i].offset) = 0.01;
    st_rebuild(s);
    tk_ok(ph_bundle_create_from_system(s->system, &action, &b, NULL));
    ph_status status = ph_bundle_check(b, 3, &report, &err);
    ck_assert_int_eq(report.fault, rows[_i].fault);
    if (report.fault) {
        ck_assert_int_eq(status, PH_E_UNSUPPORTED);
        says(&err, rows[_i].says);
    } else { /* and then it is the bundle that the data make, also where it has to be differentiated */
        double x[ST_A], v[ST_A], h[ST_H], z[ST_Z], zdot[ST_Z], a[2][ST_A], lambda[2][ST_G];
        double *work = malloc((ph_bundle_work(b) + ph_bundle_work(s->bundle)) * sizeof *work);
        tk_random r = {77};
        ck_assert_msg(!status, "%s", err.message);
        st_start(s, &r, x, v, h, z, zdot);
        tk_ok(ph_bundle_acceleration(b, 0.2, x, v, a[0], lambda[0], work));
        tk_ok(ph_bundle_acceleration(s->bundle, 0.2, x, v, a[1], lambda[1], work));
        ck_assert_double_le(tk_max_difference(a[0], a[1], 2), 1e-11 * (1 + ph_max_norm(a[1], 2)));
        ck_assert_double_le(tk_max_difference(lambda[0], lambda[1], 3),
                            1e-11 * (1 + ph_max_norm(lambda[1], 3)));
        free(work);
    }
    ph_bundle_free(b);
    st_free(s);
}
END_TEST

/* A sleigh, one blade, with the translations along y for a group: a_G = cos(theta), and 0 for some theta. */
static ph_status blade(void *user, double t, const double *z, double *A, double *b)
{
    const bool *late = user;
    A[1] = -sin(z[0]) * (*late ? 1 : 0);
    A[2] = *late ? 1 + t : 0;
    (void)b;
    return PH_OK;
}

START_TEST(no_connection_and_time)
{
    const ph_factor line = {PH_FACTOR_R, 1, NULL}, factors[] = {plane, line};
    const size_t second[] = {1};
    const ph_bundle_action action = {.group = {PH_GROUP_R, 1}, .factor = second, .n_factors = 1};
    const double MM[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    bool late = true;
    ph_space *space;
    ph_system *system;
    ph_bundle *b;
    ph_bundle_report report;
    ph_error err = {.message = ""};
    tk_ok(ph_space_create(factors, 2, &space, NULL));
    const ph_system_definition d = {
        .space = space, .ambient_inertia = MM, .constraint = blade, .n_constraints = 1, .user = &late};
    tk_ok(ph_system_create(&d, &system, NULL));
    tk_ok(ph_bundle_create_from_system(system, &action, &b, NULL));
    ck_assert_int_eq(ph_bundle_check(b, 3, &report, &err), PH_E_UNSUPPORTED);
    ck_assert_int_eq(report.fault, PH_BUNDLE_TIME);
    says(&err, "depends on the time");
    late = false;
    ck_assert_int_eq(ph_bundle_check(b, 3, &report, &err), PH_E_SINGULAR);
    ck_assert_int_eq(report.fault, PH_BUNDLE_CONNECTION);
    says(&err, "no connection");
    ph_bundle_free(b);
    ph_system_free(system);
    ph_space_free(space);
}
END_TEST

/* Data with a fault: an unsymmetric metric, one that is not positive, a wrong derivative. */
static int wrong;

static ph_status faulty(void *user, const double *R, const ph_bundle_data *d)
{
    ph_status status = ball(user, R, d);
    if (wrong == 1)
        d->K[9 * 11 + 10] += 0.1;
    if (wrong == 2)
        d->K[9 * 11 + 9] = -1;
    return status;
}

static ph_status faulty_along(void *user, const double *R, const double *dR, const ph_bundle_data *d)
{
    ph_status status = ball_along(user, R, dR, d);
    for (size_t i = 0; i < 18 && wrong == 3; i++)
        d->w[i] *= 1.001;
    return status;
}

START_TEST(faults_of_data)
{
    static const ph_bundle_fault fault[] = {PH_BUNDLE_SOUND, PH_BUNDLE_METRIC, PH_BUNDLE_METRIC,
                                            PH_BUNDLE_DERIVATIVE};
    ph_space *base;
    ph_bundle *b;
    ph_bundle_report report;
    wrong = _i;
    tk_ok(ph_space_create(&rotation, 1, &base, NULL));
    const ph_bundle_definition d = {
        .base = base, .group = {PH_GROUP_R, 2}, .data = faulty, .along = faulty_along};
    tk_ok(ph_bundle_create(&d, &b, NULL));
    ck_assert_int_eq(ph_bundle_check(b, 3, &report, NULL), _i ? PH_E_UNSUPPORTED : PH_OK);
    ck_assert_int_eq(report.fault, fault[_i]);
    ph_bundle_free(b);
    ph_space_free(base);
}
END_TEST

START_TEST(refusals)
{
    const size_t both[] = {0, 1}, twice[] = {0, 0}, beyond[] = {7};
    set *s = sound();
    ph_bundle *b = NULL;
    ph_bundle_motion *m = NULL;
    ph_error err = {.message = ""};
    double x[ST_A], v[ST_A], h[ST_H], z[ST_Z], zdot[ST_Z], kept[ST_A];
    tk_random r = {78};
    st_start(s, &r, x, v, h, z, zdot);
    ph_bundle_action a = {.group = {PH_GROUP_SO3, 0}, .factor = both, .n_factors = 1};
    ck_assert_int_eq(ph_bundle_create_from_system(s->system, &a, &b, &err), PH_E_INVALID);
    says(&err, "one SO(3)");
    a = (ph_bundle_action){.group = {PH_GROUP_R, 4}, .factor = twice, .n_factors = 2};
    ck_assert_int_eq(ph_bundle_create_from_system(s->system, &a, &b, &err), PH_E_INVALID);
    says(&err, "twice");
    a.factor = beyond;
    ck_assert_int_eq(ph_bundle_create_from_system(s->system, &a, &b, &err), PH_E_INVALID);
    says(&err, "number 7");
    a = (ph_bundle_action){.group = {PH_GROUP_R, 2}, .factor = both, .n_factors = 1};
    ck_assert_int_eq(ph_bundle_create_from_system(s->system, &a, &b, &err), PH_E_UNSUPPORTED);
    says(&err, "3 constraints, more than the 2 dimensions");
    a.inverse = true;
    ck_assert_int_eq(ph_bundle_create_from_system(s->system, &a, &b, &err), PH_E_INVALID);
    ck_assert_int_eq(ph_bundle_motion_create(s->bundle, PH_BUNDLE_ENDS, "kahan-li-8", 1, &m, &err),
                     PH_E_UNKNOWN);
    says(&err, "kahan-li-9");
    ck_assert_int_eq(ph_bundle_motion_create(s->bundle, PH_BUNDLE_RK4, "kahan-li-9", 1, &m, &err),
                     PH_E_INVALID);
    ck_assert_int_eq(ph_bundle_motion_create(s->bundle, PH_BUNDLE_ENDS, NULL, 0, &m, &err), PH_E_RANGE);
    ck_assert_int_eq(ph_bundle_motion_create(NULL, PH_BUNDLE_ENDS, NULL, 1, &m, NULL), PH_E_INVALID);
    tk_ok(ph_bundle_motion_create(s->bundle, PH_BUNDLE_ENDS, NULL, 0.01, &m, NULL));
    ck_assert_int_eq(ph_bundle_motion_step(m, 1, &err), PH_E_INVALID);
    says(&err, "no state");
    h[0] += 0.1;
    ck_assert_int_eq(ph_bundle_motion_set(m, 0, x, v, h, &err), PH_E_NOT_ON_MANIFOLD);
    h[0] -= 0.1;
    tk_ok(ph_bundle_motion_set(m, 0, x, v, h, NULL));
    /* too long a step: whole or not at all */
    memcpy(kept, ph_bundle_motion_base(m), 2 * sizeof *kept);
    tk_ok(ph_bundle_motion_set_step_size(m, 1e5, NULL));
    ck_assert_int_ne(ph_bundle_motion_step(m, 1, &err), PH_OK);
    ck_assert(!memcmp(kept, ph_bundle_motion_base(m), 2 * sizeof *kept));
    tk_ok(ph_bundle_motion_set_step_size(m, 0.01, NULL));
    tk_ok(ph_bundle_motion_step(m, 1, NULL));
    ph_bundle_motion_free(m);
    st_free(s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bundle-cases");
    TCase *tc = tcase_create("cases");
    tcase_add_loop_test(tc, chaplygin_ball, 0, 2);
    tcase_add_test(tc, chaplygin_ball_step);
    tcase_add_loop_test(tc, over_the_sphere, 0, 2);
    tcase_add_test(tc, turntable_circles);
    tcase_add_test(tc, snakeboard);
    tcase_add_loop_test(tc, faults_of_systems, 0, 6);
    tcase_add_test(tc, no_connection_and_time);
    tcase_add_loop_test(tc, faults_of_data, 0, 4);
    tcase_add_test(tc, refusals);
    suite_add_tcase(s, tc);
    return tk_main(s);
}
