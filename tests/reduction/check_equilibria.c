/* SPDX-License-Identifier: BSD-3-Clause */
/* Relative equilibria against roots of scalar equations in 40 digits and closed forms; their linear motion against the
 * acceleration of the whole system, differentiated in the turning frame; families against their equations. */
#include <polhode/domain/equilibria.h>
#include <polhode/kit/equations.h>

#include "tests/kit/products.h"
#include "tests/kit/testkit.h"
#include "tests/reduction/leaning.h"

extern void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda, double *wr,
                   double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr, double *work,
                   const int *lwork, int *info, size_t jobvl_length, size_t jobvr_length);

static const size_t first[1] = {0};
enum { NZ = PD_NZ, NX = PD_NX };

/* ---- Chains ------------------------------------------------------------------------------------------------- */

/* Angles from hanging, all links in a turning plane; rate and momentum; imaginary parts of the eigenvalues, the largest
 * first, and the real part of the complex quadruple, if there is one (it is then the pair of equal frequencies). */
static const struct {
    size_t n;
    double m[3], l[3], th[3], rate, mu, im[5], re;
    ph_stability stability;
    size_t negative;
} chains[] = {{2,
               {1, 1},
               {1, 1},
               {.5, .6482089907962289},
               2.619031318767231,
               3.67486494245934,
               {8.37402724802, 4.63675132521, 4.0422912808},
               0,
               PH_STABILITY_STABLE,
               0},
              {2,
               {1, 1},
               {1, 1},
               {.5, -.7884477775242783},
               6.553170541345508,
               1.8524022619368,
               {9.00492273898, 6.56273211043, 3.60316031235},
               0,
               PH_STABILITY_SPECTRAL,
               2},
              {2,
               {1, 1},
               {1, 1},
               {.5, -2.844472901232127},
               4.011452823294189,
               1.06179191156681,
               {7.13709618995, 3.86352804879, 3.86352804879},
               3.83039474309,
               PH_STABILITY_UNSTABLE,
               2},
              {2,
               {1, 1},
               {1, 1},
               {.2, -.2860933087542969},
               5.87744775531093,
               .272995457587951,
               {10.1637160218, 8.25687101126, 3.41940819935},
               0,
               PH_STABILITY_SPECTRAL,
               2},
              {2,
               {1, 1},
               {1, 1},
               {1, -2.514797395389215},
               5.279200785297384,
               4.08112310147145,
               {6.71396845581, 4.44102196246, 4.44102196246},
               4.34402303459,
               PH_STABILITY_UNSTABLE,
               2},
              {2,
               {1, 1},
               {1, 1},
               {1.2, 1.288420593740931},
               4.22696806441371,
               18.8100420907187,
               {11.2892216452, 8.53617864934, 4.86160593063},
               0,
               PH_STABILITY_STABLE,
               0},
              {2,
               {1, 2},
               {1, .7},
               {.4, .460656901860745},
               2.636083012356779,
               2.98750056630405,
               {10.8047083027, 6.05043782682, 4.92605749773},
               0,
               PH_STABILITY_STABLE,
               0},
              {2,
               {1, 2},
               {1, .7},
               {.4, -.819844715829122},
               9.269921783093003,
               1.6831017832857,
               {11.8625725373, 7.85315931776, 6.3441867588},
               0,
               PH_STABILITY_SPECTRAL,
               2},
              {2,
               {2, .3},
               {1, 1},
               {.6, .9528411087846828},
               3.162708713713946,
               3.82282905670101,
               {6.64607104364, 5.11446683868, 2.42285123256},
               0,
               PH_STABILITY_STABLE,
               0},
              {3,
               {1, 1, 1},
               {1, 1, 1},
               {.3, .3786115278755126, .4617263408263379},
               2.096463590065455,
               3.69667481980322,
               {10.0475504501, 6.80634426593, 6.13882129939, 3.97667447059, 2.9936557177},
               0,
               PH_STABILITY_STABLE,
               0},
              {3,
               {1, 1, 1},
               {1, 1, 1},
               {.3, .05009196331860476, -.7146920043989803},
               5.241892759959821,
               1.586917818219,
               {12.5611210784, 7.49199717666, 6.83191838816, 2.98548547779, 2.98548547779},
               .01965112461,
               PH_STABILITY_UNSTABLE,
               2},
              {3,
               {1, 1, 1},
               {1, 1, 1},
               {.3, -.5140608465107593, .2322525198265931},
               8.264216548410315,
               1.0493873925239,
               {12.6352263507, 10.3212412639, 8.96493293454, 6.1346070134, 3.38578529915},
               0,
               PH_STABILITY_SPECTRAL,
               4}};

