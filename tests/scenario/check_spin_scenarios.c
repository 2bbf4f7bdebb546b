/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenarios of spins: where they begin, by vectors and angles, by presets and the end of another run; what is refused and
 * what the messages say. */
#include "tests/kit/iokit.h"

#include <polhode/session.h>

#define HEAD                                                                                                 \
    "polhode: 1\nmodel: spin-chain\nparameters: {spins: 2, ring: 0, exchange: 0.5, field: [0, 0, 0.3]}\n"
#define TAIL "\nmethod: rk4-projected\nstep: 0.01\nsteps: 20\n"

static ph_scenario *parse(const char *initial)
{
    char text[1000];
    ph_scenario *s = NULL;
    snprintf(text, sizeof text, HEAD "initial: %s" TAIL, initial);
    tk_ok(ph_scenario_parse(text, strlen(text), "t.yaml", &s, tk_err));
    return s;
}

static void refuses(const char *initial, ph_status status, const char *words)
{
    char text[1000];
    ph_scenario *s = NULL;
    snprintf(text, sizeof text, HEAD "initial: %s" TAIL, initial);
    const ph_status found = ph_scenario_parse(text, strlen(text), "t.yaml", &s, tk_err);
    ck_assert_msg(found == status && strstr(tk_err->message, words), "%s: %s: %s", initial,
                  ph_status_name(found), tk_err->message);
    ck_assert_ptr_null(s);
}

TEST(where_they_begin)
{
    const double half = acos(-1) / 2;
    ph_scenario *s = parse("{q: [[0.6, 0, 0.8], {theta: 1.5707963267948966, phi: 0.4}], time: 2.5}");
    const double *z = ph_scenario_configuration(s);
    ck_assert(z[0] == 0.6 && z[1] == 0 && z[2] == 0.8);
    ck_assert_double_eq_tol(z[3], cos(0.4), 1e-16);
    ck_assert_double_eq_tol(z[4], sin(0.4), 1e-16);
    ck_assert_double_eq_tol(z[5], cos(half), 1e-16);
    ck_assert_double_eq(ph_scenario_time(s), 2.5);
    ck_assert_ptr_nonnull(ph_scenario_momentum(s));
    ph_scenario_free(s);
    s = parse("{q: [[3, 0, 4], [0, 0, -2]], project: true}");
    z = ph_scenario_configuration(s);
    ck_assert(z[0] == 0.6 && z[2] == 0.8 && z[5] == -1);
    ph_scenario_free(s);
    s = parse("{preset: conical}");
    ck_assert_double_eq_tol(ph_norm3(ph_scenario_configuration(s) + 3), 1, 2e-16);
    ph_scenario_free(s);
}

static const struct {
    const char *initial;
    ph_status status;
    const char *words;
} bad[] = {
    {"{q: [[0.6, 0, 0.9], [0, 0, 1]]}", PH_E_NOT_ON_MANIFOLD, "initial.q[0]: has length 1.0816653826392"},
    {"{q: [[0.6, 0, 0.9], [0, 0, 1]]}", PH_E_NOT_ON_MANIFOLD, "the nearest unit vector is [0.55470019"},
    {"{q: [[0, 0, 0], [0, 0, 1]]}", PH_E_NOT_ON_MANIFOLD, "initial.q[0]"},
    {"{q: [[0, 0, 1]]}", PH_E_SIZE, "has 1 entry; a list of 2 vectors"},
    {"{q: [[0, 0, 1], [0, 1]]}", PH_E_SIZE, "initial.q[1]: has 2 numbers"},
    {"{q: [[0, 0, 1], {angle: 1}]}", PH_E_PARSE, "{theta: 0.5, phi: 0} in rad, or a vector [x, y, z]"},
    {"{q: [[0, 0, 1], [1, 0, 0]], omega: [[0, 0, 1], [0, 0, 1]]}", PH_E_PARSE,
     "initial.omega: is given, but spins have neither velocities nor momenta"},
    {"{q: [[0, 0, 1], [1, 0, 0]], qdot: [[0, 0, 0], [0, 0, 0]]}", PH_E_PARSE,
     "initial.qdot: is given, but spins"},
    {"{q: [[0, 0, 1], [1, 0, 0]], momentum: []}", PH_E_PARSE, "initial.momentum: is given, but spins"},
    {"{momentum: []}", PH_E_PARSE, "initial.momentum: is given, but spins"},
    {"{time: 1}", PH_E_PARSE, "give \"q\", or \"preset\", or \"from\""},
};

