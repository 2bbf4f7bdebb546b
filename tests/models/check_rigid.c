/* SPDX-License-Identifier: BSD-3-Clause */
/* The models of rigid bodies against what mechanics says of their parts: energies and angular momentum of
 * mass points and of bodies in space, frequencies of physical pendulums, steady precession and steady
 * rotation, many-digit values of the heavy top, and the parameters that no body has. (The free body and the
 * top by hand: check_body.c.) */
#include "tests/kit/known.h"

#include <float.h>

enum { BODIES = 5, NZ = 9 * BODIES };
static const double eps = DBL_EPSILON;

#define VALUES(...) (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)

/* ---- Energies and angular momentum ---------------------------------------------------------------- */

/* A body made of mass points, with its pivot at 0. */
enum { POINTS = 6 };
typedef struct cloud {
    double m[POINTS], x[POINTS][3];
    double mass, centre[3], diagonal[3], products[3]; /* the last two about the centre of mass */
} cloud;

static void random_cloud(cloud *c, tk_random *r)
{
    *c = (cloud){.mass = 0};
    for (int i = 0; i < POINTS; i++) {
        c->m[i] = tk_log_uniform(r, 0.2, 2);
        c->mass += c->m[i];
        for (int a = 0; a < 3; a++)
            c->x[i][a] = tk_normal(r);
    }
    for (int i = 0; i < POINTS; i++)
        for (int a = 0; a < 3; a++)
            c->centre[a] += c->m[i] * c->x[i][a] / c->mass;
    for (int i = 0; i < POINTS; i++) {
        double d[3];
        for (int a = 0; a < 3; a++)
            d[a] = c->x[i][a] - c->centre[a];
        for (int a = 0; a < 3; a++) {
            c->diagonal[a] += c->m[i] * (ph_dot3(d, d) - d[a] * d[a]);
            c->products[a] -= c->m[i] * d[(a + 1) % 3] * d[(a + 2) % 3];
        }
    }
}

/* T, U and the angular momentum of a body are those of its points: x = R X, v = Rdot X. */
TEST(a_body_is_its_mass_points)
{
    tk_random r = {11};
    double worst = 0;
    for (int trial = 0; trial < 200; trial++) {
        cloud c;
        double G[3] = {tk_normal(&r), tk_normal(&r), tk_normal(&r)}, R[9], Rdot[9], p[3], work[9], U, J;
        long double T = 0, V = 0, L = 0, size_of_V = 0, size_of_L = 0;
        random_cloud(&c, &r);
        const ph_parameter_value v[] = {{"mass", &c.mass, 1},
                                        {"centre", c.centre, 3},
                                        {"inertia", c.diagonal, 3},
                                        {"products", c.products, 3},
                                        {"gravity", G, 3}};
        TK_OWN(ph_system) *system = tk_build("pendulum-3d", v, 5);
        ck_assert_uint_eq(ph_system_symmetries(system), 1);
        const double *axis = ph_system_symmetry(system, 0)->axis;
        ck_assert(fabs(ph_dot3(axis, G) + ph_norm3(G)) <= 4 * eps * ph_norm3(G));
        tk_random_motion(system, &r, R, Rdot);
        for (int i = 0; i < POINTS; i++) {
            double x[3], xdot[3], turn[3];
            ph_apply3(R, c.x[i], x);
            ph_apply3(Rdot, c.x[i], xdot);
            ph_cross3(x, xdot, turn);
            T += c.m[i] * ph_dot3(xdot, xdot) / 2;
            V -= c.m[i] * ph_dot3(G, x);
            L += c.m[i] * ph_dot3(axis, turn);
            size_of_V += c.m[i] * ph_norm3(G) * ph_norm3(x);
            size_of_L += c.m[i] * ph_norm3(x) * ph_norm3(xdot);
        }
        tk_ok(ph_system_potential(system, R, &U));
        tk_momentum(system, R, Rdot, p);
        tk_ok(ph_system_momentum_map(system, 0, R, p, &J, work));
        worst = tk_max(worst, (double)fabsl(tk_kinetic(system, R, Rdot) / T - 1));
        worst = tk_max(worst, (double)(fabsl(U - V) / size_of_V));
        worst = tk_max(worst, (double)(fabsl(J - L) / size_of_L));
    }
    printf("a body against its mass points: T, U, J off by %.1e\n", worst);
    ck_assert_double_le(worst, 30 * eps); /* sums of some ten terms, cancelling between J_d's entries */
}