static ph_system *chain_of(int i, tk_chain *c)
{
    const double gravity[3] = {0, 0, -9.81};
    tk_chain_fill(c, chains[i].n, chains[i].m, chains[i].l, gravity);
    return tk_chain_system(c);
}

static void planar(size_t n, const double *th, double *z)
{
    for (size_t k = 0; k < n; k++) {
        z[3 * k] = sin(th[k]);
        z[3 * k + 1] = 0;
        z[3 * k + 2] = -cos(th[k]);
    }
}

/* The frequencies, the largest first; returns how many. */
static size_t frequencies(const ph_equilibrium *at, double *w)
{
    size_t n = 0;
    for (size_t i = 0; i < 2 * at->modes; i++) {
        if (!(at->imaginary[i] > 1e-6))
            continue;
        size_t k = n++;
        for (; k && w[k - 1] < at->imaginary[i]; k--)
            w[k] = w[k - 1];
        w[k] = at->imaginary[i];
    }
    return n;
}

TEST_EACH(chain, sizeof chains / sizeof *chains)
{
    tk_chain c;
    tk_random r = {(uint64_t)_i + 1};
    TK_OWN(ph_system) *s = chain_of(_i, &c);
    double z[9], v[9], z1[9], w[6];
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, first, 1, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    planar(c.n, chains[_i].th, z);
    for (size_t k = 0; k < c.n; k++)
        tk_tangent(&r, z + 3 * k, v + 3 * k);
    for (size_t k = 0; k < 3 * c.n; k++)
        v[k] *= c.n == 2 ? 1e-2 : 1e-3;
    ph_space_exp(ph_system_space(s), z, v, z1);
    tk_ok(ph_equilibria_find(e, z1, &chains[_i].mu, at, NULL));
    ck_assert_uint_le(at->iterations, 8);
    ck_assert_double_le(at->residual, 1e-14);
    for (size_t k = 0; k < c.n; k++) /* heights, and angles between links: a few roundings, and those of mu */
        ck_assert_double_eq_tol(at->z[3 * k + 2], z[3 * k + 2], 2e-13);
    ck_assert_double_eq_tol(at->rate[0], chains[_i].rate, 1e-12 * chains[_i].rate);
    /* the references have 12 digits */
    ck_assert_uint_eq(frequencies(at, w), 2 * c.n - 1);
    for (size_t k = 0; k < 2 * c.n - 1; k++)
        ck_assert_double_eq_tol(w[k], chains[_i].im[k], (c.n == 2 ? 2e-11 : 1e-10) * w[0]);
    ck_assert_double_eq_tol(at->growth, chains[_i].re, 1e-10 * w[0]);
    ck_assert_int_eq(at->stability, chains[_i].stability);
    ck_assert_uint_eq(at->negative, chains[_i].negative);
    ck_assert_uint_eq(at->zero, 0);
}

/* One link: Om^2 = g / (l cos th), and its nutation Om sqrt(1 + 3 cos^2 th). */
TEST(conical_pendulum)
{
    const double gravity[3] = {0, 0, -9.81}, m = 1.7, l = 1.3, th = 0.7, rate = sqrt(9.81 / l / cos(th));
    const double mu = m * l * l * sin(th) * sin(th) * rate;
    tk_chain c;
    tk_chain_fill(&c, 1, &m, &l, gravity);
    TK_OWN(ph_system) *s = tk_chain_system(&c);
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, first, 1, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    const double z[3] = {.6, .1, -sqrt(1 - .37)};
    tk_ok(ph_equilibria_find(e, z, &mu, at, NULL));
    ck_assert_double_eq_tol(at->z[2], -cos(th), 1e-14);
    ck_assert_double_eq_tol(at->rate[0], rate, 1e-13);
    ck_assert_double_eq_tol(at->imaginary[0], rate * sqrt(1 + 3 * cos(th) * cos(th)), 1e-11);
    ck_assert_double_eq_tol(at->energy,
                            m * (l * l * rate * rate * sin(th) * sin(th) / 2 - 9.81 * l * cos(th)), 1e-12);
}

/* ---- Tops ----------------------------------------------------------------------------------------------------- */

typedef struct top {
    double weight[3]; /* m g rho */
} top;

