/* SPDX-License-Identifier: BSD-3-Clause */
/* spin-splitting: orders by many-digit values, every element against its closed form, the whole step against a plain
 * second formulation, what it must keep, the bits of its kernels, and what it refuses. */
#include "tests/kit/spinkit.h"

static const char *const orders[] = {"2", "4", "6", "8"};
enum { ORDERS = 4, WIDEST = 80 };

static ph_setting order_of(int o)
{
    return (ph_setting){"order", orders[o]};
}

static ph_system *create(const ph_spins *spins, void *user)
{
    const ph_system_definition d = {.spins = spins, .user = user};
    ph_system *system = NULL;
    tk_ok(ph_system_create(&d, &system, tk_err));
    return system;
}

/* end (3n) <- z after `steps` steps. */
static void travel(const ph_system *system, double h, int o, const double *z, int64_t steps, double *end)
{
    const ph_setting order = order_of(o);
    TK_OWN(ph_integrator) *it = sk_bind(system, "spin-splitting", h, &order, 1);
    TK_OWN(ph_state) *state = sk_state(it, z);
    ck_assert_msg(!ph_integrator_step(it, state, steps), "%s", ph_integrator_message(it));
    memcpy(end, state->z, state->nz * sizeof *end);
}

/* ---- Orders --------------------------------------------------------------------------------------------- */

/* By halving, where errors are between the asymptotic range and rounding: each row has its first number of steps. */
TEST_EACH(convergence, 4)
{
    static const int problems[] = {SK_VORTICES, SK_RING, SK_CHAIN, SK_DRIVEN};
    static const int64_t first[4][ORDERS] = {
        {200, 100, 20, 10}, {400, 100, 50, 24}, {200, 100, 50, 24}, {400, 100, 50, 24}};
    static const double within[ORDERS] = {0.03, 0.03, 0.06, 0.15};
    const sk_problem *p = &sk_problems[problems[_i]];
    for (int o = 0; o < ORDERS; o++) {
        const ph_setting order = order_of(o);
        double steps[3], errors[3];
        for (int k = 0; k < 3; k++) {
            steps[k] = (double)(first[_i][o] << k) * (o == 3 ? pow(2, -0.5 * k) : 1);
            steps[k] = floor(steps[k]);
            errors[k] = sk_error(p, "spin-splitting", &order, 1, (int64_t)steps[k]);
        }
        const double slope = -tk_slope(steps, errors, 3);
        printf("%s, order %s: %.1e %.1e %.1e, slope %.3f\n", p->name, orders[o], errors[0], errors[1],
               errors[2], slope);
        ck_assert_double_eq_tol(slope, 2 * (o + 1), within[o]);
        ck_assert_double_lt(sk_error(p, "spin-splitting", &order, 1, o ? 3200 : 12800), o == 0   ? 2e-6
                                                                                        : o == 1 ? 3e-12
                                                                                                 : 1e-14);
    }
}

/* ---- Elements against closed forms ---------------------------------------------------------------------- */

