/* SPDX-License-Identifier: BSD-3-Clause */
/* Spins on chains and lattices: motions and equilibria with closed forms (conical waves, walls, spirals, damping, rings of three
 * and four), many-digit references, the bonds of a lattice by brute force, symmetries, skyrmions, and what is refused. */
#include "tests/kit/spinkit.h"

enum { MOST = 1024 };
static const double e3[3] = {0, 0, 1};
static const double pi = 3.1415926535897932385;

typedef struct row {
    const char *name;
    size_t n;
    double numbers[3];
} row;

/* The system and its start, from rows with up to three numbers. */
static ph_system *make(const char *model, const char *preset, const row *rows, size_t n, double *z)
{
    ph_parameter_value values[20];
    for (size_t k = 0; k < n; k++)
        values[k] = (ph_parameter_value){rows[k].name, rows[k].numbers, rows[k].n};
    return sk_model(model, preset, values, n, z);
}

/* All turned by `angle` about the axis: how far is z from that, now? */
static double off_turn(const double *axis, double angle, const double *start, const double *z, size_t n)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double s[3] = {start[3 * i], start[3 * i + 1], start[3 * i + 2]};
        sk_turn(axis, angle, s);
        worst = tk_max(worst, tk_max_difference(s, z + 3 * i, 3));
    }
    return worst;
}

static double fastest(const ph_system *system, const double *z, size_t n)
{
    static double v[3 * MOST];
    double worst = 0;
    tk_ok(ph_spins_flow(system, 0, z, v));
    for (size_t k = 0; k < 3 * n; k++)
        worst = tk_max(worst, fabs(v[k]));
    return worst;
}

/* ---- Waves ---------------------------------------------------------------------------------------------- */

/* Gamma w = 2 cos th (J (cos phi - Delta) - D_3 sin phi - K) - B_3, for random numbers of either sign. Some waves are
 * unstable, and leave by rounding: hence T = 4. */
TEST_EACH(conical_waves, 12)
{
    tk_random r = {1000 + (uint64_t)_i};
    const double n = 3 + _i, J = tk_uniform(&r, -1, 1), delta = tk_uniform(&r, 0, 2),
                 K = tk_uniform(&r, -1, 1), D = tk_uniform(&r, -1, 1), B = tk_uniform(&r, -1, 1),
                 angle = tk_uniform(&r, 0.2, 3), waves = floor(tk_uniform(&r, 0, n)), T = 4,
                 strength = (_i % 2 ? -1 : 1) * tk_uniform(&r, 0.5, 2);
    const row rows[] = {{"spins", 1, {n}},
                        {"exchange", 1, {J}},
                        {"delta", 1, {delta}},
                        {"anisotropy", 1, {K}},
                        {"twist", 3, {0, 0, D}},
                        {"field", 3, {0, 0, B}},
                        {"strengths", 1, {strength}},
                        {"angle", 1, {angle}},
                        {"waves", 1, {waves}}};
    double z[3 * 16], start[3 * 16];
    TK_OWN(ph_system) *system = make("spin-chain", "conical", rows, 9, z);
    ck_assert_uint_eq(ph_system_symmetries(system), 1);
    memcpy(start, z, sizeof z);
    const double phi = 2 * pi * waves / n,
                 w = (2 * cos(angle) * (J * (cos(phi) - delta) - D * sin(phi) - K) - B) / strength;
    sk_move(system, "rk8", T, 1000, z);
    const double off = off_turn(e3, w * T, start, z, (size_t)n);
    printf("ring of %g, w = %.4f: off by %.1e\n", n, w, off);
    ck_assert_double_le(off, 1e-11);
}

/* On lattices: Gamma w = 2 cos th (J sum_a (cos k_a - Delta) - K) - B_3 over the axes with bonds. An open axis has k = 0 and
 * an exchange that is isotropic, so that its ends are as the rest. */
