/* SPDX-License-Identifier: BSD-3-Clause */
/* The test kit: see testkit.h. */
#include "testkit.h"

#include "untried.h"

#include <polhode/constraints.h>

#include <float.h>
#include <sys/statvfs.h>
#include <unistd.h>

void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b, const int *ldb,
            int *info);
void dsygv_(const int *itype, const char *jobz, const char *uplo, const int *n, double *a, const int *lda,
            double *b, const int *ldb, double *w, double *work, const int *lwork, int *info);

ph_error tk_err[1];

/* ---- Random numbers ----------------------------------------------------------------------------- */

double tk_uniform(tk_random *r, double low, double high)
{
    if (!r->s)
        r->s = 0x9e3779b97f4a7c15u;
    r->s ^= r->s >> 12;
    r->s ^= r->s << 25;
    r->s ^= r->s >> 27;
    return low + (high - low) * (double)((r->s * 0x2545f4914f6cdd1du) >> 11) * 0x1p-53;
}

double tk_log_uniform(tk_random *r, double low, double high)
{
    return exp(tk_uniform(r, log(low), log(high)));
}

double tk_normal(tk_random *r)
{
    double u = 1 - tk_uniform(r, 0, 1), v = tk_uniform(r, 0, 2 * M_PI);
    return sqrt(-2 * log(u)) * cos(v);
}

void tk_unit(tk_random *r, double q[3])
{
    double norm;
    do {
        for (int k = 0; k < 3; k++)
            q[k] = tk_normal(r);
        norm = ph_norm3(q);
    } while (norm < 1e-3);
    for (int k = 0; k < 3; k++)
        q[k] /= norm;
    ph_unit_correct3(q);
}

void tk_tangent(tk_random *r, const double q[3], double w[3])
{
    for (int k = 0; k < 3; k++)
        w[k] = tk_normal(r);
    for (int pass = 0; pass < 2; pass++) {
        double along = ph_dot3(q, w);
        for (int k = 0; k < 3; k++)
            w[k] -= along * q[k];
    }
}

/* ---- Chains ------------------------------------------------------------------------------------- */

void tk_chain_fill(tk_chain *c, size_t n, const double *m, const double *l, const double gravity[3])
{
    *c = (tk_chain){.n = n};
    memcpy(c->m, m, n * sizeof *m);
    memcpy(c->l, l, n * sizeof *l);
    memcpy(c->gravity, gravity, sizeof c->gravity);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k < n; k++) { /* mass k hangs on links 0..k */
            for (size_t j = 0; j <= k; j++)
                c->M[i * n + j] += m[k] * l[i] * l[j];
            for (size_t a = 0; a < 3; a++)
                c->g[3 * i + a] -= m[k] * l[i] * gravity[a];
        }
    for (size_t j = 0; j < n; j++) {
        double A[TK_MOST * TK_MOST], e[TK_MOST] = {0};
        memcpy(A, c->M, n * n * sizeof *A);
        e[j] = 1;
        ck_assert_int_eq(tk_solve(n, A, e), 0);
        for (size_t i = 0; i < n; i++)
            c->Minv[i * n + j] = e[i];
    }
}

void tk_chain_random(tk_chain *c, size_t n, double low, double high, tk_random *r)
{
    double m[TK_MOST], l[TK_MOST], gravity[3] = {0, 0, -9.81};
    for (size_t i = 0; i < n; i++) {
        m[i] = tk_log_uniform(r, low, high);
        l[i] = tk_log_uniform(r, low, high);
    }
    tk_chain_fill(c, n, m, l, gravity);
}

static ph_status potential(void *user, const double *z, double *U)
{
    const tk_chain *c = user;
    *U = 0;
    for (size_t i = 0; i < 3 * c->n; i++)
        *U += c->g[i] * z[i];
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const tk_chain *c = user;
    (void)z;
    memcpy(dU, c->g, 3 * c->n * sizeof *dU);
    return PH_OK;
}

ph_system_definition tk_chain_definition(tk_chain *c)
{
    return (ph_system_definition){.inertia = c->M, .potential = potential, .gradient = gradient, .user = c};
}

static const ph_symmetry vertical = {.name = "Jz", .text = "vertical", .unit = "kg m^2/s", .axis = {0, 0, 1}};

ph_system *tk_chain_system(tk_chain *c)
{
    ph_system_definition d = tk_chain_definition(c);
    d.symmetries = &vertical;
    d.n_symmetries = 1;
    return tk_create(&d, c->n);
}