typedef struct setup {
    size_t n;
    double m[BODIES], centre[3], joint[3], J[3], G[3];
} setup;

static void random_setup(setup *s, size_t n, tk_random *r)
{
    double a[3] = {tk_uniform(r, 0, 1), tk_uniform(r, 0, 1), tk_uniform(r, 0, 1)};
    s->n = n;
    for (size_t i = 0; i < n; i++)
        s->m[i] = tk_log_uniform(r, 0.2, 5);
    for (int k = 0; k < 3; k++) {
        s->centre[k] = tk_normal(r);
        s->joint[k] = tk_normal(r);
        s->G[k] = tk_normal(r);
        s->J[k] = a[(k + 1) % 3] + a[(k + 2) % 3];
    }
}

static ph_system *build_chain(const setup *s)
{
    const ph_parameter_value v[] = {{"masses", s->m, s->n}, {"centre", s->centre, 3},
                                    {"joint", s->joint, 3}, {"inertia", s->J, 3},
                                    {"gravity", s->G, 3},   {"bodies", (const double[]){(double)s->n}, 1}};
    return tk_build("rigid-chain", v, 6);
}

/* x_i (n x 3) of the chain at R. */
static void centres(const setup *s, const double *R, double *x)
{
    double joint[3] = {0, 0, 0}, arm[3];
    for (size_t i = 0; i < s->n; i++, R += 9, x += 3) {
        ph_apply3(R, s->centre, arm);
        for (int a = 0; a < 3; a++)
            x[a] = joint[a] + arm[a];
        ph_apply3(R, s->joint, arm);
        for (int a = 0; a < 3; a++)
            joint[a] += arm[a];
    }
}

/* T = sum (1/2) m |xdot|^2 + (1/2) Omega.J Omega, U = - sum m G.x, L = sum m x x xdot + R J Omega, with xdot
 * by differences of x along exp(t Omega): central, of order 4, with the step 1e-3, good to 1e-12. */
