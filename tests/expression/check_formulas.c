/* SPDX-License-Identifier: BSD-3-Clause */
/* The language of formulas: values against C's own arithmetic, wrong formulas with the column and what is said of
 * them, units, limits, hostile texts. */
#include "tests/kit/testkit.h"

#include "lib/expression/formulas.h"

static ph_error err;

/* Factors x: R3, q: S2, B: SO3, a: S1, u: R1, c: S2[n]; parameters m, l, g, n = 3, J (3 x 3), k (3), with units or without. */
static ph_formulas *make(bool units)
{
    static const double J[] = {2, 0, 0, 0, 3, 0, 0, 0, 4}, k[] = {1, 2, 3}, m = 1, l = 2, g = 9.81, n = 3;
    static const struct {
        const char *name, *unit;
        const double *v;
        unsigned rank;
        size_t rows, columns;
    } parameters[] = {{"m", "kg", &m, 0, 1, 1}, {"l", "m", &l, 0, 1, 1},     {"g", "m/s^2", &g, 0, 1, 1},
                      {"n", NULL, &n, 0, 1, 1}, {"J", "kg m^2", J, 2, 3, 3}, {"k", "m", k, 1, 3, 1}};
    static const char *const factors[][2] = {{"x", "R3"}, {"q", "S2"},    {"B", "SO3"},     {"a", "S1"},
                                             {"u", "R1"}, {"c", "S2[n]"}, {"none", "S2[0]"}};
    static const char *const where[][2] = {
        {"p", "x + l*q"}, {"s[0]", "x"}, {"s[i=1..n]", "s[i-1] + k[i]*c[i]"}};
    ph_formulas *f = NULL;
    tk_ok(ph_formulas_create(&f, &err));
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++)
        tk_ok(ph_formulas_add_parameter(f, parameters[i].name, parameters[i].rank, parameters[i].rows,
                                        parameters[i].columns, parameters[i].v,
                                        units ? parameters[i].unit : NULL, &err));
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
        tk_ok(ph_formulas_add_factor(f, factors[i][0], factors[i][1], NULL, &err));
    for (size_t i = 0; i < sizeof where / sizeof where[0]; i++)
        tk_ok(ph_formulas_abbreviate(f, where[i][0], where[i][1], &err));
    return f;
}

/* The value where z_i = 0.5 + i/100, zdot_i = 0.25 - i/50, omega_i = 1/8 + i, t = 2. */
static double value_of(ph_formulas *f, const char *text, unsigned flags)
{
    double z[40], v[40], w[40], x = NAN;
    ph_value value;
    for (int i = 0; i < 40; i++)
        z[i] = 0.5 + i / 100.0, v[i] = 0.25 - i / 50.0, w[i] = 0.125 + i;
    ck_assert_msg(!ph_formulas_read(f, "value", text, flags | PH_FORMULA_NUMBER, &value, &err), "%s",
                  err.message);
    ph_graph_values(&f->graph, value.item, 1, &(ph_point){f->parameters, z, v, w, 2}, &x);
    return x;
}

/* Numbers in their places: x z[0..2], q z[3..5], B z[6..14], a z[15..16], u z[17], c z[18..26]. */
#define Z(i) (0.5 + (i) / 100.0)
#define V(i) (0.25 - (i) / 50.0)
#define W(i) (0.125 + (i))