ph_system *tk_chain_linkage(const tk_chain *c)
{
    const double *G = c->gravity;
    ph_linkage linkage = {.length = c->l, .mass = c->m, .gravity = {G[0], G[1], G[2]}};
    ph_system_definition d = {.linkage = &linkage, .symmetries = &vertical, .n_symmetries = 1};
    return tk_create(&d, c->n);
}

ph_system *tk_system(ph_system_definition d, const ph_factor *factors, size_t n)
{
    ph_system *system = NULL;
    TK_MAKE(ph_space, space, ph_space_create(factors, n, &space, tk_err));
    d.space = space;
    tk_ok(ph_system_create(&d, &system, tk_err));
    return system;
}

ph_system *tk_create(ph_system_definition *d, size_t n)
{
    ph_space *space = NULL;
    ph_system *system = NULL;
    tk_ok(ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, n, &space, NULL));
    d->space = space;
    tk_ok(ph_system_create(d, &system, NULL));
    ph_space_free(space);
    return system;
}

ph_system *tk_model(const char *name)
{
    return tk_build(name, NULL, 0);
}

/* ---- Algebra ------------------------------------------------------------------------------------ */

int tk_solve(size_t n, double *A, double *b)
{
    int m = (int)n, one = 1, info = 0, *pivot = malloc(n * sizeof *pivot);
    double *transpose = malloc(n * n * sizeof *transpose);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            transpose[j * n + i] = A[i * n + j];
    dgesv_(&m, &one, transpose, &m, pivot, b, &m, &info);
    free(pivot);
    free(transpose);
    return info;
}

int tk_eigen(size_t n, double *K, double *M, double *w2)
{
    int m = (int)n, type = 1, lwork = 34 * m, info = 0;
    double *work = malloc((size_t)lwork * sizeof *work);
    dsygv_(&type, "V", "U", &m, K, &m, M, &m, w2, work, &lwork, &info);
    free(work);
    return info;
}

/* ---- Systems ------------------------------------------------------------------------------------ */

/* Two ellipsoids of about 1 m and 1 kg, for models of bodies that are asteroids by default: rates are about 1 rad/s then. */
enum { MOST_VALUES = 40 };

static size_t rescale(const ph_model *model, const ph_parameter_value *values, size_t n,
                      ph_model_body bodies[2], ph_parameter_value *all)
{
    static const double one = 1, a[3] = {0.5, 0.4, 0.3}, b[3] = {0.3, 0.2, 0.15};
    bool given = false, G = false;
    ck_assert_uint_le(n + 2, MOST_VALUES);
    for (size_t i = 0; i < n; i++) {
        all[i] = values[i];
        given |= !strcmp(values[i].name, "bodies");
        G |= !strcmp(values[i].name, "G");
    }
    size_t lists = 0;
    for (size_t i = 0; i < model->n_parameters; i++)
        lists += model->parameters[i].kind == PH_PARAMETER_BODIES;
    if (!lists || given)
        return n;
    tk_ok(ph_mass_ellipsoid(1, a, &bodies[0].mass, NULL));
    tk_ok(ph_mass_ellipsoid(0.3, b, &bodies[1].mass, NULL));
    bodies[0].turning = bodies[1].turning = 1;
    bodies[0].tide = bodies[1].tide = (ph_tide){0, 0, 0, 0};
    bodies[0].surface = bodies[1].surface = bodies[0].shape = bodies[1].shape = NULL;
    all[n++] = ph_parameter_of_bodies("bodies", bodies, 2);
    if (!G)
        all[n++] = (ph_parameter_value){"G", &one, 1};
    return n;
}

ph_system *tk_build(const char *name, const ph_parameter_value *values, size_t n)
{
    ph_system *system = NULL;
    ph_error err = {PH_OK, ""};
    ph_model_body bodies[2];
    ph_parameter_value all[MOST_VALUES];
    const ph_model *model = ph_model_find(name, NULL);
    ck_assert_msg(model != NULL, "no model %s", name);
    n = rescale(model, values, n, bodies, all);
    ck_assert_msg(!ph_model_build(model, all, n, &system, &err), "%s: %s", name, err.message);
    return system;
}

ph_system *tk_build_at(const char *model, const ph_parameter_value *values, size_t n, const char *preset,
                       double *z, double *zdot)
{
    tk_preset(model, values, n, preset, z, zdot);
    return tk_build(model, values, n);
}

