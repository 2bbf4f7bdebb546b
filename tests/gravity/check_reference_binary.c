/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions of bodies under mutual gravity against end states of 42 digits (tests/kit/binaries.h), by several methods, with the
 * orders of their errors; and against a second formulation, that of GUBAS: everything in the frame of the first body, with
 * MacCullagh's potential in terms of inertia tensors, by a Runge-Kutta method that is written here. */
#include <polhode/domain/gravitation.h>
#include <polhode/kit/vector.h>

#include "tests/kit/binaries.h"

enum { Z = 12 * TK_BINARY_BODIES, P = 6 * TK_BINARY_BODIES };

/* The error at the end of a run of so many steps. */
static tk_binary_error follow(const tk_binary_end *end, bool relative, const char *method,
                              const ph_setting *settings, size_t n, int64_t steps)
{
    TK_OWN(ph_system) *system = tk_binary_system(end->binary, end->order, relative);
    ph_error why;
    double z[Z], p[P];
    tk_binary_start(system, end->binary, z, p);
    TK_OWN(ph_integrator) *it = NULL;
    TK_OWN(ph_state) *state = NULL;
    const ph_status made = ph_integrator_create(system, ph_method_find(method, NULL), end->t / (double)steps,
                                                settings, n, &it, &why);
    ck_assert_msg(made == PH_OK, "%s: %s", method, why.message);
    tk_ok(ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set(it, state, 0, z, p, PH_STRICT, NULL));
    tk_steps(it, state, steps);
    const tk_binary_error e = tk_binary_compare(system, end->y, state->z, state->p);
    return e;
}

/* ---- End states ---------------------------------------------------------------------------------------------------- */

/* Methods with steps at which their own errors are below what rounding makes of the motion in a day, at most 1e-12 in the
 * attitude and the angular momentum; of those with error control, and of cvode, their default tolerances decide (measured: 2e-12
 * and 8e-7). A thousand steps of rk8 leave the sums of 12000 evaluations: its rounding is a few times that of the others. */
static const struct {
    const char *label, *method, *order;
    double h, bound;
    bool pairs; /* of two bodies their distance alone? */
} ways[] = {{"variational, order 8", "variational", "8", 100, 2e-13, true},
            {"variational, inertial", "variational", "8", 100, 2e-13, false},
            {"gauss", "gauss", "16", 800, 2e-12, true},
            {"multistep", "multistep", "8", 20, 2e-12, true},
            {"rk8", "rk8", NULL, 100, 2e-12, true},
            {"rk8, inertial", "rk8", NULL, 100, 2e-12, false},
            {"arkode", "arkode", NULL, 0, 2e-11, true},
            {"cvode", "cvode", NULL, 0, 1e-5, true}};

TEST_EACH(ends, TK_BINARY_ENDS)
{
    const tk_binary_end *end = &tk_binary_ends[_i];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const ph_setting order = {"order", ways[i].order};
        const int64_t steps = ways[i].h > 0 ? (int64_t)ceil(end->t / ways[i].h) : 1;
        const bool relative = ways[i].pairs && tk_binary_bodies(end->binary) == 2;
        if (!ph_method_find(ways[i].method, NULL))
            continue; /* built without SUNDIALS */
        if (ways[i].h == 0 && !tk_thorough() && _i != 3 && _i != 10)
            continue; /* these take ten times as long as the others */
        const tk_binary_error e = follow(end, relative, ways[i].method, &order, ways[i].order != NULL, steps);
        printf("%-10s N = %zu, t = %6.0f s, %-21s x %.1e, v %.1e, R %.1e, Pi %.1e\n",
               tk_binary_name(end->binary), end->order, end->t, ways[i].label, e.x, e.v, e.R, e.Pi);
        ck_assert_double_le(tk_binary_largest(e), ways[i].bound);
    }
}

/* ---- Orders -------------------------------------------------------------------------------------------------------- */

/* By halving: steps at which the leading term of the error rules and rounding does not show. The next term adds up to 0.5 to
 * the exponents of the Runge-Kutta methods. */
static const struct {
    const char *method, *option;
    int order;
    double h, above;
} ladders[] = {{"variational", "2", 2, 100, 0.1},    {"variational", "4", 4, 200, 0.1},
               {"variational", "6", 6, 400, 0.1},    {"variational", "8", 8, 800, 0.2},
               {"gauss", "8", 8, 800, 0.4},          {"rk4", NULL, 4, 100, 0.5},
               {"rk4-projected", NULL, 4, 100, 0.5}, {"rkmk4", NULL, 4, 100, 0.5},
               {"cf4", NULL, 4, 100, 0.5},           {"rk8", NULL, 8, 600, 0.5}};