TEST(values)
{
    const struct {
        const char *text;
        double value;
    } right[] = {
        {"-2^2", -4},
        {"2^3^2", 512},
        {"2^-1", 0.5},
        {"6/3/2", 1},
        {"1-2-3", -4},
        {"--u", Z(17)},
        {"+-+3", -3},
        {"1.5e2 + .5 + 2.", 152.5},
        {"u^7", pow(Z(17), 7)},
        {"u^-3", 1 / pow(Z(17), 3)},
        {"u^1.5", pow(Z(17), 1.5)},
        {"u^0.3", pow(Z(17), 0.3)},
        {"u^(n - 1)", pow(Z(17), 2)},
        {"x.z + q.x + B[3,3] + a.y + c[2].z + cdot[n].x", Z(2) + Z(3) + Z(14) + Z(16) + Z(23) + V(24)},
        {"xdot.y - qdot.z + Bdot[1,2] + adot.x*udot", V(1) - V(5) + V(7) + V(15) * V(17)},
        {"dot(p, e2)", Z(1) + 2 * Z(4)},
        {"d(p).y", V(1) + 2 * V(4)},
        {"d(u*x.x*sin(t))", (V(17) * Z(0) + Z(17) * V(0)) * sin(2) + Z(17) * Z(0) * cos(2)},
        {"d(u/x.x)", (V(17) - Z(17) / Z(0) * V(0)) / Z(0)},
        {"d(exp(u)*log(u)/tanh(u))",
         V(17) * exp(Z(17)) * (log(Z(17)) + 1 / Z(17) - log(Z(17)) * (1 / tanh(Z(17)) - tanh(Z(17)))) /
             tanh(Z(17))},
        {"d(asin(u) + 2*acos(u) + atan(u))", V(17) * (1 / (1 + Z(17) * Z(17)) - 1 / sqrt(1 - Z(17) * Z(17)))},
        {"d(tan(u) + sinh(u) - cosh(u) + sqrt(u))",
         V(17) * (1 + tan(Z(17)) * tan(Z(17)) + cosh(Z(17)) - sinh(Z(17)) + 0.5 / sqrt(Z(17)))},
        {"s[2].x", Z(0) + Z(18) + 2 * Z(21)},
        {"sum(i=1..n, k[i]*c[i].z)", Z(20) + 2 * Z(23) + 3 * Z(26)},
        {"sum(i=2..n, sum(j=1..i-1, i*j))", 2 + 3 + 6},
        {"sum(i=3..2, u)", 0},
        {"sum(i=1..0, dot(none[i], nonedot[i])/omega(none[i]).x)", 0},
        {"dot(e1, sum(i=9..2, c[i]/(i - 9)))", 0},
        {"J[2,2]*trace(J)", 27},
        {"trace(J*identity) - trace(J.T)", 0},
        {"dot([1, 2, 3], [[1, 0, 0], [0, 2, 0], [0, 0, 3]]*[1, 1, 1])", 14},
        {"cross(e1, e2).z + cross(x, x).x", 1},
        {"outer(q, x)[2,3]", Z(4) * Z(2)},
        {"dot(vee(hat(x)), x)", Z(0) * Z(0) + Z(1) * Z(1) + Z(2) * Z(2)},
        {"norm([3, 4])", 5},
        {"(B.T*x).y", Z(7) * Z(0) + Z(10) * Z(1) + Z(13) * Z(2)},
        {"(hat(e3)*x).y - x.x", 0},
        {"diag(1, 2, 5)[3,3]", 5},
        {"dot(omega(B), J*omega(B))/2", (2 * W(3) * W(3) + 3 * W(4) * W(4) + 4 * W(5) * W(5)) / 2},
        {"omega(q).x + omega(a) + omega(c[2]).z", W(0) + W(6) + W(12)},
        {"pi*cos(pi)", -acos(-1)},
        {"t^2", 4},
        {"0*u + u*0 + (u - u)", 0},
        {"[u, 2*u, 3*u][2]", 2 * Z(17)},
    };
    ph_formulas *f = make(false);
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        const double x = value_of(f, right[i].text, 0);
        ck_assert_msg(fabs(x - right[i].value) <= 4e-15 * fmax(1, fabs(right[i].value)),
                      "%s is %.17g, not %.17g", right[i].text, x, right[i].value);
    }
    ck_assert_double_eq(
        value_of(f, "max(abs(-u), min(1, 2)) + atan2(0, 1) + angle(a) - atan2(a.y, a.x)", PH_FORMULA_ROUGH),
        1);
    ck_assert_double_eq(value_of(f, "x.x = 3", PH_FORMULA_EQUATION), Z(0) - 3);
    ph_formulas_free(f);
}

