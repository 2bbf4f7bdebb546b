/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational step of bodies under mutual gravity: worked numbers; the same map as that of the general kernel, which
 * knows callbacks only; that it is symplectic and its own reverse; bits of runs in pieces; what cannot be stepped. */
#include <polhode/kit/rotation.h>

#include "tests/kit/hostile.h"

#include "cases.h"

/* ---- One step ------------------------------------------------------------------------------------------------- */

/* h = 0.1, of 60-digit arithmetic: x_B - x_A, p_B = m (v_B - v_A), Pi_A, Pi_B, first rows of R_A and R_B. */
static const struct {
    size_t order;
    double x[3], p[3], A[3], B[3], RA[3], RB[3];
} worked[] = {{2,
               {1.80798255920312, 0.274776714162762, -0.0848940172785155},
               {0.0138697671365394, 0.171880634107269, 0.0350582861671209},
               {0.00456933990283062, 0.0140814366426467, 0.122979560856651},
               {0.00114807010059385, -0.00270733722234323, 0.00470392731982285},
               {0.988476603046433, -0.149898635007789, 0.0210809025562517},
               {0.827574611559077, -0.21524666709123, 0.518448777227761}},
              {4,
               {1.80798025509624, 0.274776568307836, -0.0848945625717571},
               {0.01385911288631, 0.171880344168338, 0.0350556507808636},
               {0.00456938136902029, 0.0140800828047179, 0.122979629008813},
               {0.00114789278244372, -0.00271220272552514, 0.00470342082775697},
               {0.988476529870971, -0.14989922184417, 0.0210801609281345},
               {0.827594028752594, -0.215246841834289, 0.51841770866109}}};

/* The numbers have 15 digits: half of their last place, and a rounding of the step. */
TEST(worked_step)
{
    for (size_t i = 0; i < 2; i++)
        for (int relative = 0; relative < 2; relative++) {
            gc_case c = gc_worked(worked[i].order);
            c.relative = relative;
            TK_ENDS(gc_end) gc_motion m = gc_begin(&c);
            double x[3], p[3];
            TK_BEGIN(it, state, gc_start, &m, m.system, "2", 0.1);
            tk_steps(it, state, 1);
            for (size_t k = 0; k < 3; k++) {
                x[k] = relative ? state->z[k] : state->z[3 + k] - state->z[k];
                p[k] = relative ? state->p[k] : state->p[3 + k];
            }
            const double *Pi = state->p + 3 * m.places, *R = state->z + 3 * m.places;
            ck_assert_double_le(tk_max_difference(x, worked[i].x, 3), 6e-15);
            ck_assert_double_le(tk_max_difference(p, worked[i].p, 3), 6e-16);
            ck_assert_double_le(tk_max_difference(Pi, worked[i].A, 3), 6e-16);
            ck_assert_double_le(tk_max_difference(Pi + 3, worked[i].B, 3), 2e-17);
            ck_assert_double_le(tk_max_difference(R, worked[i].RA, 3), 7e-16);
            ck_assert_double_le(tk_max_difference(R + 9, worked[i].RB, 3), 7e-16);
        }
}

/* ---- The general kernel ---------------------------------------------------------------------------------------- */

/* The largest difference of places, attitudes, and both kinds of momenta, each relative to the largest of its kind. */
static double distance(const gc_motion *m, const ph_state *a, const ph_state *b)
{
    const size_t x = 3 * m->places;
    return tk_max(
        tk_max(tk_max_difference(a->z, b->z, x) / ph_max_norm(a->z, x),
               tk_max_difference(a->z + x, b->z + x, m->nz - x)),
        tk_max(tk_max_difference(a->p, b->p, x) / ph_max_norm(a->p, x),
               tk_max_difference(a->p + x, b->p + x, m->np - x) / ph_max_norm(a->p + x, m->np - x)));
}