/* r <- s turned by |b| about b, in long double. */
static void rodrigues(const long double *b, const long double *s, long double *r)
{
    const long double angle = sqrtl(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]),
                      A = angle > 0 ? sinl(angle) / angle : 1,
                      B = angle > 0 ? 2 * powl(sinl(0.5L * angle) / angle, 2) : 0.5L;
    long double once[3], twice[3];
    for (int k = 0; k < 3; k++)
        once[k] = b[(k + 1) % 3] * s[(k + 2) % 3] - b[(k + 2) % 3] * s[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        twice[k] = b[(k + 1) % 3] * once[(k + 2) % 3] - b[(k + 2) % 3] * once[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        r[k] = s[k] + A * once[k] + B * twice[k];
}

static void widen(const double *z, size_t n, long double *wide)
{
    for (size_t k = 0; k < n; k++)
        wide[k] = z[k];
}

/* Both spins about T by 2 atan(k |T|), exactly. */
static void turn_pair(long double *s, long double *r, long double k, long double Gs, long double Gr)
{
    long double T[3], size = 0, own[3], other[3];
    for (int a = 0; a < 3; a++) {
        T[a] = Gs * s[a] + Gr * r[a];
        size += T[a] * T[a];
    }
    size = sqrtl(size);
    for (int a = 0; a < 3; a++)
        T[a] *= size > 0 ? 2 * atanl(k * size) / size : 0;
    rodrigues(T, s, own);
    rodrigues(T, r, other);
    memcpy(s, own, sizeof own);
    memcpy(r, other, sizeof other);
}

/* Where this suite's functions of bonds and controls come from. */
static ph_status cubic_bond(void *user, double x, double *f)
{
    (void)user;
    f[0] = 0.5 * x * x - 0.2 * x * x * x;
    f[1] = x - 0.6 * x * x;
    f[2] = 1 - 1.2 * x;
    return PH_OK;
}

static ph_status swing(void *user, double t, double *B, double *dB)
{
    (void)user;
    B[0] = 0.3 * cos(1.1 * t);
    B[1] = -0.4 * sin(0.7 * t);
    B[2] = 0.2 + 0.1 * t;
    if (dB) {
        dB[0] = -0.33 * sin(1.1 * t);
        dB[1] = -0.28 * cos(0.7 * t);
        dB[2] = 0.1;
    }
    return PH_OK;
}

/* ---- A second formulation of the whole step --------------------------------------------------------------- */

/* f'(s . r) of a bond, without the axial part. */
static long double slope_of(const ph_bonds *b, long double c, long double Gs, long double Gr, long double x)
{
    switch (b->kind) {
    case PH_BOND_EXCHANGE:
        return -c;
    case PH_BOND_TWIST:
        return -c; /* of s . R r */
    case PH_BOND_VORTICES:
        return c * Gs * Gr / (4 * acosl(-1) * (1 - x + 0.5L * b->core * b->core));
    case PH_BOND_FUNCTION:
        return c * (x - 0.6L * x * x);
    case PH_BOND_AXIAL:
        break;
    }
    return 0;
}

static void plain_bond(const ph_spins *is, const ph_bonds *b, size_t i, size_t j, long double c,
                       long double h, long double *z)
{
    const long double Gs = is->strengths ? is->strengths[i] : 1, Gr = is->strengths ? is->strengths[j] : 1;
    long double *s = z + 3 * i, *r = z + 3 * j, axis[3], quarter[3], turned[3];
    for (int a = 0; a < 3; a++) {
        axis[a] = b->axis[a];
        quarter[a] = acosl(0) * axis[a];
    }
    if (b->kind == PH_BOND_TWIST) {
        rodrigues(quarter, r, turned);
        memcpy(r, turned, sizeof turned);
    }
    const long double x = s[0] * r[0] + s[1] * r[1] + s[2] * r[2];
    turn_pair(s, r, 0.5L * h * slope_of(b, c, Gs, Gr, x) / (Gs * Gr), Gs, Gr);
    for (int a = 0; a < 3; a++)
        quarter[a] = -quarter[a];
    if (b->kind == PH_BOND_TWIST) {
        rodrigues(quarter, r, turned);
        memcpy(r, turned, sizeof turned);
    }
}

/* All classes in order, or in reverse: of listed bonds as the system has them, of all pairs the rounds i + j = 2 m (mod M),
 * M = n - 1 for an even n, where the last spin is with m, and M = n for an odd n. */
static size_t classes_of(const ph_spins *is)
{
    size_t classes = 0;
    for (size_t g = 0; g < is->n_bonds; g++)
        classes += is->bonds[g].kind == PH_BOND_AXIAL ? 0 : is->bonds[g].colours;
    return classes;
}

static void plain_class(const ph_spins *is, size_t class, long double h, long double *z)
{
    const ph_bonds *b = is->bonds;
    for (;; b++) {
        const size_t own = b->kind == PH_BOND_AXIAL ? 0 : b->colours;
        if (class < own)
            break;
        class -= own;
    }
    if (!b->all_pairs) {
        for (size_t k = b->begin[class]; k < b->begin[class + 1]; k++)
            plain_bond(is, b, b->first[k], b->second[k], b->c[b->uniform ? 0 : k], h, z);
        return;
    }
    const size_t n = is->n, M = n % 2 ? n : n - 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (j < M ? (i + j) % M == 2 * class % M : i == class)
                plain_bond(is, b, i, j, b->c[0], h, z);
}

/* dH/du of what depends on u = a . s alone, for the axis a of a family. */
static bool is_parallel(const double *a, const double *b)
{
    return fabs(fabs(ph_dot3(a, b)) - 1) < 1e-14;
}

static void plain_family(const ph_spins *is, const double *a, bool field, long double h, long double *z)
{
    long double u[WIDEST], rate[WIDEST] = {0};
    for (size_t i = 0; i < is->n; i++)
        u[i] = a[0] * z[3 * i] + a[1] * z[3 * i + 1] + a[2] * z[3 * i + 2];
    for (size_t g = 0; g < is->n_bonds; g++) {
        const ph_bonds *b = &is->bonds[g];
        const long double sign = b->kind == PH_BOND_TWIST ? 1 : -1;
        if ((b->kind != PH_BOND_AXIAL && b->kind != PH_BOND_TWIST) || !is_parallel(a, b->axis))
            continue;
        for (size_t k = 0; k < b->n; k++) {
            const long double c = sign * b->c[b->uniform ? 0 : k];
            rate[b->first[k]] += c * u[b->second[k]];
            rate[b->second[k]] += c * u[b->first[k]];
        }
        for (size_t i = 0; i < is->n && b->all_pairs; i++)
            for (size_t j = 0; j < is->n; j++)
                rate[i] += i == j ? 0 : sign * b->c[0] * u[j];
    }
    for (size_t g = 0; g < is->n_anisotropies; g++)
        for (size_t i = 0; i < is->n && is_parallel(a, is->anisotropies[g].axis); i++)
            rate[i] -= 2 * is->anisotropies[g].K[is->anisotropies[g].uniform ? 0 : i] * u[i];
    for (size_t i = 0; i < is->n; i++) {
        long double b[3], turned[3];
        if (field)
            rate[i] -= ph_dot3(is->field + (is->field_is_uniform ? 0 : 3 * i), a);
        for (int k = 0; k < 3; k++)
            b[k] = h * rate[i] / (is->strengths ? is->strengths[i] : 1) * a[k];
        rodrigues(b, z + 3 * i, turned);
        memcpy(z + 3 * i, turned, sizeof turned);
    }
}

static void plain_field(const ph_spins *is, double t, long double h, long double *z)
{
    double B[3] = {0, 0, 0};
    if (is->control)
        is->control(NULL, t, B, NULL);
    for (size_t i = 0; i < is->n; i++) {
        long double b[3], turned[3];
        for (int k = 0; k < 3; k++)
            b[k] = -h *
                   ((is->field ? is->field[(is->field_is_uniform ? 0 : 3 * i) + (size_t)k] : 0) +
                    (is->moments ? is->moments[i] : 1) * (long double)B[k]) /
                   (is->strengths ? is->strengths[i] : 1);
        rodrigues(b, z + 3 * i, turned);
        memcpy(z + 3 * i, turned, sizeof turned);
    }
}

/* One step of order 2: families in the order in which their axes appear (groups of bonds, then anisotropies), the field
 * where it is not along one of them, the classes. */
static void plain_step(const ph_spins *is, double t, long double h, long double *z)
{
    const double *axis[16];
    bool in_family[16] = {false}, field = is->field || is->control;
    size_t families = 0;
    for (size_t m = 0; m < is->n_bonds + is->n_anisotropies; m++) {
        const ph_bonds *b = m < is->n_bonds ? &is->bonds[m] : NULL;
        const double *a = b ? b->axis : is->anisotropies[m - is->n_bonds].axis;
        bool known = b && b->kind != PH_BOND_AXIAL && b->kind != PH_BOND_TWIST;
        for (size_t k = 0; k < families; k++)
            known = known || is_parallel(axis[k], a);
        if (!known)
            axis[families++] = a;
    }
    for (size_t k = 0; k < families && is->field && is->field_is_uniform && !is->control; k++) {
        const double size = ph_norm3(is->field);
        if (field && fabs(fabs(ph_dot3(is->field, axis[k])) - size) < 1e-14 * size) {
            in_family[k] = true;
            field = false;
        }
    }
    const size_t classes = classes_of(is), ones = families + field, all = ones + classes;
    for (size_t pass = 0; pass < 2 * all - 1; pass++) {
        const size_t e = pass < all ? pass : 2 * all - 2 - pass;
        const long double own = pass == all - 1 ? h : 0.5L * h;
        if (e < families)
            plain_family(is, axis[e], in_family[e], own, z);
        else if (e < ones)
            plain_field(is, t + 0.5 * (double)h, own, z);
        else
            plain_class(is, e - ones, own, z);
    }
}

enum {
    UNIFORM = 1, /* equal strengths */
    ONE_C = 2,   /* one coefficient for each group */
    ALL = 4,     /* vortices and a function between all pairs */
    ALL_TWIST = 8,
    CONTROL = 16,
    ALONG = 32, /* axes and the field along one direction */
    LISTS = 64, /* groups of listed bonds of all kinds */
    SHUFFLED = 128
};

/* n spins with what the flags say. */
static ph_system *mixed(size_t n, unsigned flags, tk_random *r)
{
    enum { GROUPS = 8 };
    static const ph_bond_kind kinds[] = {PH_BOND_EXCHANGE, PH_BOND_AXIAL, PH_BOND_TWIST, PH_BOND_FUNCTION,
                                         PH_BOND_VORTICES};
    static double strengths[WIDEST], moments[WIDEST], K[WIDEST], field[3 * WIDEST], c[GROUPS][2 * WIDEST],
        common[3];
    static uint32_t first[GROUPS][2 * WIDEST], second[GROUPS][2 * WIDEST];
    ph_bonds bonds[GROUPS] = {{.kind = PH_BOND_EXCHANGE}};
    size_t groups = 0;
    tk_unit(r, common);
    for (size_t i = 0; i < n; i++) {
        strengths[i] = flags & UNIFORM ? -0.8 : (tk_uniform(r, 0, 1) < 0.3 ? -1 : 1) * tk_uniform(r, 0.5, 2);
        moments[i] = tk_uniform(r, 0.5, 1);
        K[i] = tk_uniform(r, -0.5, 0.5);
        for (int a = 0; a < 3; a++)
            field[3 * i + (size_t)a] = flags & ALONG ? 0.3 * common[a] : tk_uniform(r, -0.5, 0.5);
    }
    for (size_t g = 0; g < 5 && flags & LISTS;
         g++) { /* a ring, in part with bonds to the spin after the next */
        ph_bonds *b = &bonds[groups++];
        size_t m = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t far = 1; far <= 1 + g % 2; far++) {
                if ((n == 2 && i) || (n <= 4 && far == 2))
                    continue;
                first[g][m] = (uint32_t)i;
                second[g][m] = (uint32_t)((i + far) % n);
                m++;
            }
        for (size_t k = m; k-- > 1 && flags & SHUFFLED;) {
            const size_t other = (size_t)(tk_uniform(r, 0, 1) * (double)(k + 1)) % (k + 1);
            const uint32_t f = first[g][k], s = second[g][k];
            first[g][k] = second[g][other]; /* and the two spins exchanged, of one of both */
            second[g][k] = first[g][other];
            first[g][other] = f;
            second[g][other] = s;
        }
        for (size_t k = 0; k < m; k++)
            c[g][k] = tk_uniform(r, -1, 1);
        *b = (ph_bonds){.kind = kinds[g], .n = m, .first = first[g], .second = second[g], .c = c[g]};
        b->uniform = (flags & ONE_C) != 0;
        b->core = 0.3;
        b->function = kinds[g] == PH_BOND_FUNCTION ? cubic_bond : NULL;
        tk_unit(r, b->axis);
        if (flags & ALONG)
            for (int a = 0; a < 3; a++)
                b->axis[a] = g == 2 ? -common[a] : common[a];
    }
    static const double two[] = {0.3, -0.4, 0.2, 0.5};
    static const ph_bond_kind between_all[] = {PH_BOND_VORTICES, PH_BOND_FUNCTION, PH_BOND_AXIAL,
                                               PH_BOND_TWIST};
    for (size_t g = 0; g < 4; g++)
        if (flags & (g < 3 ? ALL : ALL_TWIST)) {
            bonds[groups] = (ph_bonds){
                .kind = between_all[g], .all_pairs = true, .c = &two[g], .uniform = true, .core = 0.2};
            bonds[groups].function = between_all[g] == PH_BOND_FUNCTION ? cubic_bond : NULL;
            tk_unit(r, bonds[groups++].axis);
        }
    ph_anisotropy easy = {.K = K};
    tk_unit(r, easy.axis);
    return create(&(ph_spins){.n = n,
                              .strengths = strengths,
                              .bonds = bonds,
                              .n_bonds = groups,
                              .field = field,
                              .field_is_uniform = flags & ALONG,
                              .anisotropies = &easy,
                              .n_anisotropies = 1,
                              .control = flags & CONTROL ? swing : NULL,
                              .moments = moments},
                  NULL);
}