/* Text, column of the error, part of what is said. */
static const struct {
    const char *text;
    size_t column;
    const char *says;
} wrong[] = {
    {"m*g*l*qz", 7, "unknown name 'qz'; is it q.z?"},
    {"m*g*q_z", 5, "unknown name 'q_z'; is it q.z?"},
    {"qdotx", 1, "is it qdot.x?"},
    {"m*g*lq.z", 5, "unknown name 'lq'; is it"},
    {"zzzzzz", 1, "unknown name 'zzzzzz'"},
    {"2m*g", 1, "'2m' is neither a number nor a name; for a product write 2*m"},
    {"3e", 1, "write 3*e"},
    {"m*q*q", 4,
     "the product of a vector of 3 and a vector of 3: is it dot(a, b), cross(a, b) or outer(a, b)?"},
    {"x*J", 2, "the product of a vector of 3 and a matrix of 3 x 3"},
    {"J*a", 2, "the product of a matrix of 3 x 3 and a vector of 2 does not exist"},
    {"m*g*(l*q.z", 11, "expected ')' to close '(' at column 5, found the end"},
    {"dot(q, xdot", 12, "to close dot( at column 1"},
    {"[1, 2", 6, "to close '[' at column 1"},
    {"m*abs(u)", 3, "abs has a corner at 0, and a Lagrangian has to be smooth; sqrt(x^2 + c^2) is smooth"},
    {"max(u, 1)", 1, "corner"},
    {"sign(u)", 1, "jumps; tanh(x/c) is smooth"},
    {"floor", 1, "floor jumps"},
    {"atan2(a.y, a.x)", 1, "jumps by 2 pi"},
    {"x + 1", 3, "a vector of 3 plus a number: both sides of '+' must have the same shape"},
    {"J - x", 3, "a matrix of 3 x 3 minus a vector of 3"},
    {"q.w", 3, "behind '.' stands x, y, z or T (transpose); others are indices [k]"},
    {"q.", 3, "behind '.' stands"},
    {"u.x", 3, ".x of a number"},
    {"a.z", 3, ".z of a vector of 2"},
    {"B.x", 3, ".x of a matrix of 3 x 3: a column is B*e3, an entry B[3,3]"},
    {"x.T", 3, ".T of a vector of 3: only of a matrix"},
    {"m g", 3, "expected an operator, found 'g'; is a * missing?"},
    {"c*2", 1, "this is a list, of which one is meant by an index, as in c[1]"},
    {"c[4].z", 3, "there is no [4]: they go from 1 to 3"},
    {"s[4].z", 3, "there is no [4]: they go from 0 to 3"},
    {"c[1,2]", 2, "one index is meant here"},
    {"k[4]", 3, "index 4 of 1 to 3"},
    {"J[1]", 2, "1 index for a matrix of 3 x 3"},
    {"u[1]", 2, "1 index for a number"},
    {"k[1.0]", 3, "an index is a whole number, written without a point"},
    {"k[g]", 3, "'g' is no whole number that is known beforehand"},
    {"k[]", 3, "an index is a whole number, an index name"},
    {"k[999999999*999999999]", 12, "a whole number beyond"},
    {"d(qdot)", 1, "d() of something that depends on velocities is an acceleration; L has none"},
    {"d(omega(a))", 1, "is an acceleration"},
    {"q^2", 2, "a power of a vector of 3: only of a number, for a square of a vector write dot(a, a)"},
    {"J^2", 2, "a power of a matrix of 3 x 3: only of a number"},
    {"u^u", 2, "an exponent is a number or made of parameters; else write exp(y*log(x))"},
    {"B*omega", 3, "'omega' is a function: write omega(...)"},
    {"omega1", 1, "unknown name 'omega1'; the angular velocity of a factor q is omega(q)"},
    {"omega(x)", 7, "omega is of a factor S1, S2 or SO3 by its name"},
    {"omega(2*q)", 7, "omega is of a factor"},
    {"omega(c)", 7, "this is a list"},
    {"u/x", 2, "division by a vector of 3: only by a number"},
    {"u/(m - m)", 2, "division by zero"},
    {"dot(q, a)", 1, "dot of a vector of 3 and a vector of 2: two vectors of one length"},
    {"cross(a, a)", 1, "two vectors of 3"},
    {"sin(x)", 5, "sin of a vector of 3: only of a number"},
    {"hat(a)", 5, "hat of a vector of 2: only of a vector of 3"},
    {"norm(u)", 6, "norm of a number: only of a vector"},
    {"trace(x)", 7, "only of a square matrix"},
    {"diag(x)", 1, "diag takes numbers"},
    {"sin(u, u)", 1, "sin takes 1 argument, here are 2"},
    {"dot(x)", 1, "dot takes 2 arguments, here are 1"},
    {"if(u, 1, 2)", 1, "if is not part of the language: a formula is smooth"},
    {"sun(u)", 1, "unknown function 'sun'; is it sin?"},
    {"l(u)", 1, "'l' is no function: for a product write l*(...)"},
    {"np.dot(x, x)", 1, "unknown name 'np'; functions have no prefix: sin(x), dot(a, b)"},
    {"pow(u, 2)", 1, "pow is not part of the language: write a^b"},
    {"e^u", 1, "unknown name 'e'; the exponential function is exp(x)"},
    {"M*u", 1, "unknown name 'M'; is it m?"},
    {"cos(a)", 5, "cos of a vector of 2: only of a number; of a point a on a circle, a.x and a.y are"},
    {"sum(i=1..2, u/(i - 2))", 14, "division by zero"},
    {"0^k[2]", 2, "a power of zero by a parameter"},
    {"u**2", 2, "'**' is not part of the language: write ^"},
    {"q·q", 2, "'·' is not part of the language: write dot(a, b) or *"},
    {"u²", 2, "'²' is not part of the language: write ^2"},
    {"B'", 2, "write .T for a transpose"},
    {"u < 3", 3, "'<' is not part of the language"},
    {"u = 3", 3, "'=' has a place in velocity constraints only; a formula is one expression"},
    {"", 1, "an expression is missing here"},
    {"3*", 3, "an expression is missing here"},
    {"*3", 1, "an expression cannot begin with '*'"},
    {"(u))", 4, "this ')' closes nothing"},
    {"sum(u, 3)", 5, "sum needs an index: sum(i=1..n, term)"},
    {"sum(m=1..2, u)", 5, "the index 'm' has a meaning already"},
    {"sum(i=2..1, uu)", 13, "unknown name 'uu'; is it u?"},
    {"3 + sum(i=2..1, x)", 3, "a number plus a vector of 3"},
    {"sum(i=1, u)", 8, "expected '..' between the bounds of the index, found ','"},
    {"sum(i=1..2, [1, 2][i]) + i", 26, "unknown name 'i'"},
    {"sum(i=1..1000000000, u)", 1, "a sum of 1000000000 terms; at most 10000"},
    {"[1, x]", 1, "entries of different shape: a number, a vector of 3"},
    {"[B]", 1, "a list of matrices is no matrix"},
    {"x", 1, "this is a vector of 3; a number is expected"},
};