static void compare(const gc_case *c, const char *order, double h, int64_t steps, double tolerance)
{
    TK_ENDS(gc_end) gc_motion m = gc_begin(c);
    TK_OWN(ph_system) *anonymous = gc_anonymous(m.system);
    TK_BEGIN(it, state, gc_start, &m, m.system, order, h);
    TK_BEGIN(general, other, gc_start, &m, anonymous, order, h);
    tk_steps(it, state, steps);
    tk_steps(general, other, steps);
    ck_assert_double_gt(tk_max_difference(state->z, m.z, 3 * m.places) / ph_max_norm(m.z, 3 * m.places),
                        0.01);
    const double apart = distance(&m, state, other);
    ck_assert_msg(apart <= tolerance, "%zu bodies, order %s, h = %g s: %g", c->n, order, h, apart);
}

/* Roundings of 1e-16 a step, which the motion makes grow: a close pair loses a digit. The last but two with turns by
 * which roots are chosen by the branch from h = 0. */
TEST(general_kernel)
{
    const char *const orders[] = {"2", "4", "6", "8"};
    const gc_case pair = gc_worked(2), apart = gc_four(3), triple = gc_triple(4);
    gc_case inertial = gc_worked(4);
    inertial.relative = false;
    for (size_t i = 0; i < 4; i++) {
        compare(&pair, orders[i], 0.02, i ? 30 : 300, 1e-13);
        compare(&inertial, orders[i], i % 2 ? -0.03 : 0.03, i ? 20 : 200, 1e-13);
        compare(&apart, orders[i], 0.02, i ? 20 : 100, 1e-13);
        compare(&triple, orders[i], 100, i ? 20 : 200, 1e-13);
    }
    compare(&pair, "2", 0.5, 20, 1e-13);
    compare(&apart, "2", -0.4, 5, 1e-13);
    compare(&inertial, "4", 0.5, 5, 1e-13);
}

/* ---- The map --------------------------------------------------------------------------------------------------- */

enum { DIM = 18 };

/* The state of the worked pair whose coordinate i is displaced by s: x, turn of both bodies, p / m, J^-1 Pi. */
static void displace(const gc_motion *m, const double *unit, size_t i, double s, double *z, double *p)
{
    double turn[3] = {0, 0, 0};
    memcpy(z, m->z, sizeof m->z);
    memcpy(p, m->p, sizeof m->p);
    if (i < 3) {
        z[i] += s;
    } else if (i < 9) {
        double F[9];
        const size_t at = 3 + 9 * ((i - 3) / 3);
        turn[i % 3] = s;
        ph_exp3(turn, F);
        ph_multiply3(m->z + at, F, z + at);
    } else {
        p[i - 9] += s * unit[i];
    }
}

/* out (DIM) += weight times the coordinates of the state as seen from `from`. */
static void add_coordinates(const ph_state *state, const ph_state *from, double weight, double *out)
{
    for (size_t i = 0; i < 9; i++)
        out[9 + i] += weight * (state->p[i] - from->p[i]);
    for (size_t i = 0; i < 3; i++)
        out[i] += weight * (state->z[i] - from->z[i]);
    for (size_t body = 0; body < 2; body++) {
        double F[9], turn[3];
        ph_transposed_multiply3(from->z + 3 + 9 * body, state->z + 3 + 9 * body, F);
        ck_assert(ph_log3(F, turn));
        for (size_t i = 0; i < 3; i++)
            out[3 + 3 * body + i] += weight * turn[i];
    }
}

/* sum dx ^ dp + dth . dPi, and -S(Pi) on (dth, dth). */
static double form(const double *p, const double *a, const double *b)
{
    double sum = 0, turned[3];
    for (size_t i = 0; i < 9; i++)
        sum += a[i] * b[9 + i] - a[9 + i] * b[i];
    for (size_t body = 0; body < 2; body++) {
        ph_cross3(p + 3 + 3 * body, b + 3 + 3 * body, turned);
        sum -= ph_dot3(a + 3 + 3 * body, turned);
    }
    return sum;
}