TEST_EACH(a_chain_is_its_bodies, BODIES)
{
    const size_t n = 1 + (size_t)_i;
    tk_random r = {20 + n};
    double worst = 0;
    for (int trial = 0; trial < 30; trial++) {
        static const double weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12}, at[4] = {-2, -1, 1, 2},
                            step = 1e-3;
        setup s;
        random_setup(&s, n, &r);
        TK_OWN(ph_system) *system = build_chain(&s);
        const ph_space *space = ph_system_space(system);
        double R[NZ], Rdot[NZ], omega[3 * BODIES], v[NZ], z[NZ], x[3 * BODIES],
            xdot[3 * BODIES] = {0}, p[3 * BODIES], work[NZ], T = 0, V = 0, L = 0, size_of_V = 0,
                     size_of_L = 0, U, J;
        ck_assert_uint_eq(ph_space_factors(space), s.n);
        tk_random_motion(system, &r, R, Rdot);
        ph_space_spin(space, R, Rdot, omega);
        for (int k = 0; k < 4; k++) {
            for (size_t i = 0; i < 9 * s.n; i++)
                v[i] = at[k] * step * Rdot[i];
            ph_space_exp(space, R, v, z);
            centres(&s, z, x);
            for (size_t i = 0; i < 3 * s.n; i++)
                xdot[i] += weight[k] * x[i] / step;
        }
        centres(&s, R, x);
        const double *axis = ph_system_symmetry(system, 0)->axis;
        for (size_t i = 0; i < s.n; i++) {
            double turn[3], body[3], spin[3];
            ph_cross3(x + 3 * i, xdot + 3 * i, turn);
            for (size_t a = 0; a < 3; a++)
                body[a] = s.J[a] * omega[3 * i + a];
            ph_apply3(R + 9 * i, body, spin);
            T += 0.5 * s.m[i] * ph_dot3(xdot + 3 * i, xdot + 3 * i) + 0.5 * ph_dot3(body, omega + 3 * i);
            V -= s.m[i] * ph_dot3(s.G, x + 3 * i);
            L += s.m[i] * ph_dot3(axis, turn) + ph_dot3(axis, spin);
            size_of_V += s.m[i] * ph_norm3(s.G) * ph_norm3(x + 3 * i);
            size_of_L += s.m[i] * ph_norm3(x + 3 * i) * ph_norm3(xdot + 3 * i) + ph_norm3(body);
        }
        tk_ok(ph_system_potential(system, R, &U));
        tk_momentum(system, R, Rdot, p);
        tk_ok(ph_system_momentum_map(system, 0, R, p, &J, work));
        worst = tk_max(worst, fabs(tk_kinetic(system, R, Rdot) / T - 1));
        worst = tk_max(worst, fabs(U - V) / size_of_V);
        worst = tk_max(worst, fabs(J - L) / size_of_L);
    }
    printf("%zu bodies against their sum: T, U, J off by %.1e\n", n, worst);
    ck_assert_double_le(worst, 1e-10);
}

/* One body of the chain is the pendulum, and the top, of its parameters: equal matrices and gradients. */
TEST(one_body_is_a_pendulum_and_a_top)
{
    static const char *const names[] = {"pendulum-3d", "heavy-top"};
    tk_random r = {31};
    for (int k = 0; k < 2; k++) {
        setup s;
        random_setup(&s, 1, &r);
        const ph_parameter_value v[] = {
            {"mass", s.m, 1}, {"centre", s.centre, 3}, {"inertia", s.J, 3}, {"gravity", s.G, 3}};
        TK_OWN(ph_system) *chain = build_chain(&s), *one = tk_build(names[k], v, 4);
        double R[9], Rdot[9], a[9], b[9];
        tk_random_motion(chain, &r, R, Rdot);
        ck_assert(
            !memcmp(ph_system_ambient_inertia(chain), ph_system_ambient_inertia(one), 81 * sizeof(double)));
        tk_ok(ph_system_gradient(chain, R, a));
        tk_ok(ph_system_gradient(one, R, b));
        ck_assert(!memcmp(a, b, sizeof a));
    }
}

/* ---- Small motions ------------------------------------------------------------------------------- */

/* A physical pendulum: U = m g l (1 - cos) about every axis, so that for a small turn w in the body frame the
 * second derivative is m g l (|w|^2 - (e.w)^2), e = rho/l, against J about the pivot. Any tensor, any
 * direction of gravity. */