TEST(wrong_formulas)
{
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ph_formulas *f = make(false);
        char begin[64];
        ph_value value;
        ck_assert_msg(ph_formulas_read(f, "potential", wrong[i].text, PH_FORMULA_NUMBER, &value, &err) ==
                          PH_E_PARSE,
                      "%s is accepted", wrong[i].text);
        snprintf(begin, sizeof begin, "potential, column %zu: ", wrong[i].column);
        ck_assert_msg(!strncmp(err.message, begin, strlen(begin)) && strstr(err.message, wrong[i].says),
                      "%s: %s; expected %s%s", wrong[i].text, err.message, begin, wrong[i].says);
        ph_formulas_free(f);
    }
}

/* The second line is the formula, the third a caret below the place, also where characters have several bytes, and
 * in the middle of a long text. */
TEST(carets)
{
    ph_formulas *f = make(false);
    ph_value value;
    char longer[400] = "";
    ck_assert(ph_formulas_read(f, "potential", "m*g*qz", 0, &value, &err));
    ck_assert_str_eq(err.message,
                     "potential, column 5: unknown name 'qz'; is it q.z?\n    m*g*qz\n        ^");
    for (int i = 0; i < 30; i++)
        strcat(longer, "u + u*u + ");
    strcat(longer, "v + u + u + u + u + u + u + u");
    ck_assert(ph_formulas_read(f, "potential", longer, 0, &value, &err));
    const char *text = strstr(err.message, "\n    ..."), *caret = strrchr(err.message, '\n');
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(strstr(err.message, "column 301: "));
    ck_assert_int_eq(text[strchr(caret, '^') - caret], 'v');
    ph_formulas_free(f);
}