TEST_EACH(conical_waves_on_lattices, 6)
{
    static const double sides[][3] = {{4, 3, 1}, {5, 4, 3}, {3, 2, 1}, {1, 6, 1}, {2, 1, 5}, {3, 3, 3}};
    tk_random r = {1050 + (uint64_t)_i};
    const double *side = sides[_i];
    bool open = false;
    double periodic[3], waves[3], sum = 0, z[3 * 64], start[3 * 64];
    for (size_t a = 0; a < 3; a++) {
        periodic[a] = side[a] >= 3;
        open |= side[a] == 2;
        waves[a] = periodic[a] ? floor(tk_uniform(&r, 0, side[a])) : 0;
    }
    const double J = tk_uniform(&r, -1, 1), delta = open ? 1 : tk_uniform(&r, 0, 2),
                 K = tk_uniform(&r, -1, 1), B = tk_uniform(&r, -1, 1), angle = tk_uniform(&r, 0.2, 3), T = 6,
                 strength = tk_uniform(&r, 0.5, 2);
    const row rows[] = {{"side_x", 1, {side[0]}},
                        {"side_y", 1, {side[1]}},
                        {"side_z", 1, {side[2]}},
                        {"periodic_x", 1, {periodic[0]}},
                        {"periodic_y", 1, {periodic[1]}},
                        {"periodic_z", 1, {periodic[2]}},
                        {"exchange", 1, {J}},
                        {"delta", 1, {delta}},
                        {"anisotropy", 1, {K}},
                        {"field", 3, {0, 0, B}},
                        {"strengths", 1, {strength}},
                        {"angle", 1, {angle}},
                        {"waves", 3, {waves[0], waves[1], waves[2]}}};
    TK_OWN(ph_system) *system = make("spin-lattice", "conical", rows, 13, z);
    const size_t n = ph_system_spins(system)->n;
    memcpy(start, z, sizeof z);
    for (size_t a = 0; a < 3; a++)
        sum += periodic[a] > 0 ? cos(2 * pi * waves[a] / side[a]) - delta : 0;
    const double w = (2 * cos(angle) * (J * sum - K) - B) / strength;
    sk_move(system, "rk8", T, 1000, z);
    const double off = off_turn(e3, w * T, start, z, n);
    printf("lattice %g x %g x %g, w = %.4f: off by %.1e\n", side[0], side[1], side[2], w, off);
    ck_assert_double_le(off, 1e-11);
}

/* A magnon of the amplitude a turns at w = -(2J/Gamma)(1 - cos k) up to a^2: in a ring and, with half as many waves, in an open
 * chain. After T the shape is off by less than a^3 |w| T. */
TEST_EACH(magnons, 2)
{
    const row rows[] = {{"ring", 1, {_i}}, {"spins", 1, {12}}, {"waves", 1, {2}}};
    const double k = (_i ? 2 : 1) * pi * 2 / 12, w = -2 * (1 - cos(k)), T = 5;
    double z[36], start[36];
    TK_OWN(ph_system) *system = make("spin-chain", "magnon", rows, 3, z);
    memcpy(start, z, sizeof z);
    sk_move(system, "rk8", T, 500, z);
    const double off = off_turn(e3, w * T, start, z, 12);
    printf("magnon off by %.1e\n", off);
    ck_assert_double_le(off, 1e-6 * fabs(w) * T);
}

/* ---- Equilibria ----------------------------------------------------------------------------------------- */

/* A wall with cosh l = Delta rests but for what is beyond the ends, exp(-l n); in a field it turns. It is also a wall of a
 * lattice. */
TEST(domain_walls)
{
    const row rows[] = {{"field", 3, {0, 0, 0.4}}, {"strengths", 1, {0.8}}};
    double z[3 * MOST], v[3 * MOST];
    ph_system *system = sk_model("spin-chain", "domain-wall", NULL, 0, z);
    const size_t n = ph_system_spins(system)->n;
    ck_assert_uint_eq(n, 32);
    ck_assert_double_lt(z[2], -0.999);
    ck_assert_double_gt(z[3 * n - 1], 0.999);
    printf("wall: moves at %.1e\n", fastest(system, z, n));
    ck_assert_double_le(fastest(system, z, n), 2e-6); /* exp(-l (n - 1)/2) = 3e-7 at the ends */
    for (size_t i = 8; i < n - 8; i++) {
        tk_ok(ph_spins_flow(system, 0, z, v));
        ck_assert_double_le(ph_norm3(v + 3 * i), 1e-15);
        ck_assert_double_eq_tol(z[3 * i + 2], tanh(acosh(1.5) * ((double)i - 15.5)), 1e-15);
    }
    ph_system_free(system);
    system = make("spin-chain", "domain-wall", rows, 2, z);
    tk_ok(ph_spins_flow(system, 0, z, v));
    for (size_t i = 8; i < n - 8; i++) { /* s' = -(B/Gamma) e3 x s */
        ck_assert_double_eq_tol(v[3 * i], 0.5 * z[3 * i + 1], 1e-15);
        ck_assert_double_eq_tol(v[3 * i + 1], -0.5 * z[3 * i], 1e-15);
    }
    ph_system_free(system);
    system = sk_model("spin-lattice", "domain-wall", NULL, 0, z);
    ck_assert_double_le(fastest(system, z, ph_system_spins(system)->n), 2e-6);
    ph_system_free(system);
}