enum { LADDERS = sizeof ladders / sizeof ladders[0] };

TEST_EACH(orders, 3 * LADDERS)
{
    static const size_t chosen[] = {2, 11, 14}; /* ellipsoids, didymos and triple, N = 4 */
    const tk_binary_end *end = &tk_binary_ends[chosen[_i % 3]];
    const size_t i = (size_t)_i / 3;
    const ph_setting order = {"order", ladders[i].option};
    const bool relative = tk_binary_bodies(end->binary) == 2;
    double error[2];
    for (int k = 0; k < 2; k++)
        error[k] =
            tk_binary_largest(follow(end, relative, ladders[i].method, &order, ladders[i].option != NULL,
                                     (int64_t)ceil(end->t / ladders[i].h) << k));
    const double slope = log2(error[0] / error[1]);
    printf("%-10s %s of order %d: %.1e, then %.1e at half the step, order %.2f\n",
           tk_binary_name(end->binary), ladders[i].method, ladders[i].order, error[0], error[1], slope);
    ck_assert_double_ge(slope, ladders[i].order - 0.1);
    ck_assert_double_le(slope, ladders[i].order + ladders[i].above);
}

/* ---- A second formulation ------------------------------------------------------------------------------------------ */

/* In the axes of A: r from A to B, v = the inertial velocity of B against A, C = R_A^T R_B, spins in the frames of their bodies;
 * and R_A. With N = 2 the potential is MacCullagh's,
 *     U = -G m_A m_B/r - (G m_B/2r^3)(tr J_A - 3 n.J_A n) - (G m_A/2r^3)(tr J_B - 3 n.J_B n). */
enum { R_AT, V_AT = 3, C_AT = 6, A_AT = 15, WA_AT = 24, WB_AT = 27, NUMBERS = 30 };

typedef struct pair {
    double G, mass[2], J[2][3]; /* principal axes */
} pair;

/* force (3) and torque (3) on a body at the distance r with its inertia tensor J (9, in the same axes) from a mass, added to and
 * set: n = r/|r| points away from the body or towards it, which does not matter but for the force, that on the mass. */
static void extended(double Gm, const double *J, const double r[3], double force[3], double torque[3])
{
    const double d = ph_norm3(r), n[3] = {r[0] / d, r[1] / d, r[2] / d};
    double Jn[3];
    ph_apply3(J, n, Jn);
    const double nJn = ph_dot3(n, Jn), trace = J[0] + J[4] + J[8];
    for (size_t k = 0; k < 3; k++)
        force[k] -= 1.5 * Gm / (d * d * d * d) * ((trace - 5 * nJn) * n[k] + 2 * Jn[k]);
    ph_cross3(n, Jn, torque);
    for (size_t k = 0; k < 3; k++)
        torque[k] *= 3 * Gm / (d * d * d);
}

/* dw <- J^-1 (T - w x J w) */
static void euler(const double J[3], const double w[3], const double T[3], double dw[3])
{
    const double L[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};
    double turn[3];
    ph_cross3(w, L, turn);
    for (size_t k = 0; k < 3; k++)
        dw[k] = (T[k] - turn[k]) / J[k];
}

static void equations(const pair *b, const double *y, double *dy)
{
    const double *r = y + R_AT, *v = y + V_AT, *C = y + C_AT, *wa = y + WA_AT, *wb = y + WB_AT;
    const double d = ph_norm3(r), reduced = b->mass[0] * b->mass[1] / (b->mass[0] + b->mass[1]);
    const double JA[9] = {b->J[0][0], 0, 0, 0, b->J[0][1], 0, 0, 0, b->J[0][2]};
    double JB[9], force[3], TA[3], TB[3], TB_own[3], by_r[3], by_v[3];
    for (size_t i = 0; i < 9; i++) {
        JB[i] = 0;
        for (size_t k = 0; k < 3; k++)
            JB[i] += C[i / 3 * 3 + k] * b->J[1][k] * C[i % 3 * 3 + k];
    }
    for (size_t k = 0; k < 3; k++)
        force[k] = -b->G * b->mass[0] * b->mass[1] * r[k] / (d * d * d);
    extended(b->G * b->mass[1], JA, r, force, TA);
    extended(b->G * b->mass[0], JB, r, force, TB);
    ph_apply_transposed3(C, TB, TB_own);
    ph_cross3(wa, r, by_r);
    ph_cross3(wa, v, by_v);
    for (size_t k = 0; k < 3; k++) {
        dy[R_AT + k] = v[k] - by_r[k];
        dy[V_AT + k] = force[k] / reduced - by_v[k];
    }
    for (size_t row = 0; row < 3;
         row++) { /* C S(w_B) - S(w_A) C, and R_A S(w_A): a row u of u S(w) is u x w */
        ph_cross3(C + 3 * row, wb, dy + C_AT + 3 * row);
        ph_cross3(y + A_AT + 3 * row, wa, dy + A_AT + 3 * row);
    }
    for (size_t j = 0; j < 3; j++) {
        const double column[3] = {C[j], C[3 + j], C[6 + j]};
        double turned[3];
        ph_cross3(wa, column, turned);
        for (size_t k = 0; k < 3; k++)
            dy[C_AT + 3 * k + j] -= turned[k];
    }
    euler(b->J[0], wa, TA, dy + WA_AT);
    euler(b->J[1], wb, TB_own, dy + WB_AT);
}