/* Differences of order 8: their error is that of rounding, 1e-16 over 0.01, in units of masses and moments. */
TEST(symplectic)
{
    static const double weights[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
    static const char *const orders[] = {"2", "4", "8"};
    const double d = 0.01;
    const gc_case c = gc_worked(4);
    TK_ENDS(gc_end) gc_motion m = gc_begin(&c);
    double unit[DIM], column[DIM][DIM], before[DIM][DIM];
    for (size_t i = 0; i < DIM; i++)
        unit[i] = i % 9 < 3 ? 0.3 / 1.3 : c.body[(i % 9 - 3) / 3].mass.J[4 * (i % 3)];
    for (size_t o = 0; o < 3; o++) {
        TK_BEGIN(it, from, gc_start, &m, m.system, orders[o], 0.1);
        TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
        tk_steps(it, from, 1);
        memset(column, 0, sizeof column);
        memset(before, 0, sizeof before);
        for (size_t i = 0; i < DIM; i++) {
            before[i][i] = i < 9 ? 1 : unit[i];
            for (int k = -4; k <= 4; k++) {
                double z[GC_Z], p[GC_P];
                if (!k)
                    continue;
                displace(&m, unit, i, k * d, z, p);
                tk_ok(ph_state_set(it, state, 0, z, p, PH_PROJECT, NULL));
                tk_steps(it, state, 1);
                add_coordinates(state, from, (k < 0 ? -1 : 1) * weights[abs(k) - 1] / d, column[i]);
            }
        }
        for (size_t i = 0; i < DIM; i++)
            for (size_t j = 0; j < i; j++) {
                const double is = form(from->p, column[i], column[j]), was = form(m.p, before[i], before[j]);
                ck_assert_msg(fabs(is - was) <= 1e-12 * sqrt(unit[i] * unit[j]),
                              "order %s, %zu %zu: %g, not %g", orders[o], i, j, is, was);
            }
    }
}

/* There and back by a step, and by many: roundings. */
TEST(reverse)
{
    static const char *const orders[] = {"2", "4", "6", "8"};
    const gc_case cases[] = {gc_worked(2), gc_four(4), gc_triple(2)};
    for (size_t i = 0; i < 3; i++)
        for (size_t o = 0; o < 4; o++) {
            TK_ENDS(gc_end) gc_motion m = gc_begin(&cases[i]);
            const double h = i == 2 ? 50 : 0.02;
            TK_BEGIN(it, state, gc_start, &m, m.system, orders[o], h);
            TK_MAKE(ph_state, start, ph_state_create(it, &start, NULL));
            tk_ok(ph_state_copy(start, state));
            for (int64_t steps = 1; steps <= 50; steps += 49) {
                tk_steps(it, state, steps);
                tk_ok(ph_integrator_set_step_size(it, -h));
                tk_steps(it, state, steps);
                tk_ok(ph_integrator_set_step_size(it, h));
                const double apart = distance(&m, state, start);
                ck_assert_msg(apart <= (steps == 1 ? 1e-15 : 2e-14), "case %zu, order %s, %d steps: %g", i,
                              orders[o], (int)steps, apart);
            }
        }
}

/* ---- Pieces, and what cannot be stepped -------------------------------------------------------------------------- */

TEST(same_bits)
{
    static const char *const orders[] = {"2", "4"};
    for (size_t o = 0; o < 2; o++) {
        const gc_case c = gc_four(4);
        TK_ENDS(gc_end) gc_motion m = gc_begin(&c);
        TK_BEGIN(it, whole, gc_start, &m, m.system, orders[o], 0.03);
        TK_OWN(ph_state) *single = hk_clone(it, whole);
        tk_steps(it, whole, 40);
        TK_OWN(ph_integrator) *again = NULL;
        TK_OWN(ph_state) *resumed = NULL;
        for (int k = 0; k < 40; k++) {
            tk_steps(it, single, 1);
            if (k != 17)
                continue;
            /* as if another process took over */
            void *bytes = malloc(ph_state_packed_size(single));
            ck_assert_ptr_nonnull(bytes);
            ph_state_pack(single, bytes);
            gc_start(&m, m.system, orders[o], 0.03, &again, &resumed);
            tk_ok(ph_state_unpack(resumed, bytes, ph_state_packed_size(single), NULL));
            free(bytes);
            tk_steps(again, resumed, 22);
        }
        ck_assert(hk_same(whole, single));
        ck_assert(hk_same(whole, resumed));
    }
}

/* Only the first step follows a branch, and few iterations are enough. */
TEST(guesses)
{
    const gc_case c = gc_ellipsoids(2);
    TK_ENDS(gc_end) gc_motion m = gc_begin(&c);
    ph_integrator *it;
    ph_state *state;
    gc_start(&m, m.system, "2", 50, &it, &state);
    tk_steps(it, state, 1);
    const ph_statistics first = *ph_integrator_statistics(it);
    ck_assert_int_eq(first.branches, 2);
    tk_steps(it, state, 1000);
    ck_assert_int_eq(ph_integrator_statistics(it)->branches, 2);
    ck_assert_int_le(ph_integrator_statistics(it)->newton_passes - first.newton_passes, 2000);
    tk_end(it, state);
    gc_start(&m, m.system, "8", 1000, &it, &state);
    tk_steps(it, state, 1);
    tk_steps(it, state, 100);
    ck_assert_int_eq(ph_integrator_statistics(it)->branches, 2);
    tk_end(it, state);
}

static double turning_back(const ph_integrator *it)
{
    const char *at = strstr(ph_integrator_message(it), "turns back at h = ");
    ck_assert_msg(at != NULL, "%s", ph_integrator_message(it));
    return strtod(at + strlen("turns back at h = "), NULL);
}

/* A step in which a body would turn by more than a right angle: the branch of solutions ends where that of the general
 * kernel does; the state stays. */
TEST(no_solution)
{
    const gc_case c = gc_worked(4);
    TK_ENDS(gc_end) gc_motion m = gc_begin(&c);
    TK_OWN(ph_system) *anonymous = gc_anonymous(m.system);
    ph_integrator *it, *general;
    ph_state *state, *other, *before;
    for (double h = 1; h >= -1; h -= 2) {
        gc_start(&m, m.system, "2", h, &it, &state);
        gc_start(&m, anonymous, "2", h, &general, &other);
        before = hk_clone(it, state);
        ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_NO_SOLUTION);
        ck_assert_int_eq(ph_integrator_step(general, other, 1), PH_E_NO_SOLUTION);
        ck_assert_double_eq_tol(turning_back(it), turning_back(general), 1e-5);
        ck_assert(hk_same(state, before));
        tk_end(general, other);
        /* with a history of shorter steps */
        tk_ok(ph_integrator_set_step_size(it, 0.05));
        tk_steps(it, state, 5);
        ph_state_free(before);
        before = hk_clone(it, state);
        tk_ok(ph_integrator_set_step_size(it, h));
        ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_NO_SOLUTION);
        ck_assert_int_eq(memcmp(state->carry, before->carry, state->ncarry * sizeof(double)), 0);
        ck_assert_int_eq(memcmp(state->z, before->z, state->nz * sizeof(double)), 0);
        ck_assert_int_eq(memcmp(state->p, before->p, state->np * sizeof(double)), 0);
        ph_state_free(before);
        tk_end(it, state);
    }
}

/* Two bodies in one place. */
TEST(no_force)
{
    const gc_case c = gc_four(2);
    TK_ENDS(gc_end) gc_motion m = gc_begin(&c);
    memcpy(m.z + 6, m.z + 3, 3 * sizeof *m.z);
    TK_BEGIN(it, state, gc_start, &m, m.system, "2", 0.1);
    TK_OWN(ph_state) *before = hk_clone(it, state);
    ck_assert_int_eq(ph_integrator_step(it, state, 3), PH_E_NOT_FINITE);
    ck_assert_str_eq(ph_integrator_message(it), "the gradient of the potential is not finite at t = 0 s");
    ck_assert(hk_same(state, before));
}

int main(void)
{
    return tk_run("gravitation");
}