static const struct {
    size_t n;
    unsigned flags;
} mixtures[] = {{2, LISTS},
                {3, LISTS | ALL},
                {5, LISTS | CONTROL},
                {6, ALL | ALL_TWIST},
                {7, ALL | ALL_TWIST | CONTROL},
                {8, LISTS | UNIFORM | ONE_C},
                {9, LISTS | ONE_C | ALONG},
                {16, LISTS | UNIFORM},
                {31, LISTS | ALL | UNIFORM},
                {32, LISTS | ONE_C},
                {33, ALL | ALL_TWIST | UNIFORM},
                {40, ALL | ALL_TWIST},
                {41, ALL | UNIFORM},
                {48, LISTS | SHUFFLED},
                {64, LISTS | UNIFORM | ONE_C | ALONG},
                {79, LISTS | SHUFFLED | ALL | CONTROL}};
enum { MIXTURES = sizeof mixtures / sizeof mixtures[0] };

/* Three small steps, and a large one back, which makes errors grow by itself. */
TEST_EACH(second_formulation, MIXTURES)
{
    tk_random r = {500 + (uint64_t)_i};
    const size_t n = mixtures[_i].n;
    TK_OWN(ph_system) *system = mixed(n, mixtures[_i].flags, &r);
    static const double steps[] = {0.02, 0.3, -1.5};
    static const int count[] = {3, 3, 1};
    double z[3 * WIDEST], end[3 * WIDEST];
    long double truth[3 * WIDEST];
    for (int k = 0; k < 3; k++) {
        double worst = 0;
        sk_random_spins(&r, n, z);
        travel(system, steps[k], 0, z, count[k], end);
        widen(z, 3 * n, truth);
        for (int m = 0; m < count[k]; m++)
            plain_step(ph_system_spins(system), m * steps[k], steps[k], truth);
        for (size_t m = 0; m < 3 * n; m++)
            worst = fmax(worst, (double)fabsl(end[m] - truth[m]));
        printf("%zu spins, flags %u, h = %g: %.1e\n", n, mixtures[_i].flags, steps[k], worst);
        ck_assert_double_lt(worst, k < 2 ? 2e-14 : 1e-11);
    }
}

