/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the test programs: random numbers with a fixed seed, systems built by hand from the
 * definitions (not by the models under test), dense algebra by LAPACK, and the usual main(). */
#ifndef POLHODE_TESTS_TESTKIT_H
#define POLHODE_TESTS_TESTKIT_H

#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <polhode/polhode.h>

/* Check reports the place of every assertion that passes to its parent by a write(2), so that a crash can be
 * located: 843 000 of them in one suite of laws, four fifths of its time. Here an assertion that passes costs
 * nothing; a crash is reported with the test and its index. */
#undef _mark_point
#define _mark_point(file, line) ((void)0)

/* xorshift64*: the same numbers everywhere. */
typedef struct tk_random {
    uint64_t s;
} tk_random;

double tk_uniform(tk_random *r, double low, double high);
double tk_log_uniform(tk_random *r, double low, double high);
double tk_normal(tk_random *r);
void tk_unit(tk_random *r, double q[3]);                       /* uniform on the sphere */
void tk_tangent(tk_random *r, const double q[3], double w[3]); /* normal, perpendicular to q */

/* A chain of n massless links with point masses, built from its definition: the oracle for models. */
enum { TK_MOST = 12 };
typedef struct tk_chain {
    size_t n;
    double m[TK_MOST], l[TK_MOST], gravity[3]; /* kg, m, m/s^2 */
    double M[TK_MOST * TK_MOST], Minv[TK_MOST * TK_MOST];
    double g[3 * TK_MOST]; /* dU/dq, constant */
} tk_chain;

void tk_chain_fill(tk_chain *c, size_t n, const double *m, const double *l, const double gravity[3]);
void tk_chain_random(tk_chain *c, size_t n, double low, double high, tk_random *r);
/* A ph_system of it by callbacks; user data is c, which must stay. Symmetry: rotation about gravity. */
ph_system *tk_chain_system(tk_chain *c);
/* The same as a linkage, whose inverse inertia is sparse: stepped in multiplier form. */
ph_system *tk_chain_linkage(const tk_chain *c);
/* Its definition, to be changed and passed to tk_create (on (S^2)^n); its callbacks need a user block that
 * begins with the tk_chain. */
ph_system_definition tk_chain_definition(tk_chain *c);
ph_system *tk_create(ph_system_definition *d, size_t n);
/* A system of this definition on the product of these factors. */
ph_system *tk_system(ph_system_definition d, const ph_factor *factors, size_t n);
ph_system *tk_model(const char *name); /* a model with its default parameters */

/* b <- A^{-1} b by LAPACK's dgesv, A row-major n x n (overwritten). Returns info. */
int tk_solve(size_t n, double *A, double *b);
/* Eigenvalues of K x = w2 M x in ascending order by LAPACK's dsygv (K, M overwritten; row i of K: mode i). */
int tk_eigen(size_t n, double *K, double *M, double *w2);

/* w2 (nx) <- squares of the rates of small motions about the equilibrium z, ascending, by LAPACK: the second
 * derivative of U along geodesics (by differences of the gradient, good to 1e-8 of the largest) against the
 * inertia. */
void tk_spectrum(const ph_system *system, const double *z, double *w2);

/* z, zdot <- a preset of a model with these parameters; a system likewise. A failed assertion where that
 * fails. */
void tk_preset(const char *model, const ph_parameter_value *values, size_t n, const char *preset, double *z,
               double *zdot);
ph_system *tk_build(const char *model, const ph_parameter_value *values, size_t n);
ph_system *tk_build_at(const char *model, const ph_parameter_value *values, size_t n, const char *preset,
                       double *z, double *zdot); /* both */
/* Coordinates of what a model builds for a preset with these values. */
size_t tk_preset_size(const ph_model *model, const ph_parameter_value *values, size_t n, const char *preset);
/* A space of these factors; the system of a definition. */
ph_space *tk_space(const ph_factor *factors, size_t n);
ph_system *tk_defined(const ph_system_definition *d);

/* p <- Legendre transform of zdot at z; the kinetic energy there. */
void tk_momentum(const ph_system *system, const double *z, const double *zdot, double *p);
double tk_kinetic(const ph_system *system, const double *z, const double *zdot);

/* A random configuration, and a random velocity there: normal numbers, projected. */
void tk_random_motion(const ph_system *system, tk_random *r, double *z, double *zdot);

/* The fastest rate [1/s] of the linearised system at z and of the motion; at least 0.1. */
double tk_fastest(const ph_system *system, const double *z, const double *zdot);
/* zdot += a random push of 0.2 of that rate, so that a motion from a preset is a generic one; returns the
 * rate then. */