/* Turned by -atan(D/J) from one to the next: rests, and every change raises the energy. */
TEST(spirals)
{
    tk_random r = {1100};
    double z[48], moved[48], H, more;
    TK_OWN(ph_system) *system = sk_model("spin-chain", "spiral", NULL, 0, z);
    printf("spiral: moves at %.1e\n", fastest(system, z, 16));
    ck_assert_double_le(fastest(system, z, 16), 1e-15);
    ck_assert_double_eq_tol(ph_dot3(z, z + 3), cos(atan(0.5)), 1e-15);
    tk_ok(ph_spins_energy(system, 0, z, &H));
    ck_assert_double_eq_tol(H, -15 * sqrt(1.25), 1e-13);
    for (int trial = 0; trial < 50; trial++) {
        for (size_t k = 0; k < 48; k++)
            moved[k] = z[k] + 0.1 * tk_normal(&r);
        tk_ok(ph_space_project(ph_system_space(system), moved));
        tk_ok(ph_spins_energy(system, 0, moved, &more));
        ck_assert_double_gt(more, H);
    }
}

/* Spins that are all alike fall towards the field as one: s_3 = tanh(artanh s_3(0) + lambda B t), azimuth -B t/Gamma. */
TEST_EACH(tilted_in_a_field, 2)
{
    const double T = 10, damping = _i ? 0.1 : 0, strength = 0.8;
    const row rows[] = {{"damping", 1, {damping}}, {"strengths", 1, {strength}}, {"exchange", 1, {0.7}}};
    double z[3 * 64];
    for (int lattice = 0; lattice < 2; lattice++) {
        TK_OWN(ph_system) *system = make(lattice ? "spin-lattice" : "spin-chain", "tilted", rows, 3, z);
        const size_t n = ph_system_spins(system)->n;
        ck_assert_uint_eq(ph_system_symmetries(system), _i ? 0 : 1);
        sk_move(system, "rk8", T, 1000, z);
        const double height = tanh(atanh(cos(0.6)) + damping * T), out = sqrt(1 - height * height),
                     s[3] = {out * cos(T / strength), -out * sin(T / strength), height};
        for (size_t i = 0; i < n; i++)
            ck_assert_double_le(tk_max_difference(s, z + 3 * i, 3), 1e-12);
    }
}

/* ---- Rings of three and four ---------------------------------------------------------------------------- */

/* In a ring of three every pair is bound: each spin turns about T = sum s at -J |T|/Gamma^2 Gamma. */
TEST_EACH(ring_of_three, 4)
{
    tk_random r = {1150 + (uint64_t)_i};
    const double J = tk_uniform(&r, -1, 1), strength = tk_uniform(&r, 0.5, 2), T = 10;
    const row rows[] = {{"spins", 1, {3}}, {"exchange", 1, {J}}, {"strengths", 1, {strength}}};
    double z[9], start[9], sum[3] = {0, 0, 0};
    TK_OWN(ph_system) *system = make("spin-chain", "random", rows, 3, z);
    memcpy(start, z, sizeof z);
    for (size_t k = 0; k < 9; k++)
        sum[k % 3] += z[k];
    const double size = ph_norm3(sum);
    for (size_t k = 0; k < 3; k++)
        sum[k] /= size;
    sk_move(system, "rk8", T, 2000, z);
    const double off = off_turn(sum, -J * size / strength * T, start, z, 3);
    printf("ring of three: off by %.1e\n", off);
    ck_assert_double_le(off, 1e-12);
}