TEST(physical_pendulum)
{
    tk_random r = {41};
    double worst = 0;
    for (int trial = 0; trial < 100; trial++) {
        cloud c;
        double G[3] = {tk_normal(&r), tk_normal(&r), tk_normal(&r)}, R[9], Rdot[9], K[9] = {0}, J[9] = {0},
               w2[3], found[3], rate;
        random_cloud(&c, &r);
        const ph_parameter_value v[] = {{"mass", &c.mass, 1},
                                        {"centre", c.centre, 3},
                                        {"inertia", c.diagonal, 3},
                                        {"products", c.products, 3},
                                        {"gravity", G, 3}};
        double l = ph_norm3(c.centre), mgl = c.mass * ph_norm3(G) * l;
        for (int i = 0; i < POINTS; i++) /* about the pivot, straight from the points */
            for (int a = 0; a < 9; a++)
                J[a] += c.m[i] * ((a % 4 ? 0 : ph_dot3(c.x[i], c.x[i])) - c.x[i][a / 3] * c.x[i][a % 3]);
        for (int a = 0; a < 9; a++)
            K[a] = mgl * ((a % 4 ? 0 : 1) - c.centre[a / 3] * c.centre[a % 3] / (l * l));
        ck_assert_int_eq(tk_eigen(3, K, J, w2), 0);
        TK_OWN(ph_system) *system = tk_build_at("pendulum-3d", v, 5, "hanging", R, Rdot);
        tk_spectrum(system, R, found);
        tk_ok(ph_system_fastest_rate(system, 0, R, &rate, NULL));
        worst = tk_max(worst, tk_max_difference(w2, found, 3) / w2[2]);
        worst = tk_max(worst, fabs(rate / sqrt(w2[2]) - 1));
        tk_preset("pendulum-3d", v, 5, "upright", R, Rdot);
        tk_spectrum(system, R, found);
        for (int k = 0; k < 3; k++)
            worst = tk_max(worst, fabs(w2[k] + found[2 - k]) / w2[2]);
    }
    printf("physical pendulum: squares of the rates off by %.1e of the largest\n", worst);
    ck_assert_double_le(worst, 1e-6); /* differences of gradients */
}

/* w^2 = m g l / J about each horizontal axis: by the textbook, in numbers. */
TEST(rod_and_plate)
{
    static const double g = 9.81;
    const struct {
        const char *what;
        double m, l, J[3], w2; /* centre at (0, 0, -l) */
    } bodies[] = {
        {"thin rod of 1 m, hung by its end", 2, 0.5, {2. / 12, 2. / 12, 1e-5}, 3 * g / 2},
        {"disk of radius 1 m, hung by its rim",
         3,
         1,
         {3. / 4, 3. / 2, 3. / 4},
         4 * g / 5}, /* the faster: face on */
    };
    for (int i = 0; i < 2; i++) {
        const ph_parameter_value v[] = {{"mass", &bodies[i].m, 1},
                                        {"centre", (const double[]){0, 0, -bodies[i].l}, 3},
                                        {"inertia", bodies[i].J, 3},
                                        {"gravity", &g, 1}};
        double R[9], Rdot[9], rate;
        for (int model = 0; model < 2; model++) {
            const char *name = model ? "heavy-top" : "pendulum-3d";
            TK_OWN(ph_system) *system = tk_build_at(name, v, 4, "hanging", R, Rdot);
            tk_ok(ph_system_fastest_rate(system, 0, R, &rate, NULL));
            printf("%s, %s: %.9g rad/s, %.9g expected\n", bodies[i].what, name, rate, sqrt(bodies[i].w2));
            ck_assert_double_eq_tol(rate, sqrt(bodies[i].w2), 1e-6 * rate);
        }
    }
}

/* n bodies straight down, with all joints and centres on one principal axis: about either horizontal axis
 *     M_ii = J + m_i c^2 + B_i s^2, M_ij = m_j c s + B_j s^2 (i < j), K_ii = g (m_i c + B_i s),
 * B_i the mass below body i; a third motion of each body, its spin, is free. */