/* A pair: both spins about T by 2 atan(h |T| c/(2 Gamma_i Gamma_j)) a step, which tends to h |T| c/(Gamma_i Gamma_j). */
TEST(pair_closed)
{
    static const double strengths[] = {1.5, -0.7}, J = 0.9;
    static const uint32_t i[] = {0}, j[] = {1};
    const ph_bonds one = {
        .kind = PH_BOND_EXCHANGE, .n = 1, .first = i, .second = j, .c = &J, .uniform = true};
    TK_OWN(ph_system) *system =
        create(&(ph_spins){.n = 2, .strengths = strengths, .bonds = &one, .n_bonds = 1}, NULL);
    tk_random r = {3};
    double z[6], end[6];
    long double b[3], truth[3], wide[6], size = 0;
    sk_random_spins(&r, 2, z);
    widen(z, 6, wide);
    for (int a = 0; a < 3; a++) {
        b[a] = (long double)strengths[0] * z[a] + (long double)strengths[1] * z[3 + a];
        size += b[a] * b[a];
    }
    size = sqrtl(size);
    const double h = 0.4;
    const long double angle =
        2000 * 2 * atanl(-(long double)h * J * size / (2.0L * strengths[0] * strengths[1]));
    for (int a = 0; a < 3; a++)
        b[a] *= angle / size;
    travel(system, h, 0, z, 2000, end);
    for (int s = 0; s < 2; s++) {
        rodrigues(b, wide + 3 * s, truth);
        for (int a = 0; a < 3; a++) /* k is rounded once: its 2e-16 is in each angle */
            ck_assert_double_eq_tol(end[3 * s + a], (double)truth[a], 2e-14 + 4e-16 * fabs((double)angle));
    }
}

/* Two vortices turn rigidly about M = Gamma_1 x_1 + Gamma_2 x_2 at |M|/(2 pi d^2); all pairs coupled with equal strengths:
 * every spin about T at -c |T|/Gamma^2; the ring of four by its closed form. */
TEST(models_closed)
{
    static const double strengths[] = {1.3, 0.6}, one = 1;
    const ph_bonds vortices = {.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true};
    tk_random r = {8};
    double z[36], end[36], d = 0;
    long double b[3], wide[36], turned[3];
    ph_system *system =
        create(&(ph_spins){.n = 2, .strengths = strengths, .bonds = &vortices, .n_bonds = 1}, NULL);
    sk_random_spins(&r, 2, z);
    widen(z, 6, wide);
    for (int a = 0; a < 3; a++)
        d += (z[a] - z[3 + a]) * (z[a] - z[3 + a]);
    for (int a = 0; a < 3; a++)
        b[a] = 10 * (strengths[0] * wide[a] + strengths[1] * wide[3 + a]) / (2 * acosl(-1) * d);
    travel(system, 0.05, 3, z, 200, end);
    for (int s = 0; s < 2; s++) {
        rodrigues(b, wide + 3 * s, turned);
        for (int a = 0; a < 3; a++)
            ck_assert_double_eq_tol(end[3 * s + a], (double)turned[a], 1e-13);
    }
    ph_system_free(system);
    enum { N = 12 };
    const double G = -1.2;
    double equal[N];
    for (int k = 0; k < N; k++)
        equal[k] = G;
    const ph_bonds all = {.kind = PH_BOND_EXCHANGE, .all_pairs = true, .c = &one, .uniform = true};
    system = create(&(ph_spins){.n = N, .strengths = equal, .bonds = &all, .n_bonds = 1}, NULL);
    sk_random_spins(&r, N, z);
    widen(z, 3 * N, wide);
    for (int a = 0; a < 3; a++) {
        b[a] = 0;
        for (int s = 0; s < N; s++)
            b[a] -= 2 * G * wide[3 * s + a] / (G * G);
    }
    travel(system, 0.02, 3, z, 100, end);
    for (int s = 0; s < N; s++) {
        rodrigues(b, wide + 3 * s, turned);
        for (int a = 0; a < 3; a++)
            ck_assert_double_eq_tol(end[3 * s + a], (double)turned[a], 1e-13);
    }
    ph_system_free(system);
    static const double s1[] = {-0.0300277093552993367522237488635, -0.995549079465664684580423579769,
                                -0.089332900131705853845908946729};
    system = sk_ring(4);
    travel(system, 0.05, 3, sk_problems[SK_RING].start, 200, end);
    for (int a = 0; a < 3; a++)
        ck_assert_double_eq_tol(end[a], s1[a], 1e-13);
    ph_system_free(system);
}

/* What is along one axis, bonds between pairs and all pairs, field and anisotropy, is exact in one step of any length, and
 * so is a field: against turns by exact angles. */
TEST_EACH(exact_elements, 8)
{
    tk_random r = {21 + (uint64_t)_i};
    enum { N = 11 };
    double z[3 * N], end[3 * N], strengths[N], c[N], K[N], field[3 * N], axis[3], worst = 0;
    uint32_t first[N], second[N];
    static const double all_c = 0.35;
    tk_unit(&r, axis);
    if (_i % 2) {
        axis[0] = axis[1] = 0;
        axis[2] = 1;
    }
    for (size_t i = 0; i < N; i++) {
        strengths[i] = (i % 3 ? 1 : -1) * tk_uniform(&r, 0.5, 2);
        first[i] = (uint32_t)i;
        second[i] = (uint32_t)((i + 1) % N);
        c[i] = tk_uniform(&r, -1, 1);
        K[i] = tk_uniform(&r, -1, 1);
        for (size_t a = 0; a < 3; a++)
            field[3 * i + a] = _i < 4 ? K[i] * axis[a] : tk_uniform(&r, -1, 1);
    }
    ph_bonds bonds[2] = {{.kind = PH_BOND_AXIAL, .n = N, .first = first, .second = second, .c = c},
                         {.kind = PH_BOND_AXIAL, .all_pairs = true, .c = &all_c, .uniform = true}};
    ph_anisotropy easy = {.K = K};
    for (int a = 0; a < 3; a++) {
        easy.axis[a] = bonds[0].axis[a] = axis[a];
        bonds[1].axis[a] = -axis[a];
    }
    TK_OWN(ph_system) *system = create(&(ph_spins){.n = N,
                                                   .strengths = strengths,
                                                   .bonds = bonds,
                                                   .n_bonds = _i < 4 ? 2 : 0,
                                                   .field = field,
                                                   .anisotropies = &easy,
                                                   .n_anisotropies = _i < 4},
                                       NULL);
    sk_random_spins(&r, N, z);
    const double h = _i % 4 < 2 ? 0.3 : 7.5; /* within the series of the turns, and beyond */
    travel(system, h, 0, z, 1, end);
    for (size_t i = 0; i < N; i++) {
        long double rate = -2.0L * K[i] * ph_dot3(axis, z + 3 * i) - ph_dot3(field + 3 * i, axis), b[3], s[3],
                    truth[3];
        rate -= c[i] * ph_dot3(axis, z + 3 * ((i + 1) % N)) +
                c[(i + N - 1) % N] * ph_dot3(axis, z + 3 * ((i + N - 1) % N));
        for (size_t j = 0; j < N; j++)
            rate -= i == j ? 0 : all_c * ph_dot3(axis, z + 3 * j);
        for (int a = 0; a < 3; a++) {
            s[a] = z[3 * i + (size_t)a];
            b[a] = h / strengths[i] * (_i < 4 ? rate * axis[a] : -(long double)field[3 * i + (size_t)a]);
        }
        rodrigues(b, s, truth);
        for (size_t a = 0; a < 3; a++)
            worst = fmax(worst, (double)fabsl(end[3 * i + a] - truth[a]));
    }
    printf("h = %g: %.1e\n", h, worst);
    ck_assert_double_lt(worst, h < 1 ? 4e-16 : 2e-14);
}