static void turn_by(const double *vector, double by, double *s)
{
    const double size = ph_norm3(vector), axis[3] = {vector[0] / size, vector[1] / size, vector[2] / size};
    sk_turn(axis, by * size, s);
}

/* s_1 = exp(-J t S(T)) exp(J t S(s_1 + s_3)) s_1(0), and so on. */
TEST(ring_of_four)
{
    static const double start[12] = {1. / 3, 2. / 3,  2. / 3, -2. / 7,  3. / 7,   6. / 7,
                                     4. / 9, -8. / 9, 1. / 9, -6. / 11, -2. / 11, -9. / 11};
    const row rows[] = {{"spins", 1, {4}}};
    double z[12], all[3] = {0, 0, 0};
    TK_OWN(ph_system) *system = make("spin-chain", NULL, rows, 1, z);
    memcpy(z, start, sizeof z);
    for (size_t k = 0; k < 12; k++)
        all[k % 3] += z[k];
    sk_move(system, "rk8", 10, 2000, z);
    for (size_t i = 0; i < 4; i++) {
        double s[3], pair[3];
        for (size_t k = 0; k < 3; k++) {
            s[k] = start[3 * i + k];
            pair[k] = s[k] + start[3 * ((i + 2) % 4) + k];
        }
        turn_by(pair, 10, s);
        turn_by(all, -10, s);
        ck_assert_double_le(tk_max_difference(s, z + 3 * i, 3), 1e-12);
    }
    ck_assert_double_eq_tol(z[0], -0.0300277093552993367522237488635, 1e-12);
    ck_assert_double_eq_tol(z[1], -0.995549079465664684580423579769, 1e-12);
    ck_assert_double_eq_tol(z[2], -0.089332900131705853845908946729, 1e-12);
}

/* ---- References ----------------------------------------------------------------------------------------- */

TEST_EACH(references, 2)
{
    static const double strengths[5] = {1, 2, -1, 1, 0.5}, field[3] = {0, 0, 0.3}, none = 0, delta = 0.6,
                        K = 0.2, six = 6;
    const ph_parameter_value ring[] = {{"spins", &six, 1}};
    const ph_parameter_value chain[] = {{"strengths", strengths, 5},
                                        {"field", field, 3},
                                        {"ring", &none, 1},
                                        {"delta", &delta, 1},
                                        {"anisotropy", &K, 1}};
    const sk_problem *p = &sk_problems[_i ? SK_CHAIN : SK_RING];
    double z[3 * SK_MOST];
    TK_OWN(ph_system) *system =
        _i ? sk_model("spin-chain", "random", chain, 5, z) : sk_model("spin-chain", "random", ring, 1, z);
    memcpy(z, p->start, 3 * p->n * sizeof *z);
    sk_move(system, "rk8", p->T, 2000, z);
    ck_assert_double_le(tk_max_difference(z, p->end, 3 * p->n), 1e-12);
}

/* ---- Lattices ------------------------------------------------------------------------------------------- */