double tk_push(const ph_system *system, tk_random *r, const double *z, double *zdot);

/* The method of this kind that takes the system: `dla` where there are velocity constraints, `spherical-midpoint` of spins, else
 * `variational`. */
const char *tk_variational(const ph_system *system);

/* An integrator and a state at (z, zdot), or a failed assertion. */
void tk_start(const ph_system *system, const char *method, const char *form, double h, const double *z,
              const double *zdot, ph_integrator **it, ph_state **state);
/* The same with any option of the method (value NULL: none), from time t. */
void tk_start_with(const ph_system *system, const ph_method *method, const char *option, const char *value,
                   double h, double t, const double *z, const double *zdot, ph_integrator **it,
                   ph_state **state);
void tk_end(ph_integrator *it, ph_state *state);
#define TK_MOTION(it, state)                                                                                 \
    TK_OWN(ph_integrator) *it = NULL; /* of this block, yet to be created */                                 \
    TK_OWN(ph_state) *state = NULL
/* n steps, or a failed assertion with the message of the integrator. */
void tk_steps(ph_integrator *it, ph_state *state, int64_t n);

/* Steps with the kernels of this processor, with plain ones, and one by one end in the same bits; it, state: the first. */
void tk_same_bits(const ph_system *system, const ph_method *method, const char *option, const char *value,
                  double h, double t, const double *z, const double *zdot, int64_t steps, ph_integrator **it,
                  ph_state **state);

/* Slope of log y against log x, least squares. */
double tk_slope(const double *x, const double *y, size_t n);
/* The larger; INFINITY if one is NaN, so that NaN meets no bound. */
double tk_max(double a, double b);
double tk_max_difference(const double *a, const double *b, size_t n);
/* Mean and its standard error. */
void tk_mean(const double *x, size_t n, double *mean, double *error);

/* For the reason of a call; the assertions here empty it before the call, and show it. */
extern ph_error tk_err[1];