static ph_status top_potential(void *user, const double *R, double *U)
{
    *U = ph_dot3(R + 6, ((top *)user)->weight);
    return PH_OK;
}

static ph_status top_gradient(void *user, const double *R, double *dU)
{
    (void)R;
    memset(dU, 0, 6 * sizeof *dU);
    memcpy(dU + 6, ((top *)user)->weight, 3 * sizeof *dU);
    return PH_OK;
}

static ph_status spin(void *user, const double *R, double *xi)
{
    (void)user;
    (void)R;
    xi[0] = xi[1] = 0;
    xi[2] = 1;
    return PH_OK;
}

/* Turning about the body's first axis does not commute with turning about its third. */
static ph_status roll(void *user, const double *R, double *xi)
{
    (void)user;
    (void)R;
    xi[1] = xi[2] = 0;
    xi[0] = 1;
    return PH_OK;
}

static ph_system *top_of(top *t, const double J[9])
{
    static const ph_symmetry symmetries[] = {
        {.name = "Jg", .text = "about the vertical", .unit = "kg m^2/s", .axis = {0, 0, 1}},
        {.name = "J3", .text = "about the body's axis", .unit = "kg m^2/s", .generator = spin},
        {.name = "J1", .text = "about another axis of the body", .unit = "kg m^2/s", .generator = roll}};
    const ph_factor rotation = {.kind = PH_FACTOR_SO3};
    double MM[81] = {0};
    ph_system *s;
    for (size_t row = 0; row < 3; row++)
        for (size_t i = 0; i < 3; i++)
            for (size_t j = 0; j < 3; j++)
                MM[(3 * row + i) * 9 + 3 * row + j] =
                    (i == j ? 0.5 * (J[0] + J[4] + J[8]) : 0) - J[3 * i + j];
    const ph_system_definition d = {.ambient_inertia = MM,
                                    .potential = top_potential,
                                    .gradient = top_gradient,
                                    .symmetries = symmetries,
                                    .n_symmetries = 3,
                                    .user = t};
    s = tk_system(d, &rotation, 1);
    return s;
}

/* R with R^T e3 = gamma. */
static void pose(const double gamma[3], double R[9])
{
    const double other[3] = {fabs(gamma[0]) < .7, fabs(gamma[0]) >= .7, 0};
    memcpy(R + 6, gamma, 3 * sizeof *R);
    ph_cross3(gamma, other, R);
    const double size = ph_norm3(R);
    for (int k = 0; k < 3; k++)
        R[k] /= size;
    ph_cross3(gamma, R, R + 3);
}

/* Staude's steady rotations of an unsymmetric top with momentum 6: critical points of V_mu on the sphere of gamma. */
static const struct {
    double gamma[3], rate;
    size_t negative;
} staude[] = {{{-.141836681974046, -.504266948278780, -.851819934328964}, 4.811059599493976, 1},
              {{.622381951226926, .075652863221442, -.779049004282377}, 3.738169176134055, 0},
              {{-.839359353089813, -.200805644737290, -.505126686507744}, 3.829312117835855, 0},
              {{.228240895367122, -.227981067389454, .946536172892499}, 5.910132536283591, 2}};

static const double staude_J[9] = {1.9, .12, -.2, .12, 1.4, .1, -.2, .1, 1.1};
static const top staude_top = {{1.4 * 9.81 * .1, 1.4 * 9.81 * -.05, 1.4 * 9.81 * .6}};

TEST_EACH(staude_rotations, 4)
{
    const double mu = 6;
    top t = staude_top;
    TK_OWN(ph_system) *s = top_of(&t, staude_J);
    double R[9], off[9], v[9], distance;
    const double w[3] = {.02, -.03, .01};
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, first, 1, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    pose(staude[_i].gamma, R);
    ph_space_turn(ph_system_space(s), R, w, v);
    ph_space_exp(ph_system_space(s), R, v, off);
    tk_ok(ph_equilibria_find(e, off, &mu, at, NULL));
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(at->z[6 + k], staude[_i].gamma[k], 1e-13);
    ck_assert_double_eq_tol(at->rate[0], staude[_i].rate, 1e-12);
    ck_assert_uint_eq(at->negative, staude[_i].negative);
    ck_assert_uint_eq(at->modes, 2);
    tk_ok(ph_equilibria_distance(e, R, at->z, &distance)); /* turned about the vertical, it is R */
    ck_assert_double_le(distance, 1e-12);
}