/* H of random spins on lattices of all shapes against a sum over pairs of sites, each of which is seen to be bound or not. */
TEST_EACH(energy_of_lattices, 20)
{
    tk_random r = {1200 + (uint64_t)_i};
    size_t side[3], sites = 1, bonds = 0;
    bool periodic[3];
    for (size_t a = 0; a < 3; a++) {
        side[a] = 1 + (size_t)tk_uniform(&r, 0, a == 2 ? 4 : 6);
        periodic[a] = side[a] >= 3 && tk_uniform(&r, 0, 1) < 0.5;
        sites *= side[a];
    }
    const double J = tk_uniform(&r, -1, 1), delta = tk_uniform(&r, 0, 2), K = tk_uniform(&r, -1, 1),
                 D = tk_uniform(&r, -1, 1), across = tk_uniform(&r, -1, 1),
                 B[3] = {tk_uniform(&r, -1, 1), tk_uniform(&r, -1, 1), tk_uniform(&r, -1, 1)};
    const row rows[] = {{"side_x", 1, {(double)side[0]}},
                        {"side_y", 1, {(double)side[1]}},
                        {"side_z", 1, {(double)side[2]}},
                        {"periodic_x", 1, {periodic[0]}},
                        {"periodic_y", 1, {periodic[1]}},
                        {"periodic_z", 1, {periodic[2]}},
                        {"exchange", 1, {J}},
                        {"delta", 1, {delta}},
                        {"anisotropy", 1, {K}},
                        {"field", 3, {B[0], B[1], B[2]}},
                        {"bulk_twist", 1, {D}},
                        {"interface_twist", 1, {across}}};
    double z[3 * 128], H, sum = 0;
    TK_OWN(ph_system) *system = make("spin-lattice", "random", rows, 12, z);
    ck_assert_uint_eq(ph_system_spins(system)->n, sites);
    for (size_t i = 0; i < sites; i++) {
        const double *s = z + 3 * i;
        const size_t at[3] = {i % side[0], i / side[0] % side[1], i / (side[0] * side[1])};
        sum -= K * s[2] * s[2] + ph_dot3(B, s);
        for (size_t j = 0; j < sites; j++) {
            const size_t to[3] = {j % side[0], j / side[0] % side[1], j / (side[0] * side[1])};
            const double *t = z + 3 * j;
            for (size_t a = 0; a < 3; a++) { /* is j the next one along a? */
                const size_t next = at[a] + 1 < side[a] ? at[a] + 1 : 0;
                if ((!next && !periodic[a]) || to[a] != next || to[(a + 1) % 3] != at[(a + 1) % 3] ||
                    to[(a + 2) % 3] != at[(a + 2) % 3] || side[a] == 1)
                    continue;
                const double twist[3][3] = {{D, across, 0}, {-across, D, 0}, {0, 0, D}};
                double c[3];
                ph_cross3(s, t, c);
                sum += ph_dot3(twist[a], c) - J * (ph_dot3(s, t) + (delta - 1) * s[2] * t[2]);
                bonds++;
            }
        }
    }
    tk_ok(ph_spins_energy(system, 0, z, &H));
    ck_assert_double_eq_tol(H, sum, 1e-13 * (double)(bonds + sites));
    const ph_spins *is = ph_system_spins(system);
    size_t listed = 0;
    for (size_t g = 0; g < is->n_bonds; g++) { /* and each class is of bonds without a common spin */
        const ph_bonds *b = &is->bonds[g];
        listed += b->kind == PH_BOND_EXCHANGE ? b->n : 0;
        ck_assert_uint_le(b->colours, 3);
    }
    ck_assert_uint_eq(listed, bonds);
}

/* Large lattices of even sides have two classes an axis, whose bonds are in runs of one stride: along x every second bond, along y
 * and z whole lines. */
TEST(bonds_are_regular)
{
    const row rows[] = {{"side_x", 1, {8}}, {"side_y", 1, {6}}, {"side_z", 1, {4}}, {"periodic_z", 1, {1}}};
    static const size_t steps[3] = {2, 1, 1}, distance[3] = {1, 8, 48};
    double z[3 * 192];
    TK_OWN(ph_system) *system = make("spin-lattice", "random", rows, 4, z);
    const ph_spins *is = ph_system_spins(system);
    ck_assert_uint_eq(is->n_bonds, 3);
    for (size_t a = 0; a < 3; a++) {
        const ph_bonds *b = &is->bonds[a];
        size_t regular = 0;
        ck_assert_uint_eq(b->colours, 2);
        ck_assert_uint_eq(b->n, 192);
        for (size_t k = 0; k + 1 < b->n; k++) {
            ck_assert(b->second[k] - b->first[k] == distance[a] || b->second[k] < b->first[k]);
            regular +=
                b->first[k + 1] - b->first[k] == steps[a] && b->second[k + 1] - b->second[k] == steps[a];
        }
        printf("axis %zu: %zu of 192 bonds are %zu behind the one before\n", a + 1, regular, steps[a]);
        ck_assert_uint_ge(regular, 100);
    }
}

/* ---- Symmetries ----------------------------------------------------------------------------------------- */