TEST_EACH(hanging_chain_of_bodies, BODIES)
{
    static const double g = 9.81, c = 0.3, s = 0.8, J[3] = {0.2, 0.3, 0.15};
    tk_random r = {51};
    size_t n = 1 + (size_t)_i;
    double m[BODIES], z[NZ], zdot[NZ], found[3 * BODIES], expected[2 * BODIES], worst = 0, rate;
    for (size_t i = 0; i < n; i++)
        m[i] = tk_log_uniform(&r, 0.3, 3);
    const ph_parameter_value v[] = {
        {"masses", m, n},  {"centre", VALUES(0, 0, -c)}, {"joint", VALUES(0, 0, -s)},
        {"inertia", J, 3}, {"gravity", &g, 1},           {"bodies", (const double[]){(double)n}, 1}};
    for (int axis = 0; axis < 2; axis++) {
        double M[BODIES * BODIES], K[BODIES * BODIES] = {0}, below = 0;
        for (size_t j = n; j-- > 0; below += m[j]) {
            for (size_t i = 0; i <= j; i++)
                M[i * n + j] = M[j * n + i] =
                    i == j ? J[axis] + m[j] * c * c + below * s * s : m[j] * c * s + below * s * s;
            K[j * n + j] = g * (m[j] * c + below * s);
        }
        ck_assert_int_eq(tk_eigen(n, K, M, expected + (size_t)axis * n), 0);
    }
    TK_OWN(ph_system) *system = tk_build_at("rigid-chain", v, 6, "hanging", z, zdot);
    tk_spectrum(system, z, found);
    double largest = found[3 * n - 1];
    for (size_t k = 0; k < n; k++) /* ascending: the spins come first */
        worst = tk_max(worst, fabs(found[k]) / largest);
    for (size_t k = 0; k < 2 * n; k++) {
        double nearest = INFINITY;
        for (size_t j = n; j < 3 * n; j++)
            nearest = fmin(nearest, fabs(found[j] - expected[k]));
        worst = tk_max(worst, nearest / largest);
    }
    tk_ok(ph_system_fastest_rate(system, 0, z, &rate, NULL));
    worst = tk_max(worst, fabs(rate * rate / largest - 1));
    printf("hanging chain of %zu bodies: squares of the rates off by %.1e of the largest\n", n, worst);
    ck_assert_double_le(worst, 1e-6);
}

/* Hanging and upright are equilibria, the lowest and the highest, also of bent bodies. */
TEST(equilibria_of_bent_bodies)
{
    tk_random r = {61};
    for (int trial = 0; trial < 20; trial++) {
        setup s;
        random_setup(&s, 1 + (size_t)trial % BODIES, &r);
        const ph_parameter_value v[] = {{"masses", s.m, s.n},  {"centre", s.centre, 3},
                                        {"joint", s.joint, 3}, {"inertia", s.J, 3},
                                        {"gravity", s.G, 3},   {"bodies", (const double[]){(double)s.n}, 1}};
        double z[NZ], zdot[NZ], dU[NZ], p[3 * BODIES], U[2], size = 0, lowest = 0;
        TK_OWN(ph_system) *system = build_chain(&s);
        for (int up = 0; up < 2; up++) {
            tk_preset("rigid-chain", v, 6, up ? "upright" : "hanging", z, zdot);
            tk_ok(ph_system_potential(system, z, &U[up]));
            tk_ok(ph_system_gradient(system, z, dU));
            ph_space_momentum(ph_system_space(system), z, dU, p); /* its moments */
            size = lowest = 0;
            for (size_t i = 0; i < s.n; i++) { /* |G w_i| */
                double square = 0;
                for (size_t a = 0; a < 9; a++)
                    square += dU[9 * i + a] * dU[9 * i + a];
                lowest -= sqrt(square);
                size = fmax(size, sqrt(square));
            }
            ck_assert_double_le(ph_max_norm(p, 3 * s.n), 20 * eps * size);
        }
        ck_assert_double_eq_tol(U[0], lowest, 20 * eps * fabs(lowest));
        ck_assert_double_eq_tol(U[1], -lowest, 20 * eps * fabs(lowest));
    }
}

/* Curved: what pulls on body i is at 90 degrees - 0.3 i from down, in one plane, and all turn about the
 * vertical. */
