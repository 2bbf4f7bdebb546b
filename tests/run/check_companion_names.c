/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of bodies under mutual gravity: their names and units, groups of them, words that are refused. */
#include "triple.h"

static const struct {
    const char *group;
    size_t count;
    const char *headings[20];
} groups[] = {
    {"orbit",
     18,
     {"orbit2_a[m]", "orbit2_q[m]", "orbit2_e[1]", "orbit2_i[rad]", "orbit2_node[rad]",
      "orbit2_periapsis[rad]", "orbit2_true[rad]", "orbit2_mean[rad]", "orbit2_longitude[rad]", "orbit3_a[m]",
      "orbit3_q[m]", "orbit3_e[1]", "orbit3_i[rad]", "orbit3_node[rad]", "orbit3_periapsis[rad]",
      "orbit3_true[rad]", "orbit3_mean[rad]", "orbit3_longitude[rad]"}},
    {"distances", 3, {"distance1_2[m]", "distance1_3[m]", "distance2_3[m]"}},
    {"euler",
     6,
     {"euler1_roll[rad]", "euler1_pitch[rad]", "euler1_yaw[rad]", "euler2_roll[rad]", "euler2_pitch[rad]",
      "euler2_yaw[rad]"}},
    {"spin",
     10,
     {"spin1_rate[rad/s]", "spin1_radial[rad/s]", "spin1_along[rad/s]", "spin1_normal[rad/s]",
      "spin1_relative[rad/s]", "spin2_rate[rad/s]", "spin2_radial[rad/s]", "spin2_along[rad/s]",
      "spin2_normal[rad/s]", "spin2_relative[rad/s]"}},
    {"libration",
     4,
     {"libration1_in[rad]", "libration1_out[rad]", "libration2_in[rad]", "libration2_out[rad]"}},
    {"binding", 3, {"binding1[J/kg]", "binding2[J/kg]", "binding3[J/kg]"}},
    {"clearance", 1, {"clearance[m]"}},
    {"escape", 1, {"escape[m]"}},
    {"energies",
     5,
     {"translation[J]", "rotation1[J]", "rotation2[J]", "potential_points[J]", "potential_shapes[J]"}},
    {"orbit3", 9, {"orbit3_a[m]", "orbit3_q[m]", "orbit3_e[1]", "orbit3_i[rad]", "orbit3_node[rad]"}},
    {"euler2", 3, {"euler2_roll[rad]", "euler2_pitch[rad]", "euler2_yaw[rad]"}},
    {"spin1", 5, {"spin1_rate[rad/s]"}},
    {"libration2", 2, {"libration2_in[rad]", "libration2_out[rad]"}},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

/* As a group, and each by its name; none needs measures or a run, so that events can have them. */
TEST_EACH(names, GROUPS)
{
    TK_ENDS(triple_end) triple x;
    triple_begin(&x, BODIES, false);
    tk_ok(triple_choose(&x, &groups[_i].group, 1, tk_err));
    ck_assert_uint_eq(ph_columns_count(x.columns), groups[_i].count);
    ck_assert_uint_eq(ph_columns_needs(x.columns), 0);
    for (size_t i = 0; i < groups[_i].count && groups[_i].headings[i]; i++) {
        char name[2 * PH_COLUMN_NAME];
        const char *word = name;
        tk_ok(triple_choose(&x, &groups[_i].group, 1, tk_err));
        ck_assert_str_eq(triple_heading(&x, i, true), groups[_i].headings[i]);
        snprintf(name, sizeof name, "%s", triple_heading(&x, i, false));
        tk_ok(triple_choose(&x, &word, 1, tk_err));
        ck_assert_uint_eq(ph_columns_count(x.columns), 1);
        ck_assert_str_eq(triple_heading(&x, 0, true), groups[_i].headings[i]);
    }
}

TEST(wrong_words)
{
    static const char *const wrong[] = {
        "orbit1",      "orbit4_a",     "orbit2_",     "orbit02_a",
        "orbit2_f",    "euler3",       "distance2_1", "distance1_1",
        "distance1_4", "distance1_2x", "distance",    "binding0",
        "binding4",    "rotation3",    "spin2x",      "orbit18446744073709551618_a"};
    triple x;
    triple_begin(&x, BODIES, false);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        ck_assert_msg(triple_choose(&x, &wrong[k], 1, tk_err) == PH_E_UNKNOWN, "%s", wrong[k]);
    const char *const twice[] = {"orbit2_e", "orbit"};
    tk_returns(triple_choose(&x, twice, 2, tk_err), PH_E_INVALID);
    triple_end(&x);

    TK_OWN(ph_system) *pendulum = tk_model("spherical-pendulum");
    const char *const orbit = "orbit", *const turned = "euler";
    tk_refused(ph_columns_create(pendulum, &orbit, 1, &x.columns, tk_err), PH_E_UNKNOWN,
               "bodies under mutual gravity");
    tk_returns(ph_columns_create(pendulum, &turned, 1, &x.columns, tk_err), PH_E_UNKNOWN);
}

int main(void)
{
    return tk_run("companion names");
}