void tk_preset(const char *name, const ph_parameter_value *values, size_t n, const char *preset, double *z,
               double *zdot)
{
    ph_error err = {PH_OK, ""};
    ph_model_body bodies[2];
    ph_parameter_value all[MOST_VALUES];
    const ph_model *model = ph_model_find(name, NULL);
    n = rescale(model, values, n, bodies, all);
    ck_assert_msg(
        !ph_model_preset(model, all, n, preset, tk_preset_size(model, all, n, preset), z, zdot, &err),
        "%s: %s", name, err.message);
}

size_t tk_preset_size(const ph_model *model, const ph_parameter_value *values, size_t n, const char *preset)
{
    TK_MAKE(ph_system, system, ph_model_build_for(model, preset, values, n, &system, NULL));
    return ph_space_ambient(ph_system_space(system));
}

ph_space *tk_space(const ph_factor *factors, size_t n)
{
    ph_space *space = NULL;
    tk_ok(ph_space_create(factors, n, &space, tk_err));
    return space;
}

ph_system *tk_defined(const ph_system_definition *d)
{
    ph_system *system = NULL;
    tk_ok(ph_system_create(d, &system, tk_err));
    return system;
}

void tk_random_motion(const ph_system *system, tk_random *r, double *z, double *zdot)
{
    const ph_space *space = ph_system_space(system);
    do
        for (size_t i = 0; i < ph_space_ambient(space); i++) {
            z[i] = tk_normal(r);
            zdot[i] = tk_normal(r);
        }
    while (ph_space_project(space, z));
    ph_space_project_tangent(space, z, zdot);
}

double tk_fastest(const ph_system *system, const double *z, const double *zdot)
{
    double rate = 0;
    tk_ok(ph_system_fastest_rate(system, 0, z, &rate, NULL));
    for (size_t i = 0; i < ph_space_ambient(ph_system_space(system)); i++)
        rate = fmax(rate, fabs(zdot[i]));
    return fmax(rate, 0.1);
}

double tk_push(const ph_system *system, tk_random *r, const double *z, double *zdot)
{
    if (ph_system_spins(system)) /* their velocity follows from z */
        return tk_fastest(system, z, zdot);
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    double *other = malloc(2 * nz * sizeof *other), *push = other + nz, rate = tk_fastest(system, z, zdot);
    tk_random_motion(system, r, other, push);
    ph_space_project_tangent(space, z, push);
    for (size_t i = 0; i < nz; i++)
        zdot[i] += (ph_system_constraints(system) ? 0.02 : 0.2) * rate * push[i];
    free(other);
    if (ph_system_constraints(system)) { /* and not far towards where its rows depend on each other */
        double *work = malloc(ph_system_constraint_work(system) * sizeof *work);
        tk_ok(ph_system_constraint_project(system, 0, z, zdot, work, NULL));
        free(work);
    }
    return tk_fastest(system, z, zdot);
}

/* e (nz) <- tangent coordinate `which`, of length s, from the basis E. */
static void tangent(const ph_space *space, const double *E, size_t which, double s, double *e)
{
    memset(e, 0, ph_space_ambient(space) * sizeof *e);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        if (which >= f->x && which < f->x + f->nx)
            for (size_t k = 0; k < f->nz; k++)
                e[f->z + k] = s * E[(which - f->x) * f->nz + k];
        E += f->nx * f->nz;
    }
}

void tk_momentum(const ph_system *system, const double *z, const double *zdot, double *p)
{
    double *work = malloc(ph_system_work(system) * sizeof *work);
    tk_ok(ph_system_momentum(system, 0, z, zdot, p, work));
    free(work);
}

double tk_kinetic(const ph_system *system, const double *z, const double *zdot)
{
    double T, U, *work = malloc(ph_system_work(system) * sizeof *work);
    tk_ok(ph_system_energy(system, 0, z, zdot, &T, &U, work));
    free(work);
    return T;
}