/* Lagrange's top with both its symmetries: steady precession A Om^2 cos th - C w3 Om + m g l = 0 for given spin w3. */
TEST_EACH(lagrange_top, 2)
{
    const double A = 1.2, C = .7, th = 50 * acos(-1) / 180, w3 = 9,
                 rates[2] = {7.836686658849785, .330863432167379};
    const double J[9] = {A, 0, 0, 0, A, 0, 0, 0, C}, gamma[3] = {sin(th), 0, cos(th)}, Om = rates[_i];
    const size_t both[2] = {0, 1};
    /* momenta: about the vertical and about the axis */
    const double mu[2] = {A * Om * sin(th) * sin(th) + C * w3 * cos(th), C * w3};
    top t = {{0, 0, 2}};
    TK_OWN(ph_system) *s = top_of(&t, J);
    double R[9], off[9], v[9];
    const double w[3] = {.01, -.02, .01};
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, both, 2, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    pose(gamma, R);
    ph_space_turn(ph_system_space(s), R, w, v);
    ph_space_exp(ph_system_space(s), R, v, off);
    tk_ok(ph_equilibria_find(e, off, mu, at, NULL));
    ck_assert_double_eq_tol(at->z[8], cos(th), 1e-12);
    ck_assert_double_eq_tol(at->rate[0], Om, 1e-11);
    ck_assert_double_eq_tol(at->rate[1] + Om * cos(th), w3, 1e-11);
    ck_assert_uint_eq(at->modes, 1);
    ck_assert_int_eq(at->stability, PH_STABILITY_STABLE);
    /* its nutation: V'' of th with p_phi, p_psi given, by differences of the closed form */
    double V[5];
    for (int k = -2; k <= 2; k++) {
        const double x = th + 1e-3 * k, p = mu[0] - mu[1] * cos(x);
        V[k + 2] = p * p / (2 * A * sin(x) * sin(x)) + 2 * cos(x);
    }
    const double second = (-V[0] + 16 * V[1] - 30 * V[2] + 16 * V[3] - V[4]) / 12e-6;
    ck_assert_double_eq_tol(at->imaginary[0], sqrt(second / A), 1e-6 * sqrt(second / A));
}

/* A sleeping top is spectrally stable above w3 = 2 sqrt(A m g l) / C. */
TEST(sleeping_top)
{
    const double A = 1.2, C = .7, J[9] = {A, 0, 0, 0, A, 0, 0, 0, C},
                 upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double threshold = 4.426266681379905;
    top t = {{0, 0, 2}};
    TK_OWN(ph_system) *s = top_of(&t, J);
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, first, 1, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    for (int fast = 0; fast < 2; fast++) {
        const double w3 = threshold * (fast ? 1.01 : .99), mu = C * w3;
        tk_ok(ph_equilibria_find(e, upright, &mu, at, NULL));
        ck_assert_int_eq(at->stability, fast ? PH_STABILITY_SPECTRAL : PH_STABILITY_UNSTABLE);
        const double inside = 4 * A * 2 - C * C * w3 * w3; /* A u'' - i C w3 u' - m g l u = 0 */
        ck_assert_double_eq_tol(at->growth, fast ? 0 : sqrt(inside) / (2 * A), 1e-10);
    }
}

/* ---- The linear motion ------------------------------------------------------------------------------------------- */

/* F (nz) <- the acceleration in the frame that turns at the rate Om about e3: q = exp(Om t Z) z, w = z',
 *     w' = a(z, w + Om Z z) - 2 Om Z w - Om^2 Z Z z. */
static void turning(const ph_system *s, double Om, const double *z, const double *w, double *F, double *work)
{
    const ph_field *field = ph_field_find("q-qdot", NULL);
    const size_t nz = ph_space_ambient(ph_system_space(s)), blocks = nz / 3;
    const double e3[3] = {0, 0, 1};
    double y[2 * NZ], dy[2 * NZ], Zz[NZ], ZZz[NZ], Zw[NZ];
    const bool body = blocks == 3 && ph_space_factor(ph_system_space(s), 0)->kind == PH_FACTOR_SO3;
    for (size_t b = 0; b < blocks; b++) {
        double x[3], u[3], t[3];
        const size_t at = body ? b : 3 * b, by = body ? 3 : 1;
        for (size_t k = 0; k < 3; k++) {
            x[k] = z[at + by * k];
            u[k] = w[at + by * k];
        }
        ph_cross3(e3, x, t);
        for (size_t k = 0; k < 3; k++)
            Zz[at + by * k] = t[k];
        ph_cross3(e3, t, x);
        ph_cross3(e3, u, t);
        for (size_t k = 0; k < 3; k++) {
            ZZz[at + by * k] = x[k];
            Zw[at + by * k] = t[k];
        }
    }
    for (size_t k = 0; k < nz; k++) {
        y[k] = z[k];
        y[nz + k] = w[k] + Om * Zz[k];
    }
    tk_ok(field->evaluate(s, 0, y, dy, work));
    for (size_t k = 0; k < nz; k++)
        F[k] = dy[nz + k] - 2 * Om * Zw[k] - Om * Om * ZZz[k];
}