/* Twist along any axis, against rk8: the sign of its parts and the order of its spins. */
TEST_EACH(twist, 3)
{
    tk_random r = {90 + (uint64_t)_i};
    enum { N = 5 };
    const double strengths[] = {1, -0.7, 1.4, 0.8, -1.1}, c[] = {0.8, -0.5, 0.6, 0.4, -0.3}, all_c = 0.4;
    const uint32_t first[] = {0, 2, 2, 4, 0}, second[] = {1, 1, 3, 3, 4};
    ph_bonds bonds = {.kind = PH_BOND_TWIST, .n = 5, .first = first, .second = second, .c = c};
    if (_i == 2)
        bonds = (ph_bonds){.kind = PH_BOND_TWIST, .all_pairs = true, .c = &all_c, .uniform = true};
    bonds.axis[_i == 0 ? 2 : 0] = 1;
    if (_i > 0)
        tk_unit(&r, bonds.axis);
    TK_OWN(ph_system) *system =
        create(&(ph_spins){.n = N, .strengths = strengths, .bonds = &bonds, .n_bonds = 1}, NULL);
    double z[3 * N], end[3 * N], J[3], J1[3];
    sk_random_spins(&r, N, z);
    travel(system, 0.025, 3, z, 80, end);
    ck_assert(!ph_spins_momentum(system, z, J) && !ph_spins_momentum(system, end, J1));
    ck_assert_double_eq_tol(ph_dot3(J, bonds.axis), ph_dot3(J1, bonds.axis), 2e-15);
    TK_OWN(ph_integrator) *it = sk_bind(system, "rk8", 0.002, NULL, 0);
    TK_OWN(ph_state) *state = sk_state(it, z);
    ck_assert(!ph_integrator_step(it, state, 1000));
    ck_assert_double_lt(tk_max_difference(end, state->z, 3 * N), 2e-13);
}

/* ---- What it keeps ---------------------------------------------------------------------------------------- */

/* u <- the derivative of `method`'s step along v at z, by differences of order 10 along exact great circles. */
static void derivative(const ph_system *system, const char *method, double h, int o, const double *z,
                       const double *v, double *u)
{
    static const double weight[5] = {5. / 6, -5. / 21, 5. / 84, -5. / 504, 1. / 1260};
    const size_t n = ph_system_spins(system)->n;
    const ph_setting order = order_of(o);
    const bool splits = !strcmp(method, "spin-splitting");
    TK_OWN(ph_integrator) *it = sk_bind(system, method, h, &order, splits);
    double y[3 * SK_MOST];
    const double reach = 1. / 192;
    memset(u, 0, 3 * n * sizeof *u);
    for (int m = -5; m <= 5; m++) {
        if (!m)
            continue;
        const double w = (m < 0 ? -1 : 1) * weight[abs(m) - 1] / reach;
        for (size_t i = 0; i < n; i++) {
            const double size = ph_norm3(v + 3 * i), angle = m * reach * size;
            for (size_t a = 0; a < 3; a++)
                y[3 * i + a] = cos(angle) * z[3 * i + a] + sin(angle) * v[3 * i + a] / size;
        }
        TK_OWN(ph_state) *state = sk_state(it, y);
        ck_assert(!ph_integrator_step(it, state, 1));
        for (size_t k = 0; k < 3 * n; k++)
            u[k] += w * state->z[k];
    }
}

/* Random, and no two near each other: differences of vortices' motions want that. */
static void separate_spins(tk_random *r, size_t n, double *z)
{
    bool near = true;
    while (near) {
        near = false;
        sk_random_spins(r, n, z);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++)
                near = near || ph_dot3(z + 3 * i, z + 3 * j) > 0.7;
    }
}

/* The change of Omega(u, v) by a step, for random u and v. */
static double defect(const ph_system *system, const char *method, double h, int o, tk_random *r)
{
    const size_t n = ph_system_spins(system)->n;
    double z[3 * SK_MOST], end[3 * SK_MOST], v[2][3 * SK_MOST], u[2][3 * SK_MOST];
    separate_spins(r, n, z);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            tk_tangent(r, z + 3 * i, v[k] + 3 * i);
    for (int k = 0; k < 2; k++) { /* |v| = 1 altogether */
        const double size = sqrt(ph_dot(v[k], v[k], 3 * n));
        for (size_t m = 0; m < 3 * n; m++)
            v[k][m] /= size;
    }
    const ph_setting order = order_of(o);
    ph_integrator *it = sk_bind(system, method, h, &order, !strcmp(method, "spin-splitting"));
    ph_state *state = sk_state(it, z);
    ck_assert(!ph_integrator_step(it, state, 1));
    memcpy(end, state->z, 3 * n * sizeof *end);
    ph_state_free(state);
    ph_integrator_free(it);
    for (int k = 0; k < 2; k++)
        derivative(system, method, h, o, z, v[k], u[k]);
    return fabs(sk_omega(system, end, u[0], u[1]) - sk_omega(system, z, v[0], v[1]));
}