TEST(names)
{
    static const char *const bad[][2] = {{"sin", "is a word of the language"},
                                         {"t", "word of the language"},
                                         {"x", "has a meaning already"},
                                         {"qdot", "has a meaning already"},
                                         {"2b", "is not a name"},
                                         {"b-c", "is not a name"},
                                         {"", "is not a name"},
                                         {"abs", "word of the language"}};
    ph_formulas *f = make(false);
    const double one = 1;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert(ph_formulas_abbreviate(f, bad[i][0], "m", &err));
        ck_assert_msg(strstr(err.message, bad[i][1]) != NULL, "%s: %s", bad[i][0], err.message);
        ck_assert(ph_formulas_add_parameter(f, bad[i][0], 0, 1, 1, &one, NULL, &err));
    }
    ck_assert_int_eq(ph_formulas_add_parameter(f, "infinite", 0, 1, 1, &(double){INFINITY}, NULL, &err),
                     PH_E_NOT_FINITE);
    ck_assert_int_eq(ph_formulas_add_parameter(f, "odd", 0, 1, 1, &one, "furlong", &err), PH_E_UNKNOWN);
    static const char *const kinds[] = {"S3",   "R0",        "R",      "so3",     "S2[-1]",
                                        "S2[n", "S2[m*0.5]", "R99999", "spin[-1]"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        ck_assert_msg(ph_formulas_add_factor(f, "y", kinds[i], NULL, &err) != PH_OK, "%s", kinds[i]);
    static const char *const heads[] = {"s[7]",      "s[2]",     "y[",   "y[]", "y[i=1]",
                                        "y[x=1..2]", "y[i=1..2", "q[4]", "p[0]"};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        ck_assert_msg(ph_formulas_abbreviate(f, heads[i], "m", &err) != PH_OK, "%s", heads[i]);
    tk_ok(ph_formulas_abbreviate(f, "s[4]", "s[3] + x", &err));
    ph_formulas_free(f);
}