static void classical_step(const pair *b, double h, double *y)
{
    static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double k[4][NUMBERS], at[NUMBERS];
    for (size_t j = 0; j < 4; j++) {
        for (size_t i = 0; i < NUMBERS; i++)
            at[i] = y[i] + (j ? node[j] * h * k[j - 1][i] : 0);
        equations(b, at, k[j]);
    }
    for (size_t i = 0; i < NUMBERS; i++)
        for (size_t j = 0; j < 4; j++)
            y[i] += h / 6 * weight[j] * k[j][i];
}

/* From a state of the library (relative) to these variables, and back as in tk_binary_end. */
static void into_frame(const pair *b, const double *z, const double *p, double *y)
{
    const double reduced = b->mass[0] * b->mass[1] / (b->mass[0] + b->mass[1]);
    const double v[3] = {p[0] / reduced, p[1] / reduced, p[2] / reduced};
    ph_apply_transposed3(z + 3, z, y + R_AT);
    ph_apply_transposed3(z + 3, v, y + V_AT);
    ph_transposed_multiply3(z + 3, z + 12, y + C_AT);
    memcpy(y + A_AT, z + 3, 9 * sizeof *y);
    for (size_t k = 0; k < 3; k++) {
        y[WA_AT + k] = p[3 + k] / b->J[0][k];
        y[WB_AT + k] = p[6 + k] / b->J[1][k];
    }
}

static void out_of_frame(const pair *b, const double *y, double *z, double *p)
{
    const double reduced = b->mass[0] * b->mass[1] / (b->mass[0] + b->mass[1]);
    ph_apply3(y + A_AT, y + R_AT, z);
    ph_apply3(y + A_AT, y + V_AT, p);
    memcpy(z + 3, y + A_AT, 9 * sizeof *z);
    ph_multiply3(y + A_AT, y + C_AT, z + 12);
    for (size_t k = 0; k < 3; k++) {
        p[k] *= reduced;
        p[3 + k] = b->J[0][k] * y[WA_AT + k];
        p[6 + k] = b->J[1][k] * y[WB_AT + k];
    }
}

/* Ten seconds a step: the error of the method, 16 times smaller at half the step, is 1e-9 in these runs. */
TEST_EACH(in_the_frame_of_a_body, 4)
{
    static const size_t chosen[] = {0, 4, 8, 12}; /* the first end of each pair, N = 2 */
    const tk_binary_end *end = &tk_binary_ends[chosen[_i]];
    TK_OWN(ph_system) *system = tk_binary_system(end->binary, 2, true);
    const ph_gravitation *g = ph_system_gravitation(system);
    pair b = {.G = tk_binary_G(end->binary)};
    double z[Z], p[P], y[NUMBERS];
    for (size_t i = 0; i < 2; i++) {
        b.mass[i] = ph_gravitation_mass(g, i)->moment[0];
        for (size_t k = 0; k < 3; k++)
            b.J[i][k] = ph_gravitation_mass(g, i)->J[4 * k];
    }
    tk_binary_start(system, end->binary, z, p);
    into_frame(&b, z, p, y);
    const int64_t steps = (int64_t)(end->t / 10);
    for (int64_t k = 0; k < steps; k++)
        classical_step(&b, end->t / (double)steps, y);
    out_of_frame(&b, y, z, p);
    const tk_binary_error e = tk_binary_compare(system, end->y, z, p);
    printf("%-10s N = 2 in the frame of A: x %.1e, v %.1e, R %.1e, Pi %.1e\n", tk_binary_name(end->binary),
           e.x, e.v, e.R, e.Pi);
    ck_assert_double_le(tk_binary_largest(e), 5e-9);
}

int main(void)
{
    return tk_run("motions of binaries");
}