TEST(curved_chain_of_bodies)
{
    static const double down[3] = {0, 0, -1}, centre[3] = {0.1, 0, -0.2}, joint[3] = {0, 0.2, -0.5};
    const ph_parameter_value v[] = {{"centre", centre, 3}, {"joint", joint, 3}, {"bodies", VALUES(4)}};
    double z[36], zdot[36], omega[12], side[3] = {0};
    TK_OWN(ph_system) *system = tk_build_at("rigid-chain", v, 3, "curved", z, zdot);
    ph_space_spin(ph_system_space(system), z, zdot, omega);
    for (int i = 0; i < 4; i++) {
        double pull[3], arm[3], turn[3], normal[3];
        for (int a = 0; a < 3; a++)
            pull[a] = centre[a] + (3 - i) * joint[a]; /* the masses are 1 kg */
        ph_apply3(z + 9 * i, pull, arm);
        ck_assert_double_eq_tol(acos(ph_dot3(arm, down) / ph_norm3(arm)), acos(-1) / 2 - 0.3 * i, 1e-14);
        ph_cross3(down, arm, normal);
        for (int a = 0; a < 3; a++)
            normal[a] /= ph_norm3(arm) * cos(0.3 * i);
        if (!i)
            memcpy(side, normal, sizeof side);
        ck_assert_double_le(tk_max_difference(side, normal, 3), 1e-14);
        ph_apply3(z + 9 * i, omega + 3 * i, turn);
        ck_assert_double_le(tk_max_difference(turn, (const double[]){0, 0, 1}, 3), 1e-14);
    }
}

/* ---- Motions known exactly ----------------------------------------------------------------------- */

/* R(t) = exp(S(up Om t)) R0 exp(S(e spin t)): error after the time at step h. */
static double steady_error(const ph_system *system, const double *R0, const double *Rdot,
                           const double space[3], const double body[3], double time, int64_t steps)
{
    double turn[3], spin[3], A[9], B[9], AR[9], exact[9];
    for (int a = 0; a < 3; a++) {
        turn[a] = time * space[a];
        spin[a] = time * body[a];
    }
    ph_exp3(turn, A);
    ph_exp3(spin, B);
    ph_multiply3(A, R0, AR);
    ph_multiply3(AR, B, exact);
    TK_START(it, state, system, "variational", NULL, time / (double)steps, R0, Rdot);
    tk_steps(it, state, steps);
    double error = tk_max_difference(state->z, exact, 9);
    return error;
}

static void check_steady(const char *what, const ph_system *system, const double *R0, const double *Rdot,
                         const double space[3], const double body[3], double time, int64_t steps)
{
    double h[4], error[4];
    for (int k = 0; k < 4; k++) {
        h[k] = time / (double)(steps << k);
        error[k] = steady_error(system, R0, Rdot, space, body, time, steps << k);
    }
    double slope = tk_slope(h, error, 4);
    printf("%s: off the exact motion by %.1e (h = %.1e) ... %.1e, slope %.3f\n", what, error[0], h[0],
           error[3], slope);
    ck_assert_double_eq_tol(slope, 2, 0.03);
    ck_assert_double_le(error[3], 1e-2);
}

/* Steady precession of tops along any axis, under gravity of any direction and none; and the balance of
 * moments A Om^2 cos th - C w3 Om + m g l = 0 in the figures of the initial condition. */