TEST(units)
{
    static const struct {
        const char *text, *unit;
    } right[] = {{"m*g*p.z", "J"},
                 {"m/2*dot(d(p), d(p))", "J"},
                 {"sqrt(g*l)", "m/s"},
                 {"omega(a)", "Hz"},
                 {"dot(omega(B), J*omega(B))", "J"},
                 {"sin(u/l)", "a pure number"},
                 {"m*g", "N"},
                 {"u^1.5*l^0.5", "m^2"},
                 {"m*d(p).x", "kg m/s"},
                 {"[u, 0, l].y", "m"},
                 {"1/t", "Hz"},
                 {"0 + u", "m"},
                 {"m/l^3", "kg/m^3"},
                 {"sqrt(l)", "m^0.5"},
                 {"norm(x)", "m"},
                 {"atan(u/l)*g*0 + g", "m/s^2"}};
    static const struct {
        const char *text, *says;
    } bad[] = {{"m*g*p.z + l", "column 9: both sides of '+' must have the same unit: J and m"},
               {"m*dot(d(p), d(p)) - m*g", "J and N"},
               {"sin(u)", "column 5: sin of something in m: only of a pure number"},
               {"exp(t)", "of something in s"},
               {"[u, m]", "entries must have the same unit: m and kg"},
               {"l^l", "an exponent of something in m"},
               {"g*t + u", "m/s and m"},
               {"sum(i=1..2, i*u) + 3", "m and a pure number"},
               {"cross(x, qdot) + omega(q)", "m/s and Hz"}};
    ph_formulas *f = make(true);
    ph_value value;
    char text[96];
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        ck_assert_msg(!ph_formulas_read(f, "value", right[i].text, 0, &value, &err), "%s", err.message);
        ck_assert_str_eq(ph_unit_text(&value.unit, text), right[i].unit);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert(ph_formulas_read(f, "value", bad[i].text, 0, &value, &err));
        ck_assert_msg(strstr(err.message, bad[i].says) != NULL, "%s: %s", bad[i].text, err.message);
    }
    tk_ok(ph_formulas_add_parameter(f, "bare", 0, 1, 1, &(double){0.5}, NULL,
                                    &err)); /* now nothing is checked */
    tk_ok(ph_formulas_read(f, "value", "m*g + l", 0, &value, &err));
    ph_formulas_free(f);
    static const struct {
        const char *text;
        double factor;
        const char *si;
    } read[] = {{"kg m^2/s^2", 1, "J"},     {"km/h", 1 / 3.6, "m/s"},
                {"N s/m", 1, "kg/s"},       {"kN", 1e3, "N"},
                {"1/s", 1, "Hz"},           {"deg", 3.14159265358979323846 / 180, "a pure number"},
                {"cm^2", 1e-4, "m^2"},      {"g", 1e-3, "kg"},
                {"J/kg/K", 1, "m^2/s^2/K"}, {"", 1, "a pure number"}};
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) {
        ph_unit unit;
        double factor;
        tk_ok(ph_unit_read(read[i].text, &unit, &factor, &err));
        ck_assert_msg(fabs(factor / read[i].factor - 1) < 1e-15, "%s: %.17g", read[i].text, factor);
        ck_assert_str_eq(ph_unit_text(&unit, text), read[i].si);
    }
    static const char *const odd[] = {"kgm", "m^", "m^x", "(m)", "m^99", "m//s", "2 m"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        ph_unit unit;
        double factor;
        ck_assert_msg(ph_unit_read(odd[i], &unit, &factor, &err) != PH_OK, "%s", odd[i]);
    }
}

/* ---- Hostile texts ------------------------------------------------------------------------------ */

static void refused(const char *text, const char *says)
{
    ph_formulas *f = make(false);
    ph_value value;
    ck_assert(ph_formulas_read(f, "potential", text, 0, &value, &err));
    ck_assert_msg(strstr(err.message, says) != NULL, "%s", err.message);
    ph_formulas_free(f);
}

/* n times the piece, then the end. */
static char *repeat(const char *piece, size_t n, const char *end)
{
    char *text = malloc(n * strlen(piece) + strlen(end) + 1), *to = text;
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < n; i++, to += strlen(piece))
        memcpy(to, piece, strlen(piece));
    memcpy(to, end, strlen(end) + 1);
    return text;
}