/* Every eigenvalue of the reduced linear motion is one of the whole system's in the turning frame, by differences of
 * order 4 there: 1e-9. */
static void compare_linear(const ph_system *s, ph_equilibria *e, const ph_equilibrium *at)
{
    const ph_space *space = ph_system_space(s);
    const size_t nz = ph_space_ambient(space), n = ph_space_dimension(space);
    const ph_field *field = ph_field_find("q-qdot", NULL);
    TK_MEMORY double *work = malloc((field->work(s) + 1) * sizeof *work),
                     *basis = malloc(n * nz * sizeof *basis);
    double *E = malloc(ph_space_basis_size(space) * sizeof *E), A[4 * NX * NX] = {0}, re[2 * NX], im[2 * NX];
    ph_space_basis(space, at->z, E);
    memset(basis, 0, n * nz * sizeof *basis);
    for (size_t i = 0, row = 0, from = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t k = 0; k < f->nx; k++, row++, from += f->nz)
            memcpy(basis + row * nz + f->z, E + from, f->nz * sizeof *E);
    }
    const double h = 2e-3, share[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0}, step[4] = {-2, -1, 1, 2};
    const double rest[NZ] = {0};
    for (size_t i = 0; i < n; i++)
        for (int what = 0; what < 2; what++) { /* along a displacement, along a velocity */
            double d[NZ] = {0}, u[NZ], z1[NZ], F[NZ];
            for (int k = 0; k < 4; k++) {
                for (size_t l = 0; l < nz; l++)
                    u[l] = h * step[k] * basis[i * nz + l];
                memcpy(z1, at->z, nz * sizeof *z1);
                if (!what)
                    ph_space_exp(space, at->z, u, z1);
                turning(s, at->rate[0], z1, what ? u : rest, F, work);
                for (size_t l = 0; l < nz; l++)
                    d[l] += share[k] * F[l] / h;
            }
            for (size_t j = 0; j < n; j++) { /* column after column */
                const double *b = basis + j * nz;
                A[((what ? n : 0) + i) * 2 * n + n + j] = ph_dot(d, b, nz) / ph_dot(b, b, nz);
            }
            A[(n + i) * 2 * n + i] = 1;
        }
    const int order = (int)(2 * n), one = 1, size = 16 * NX;
    double room[16 * NX], unused;
    int info;
    dgeev_("N", "N", &order, A, &order, re, im, &unused, &one, &unused, &one, room, &size, &info, 1, 1);
    ck_assert_int_eq(info, 0);
    ck_assert_uint_eq(at->modes, n - 1);
    for (size_t i = 0; i < 2 * at->modes; i++) {
        double nearest = INFINITY;
        for (size_t k = 0; k < 2 * n; k++)
            nearest = fmin(nearest, hypot(re[k] - at->real[i], im[k] - at->imaginary[i]));
        ck_assert_double_le(nearest, 1e-8 * hypot(at->real[0], at->imaginary[0]));
    }
    (void)e;
    free(E);
}

TEST_EACH(linear_motion_of_chains, sizeof chains / sizeof *chains)
{
    tk_chain c;
    double z[9];
    TK_OWN(ph_system) *s = chain_of(_i, &c);
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, first, 1, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    planar(c.n, chains[_i].th, z);
    tk_ok(ph_equilibria_find(e, z, &chains[_i].mu, at, NULL));
    compare_linear(s, e, at);
}

TEST_EACH(linear_motion_of_tops, 4)
{
    const double mu = 6;
    top t = staude_top;
    double R[9];
    TK_OWN(ph_system) *s = top_of(&t, staude_J);
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, first, 1, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    pose(staude[_i].gamma, R);
    tk_ok(ph_equilibria_find(e, R, &mu, at, NULL));
    compare_linear(s, e, at);
}