TEST_EACH(steady_precession, 5)
{
    static const struct {
        double m, rho[3], Jc[3], G[3];
    } tops[] = {{15, {0, 1, 0}, {0.234375, 0.46875, 0.234375}, {0, 0, -9.81}},
                {2, {0, 0, 0.4}, {0.3, 0.3, 0.2}, {1, -2, 2}},
                {1, {-0.2, 0, 0}, {0.05, 0.04, 0.04}, {0, 0, 9.81}},
                {1, {0.1, 0.2, -0.3}, {0.04, 0.04, 0.04}, {0, 0, -1}},
                {1, {0, 0, 0.5}, {0.2, 0.2, 0.3}, {0, 0, 0}}};
    double m = tops[_i].m, R[9], Rdot[9], omega[3], e[3], up[3] = {0, 0, 1}, upward[3], space[3], body[3];
    const double *rho = tops[_i].rho, *G = tops[_i].G;
    const ph_parameter_value v[] = {
        {"mass", &m, 1}, {"centre", rho, 3}, {"inertia", tops[_i].Jc, 3}, {"gravity", G, 3}};
    double l = ph_norm3(rho), g = ph_norm3(G), C = 0, A = 0;
    for (int a = 0; a < 3; a++) {
        e[a] = rho[a] / l;
        if (g > 0)
            up[a] = -G[a] / g;
        C += tops[_i].Jc[a] * e[a] * e[a];
    }
    A = 0.5 * (tops[_i].Jc[0] + tops[_i].Jc[1] + tops[_i].Jc[2] - C) + m * l * l;
    TK_OWN(ph_system) *system = tk_build_at("heavy-top", v, 4, "precession", R, Rdot);
    ph_space_spin(ph_system_space(system), R, Rdot, omega);
    /* omega = Om up' + spin e, up' the vertical in the body frame */
    ph_apply_transposed3(R, up, upward);
    double cosine = ph_dot3(upward, e), w3 = ph_dot3(omega, e), across = ph_dot3(omega, upward);
    double Om = (across - w3 * cosine) / (1 - cosine * cosine);
    printf("top %d: precession %.6g rad/s, spin %.6g rad/s\n", _i, Om, w3);
    ck_assert_double_eq_tol(cosine, 0.5, 8 * eps);
    ck_assert_double_eq_tol(A * Om * Om * cosine - C * w3 * Om + m * g * l, 0, 1e-12 * fabs(C * w3 * Om));
    for (int a = 0; a < 3; a++) {
        space[a] = Om * up[a];
        body[a] = (w3 - Om * cosine) * e[a];
        ck_assert_double_eq_tol(omega[a], Om * upward[a] + body[a], 1e-13 * ph_norm3(omega));
    }
    check_steady("steady precession", system, R, Rdot, space, body, 3 / ph_norm3(omega), 16);
}

TEST_EACH(steady_rotation, 4)
{
    static const double moments[][3] = {{0.6, 0.8, 1.0}, {1.0, 0.8, 0.6}, {0.7, 0.9, 0.4}, {1, 1, 1}};
    const ph_parameter_value v = {"inertia", moments[_i], 3};
    static const double none[3] = {0, 0, 0};
    double R[9], Rdot[9], omega[3], p[3], speed = 0;
    TK_OWN(ph_system) *system = tk_build_at("free-rigid-body", &v, 1, "steady", R, Rdot);
    ph_space_spin(ph_system_space(system), R, Rdot, omega);
    for (int a = 0; a < 3; a++) {
        ck_assert(
            omega[a] == 0 ||
            (omega[a] == 1 && moments[_i][a] == fmax(fmax(moments[_i][0], moments[_i][1]), moments[_i][2])));
        speed += omega[a];
    }
    ck_assert(speed == 1);
    check_steady("steady rotation", system, R, Rdot, none, omega, 3, 16);
    tk_preset("free-rigid-body", &v, 1, "tumbling", R, Rdot);
    tk_momentum(system, R, Rdot, p);
    ck_assert_double_le(tk_max_difference(p, (const double[]){1.8, 0.4, -0.9}, 3), 4 * eps);
    ck_assert_uint_eq(ph_system_symmetries(system), 3);
}

/* About the middle axis a body turns over: its momentum there, 0.8 at first, becomes negative and positive
 * again. */