TEST(limits)
{
    static const struct {
        const char *piece, *end, *says;
        size_t n;
    } large[] = {
        {"(", "u", "nested more than 200 deep", 30000},  {"u^", "u", "nested more than 200 deep", 3000},
        {"u+", "u", "characters; at most 65536", 40000}, {"sin(", "u", "nested more than 200 deep", 500},
        {"[", "u", "nested more than 200 deep", 500},    {"-", "", "an expression is missing", 60000}};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        char *text = repeat(large[i].piece, large[i].n, large[i].end);
        refused(text, large[i].says);
        free(text);
    }
    refused("sum(i=1..9999, sum(j=1..9999, sin(i*u+j)))", "too long with their sums written out");
    refused("outer(outer(x, x)*x, x)*9 + sum(i=1..9999, sum(j=1..9999, u))", "too long");
    /* large values, a few of which are not too many */
    ph_formulas *f = make(false);
    ph_value value;
    tk_ok(ph_formulas_add_factor(f, "y", "R64", NULL, &err));
    tk_ok(ph_formulas_read(f, "value", "sum(i=1..99, trace(outer(y, y)))", 0, &value, &err));
    ck_assert(ph_formulas_read(f, "value", "sum(i=1..9999, trace(outer(y, y)))", 0, &value, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "too long with their sums written out"));
    ck_assert(ph_formulas_read(f, "value", "outer(y, outer(y, y)*y)*outer(y, [y.x])", 0, &value, &err));
    ph_formulas_free(f);
    /* each the square of the one before: shared, so that this is small */
    f = make(false);
    tk_ok(ph_formulas_abbreviate(f, "b0", "u + 1", &err));
    for (int i = 0; i < 1000; i++) {
        char head[16], text[32];
        snprintf(head, sizeof head, "b%d", i + 1);
        snprintf(text, sizeof text, "b%d*b%d", i, i);
        tk_ok(ph_formulas_abbreviate(f, head, text, &err));
    }
    tk_ok(ph_formulas_read(f, "value", "d(b1000)", 0, &value, &err));
    ck_assert_uint_lt(f->graph.n, 10000);
    ph_formulas_free(f);
}

/* Formulas with letters exchanged, put in and left out: an error or a value, nothing else (under sanitizers). */
TEST(mutated)
{
    static const char alphabet[] = "uqxcBJ()[].,+-*/^ 123dsin=:\xc3\xb7\n\x01";
    enum { RIGHT = 8 };
    static const char *const right[RIGHT] = {
        "m/2*dot(d(p), d(p)) - m*g*p.z", "sum(i=1..n, k[i]*dot(d(s[i]), d(s[i])))/2",
        "dot(omega(B), J*omega(B))/2",   "norm(x)^-3 + trace(B.T*J*B)",
        "dot(e3, B*[1, 0, .5e-1])",      "outer(q, q)[1,2] + vee(hat(x)).z",
        "(x.x^2 + 1)^1.5*sin(pi*t)",     "B[3,3] + c[2].z + cdot[n].x"};
    const int trials = tk_thorough() ? 200000 : tk_short() ? 500 : 5000;
    tk_random r = {7};
    size_t accepted = 0;
    ph_formulas *f = make(false);
    for (int k = 0; k < trials; k++) {
        char text[128];
        ph_value value;
        size_t n = (size_t)snprintf(text, sizeof text, "%s", right[k % RIGHT]);
        for (int changes = 1 + k / RIGHT % 4; changes; changes--) {
            const size_t at = (size_t)tk_uniform(&r, 0, (double)n - 0.01);
            const char letter = alphabet[(size_t)tk_uniform(&r, 0, sizeof alphabet - 1.01)];
            const double what = tk_uniform(&r, 0, 3);
            if (what < 1 && n > 1)
                memmove(text + at, text + at + 1, n-- - at);
            else if (what < 2 && n + 2 < sizeof text) {
                memmove(text + at + 1, text + at, ++n - at);
                text[at] = letter;
            } else
                text[at] = letter;
        }
        f->work = PH_FORMULA_WORK;
        const ph_status status = ph_formulas_read(f, "value", text, 0, &value, &err);
        ck_assert_msg(status == PH_OK || status == PH_E_PARSE, "%s: %s", text, err.message);
        accepted += status == PH_OK;
    }
    ck_assert_uint_gt(accepted, (size_t)trials / 100); /* not all are nonsense */
    ph_formulas_free(f);
}

int main(void)
{
    return tk_run("formulas");
}