/* Two vectors whose inertia depends on their heights and on the angle between them, in a field. */
static ph_status leaning_potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = 3 * z[2] + 2 * z[5] + .7 * (z[0] * z[3] + z[1] * z[4] + z[2] * z[5]) +
         .4 * (z[0] * z[4] - z[1] * z[3]);
    return PH_OK;
}

static ph_status leaning_gradient(void *user, const double *z, double *dU)
{
    (void)user;
    for (size_t k = 0; k < 6; k++)
        dU[k] = .7 * z[(k + 3) % 6] + (k == 2 ? 3 : k == 5 ? 2 : 0);
    dU[0] += .4 * z[4];
    dU[4] += .4 * z[0];
    dU[1] -= .4 * z[3];
    dU[3] -= .4 * z[1];
    return PH_OK;
}

TEST_EACH(linear_motion_with_varying_inertia, 3)
{
    const ph_factor sphere = {.kind = PH_FACTOR_S2};
    const ph_symmetry about = {
        .name = "J", .text = "about the third axis", .unit = "kg m^2/s", .axis = {0, 0, 1}};
    tk_random r = {5};
    double z[6];
    const double mu = 1.5 + _i;
    TK_MAKE(ph_space, space, ph_space_create_power(&sphere, 2, &space, NULL));
    const ph_system_definition d = {.space = space,
                                    .inertia_at = leaning_inertia,
                                    .inertia_dz = leaning_dz,
                                    .potential = leaning_potential,
                                    .gradient = leaning_gradient,
                                    .symmetries = &about,
                                    .n_symmetries = 1};
    TK_MAKE(ph_system, s, ph_system_create(&d, &s, NULL));
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, first, 1, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    int found = 0;
    for (int i = 0; i < 12; i++) {
        tk_unit(&r, z);
        tk_unit(&r, z + 3);
        if (ph_equilibria_find(e, z, &mu, at, NULL))
            continue;
        found++;
        compare_linear(s, e, at);
    }
    ck_assert_int_ge(found, 4);
}

/* ---- Families ------------------------------------------------------------------------------------------------------- */

typedef struct walk {
    const ph_system *system;
    ph_equilibria *e;
    size_t points, marks[PH_FAMILY_MARKS];
    double at[PH_FAMILY_MARKS]; /* the momentum of the last mark of each kind */
    double last, largest, worst;
    double z[9];
} walk;

/* dE/dmu = the rate along a family: the trapezium rule over its points, and every point solves the equations. */
static bool look(void *user, const ph_equilibrium *at, ph_family_mark mark)
{
    walk *w = user;
    w->points++;
    w->marks[mark]++;
    w->at[mark] = at->momentum[0];
    w->last = at->momentum[0];
    w->largest = fmax(w->largest, at->momentum[0]);
    w->worst = fmax(w->worst, at->residual);
    memcpy(w->z, at->z, ph_space_ambient(ph_system_space(w->system)) * sizeof *w->z);
    return true;
}

/* An unsymmetric top that sleeps upright loses and gains negative curvatures where m g l + mu^2 (A_i - C) / C^2 = 0. */
TEST(bifurcations_of_a_sleeping_top)
{
    const double A = .5, B = .6, C = .9, l = 2, J[9] = {A, 0, 0, 0, B, 0, 0, 0, C};
    const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, mu = .3;
    const double expected[2] = {C * sqrt(l / (C - A)), C * sqrt(l / (C - B))};
    top t = {{0, 0, l}};
    TK_OWN(ph_system) *s = top_of(&t, J);
    ph_family_end end;
    walk w = {.system = s};
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, first, 1, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    tk_ok(ph_equilibria_find(e, upright, &mu, at, NULL));
    for (int i = 0; i < 2; i++) { /* to beyond the first, then to beyond the second */
        const ph_family_plan plan = {.from = i ? 1.01 * expected[0] : mu, .to = 1.02 * expected[i]};
        const double begin = plan.from;
        w.marks[PH_FAMILY_BRANCH] = 0;
        tk_ok(ph_equilibria_find(e, upright, &begin, at, NULL));
        tk_ok(ph_equilibria_follow(e, at, &plan, look, &w, &end, NULL));
        ck_assert_int_eq(end, PH_FAMILY_REACHED);
        ck_assert_uint_eq(w.marks[PH_FAMILY_BRANCH], 1);
        ck_assert_double_eq_tol(w.at[PH_FAMILY_BRANCH], expected[i], 1e-8);
        ck_assert_double_eq(w.last, plan.to);
    }
    ck_assert_uint_eq(w.marks[PH_FAMILY_FOLD], 0);
    tk_ok(ph_equilibria_find(e, upright, &w.last, at, NULL));
    ck_assert_int_eq(at->stability, PH_STABILITY_STABLE);
}