/* With every kind of part. The same measure finds that rk4 with the same step is not symplectic. */
TEST_EACH(symplectic, SK_MOST)
{
    tk_random r = {40 + (uint64_t)_i};
    const size_t n = 1 + (size_t)_i;
    TK_OWN(ph_system) *system = sk_random(n, true, _i % 2, &r);
    for (int o = 0; o < ORDERS; o++) {
        const double own = defect(system, "spin-splitting", 0.05, o, &r);
        printf("%zu spins, order %s: %.1e\n", n, orders[o], own);
        ck_assert_msg(own < 1e-13, "order %s: %g", orders[o], own);
    }
    if (n > 1)
        ck_assert_double_gt(defect(system, "rk4", 0.05, 0, &r), 1e-10);
}

TEST_EACH(reversal, MIXTURES)
{
    tk_random r = {60 + (uint64_t)_i};
    const size_t n = mixtures[_i].n;
    TK_OWN(ph_system) *system = mixed(n, mixtures[_i].flags, &r);
    for (int o = 0; o < ORDERS; o++) {
        const ph_setting order = order_of(o);
        TK_OWN(ph_integrator) *it = sk_bind(system, "spin-splitting", 0.1, &order, 1);
        double z[3 * WIDEST];
        sk_random_spins(&r, n, z);
        TK_OWN(ph_state) *state = sk_state(it, z);
        ck_assert(!ph_integrator_step(it, state, 3));
        ck_assert_double_gt(tk_max_difference(state->z, z, 3 * n), 0.01);
        ck_assert(!ph_integrator_set_step_size(it, -0.1) && !ph_integrator_step(it, state, 3));
        ck_assert_double_lt(tk_max_difference(state->z, z, 3 * n), 3e-14);
    }
}

/* J of pairs of all isotropic kinds; the axis' component with parts along it; and the claims say so. */
TEST_EACH(momentum, 4)
{
    enum { N = 9 };
    tk_random r = {17 + (uint64_t)_i};
    const double c = 0.7, K = 0.4, field[] = {0, 0, 0.3};
    double strengths[N], z[3 * N], end[3 * N], J[3], J1[3];
    uint32_t first[N], second[N];
    for (size_t i = 0; i < N; i++) {
        strengths[i] = (i % 4 ? 1 : -1) * tk_uniform(&r, 0.5, 2);
        first[i] = (uint32_t)i;
        second[i] = (uint32_t)((i + 1) % N);
    }
    ph_bonds bonds[4] = {{.kind = PH_BOND_EXCHANGE},
                         {.kind = PH_BOND_VORTICES, .core = 0.1},
                         {.kind = PH_BOND_FUNCTION, .function = cubic_bond},
                         {.kind = PH_BOND_AXIAL}};
    for (int g = 0; g < 4; g++) {
        bonds[g].n = N;
        bonds[g].first = first;
        bonds[g].second = second;
        bonds[g].c = &c;
        bonds[g].uniform = true;
    }
    if (_i == 2)
        bonds[3].kind = PH_BOND_TWIST;
    bonds[3].axis[_i == 3 ? 0 : 2] = 1;
    const ph_anisotropy easy = {.axis = {0, 0, 1}, .K = &K, .uniform = true};
    const ph_symmetry axes[] = {{.name = "J3", .text = "about e3", .unit = "1", .axis = {0, 0, 1}},
                                {.name = "J1", .text = "about e1", .unit = "1", .axis = {1, 0, 0}}};
    const ph_spins spins = {.n = N,
                            .strengths = strengths,
                            .bonds = bonds,
                            .n_bonds = _i ? 4 : 3,
                            .field = _i ? field : NULL,
                            .field_is_uniform = true,
                            .anisotropies = &easy,
                            .n_anisotropies = _i > 0};
    const ph_system_definition d = {.spins = &spins, .symmetries = axes, .n_symmetries = _i ? 1 : 2};
    TK_MAKE(ph_system, system, ph_system_create(&d, &system, NULL));
    sk_random_spins(&r, N, z);
    travel(system, 0.1, 1, z, 200, end);
    ck_assert(!ph_spins_momentum(system, z, J) && !ph_spins_momentum(system, end, J1));
    for (int a = _i ? 2 : 0; a < 3 && _i < 3; a++)
        ck_assert_double_eq_tol(J1[a], J[a], 3e-15);
    if (_i)
        ck_assert_double_gt(fabs(J1[0] - J[0]), 1e-3);
    double values[8];
    const ph_method *method = ph_method_find("spin-splitting", NULL);
    ck_assert(!ph_method_options(method, NULL, 0, values, NULL));
    const unsigned claims = ph_method_claims(method, system, values),
                   always = PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MANIFOLD;
    ck_assert_uint_eq(claims, _i < 3 ? always | PH_CLAIM_MOMENTUM : always);
    if (_i == 3) /* and what is not claimed does not hold */
        ck_assert_double_gt(fabs(J1[2] - J[2]), 1e-3);
}

/* Lengths, of all kinds of systems; and near the energy where it was. */
TEST_EACH(lengths, MIXTURES)
{
    tk_random r = {33 + (uint64_t)_i};
    const size_t n = mixtures[_i].n;
    TK_OWN(ph_system) *system = mixed(n, mixtures[_i].flags, &r);
    double z[3 * WIDEST], worst = 0;
    const ph_setting order = order_of(_i % 2);
    TK_OWN(ph_integrator) *it = sk_bind(system, "spin-splitting", 0.1, &order, 1);
    sk_random_spins(&r, n, z);
    TK_OWN(ph_state) *state = sk_state(it, z);
    for (int k = 0; k < (tk_short() ? 2 : 20); k++) {
        ck_assert(!ph_integrator_step(it, state, 7));
        for (size_t i = 0; i < n; i++) {
            const double *s = state->z + 3 * i;
            const long double size =
                sqrtl((long double)s[0] * s[0] + (long double)s[1] * s[1] + (long double)s[2] * s[2]);
            worst = fmax(worst, (double)fabsl(size - 1));
        }
    }
    printf("%zu spins: | |s| - 1 | <= %.2e\n", n, worst);
    ck_assert_double_lt(worst, 1.2e-16);
}