void tk_spectrum(const ph_system *system, const double *z, double *w2)
{
    static const double step = 1e-4;
    const ph_space *space = ph_system_space(system);
    size_t m = ph_space_dimension(space), nz = ph_space_ambient(space);
    double *E = malloc(ph_space_basis_size(space) * sizeof *E), *K = calloc(2 * m * m, sizeof *K),
           *A = K + m * m, *v = malloc(5 * nz * sizeof *v), *z1 = v + nz, *g = z1 + nz, *e = g + nz,
           *push = e + nz;
    ph_space_basis(space, z, E);
    double *work = malloc(ph_system_work(system) * sizeof *work);
    tk_ok(ph_system_tangent_inertia(system, 0, z, NULL, E, A, work));
    free(work);
    for (size_t j = 0; j < m; j++)
        for (int side = -1; side <= 1; side += 2) {
            tangent(space, E, j, side * step, v);
            ph_space_exp(space, z, v, z1);
            tk_ok(ph_system_gradient(system, z1, g));
            for (size_t i = 0; i < m; i++) {
                tangent(space, E, i, 1, e);
                ph_space_dexp(space, z, v, e, push);
                for (size_t k = 0; k < nz; k++)
                    K[i * m + j] += side * g[k] * push[k] / (2 * step);
            }
        }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < i; j++) {
            K[i * m + j] = K[j * m + i] = 0.5 * (K[i * m + j] + K[j * m + i]);
            A[j * m + i] = A[i * m + j];
        }
    ck_assert_int_eq(tk_eigen(m, K, A, w2), 0);
    free(E);
    free(K);
    free(v);
}

/* ---- Runs --------------------------------------------------------------------------------------- */

void tk_start_with(const ph_system *system, const ph_method *method, const char *option, const char *value,
                   double h, double t, const double *z, const double *zdot, ph_integrator **it,
                   ph_state **state)
{
    ph_error err = {PH_OK, ""};
    const ph_setting setting = {option, value};
    ck_assert_msg(!ph_integrator_create(system, method, h, &setting, value ? 1 : 0, it, &err), "%s",
                  err.message);
    ck_assert_msg(!ph_state_create(*it, state, &err), "%s", err.message);
    ck_assert_msg(!ph_state_set_velocity(*it, *state, t, z, zdot, PH_PROJECT, &err), "%s", err.message);
}

const char *tk_variational(const ph_system *system)
{
    if (ph_system_spins(system))
        return "spherical-midpoint";
    return ph_system_constraints(system) ? "dla" : "variational";
}

void tk_start(const ph_system *system, const char *method, const char *form, double h, const double *z,
              const double *zdot, ph_integrator **it, ph_state **state)
{
    ph_error err = {PH_OK, ""};
    const ph_method *found = ph_method_find(method, &err);
    ck_assert_msg(found != NULL, "%s", err.message);
    tk_start_with(system, found, "form", form, h, 0, z, zdot, it, state);
}

void tk_steps(ph_integrator *it, ph_state *state, int64_t n)
{
    ck_assert_msg(!ph_integrator_step(it, state, n), "%s", ph_integrator_message(it));
}

void tk_end(ph_integrator *it, ph_state *state)
{
    ph_state_free(state);
    ph_integrator_free(it);
}

/* ---- Figures ------------------------------------------------------------------------------------ */

double tk_slope(const double *x, const double *y, size_t n)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t i = 0; i < n; i++) {
        double a = log(x[i]), b = log(y[i]);
        sx += a, sy += b, sxx += a * a, sxy += a * b;
    }
    return ((double)n * sxy - sx * sy) / ((double)n * sxx - sx * sx);
}

double tk_max(double a, double b)
{
    return isnan(a) || isnan(b) ? INFINITY : a > b ? a : b;
}

double tk_max_difference(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = tk_max(most, fabs(a[i] - b[i]));
    return most;
}

void tk_mean(const double *x, size_t n, double *mean, double *error)
{
    double sum = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        square += (x[i] - *mean) * (x[i] - *mean);
    *error = sqrt(square / (double)(n - 1) / (double)n);
}

void tk_has_both(const char *message, const char *first, const char *second)
{
    ck_assert_msg(strstr(message, first) && strstr(message, second) && !strchr(message, '\n'),
                  "\"%s\" does not say \"%s\" and \"%s\"", message, first, second);
}

int tk_long(void)
{
    return getenv("POLHODE_CHECK_LONG") != NULL;
}

int tk_thorough(void)
{
    return tk_long() || getenv("POLHODE_CHECK_THOROUGH") != NULL;
}

int tk_short(void)
{
    return getenv("POLHODE_CHECK_SHORT") != NULL;
}

bool tk_extended(void)
{
    volatile long double one = 1, least = LDBL_EPSILON, sum = one + least;
    return LDBL_EPSILON < DBL_EPSILON && sum > one;
}