/* A component of J is declared where it does not change in any state, and only there. */
TEST(symmetries)
{
    static const struct {
        row rows[3];
        size_t n;
        const char *names;
    } cases[] = {
        {{{"spins", 1, {5}}}, 1, "JxJyJz"},
        {{{"delta", 1, {0.5}}}, 1, "Jz"},
        {{{"anisotropy", 1, {0.5}}}, 1, "Jz"},
        {{{"field", 3, {0, -2, 0}}}, 1, "Jy"},
        {{{"field", 3, {0, -2, 0}}, {"twist", 3, {0, 0.3, 0}}}, 2, "Jy"},
        {{{"field", 3, {0, -2, 0}}, {"twist", 3, {0, 0, 1}}}, 2, ""},
        {{{"twist", 3, {0.5, 0, 0}}}, 1, "Jx"},
        {{{"twist", 3, {0.5, 0, 0}}, {"anisotropy", 1, {0.1}}}, 2, ""},
        {{{"field", 3, {1, 1, 0}}}, 1, "Jn"},
        {{{"exchange", 1, {0}}, {"delta", 1, {2}}}, 2, "JxJyJz"},
        {{{"damping", 1, {0.1}}}, 1, ""},
    };
    tk_random r = {1300};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char names[20] = "";
        double z[48], v[48];
        TK_OWN(ph_system) *system = make("spin-chain", "conical", cases[k].rows, cases[k].n, z);
        const size_t n = ph_system_spins(system)->n;
        for (size_t i = 0; i < ph_system_symmetries(system); i++)
            strcat(names, ph_system_symmetry(system, i)->name);
        ck_assert_str_eq(names, cases[k].names);
        sk_random_spins(&r, n, z);
        tk_ok(ph_spins_flow(system, 0, z, v));
        double rate[3];
        tk_ok(ph_spins_momentum(system, v, rate)); /* J is linear */
        for (size_t i = 0; i < ph_system_symmetries(system); i++)
            ck_assert_double_eq_tol(ph_dot3(ph_system_symmetry(system, i)->axis, rate), 0, 1e-14);
        for (size_t a = 0; a < 3; a++) {
            const char one[3] = {'J', (char)('x' + a), 0};
            ck_assert((fabs(rate[a]) < 1e-14) == (strstr(names, one) != NULL) || !strcmp(names, "Jn"));
        }
    }
}

/* ---- Random starts, textures ---------------------------------------------------------------------------- */

/* The seed 1234567 of splitmix64 gives 6457827717110365317, 3203168211198807973, ... (its published test). */
TEST(random_directions)
{
    const row rows[] = {{"spins", 1, {1000}}, {"seed", 1, {1234567}}};
    static double z[3000];
    double second[9] = {0}, mean[3] = {0};
    TK_OWN(ph_system) *system = make("spin-chain", "random", rows, 2, z);
    const double height = 2 * ldexp((double)(6457827717110365317u >> 11), -53) - 1,
                 azimuth = 2 * pi * ldexp((double)(3203168211198807973u >> 11), -53);
    ck_assert_double_eq_tol(z[2], height, 1e-15);
    ck_assert_double_eq_tol(z[0], sqrt(1 - height * height) * cos(azimuth), 1e-15);
    ck_assert_double_eq_tol(z[1], sqrt(1 - height * height) * sin(azimuth), 1e-15);
    for (size_t i = 0; i < 1000; i++)
        for (size_t a = 0; a < 3; a++) {
            mean[a] += z[3 * i + a] / 1000;
            for (size_t b = 0; b < 3; b++)
                second[3 * a + b] += z[3 * i + a] * z[3 * i + b] / 1000;
        }
    for (size_t a = 0; a < 3; a++) {
        ck_assert_double_eq_tol(mean[a], 0, 4 * sqrt(1. / 3000));
        for (size_t b = 0; b < 3; b++) /* variances 4/45 and 1/15 */
            ck_assert_double_eq_tol(second[3 * a + b], a == b ? 1. / 3 : 0, 4 * sqrt(4. / 45000));
    }
}

/* The solid angle of the triangle of three directions, signed. */
static double solid_angle(const double *a, const double *b, const double *c)
{
    double n[3];
    ph_cross3(b, c, n);
    return 2 * atan2(ph_dot3(a, n), 1 + ph_dot3(a, b) + ph_dot3(b, c) + ph_dot3(c, a));
}