/* A fold of Staude's rotations: along it I^3 and V_mu' give, on the circle gamma = (sin x, 0, cos x) of a top with
 * principal axes, mu(x)^2 = -2 U' I^2 / I' ... whose smallest value is found by golden section. */
static double momentum_of_tilt(double x, const double J[3], const double rho[3])
{
    const double inertia = J[0] * sin(x) * sin(x) + J[2] * cos(x) * cos(x), dI = (J[0] - J[2]) * sin(2 * x);
    const double dU = rho[0] * cos(x) - rho[2] * sin(x);
    return 2 * dU * inertia * inertia / dI; /* mu^2 of V' = dU - mu^2 dI / (2 I^2) = 0 */
}

TEST(fold_of_a_top)
{
    const double J[3] = {1.9, 1.4, 1.1}, rho[3] = {1.5, 0, 4};
    const double full[9] = {J[0], 0, 0, 0, J[1], 0, 0, 0, J[2]};
    /* mu^2 has its smallest value between pi/2 and pi, where dU < 0 and dI < 0 */
    double low = 1.75, high = 3, ratio = (sqrt(5) - 1) / 2;
    for (int i = 0; i < 90; i++) {
        const double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (momentum_of_tilt(a, J, rho) < momentum_of_tilt(b, J, rho))
            high = b;
        else
            low = a;
    }
    const double least = sqrt(momentum_of_tilt(low, J, rho)), x = low + .35;
    const double gamma[3] = {sin(x), 0, cos(x)}, mu = sqrt(momentum_of_tilt(x, J, rho));
    top t = {{rho[0], rho[1], rho[2]}};
    TK_OWN(ph_system) *s = top_of(&t, full);
    ph_family_end end;
    double R[9];
    walk w = {.system = s};
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, first, 1, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    pose(gamma, R);
    tk_ok(ph_equilibria_find(e, R, &mu, at, NULL));
    ck_assert_double_eq_tol(at->z[6], gamma[0], 1e-10);
    const ph_family_plan plan = {.from = 1.1 * mu, .to = 0};
    tk_ok(ph_equilibria_follow(e, at, &plan, look, &w, &end, NULL));
    ck_assert_int_eq(end, PH_FAMILY_REACHED);
    ck_assert_uint_eq(w.marks[PH_FAMILY_FOLD], 1);
    ck_assert_double_eq_tol(w.at[PH_FAMILY_FOLD], least, 1e-11 * least);
    ck_assert_double_eq(w.last, 1.1 * mu);
    ck_assert_double_le(w.worst, 1e-13);
    const double tilt = atan2(w.z[6], w.z[8]); /* on the other side of the fold */
    ck_assert_double_lt(tilt, low);
    ck_assert_double_eq_tol(momentum_of_tilt(tilt, J, rho), 1.21 * mu * mu, 1e-10 * mu * mu);
}

/* The family of a conical pendulum ends where it hangs: mu = 0. */
TEST(family_to_the_axis)
{
    const double gravity[3] = {0, 0, -9.81}, m = 1, l = 1, mu = .5, z[3] = {.6, 0, -.8};
    tk_chain c;
    ph_family_end end;
    tk_chain_fill(&c, 1, &m, &l, gravity);
    TK_OWN(ph_system) *s = tk_chain_system(&c);
    walk w = {.system = s};
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, first, 1, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    tk_ok(ph_equilibria_find(e, z, &mu, at, NULL));
    const ph_family_plan plan = {.from = mu, .to = 0};
    tk_ok(ph_equilibria_follow(e, at, &plan, look, &w, &end, NULL));
    ck_assert_int_eq(end, PH_FAMILY_AXIS);
    ck_assert_double_le(w.last, 1e-3);
    ck_assert_uint_eq(w.marks[PH_FAMILY_FOLD] + w.marks[PH_FAMILY_BRANCH], 0);
}

/* ---- At rest, and what is refused ------------------------------------------------------------------------------------ */