/* Steps far beyond what is accurate, and vortices that come close: lengths and J stay all the same. */
TEST_EACH(far_turns, 10)
{
    enum { MOST_SPINS = 20 };
    static const struct {
        size_t n;
        bool vortices;
        double h;
    } cases[] = {{2, false, 1},    {2, false, 1.2}, {2, false, 3},   {2, false, 10},  {16, false, 1},
                 {16, false, 1.5}, {16, false, 3},  {16, false, 10}, {20, true, 0.1}, {20, true, 1}};
    static const double one = 1;
    static const uint32_t i = 0, j = 1;
    const ph_bonds pair = {.kind = PH_BOND_EXCHANGE,
                           .n = 1,
                           .first = &i,
                           .second = &j,
                           .c = &one,
                           .uniform = true},
                   all = {.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true};
    const size_t n = cases[_i].n;
    const int steps = tk_short() ? 300 : cases[_i].vortices ? 4000 : 20000;
    tk_random r = {77 + (uint64_t)_i};
    TK_OWN(ph_system) *system =
        n == 16 ? sk_ring(n)
                : create(&(ph_spins){.n = n, .bonds = cases[_i].vortices ? &all : &pair, .n_bonds = 1}, NULL);
    TK_OWN(ph_integrator) *it = sk_bind(system, "spin-splitting", cases[_i].h, NULL, 0);
    double z[3 * MOST_SPINS] = {0.6, 0, 0.8, 0.48, 0.6, 0.64}, before[3], after[3], worst = 0, most = 0;
    if (n > 2)
        sk_random_spins(&r, n, z);
    TK_OWN(ph_state) *state = sk_state(it, z);
    ck_assert(!ph_spins_momentum(system, state->z, before));
    for (int k = 0; k < steps; k += 100) {
        const ph_status status = ph_integrator_step(it, state, 100);
        ck_assert_msg(!status, "%s", ph_integrator_message(it));
        worst = fmax(worst, ph_space_residual(ph_system_space(system), state->z));
        ck_assert(!ph_spins_momentum(system, state->z, after));
        for (size_t a = 0; a < 3; a++)
            most = fmax(most, fabs(after[a] - before[a]));
    }
    printf("%zu %s, h = %g, %d steps: | |s| - 1 | <= %.1e, J within %.1e\n", n,
           cases[_i].vortices ? "vortices" : "spins", cases[_i].h, steps, worst, most);
    ck_assert_double_le(worst, 4e-15);
    ck_assert_double_le(most, 2e-13);
}

/* Heisenberg's ring: the error of H is as large in the last tenth of a run as in the first. */
TEST(energy)
{
    enum { N = 16 };
    TK_OWN(ph_system) *system = sk_ring(N);
    TK_OWN(ph_integrator) *it = sk_bind(system, "spin-splitting", 0.1, NULL, 0);
    tk_random r = {2};
    double z[3 * N], H0, H, largest[2] = {0, 0};
    const int steps = tk_short() ? 400 : 20000;
    sk_random_spins(&r, N, z);
    TK_OWN(ph_state) *state = sk_state(it, z);
    ck_assert(!ph_spins_energy(system, 0, z, &H0));
    for (int k = 0; k < steps; k++) {
        ck_assert(!ph_integrator_step(it, state, 1));
        ck_assert(!ph_spins_energy(system, 0, state->z, &H));
        const int tenth = 10 * k / steps;
        if (tenth == 0 || tenth == 9)
            largest[tenth > 0] = fmax(largest[tenth > 0], fabs(H - H0));
    }
    printf("error of H: %.1e in the first tenth, %.1e in the last\n", largest[0], largest[1]);
    ck_assert_double_lt(largest[0], 0.03);
    ck_assert_double_lt(largest[1], 1.5 * largest[0]);
}

/* ---- Bits ------------------------------------------------------------------------------------------------- */

/* Plain kernels and wide ones; many steps at once and one by one; a packed state that is resumed. */
TEST_EACH(same_bits, MIXTURES)
{
    tk_random r = {700 + (uint64_t)_i};
    const size_t n = mixtures[_i].n;
    TK_OWN(ph_system) *system = mixed(n, mixtures[_i].flags, &r);
    double z[3 * WIDEST];
    sk_random_spins(&r, n, z);
    for (int o = 0; o < 2; o++) {
        const ph_setting order = order_of(o);
        tk_kernels(false);
        TK_OWN(ph_integrator) *wide = sk_bind(system, "spin-splitting", 0.13, &order, 1);
        tk_kernels(true);
        TK_OWN(ph_integrator) *plain = sk_bind(system, "spin-splitting", 0.13, &order, 1);
        tk_kernels(false);
        ph_state *a = sk_state(wide, z), *b = sk_state(plain, z), *c = sk_state(wide, z);
        ck_assert(!ph_integrator_step(wide, a, 11) && !ph_integrator_step(plain, b, 11));
        for (int k = 0; k < 11; k++) {
            ck_assert(!ph_integrator_step(wide, c, 1));
            if (k == 5) {
                void *bytes = malloc(ph_state_packed_size(c));
                ph_state_pack(c, bytes);
                ph_state_free(c);
                c = sk_state(wide, z);
                ck_assert(!ph_state_unpack(c, bytes, ph_state_packed_size(c), NULL));
                free(bytes);
            }
        }
        ck_assert(!memcmp(a->z, b->z, 3 * n * sizeof *z) && !memcmp(a->carry, b->carry, 6 * n * sizeof *z));
        ck_assert(!memcmp(a->z, c->z, 3 * n * sizeof *z) && !memcmp(a->carry, c->carry, 6 * n * sizeof *z));
        ph_state_free(a);
        ph_state_free(b);
        ph_state_free(c);
    }
}

/* Many spins, with gaps between components: a ring that is a short one again and again moves as that,
 * to the bit, by all kernels; in place, and, with a control, in a copy. */
TEST_EACH(repeated, 2)
{
    enum { SHORT = 20, LONG = 50 * SHORT };
    static const double one = 1;
    static uint32_t first[LONG], second[2][LONG];
    static double z[3 * LONG], end[3 * LONG];
    const size_t spins[] = {SHORT, LONG};
    ph_system *rings[2];
    double once[3 * SHORT];
    tk_random r = {77};
    sk_random_spins(&r, SHORT, z);
    for (size_t k = 3 * SHORT; k < 3 * LONG; k++)
        z[k] = z[k - 3 * SHORT];
    for (size_t m = 0; m < 2; m++) {
        const size_t n = spins[m];
        for (size_t i = 0; i < n; i++) {
            first[i] = (uint32_t)i;
            second[m][i] = (uint32_t)((i + 1) % n);
        }
        const ph_bonds bonds = {.kind = PH_BOND_EXCHANGE,
                                .n = n,
                                .first = first,
                                .second = second[m],
                                .c = &one,
                                .uniform = true};
        rings[m] =
            create(&(ph_spins){.n = n, .bonds = &bonds, .n_bonds = 1, .control = _i ? swing : NULL}, NULL);
    }
    for (int kernels = 0; kernels < TK_KERNELS; kernels++) {
        if (!tk_kernels(kernels))
            continue;
        travel(rings[0], 0.05, _i, z, 7, once);
        travel(rings[1], 0.05, _i, z, 7, end);
        for (size_t k = 0; k < 3 * LONG; k += 3 * SHORT)
            ck_assert_mem_eq(end + k, once, sizeof once);
    }
    tk_kernels(false);
    ph_system_free(rings[0]);
    ph_system_free(rings[1]);
}