TEST(intermediate_axis_is_unstable)
{
    double R[9], Rdot[9], least = 1, last = 0;
    TK_OWN(ph_system) *system = tk_build_at("free-rigid-body", NULL, 0, "intermediate-axis", R, Rdot);
    TK_START(it, state, system, "variational", NULL, 0.01, R, Rdot);
    for (int k = 0; k < 20000; k++) {
        tk_ok(ph_integrator_step(it, state, 1));
        least = fmin(least, state->p[1]);
        last = least < -0.79 ? fmax(last, state->p[1]) : 0;
    }
    ck_assert_double_eq_tol(least, -0.8, 1e-3);
    ck_assert_double_eq_tol(last, 0.8, 1e-3);
}

/* The initial conditions of the benchmark: angular velocity in the body frame and centre of mass, computed
 * elsewhere. */
TEST_EACH(heavy_top_against_many_digits, 2)
{
    static const struct {
        const char *preset;
        const known_top *top;
        double first;
    } rows[] = {{"slow", &known_slow_top, 0.01}, {"fast", &known_fast_top, 0.0005}};
    const known_top *top = rows[_i].top;
    double R[9], Rdot[9], h[3], error[3], U, centre[3], Om[3];
    TK_OWN(ph_system) *system = tk_build_at("heavy-top", NULL, 0, rows[_i].preset, R, Rdot);
    tk_ok(ph_system_potential(system, R, &U));
    ck_assert_double_eq_tol(U + tk_kinetic(system, R, Rdot), top->energy, 1e-14 * top->energy);
    for (int k = 0; k < 3; k++) {
        h[k] = rows[_i].first * pow(0.5, k);
        TK_START(it, state, system, "variational", NULL, h[k], R, Rdot);
        tk_ok(ph_integrator_step(it, state, (int64_t)(top->time / h[k] + 0.5)));
        for (int a = 0; a < 3; a++) {
            Om[a] = state->p[a] / top->inertia[a];
            centre[a] = state->z[3 * a + 1]; /* R (0, 1, 0) */
        }
        error[k] = fmax(tk_max_difference(centre, top->centre, 3), tk_max_difference(Om, top->omega, 3));
    }
    double slope = tk_slope(h, error, 3);
    printf("heavy top, %s: off the many digits by %.1e at h = %g, slope %.3f\n", rows[_i].preset, error[2],
           h[2], slope);
    ck_assert_double_eq_tol(slope, 2, 0.03);
}

/* ---- Limits of bodies ---------------------------------------------------------------------------- */

/* Flat bodies, equality but for rounding, rods hung askew: there are such bodies. */
TEST(limits_of_bodies_are_allowed)
{
    static const double flat[3] = {0.345, 0.653, 0.998}, turned[3] = {0.1 + 0.2, 0.1, 0.2},
                        rod[3] = {1, 1, 0};
    const ph_parameter_value bodies[] = {{"inertia", flat, 3}, {"inertia", turned, 3}};
    for (size_t i = 0; i < 2; i++)
        ph_system_free(tk_build("free-rigid-body", &bodies[i], 1));
    const ph_parameter_value askew[] = {{"inertia", rod, 3}, {"centre", VALUES(0.1, 0, -0.5)}};
    ph_system_free(tk_build("pendulum-3d", askew, 2));
    ph_system_free(tk_build("rigid-chain", askew, 2));
}

/* Precession requires a symmetric body and a centre of mass off the pivot. */
TEST(precession_wants_a_symmetric_top)
{
    const ph_parameter_value bad[] = {
        {"inertia", VALUES(0.3, 0.4, 0.5)}, {"centre", VALUES(0, 0, 0)}, {"centre", VALUES(0.1, 1, 0)}};
    for (size_t i = 0; i < 3; i++) {
        double z[9], zdot[9];
        tk_refused(
            ph_model_preset(ph_model_find("heavy-top", NULL), &bad[i], 1, "precession", 9, z, zdot, tk_err),
            PH_E_RANGE, "needs a body that is symmetric about the axis from the pivot");
        ph_system_free(tk_build("heavy-top", &bad[i], 1));
    }
}

int main(void)
{
    return tk_run("rigid bodies");
}