/* How often the spins of a periodic square wind around the sphere. */
static double winding(const double *z, size_t side)
{
    double sum = 0;
    for (size_t y = 0; y < side; y++)
        for (size_t x = 0; x < side; x++) {
            const size_t right = (x + 1) % side, up = (y + 1) % side;
            const double *a = z + 3 * (x + side * y), *b = z + 3 * (right + side * y),
                         *c = z + 3 * (right + side * up), *d = z + 3 * (x + side * up);
            sum += solid_angle(a, b, c) + solid_angle(a, c, d);
        }
    return sum / (4 * pi);
}

/* A skyrmion relaxes under damping: it stays wound once, the energy falls, and
 * it comes to rest. Its sense of turning is the one that the twist prefers: the other has a higher energy. By either twist. */
TEST_EACH(skyrmions, 2)
{
    const row rows[] = {{"bulk_twist", 1, {_i ? 0 : 0.7}}, {"interface_twist", 1, {_i ? 0.7 : 0}}};
    static double z[3 * 576], other[3 * 576];
    double H[3], before, after;
    TK_OWN(ph_system) *system = make("spin-lattice", "skyrmion", rows, 2, z);
    for (size_t i = 0; i < 576; i++) { /* the other sense */
        other[3 * i] = -z[3 * i];
        other[3 * i + 1] = -z[3 * i + 1];
        other[3 * i + 2] = z[3 * i + 2];
    }
    tk_ok(ph_spins_energy(system, 0, z, &H[0]));
    tk_ok(ph_spins_energy(system, 0, other, &H[1]));
    ck_assert_double_lt(H[0], H[1] - 5);
    before = fastest(system, z, 576);
    ck_assert_double_eq_tol(fabs(winding(z, 24)), 1, 1e-12);
    sk_move(system, "rk4-projected", 60, 600, z);
    tk_ok(ph_spins_energy(system, 0, z, &H[2]));
    after = fastest(system, z, 576);
    printf("skyrmion: winding %.12f, energy %.4f -> %.4f, other sense %.4f, speed %.1e -> %.1e\n",
           winding(z, 24), H[0], H[2], H[1], before, after);
    ck_assert_double_eq_tol(fabs(winding(z, 24)), 1, 1e-12);
    ck_assert_double_lt(H[2], H[0]);
    ck_assert_double_lt(after, 0.02 * before);
}

/* Once round in the plane along the border; along e3 in the middle. */
TEST(vortex_on_a_square)
{
    double z[3 * 256], turn = 0;
    TK_OWN(ph_system) *system = sk_model("spin-lattice", "vortex", NULL, 0, z);
    for (size_t k = 0; k < 60; k++) { /* along the border, counterclockwise */
        const size_t side = k / 15, at = k % 15, next = k + 1, nside = next % 60 / 15, nat = next % 15;
        const size_t x[4] = {at, 15, 15 - at, 0}, y[4] = {0, at, 15, 15 - at}, u[4] = {nat, 15, 15 - nat, 0},
                     v[4] = {0, nat, 15, 15 - nat};
        const double *s = z + 3 * (x[side] + 16 * y[side]), *t = z + 3 * (u[nside] + 16 * v[nside]);
        turn += atan2(s[0] * t[1] - s[1] * t[0], s[0] * t[0] + s[1] * t[1]);
    }
    ck_assert_double_eq_tol(turn, 2 * pi, 1e-12);
    ck_assert_double_le(fabs(z[2]), 1e-10);
    ck_assert_double_gt(z[3 * (7 + 16 * 7) + 2], 0.9);
}

/* ---- Refused -------------------------------------------------------------------------------------------- */

/* Open lines of one or two sites are all right. */
TEST(small_lattices)
{
    for (double n = 1; n <= 2; n++) {
        const row rows[] = {{"spins", 1, {n}}, {"ring", 1, {0}}};
        double z[6];
        TK_OWN(ph_system) *system = make("spin-chain", "conical", rows, 2, z);
        ck_assert_uint_eq(ph_system_spins(system)->n_bonds, n > 1);
        sk_move(system, "rk8", 1, 10, z);
    }
}

int main(void)
{
    return tk_run("spins on lattices");
}