/* ---- Refused, and failing ----------------------------------------------------------------------------------- */

TEST(refused)
{
    tk_random r = {1};
    const ph_method *method = ph_method_find("spin-splitting", NULL);
    ph_system *system = sk_random(3, false, false, &r);
    tk_refused(ph_method_supports(method, system, tk_err), PH_E_UNSUPPORTED,
               "a callback, which cannot be split; use spherical-midpoint");
    ph_system_free(system);
    system = sk_problems[SK_DAMPED].create();
    tk_returns(ph_method_supports(method, system, tk_err), PH_E_UNSUPPORTED);
    ck_assert_msg(strstr(tk_err->message, "damping") && strstr(tk_err->message, "use spherical-midpoint"),
                  "%s", tk_err->message);
    ph_system_free(system);
    system = tk_model("chain-pendulum");
    tk_refused(ph_method_supports(method, system, tk_err), PH_E_UNSUPPORTED, "spheres as phase space");
    ph_system_free(system);
    system = sk_ring(4);
    ph_integrator *it = NULL;
    tk_refused(ph_integrator_create(system, method, 1e30, NULL, 0, &it, tk_err), PH_E_RANGE, "1e+30");
    ph_system_free(system);
}

/* user: how many calls succeed. */
static ph_status few_bonds(void *user, double x, double *f)
{
    int *left = user;
    if (--*left == 0)
        return PH_E_CALLBACK;
    cubic_bond(NULL, x, f);
    if (*left < -100)
        f[1] = NAN;
    return PH_OK;
}

static ph_status few_fields(void *user, double t, double *B, double *dB)
{
    int *left = user;
    (void)dB;
    B[0] = B[1] = t;
    B[2] = 1;
    return --*left < 0 ? PH_E_CALLBACK : PH_OK;
}

/* A callback that fails, or is not finite, after k calls: the state stays as it was, with all its bits. */
TEST_EACH(failing, 2)
{
    enum { N = 7 };
    const double c = 0.5;
    uint32_t first[N], second[N];
    for (uint32_t i = 0; i < N; i++) {
        first[i] = i;
        second[i] = (i + 1) % N;
    }
    const ph_bonds ring = {.kind = PH_BOND_FUNCTION,
                           .n = N,
                           .first = first,
                           .second = second,
                           .c = &c,
                           .uniform = true,
                           .function = few_bonds};
    for (int k = 1; k < 40; k += 3) {
        int left = _i ? k : 12 * k;
        TK_OWN(ph_system) *system = create(_i ? &(ph_spins){.n = N, .control = few_fields}
                                              : &(ph_spins){.n = N, .bonds = &ring, .n_bonds = 1},
                                           &left);
        const ph_setting order = order_of(1);
        TK_OWN(ph_integrator) *it = sk_bind(system, "spin-splitting", 0.1, &order, 1);
        double z[3 * N], carry[6 * N];
        tk_random r = {5};
        sk_random_spins(&r, N, z);
        TK_OWN(ph_state) *state = sk_state(it, z);
        ph_status status = PH_OK;
        while (!status) {
            memcpy(z, state->z, sizeof z);
            memcpy(carry, state->carry, sizeof carry);
            status = ph_integrator_step(it, state, 1);
        }
        ck_assert_int_eq(status, PH_E_CALLBACK);
        ck_assert(!memcmp(z, state->z, sizeof z) && !memcmp(carry, state->carry, sizeof carry));
        if (!_i) {
            left = -200;
            ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_NOT_FINITE);
            ck_assert_msg(strstr(ph_integrator_message(it), "the function of a bond"), "%s",
                          ph_integrator_message(it));
            ck_assert(!memcmp(z, state->z, sizeof z) && !memcmp(carry, state->carry, sizeof carry));
        }
    }
}

/* Vortices in one place have an infinite energy; numbers beyond what a step can hold are found, too. */
TEST(diverging)
{
    static const double one = 1, huge[] = {1e-200, 1e200}, c = 1e200;
    const ph_bonds vortices = {.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true},
                   strong = {.kind = PH_BOND_EXCHANGE, .all_pairs = true, .c = &c, .uniform = true};
    ph_system *system = create(&(ph_spins){.n = 2, .bonds = &vortices, .n_bonds = 1}, NULL);
    ph_integrator *it = sk_bind(system, "spin-splitting", 0.1, NULL, 0);
    const double same[6] = {0, 0, 1, 0, 0, 1}, other[6] = {0, 0, 1, 0, 0.6, 0.8};
    ph_state *state = sk_state(it, other);
    unsigned char packed[1024]; /* a start at one point is refused; a packed state is taken as it is */
    ck_assert_uint_le(ph_state_packed_size(state), sizeof packed);
    ph_state_pack(state, packed);
    memcpy(packed + 72, same, sizeof same);
    ck_assert(!ph_state_unpack(state, packed, ph_state_packed_size(state), NULL));
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_DIVERGED);
    ck_assert_msg(strstr(ph_integrator_message(it), "meet at t ="), "%s", ph_integrator_message(it));
    ck_assert(!memcmp(state->z, same, sizeof same));
    ph_state_free(state);
    ph_integrator_free(it);
    ph_system_free(system);
    system = create(&(ph_spins){.n = 2, .strengths = huge, .bonds = &strong, .n_bonds = 1}, NULL);
    it = sk_bind(system, "spin-splitting", 1e100, NULL, 0);
    state = sk_state(it, other);
    ck_assert_int_eq(ph_integrator_step(it, state, 1), PH_E_DIVERGED);
    ck_assert_msg(strstr(ph_integrator_message(it), "not finite"), "%s", ph_integrator_message(it));
    ck_assert(!memcmp(state->z, other, sizeof other));
    ph_state_free(state);
    ph_integrator_free(it);
    ph_system_free(system);
}

int main(void)
{
    return tk_run("spin-splitting");
}