#define tk_status_of(call) (tk_err->status = PH_OK, tk_err->message[0] = '\0', (call))
#define tk_ok(call)                                                                                          \
    do {                                                                                                     \
        ph_status tk_status = tk_status_of(call);                                                            \
        ck_assert_msg(tk_status == PH_OK, "%s: %s: %s", #call, ph_status_name(tk_status), tk_err->message);  \
    } while (0)
#define tk_returns(call, expected) ck_assert_int_eq(tk_status_of(call), expected)
/* The call has this status, and its reason has these words in it; both of them, in one line; or is this text. */
#define tk_refused(call, expected, words)                                                                    \
    do {                                                                                                     \
        tk_returns(call, expected);                                                                          \
        ck_assert_msg(strstr(tk_err->message, words) != NULL, "%s: %s", #call, tk_err->message);             \
    } while (0)
#define tk_refused_both(call, expected, first, second)                                                       \
    do {                                                                                                     \
        tk_returns(call, expected);                                                                          \
        tk_has_both(tk_err->message, first, second);                                                         \
    } while (0)
#define tk_says(call, expected, text)                                                                        \
    do {                                                                                                     \
        tk_returns(call, expected);                                                                          \
        ck_assert_str_eq(tk_err->message, text);                                                             \
    } while (0)

/* A pointer whose object is freed at the end of the block, the last declared first: `TK_OWN(ph_system) *system = tk_model("heavy-top");`,
 * and memory: `TK_MEMORY double *row = calloc(n, sizeof *row);`. */
#define TK_OWN(type) __attribute__((cleanup(type##_drop))) type
#define TK_MEMORY __attribute__((cleanup(tk_drop)))
/* A struct whose end is this function of its address: `TK_ENDS(io_end) io_run r;`. */
#define TK_ENDS(end) __attribute__((cleanup(end)))
#define TK_DROP(type, free)                                                                                  \
    static inline void type##_drop(type **p)                                                                 \
    {                                                                                                        \
        free(*p);                                                                                            \
    }
TK_DROP(ph_columns, ph_columns_free)
TK_DROP(ph_dense, ph_dense_free)
TK_DROP(ph_diagnostics, ph_diagnostics_free)
TK_DROP(ph_ensemble, ph_ensemble_free)
TK_DROP(ph_equilibria, ph_equilibria_free)
TK_DROP(ph_events, ph_events_free)
TK_DROP(ph_gravitation, ph_gravitation_free)
TK_DROP(ph_integrator, ph_integrator_free)
TK_DROP(ph_monitor, ph_monitor_free)
TK_DROP(ph_motion, ph_motion_free)
TK_DROP(ph_polyhedron, ph_polyhedron_free)
TK_DROP(ph_record, ph_record_close)
TK_DROP(ph_rows, ph_rows_free)
TK_DROP(ph_scenario, ph_scenario_free)
TK_DROP(ph_scene, ph_scene_free)
TK_DROP(ph_shape, ph_shape_free)
TK_DROP(ph_space, ph_space_free)
TK_DROP(ph_state, ph_state_free)
TK_DROP(ph_steady, ph_steady_free)
TK_DROP(ph_system, ph_system_free)
static inline void tk_drop(void *p)
{
    void *block;
    memcpy(&block, p, sizeof block);
    free(block);
}

/* One that a call makes: `TK_MAKE(ph_scene, scene, ph_scene_create(system, &scene, NULL));`. */
#define TK_MAKE(type, variable, call)                                                                        \
    TK_OWN(type) *variable = NULL;                                                                           \
    tk_ok(call)

/* An integrator and a state as variables of this block, which frees them, by a function that begins them; by tk_start. */
#define TK_BEGIN(it, state, begin, ...)                                                                      \
    TK_OWN(ph_integrator) *it = NULL;                                                                        \
    TK_OWN(ph_state) *state = NULL;                                                                          \
    begin(__VA_ARGS__, &it, &state)
#define TK_START(it, state, ...) TK_BEGIN(it, state, tk_start, __VA_ARGS__)

void tk_has_both(const char *message, const char *first, const char *second); /* and is one line */

/* The forms of the suite, by the environment. Everyday: none of these. A test that leaves something out in a
 * form leaves it out of its test case, so that nothing counts as passed that did not run. */
int tk_long(void);     /* POLHODE_CHECK_LONG: studies, minutes each; implies thorough */
int tk_thorough(void); /* POLHODE_CHECK_THOROUGH: full samples, as scripts/test --thorough asks */
int tk_short(void);    /* POLHODE_CHECK_SHORT: sanitizers and valgrind: the least that reaches every line */

/* Has long double digits beyond those of double in this run? Valgrind computes it in 53 bits, whatever the
 * compiler has promised. */
bool tk_extended(void);
/* So many digits, or adaptive methods, are in this run; else what needs them is untried (untried.h). For TEST_IF. */
bool tk_digits(const char *what);
bool tk_adaptive(void);

/* Integrators created from now on use plain kernels, or those of this processor, with or without AVX-512, unless the whole suite
 * runs with plain ones (POLHODE_KERNELS=plain, as under valgrind). false: these are on this machine those of a number before, and a
 * test of each need not try them. */
enum { TK_WIDE, TK_PLAIN, TK_AVX2, TK_KERNELS };
bool tk_kernels(int which);

/* folder (size bytes) <- a fresh one for the files of a test: in TMPDIR, else in memory where there is room for `room` bytes, else
 * in /tmp. */
void tk_make_folder(char *folder, size_t size, size_t room);

/* A test of the suite, by being written: tk_run finds it. TEST_EACH runs it n times, with _i from 0; n may be any expression, is
 * evaluated by tk_run, and 0 leaves the test out, as TEST_IF does where the condition is false. Tests run in the order of their
 * lines. */
#define TEST(name) TEST_EACH(name, 1)
#define TEST_IF(name, condition) TEST_EACH(name, (condition) ? 1 : 0)
#define TEST_EACH(name, n)                                                                                   \
    static void name(int _i);                                                                                \
    static int name##_times(void)                                                                            \
    {                                                                                                        \
        return (int)(n);                                                                                     \
    }                                                                                                        \
    __attribute__((constructor)) static void name##_is_known(void)                                           \
    {                                                                                                        \
        static const TTest name##_test = {#name, name, __FILE__, __LINE__};                                  \
        static tk_known name##_known = {&name##_test, name##_times, NULL};                                   \
        tk_know(&name##_known);                                                                              \
    }                                                                                                        \
    static void name(int _i CK_ATTRIBUTE_UNUSED)

typedef struct tk_known {
    const TTest *test;
    int (*times)(void);
    struct tk_known *next;
} tk_known;

void tk_know(tk_known *test);

/* Run these tests as the suite of this name; the exit code of main. In: with these before and after each test. */
int tk_run(const char *name);
int tk_run_in(const char *name, void (*before)(void), void (*after)(void));
/* Run a suite of test cases that are put together by hand. */
int tk_main(Suite *suite);

#endif