TEST(at_rest)
{
    const double none = 0, m[2] = {1, 2}, l[2] = {1, .7}, gravity[3] = {0, 0, -9.81};
    const double near[6] = {.1, 0, -sqrt(.99), .05, .1, -sqrt(.9875)}, hanging[6] = {0, 0, -1, 0, 0, -1};
    double w2[4];
    tk_chain c;
    tk_chain_fill(&c, 2, m, l, gravity);
    TK_OWN(ph_system) *s = tk_chain_system(&c);
    TK_MAKE(ph_equilibria, e, ph_equilibria_create(s, first, 1, &e, NULL));
    TK_MEMORY ph_equilibrium *at = ph_equilibrium_create(e);
    tk_ok(ph_equilibria_find(e, near, &none, at, NULL));
    ck_assert_double_le(tk_max_difference(at->z, hanging, 6), 1e-15);
    ck_assert_uint_eq(at->modes, 4); /* nothing turns there */
    ck_assert_int_eq(at->stability, PH_STABILITY_STABLE);
    tk_spectrum(s, hanging, w2);
    for (size_t k = 0; k < 4; k++)
        ck_assert_double_eq_tol(at->curvature[k], w2[k], 1e-7 * w2[3]);
}

static void refuses(const ph_system *s, const size_t *symmetries, size_t n, ph_status status,
                    const char *words)
{
    ph_equilibria *e;
    tk_returns(ph_equilibria_create(s, symmetries, n, &e, tk_err), status);
    ck_assert_ptr_null(e);
    ck_assert_msg(strstr(tk_err->message, words) != NULL, "%s", tk_err->message);
}

TEST(refusals)
{
    const double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 2}, upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double mu[2] = {1, 1}, hanging[3] = {0, 0, -1}, gravity[3] = {0, 0, -9.81}, one = 1, bad = NAN;
    const size_t far[1] = {7}, twice[2] = {0, 0}, body[2] = {1, 2}, both[2] = {0, 1};
    top t = {{0, 0, 2}};
    ph_equilibria *e;
    ph_system *s = top_of(&t, J), *damped = tk_model("submerged-pendula"),
              *rolling = tk_model("rolling-disk");
    refuses(s, far, 1, PH_E_RANGE, "there is no symmetry number 7");
    refuses(s, twice, 2, PH_E_INVALID, "Jg is given twice");
    refuses(s, body, 2, PH_E_INVALID, "J3 and J1 do not commute");
    refuses(rolling, first, 1, PH_E_UNSUPPORTED, "velocity constraints");
    refuses(NULL, first, 1, PH_E_INVALID, "system");
    /* upright, both symmetries are the same turn */
    tk_ok(ph_equilibria_create(s, both, 2, &e, NULL));
    ph_equilibrium *at = ph_equilibrium_create(e);
    at->energy = 42;
    tk_refused(ph_equilibria_find(e, upright, mu, at, tk_err), PH_E_SINGULAR, "locked inertia is singular");
    ck_assert_double_eq(at->energy, 42);
    free(at);
    ph_equilibria_free(e);
    ph_system_free(s);
    ph_system_free(damped);
    ph_system_free(rolling);
    /* hanging, nothing turns */
    tk_chain c;
    tk_chain_fill(&c, 1, &one, &one, gravity);
    s = tk_chain_system(&c);
    tk_ok(ph_equilibria_create(s, first, 1, &e, NULL));
    at = ph_equilibrium_create(e);
    tk_returns(ph_equilibria_find(e, hanging, &one, at, tk_err), PH_E_SINGULAR);
    tk_refused(ph_equilibria_find(e, hanging, &bad, at, tk_err), PH_E_NOT_FINITE,
               "the momentum of the symmetry");
    /* a family that starts outside its interval, on either side of it */
    const double tilted[3] = {.6, 0, -.8};
    const ph_family_plan outside[2] = {{.from = 2, .to = 3}, {.from = .5, .to = 0}};
    ph_family_end end;
    tk_ok(ph_equilibria_find(e, tilted, &one, at, NULL));
    for (int i = 0; i < 2; i++) {
        walk w = {.system = s};
        tk_refused(ph_equilibria_follow(e, at, &outside[i], look, &w, &end, tk_err), PH_E_RANGE,
                   "outside its interval");
    }
    free(at);
    ph_equilibria_free(e);
    ph_system_free(s);
}

int main(void)
{
    return tk_run("equilibria");
}