TEST_EACH(refused, sizeof bad / sizeof *bad)
{
    refuses(bad[_i].initial, bad[_i].status, bad[_i].words);
}

/* Methods of systems with momenta, forms, columns and reductions that spins do not have. */
TEST(parts_refused)
{
    static const struct {
        const char *text, *words;
    } parts[] = {
        {"method: variational\nstep: 0.1\nsteps: 3\n", "of spins the spheres are the whole phase space"},
        {"method: {name: rk4, form: q-qdot}\nstep: 0.1\nsteps: 3\n", "for spins leave the form automatic"},
        {"method: rk4\nstep: 0.1\nsteps: 3\noutput: {every: 1, columns: [momentum]}\n",
         "spins have no momenta"},
        {"method: rk4\nstep: 0.1\nsteps: 3\noutput: {every: 1, columns: [tangency]}\n",
         "spins have no momenta"},
        {"method: rk4\nstep: 0.1\nsteps: 3\noutput: {every: 1, columns: [pi1]}\n", "\"pi1\""},
        {"method: rk4\nstep: 0.1\nsteps: 3\nevents: [{name: up, when: q1z}]\n", "\"q1z\""},
        {"method: rk4\nstep: 0.1\nsteps: 3\nreduction: {symmetry: Jz}\n", "spins are a phase space"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char text[1000];
        ph_integrator *it = NULL;
        TK_OWN(ph_scenario) *s = NULL;
        snprintf(text, sizeof text, HEAD "%s", parts[i].text);
        ph_status status = ph_scenario_parse(text, strlen(text), "t.yaml", &s, tk_err);
        if (!status)
            status = ph_scenario_integrator(s, NULL, &it, tk_err);
        ck_assert_msg(status && strstr(tk_err->message, parts[i].words), "%zu: %s", i, tk_err->message);
    }
}

/* From the end of another run: the same state, and messages of one that is damaged. */
TEST(from_another_run)
{
    char directory[400], path[500], initial[600];
    ph_session *session = NULL;
    snprintf(directory, sizeof directory, "%s", io_path("a"));
    const char text[] = HEAD "initial: {q: [[0.6, 0, 0.8], [0, -0.6, 0.8]]}" TAIL;
    tk_ok(ph_session_open_text(text, strlen(text), "s.yaml", directory, NULL, &session, tk_err));
    tk_ok(ph_session_run(session, tk_err));
    double z[6];
    memcpy(z, ph_session_state(session)->z, sizeof z);
    tk_ok(ph_session_close(session, tk_err));
    snprintf(path, sizeof path, "%s/summary.json", directory);
    snprintf(initial, sizeof initial, "{from: %s}", path);
    ph_scenario *s = parse(initial);
    ck_assert(!memcmp(ph_scenario_configuration(s), z, sizeof z));
    ck_assert_double_eq(ph_scenario_time(s), 20 * 0.01);
    ph_scenario_free(s);
    char *summary = io_get("a/summary.json"), *p = strstr(summary, "\"p\": []");
    ck_assert_msg(p != NULL, "%s", summary);
    TK_MEMORY char *copy = malloc(strlen(summary) + 10);
    sprintf(copy, "%.*s\"p\": [1]%s", (int)(p - summary), summary, p + 7);
    io_put("summary.json", copy);
    snprintf(initial, sizeof initial, "{from: %s}", io_path("summary.json"));
    refuses(initial, PH_E_SIZE, "has 1 number; a list of 0 numbers");
    free(summary);
    remove(path);
    remove(io_path("a/s.polhode"));
    remove(io_path("a"));
}

int main(void)
{
    return tk_run_in("scenarios of spins", io_make_folder, io_remove_folder);
}