bool tk_digits(const char *what)
{
    static bool said;
    if (!tk_extended() && !said)
        untried(NULL, "%s: long double has no digits beyond those of double here", what);
    said = true;
    return tk_extended();
}

bool tk_adaptive(void)
{
    static bool said;
    ph_error err;
    if (ph_method_find("arkode", &err) && ph_method_find("cvode", &err))
        return true;
    if (!said)
        untried(NULL, "adaptive methods: %s", err.message);
    said = true;
    return false;
}

static bool always_plain;
static char switched_off[256]; /* ",no-..." of what POLHODE_KERNELS has, which stays off */

bool tk_kernels(int which)
{
    static const char *const word[TK_KERNELS] = {"wide", "plain", "avx2"};
    unsigned has[TK_KERNELS];
    char words[sizeof switched_off + 8];
    for (int k = 0; k <= which; k++) {
        snprintf(words, sizeof words, "%s%s", always_plain ? "plain" : word[k], switched_off);
        setenv("POLHODE_KERNELS", words, 1);
        has[k] = ph_kernels();
    }
    for (int k = 0; k < which; k++)
        if (has[k] == has[which])
            return false;
    return true;
}

void tk_same_bits(const ph_system *system, const ph_method *method, const char *option, const char *value,
                  double h, double t, const double *z, const double *zdot, int64_t steps, ph_integrator **it,
                  ph_state **state)
{
    for (int way = 0; way < 3; way++) {
        TK_MOTION(other, same);
        tk_kernels(way == 1);
        tk_start_with(system, method, option, value, h, t, z, zdot, way ? &other : it, way ? &same : state);
        const int64_t at_once = way < 2 ? steps : 1;
        for (int64_t k = 0; k < steps; k += at_once)
            tk_steps(way ? other : *it, way ? same : *state, at_once);
        if (!way)
            continue;
        ck_assert_mem_eq((*state)->z, same->z, same->nz * sizeof *same->z);
        ck_assert_mem_eq((*state)->p, same->p, same->np * sizeof *same->p);
        ck_assert_mem_eq((*state)->carry, same->carry, same->ncarry * sizeof *same->carry);
    }
}

void tk_make_folder(char *folder, size_t size, size_t room)
{
    static const char memory[] = "/dev/shm";
    struct statvfs s;
    const char *place = getenv("TMPDIR");
    if (!place || !*place)
        place = !access(memory, W_OK | X_OK) && !statvfs(memory, &s) &&
                        (double)s.f_bavail * (double)s.f_frsize >= (double)room
                    ? memory
                    : "/tmp";
    ck_assert_int_lt(snprintf(folder, size, "%s/check_polhode.XXXXXX", place), (int)size);
    ck_assert_msg(mkdtemp(folder) != NULL, "no folder can be made in %s", place);
}

/* What was measured is seen where an assertion then fails, too, which ends the test without writing what is kept. */
__attribute__((constructor)) static void write_each_line_at_once(void)
{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

int tk_main(Suite *suite)
{
    const char *kernels = getenv("POLHODE_KERNELS");
    always_plain = kernels && !strncmp(kernels, "plain", strcspn(kernels, ",")) && *kernels;
    for (const char *word = kernels; word; word = strchr(word, ',') ? strchr(word, ',') + 1 : NULL) {
        const size_t used = strlen(switched_off);
        if (!strncmp(word, "no-", 3))
            snprintf(switched_off + used, sizeof switched_off - used, ",%.*s", (int)strcspn(word, ","), word);
    }
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static tk_known *all_known; /* in the order of their lines, which that of constructors need not be */

void tk_know(tk_known *test)
{
    tk_known **place = &all_known;
    while (*place && (*place)->test->line < test->test->line)
        place = &(*place)->next;
    test->next = *place;
    *place = test;
}

int tk_run_in(const char *name, void (*before)(void), void (*after)(void))
{
    if (!all_known) {
        printf("%s: there is no test\n", name);
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, tk_long() ? 3600 : 1200);
    if (before)
        tcase_add_checked_fixture(tests, before, after);
    for (const tk_known *k = all_known; k; k = k->next)
        tcase_add_loop_test(tests, k->test, 0, k->times());
    suite_add_tcase(suite, tests);
    return tk_main(suite);
}

int tk_run(const char *name)
{
    return tk_run_in(name, NULL, NULL);
}
