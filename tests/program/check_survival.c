/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of the program that are killed (kill -9) at random moments, repeatedly, or stopped. Each time the
 * archive can be opened and has everything that was committed; a run that is resumed to the end has the bits
 * of an undisturbed run: rows, events, state, and summary except for times. The end may be the planned one,
 * an event, a bound, or a step that fails. Every method in every form is tested, with several models and
 * kinds of output. A kill counts only if it meets the program working on its archive, which the test waits
 * for. There are 10 of them, 40 in the thorough form, under `make check-long` at least four for each case,
 * and at least 240. */
#include "tests/kit/hostile.h"
#include "tests/kit/iokit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct {
    const char *model, *more;
    double h;
    const char *column; /* which changes its sign now and then */
    bool spins;         /* which have no momenta */
} models[] = {
    {"double-spherical-pendulum", "", 0.01, "q1x", false},
    {"chain-pendulum", "parameters: {links: 5}\n", 0.002, "q3x", false},
    {"free-rigid-body", "", 0.01, "R1xy", false},
    {"cart-chain", "", 0.002, "pi2y", false},
    {"submerged-pendula", "", 0.01, "q2x", false},
    {"chaplygin-ball", "", 0.01, "R2xy", false},
    {"binary",
     "parameters: {G: 1, bodies: [{mass: 1, half-axes: [0.5, 0.4, 0.3]}, {mass: 0.3, half-axes: [0.3, 0.2, 0.15]}]}\n",
     0.01, "x1_1", false},
    {"spin-chain", "parameters: {spins: 8}\n", 0.01, "s1x", true},
};
enum { MODELS = sizeof models / sizeof models[0], STEPS = 3001 };
static const char *const outputs[] = {
    "{every: 20, snapshot: 0}",
    "{interval: 0.17, snapshot: 0}",
    "{per-decade: 50, snapshot: 0.002}",
    "{every: 1000, snapshot: 0}",
    "{every: 3, csv: true, snapshot: 0.01}",
    "{every: 20, snapshot: 0, columns: [momentum, newton_passes]}",
    "{every: 3, csv: true, snapshot: 0.01, columns: [energy_error, configuration, t]}",
    "{interval: 0.17, csv: true, snapshot: 0, columns: [momentum_maps, step]}",
    "{interval: 0.0037, csv: true, snapshot: 0}", /* between steps, of 0.002 several of them in one */
    "{at: [0.0011, 0.0015, 0.02, 0.5, 1.234, 1.23456, 2.5001, 4, 5.9], snapshot: 0}"};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };

static char program[4096], libraries[4200], folder[200];

/* ---- Scenarios ------------------------------------------------------------------------------------- */

/* Does the method take the model? */
static bool takes(const hk_case *c, const char *model)
{
    TK_OWN(ph_system) *system = tk_model(model);
    TK_OWN(ph_integrator) *it = NULL;
    bool taken = !ph_integrator_create(system, c->method, 0.01, c->settings, c->n, &it, NULL);
    return taken;
}

/* A model that the method takes: this one, or the next that it does. MODELS: none. */
static size_t model_for(const hk_case *c, size_t model)
{
    for (size_t i = 0; i < MODELS; i++)
        if (takes(c, models[(model + i) % MODELS].model))
            return (model + i) % MODELS;
    return MODELS;
}

/* Outputs that the model has: these, or the next ones. */
static const char *output_for(size_t model, size_t output)
{
    while (models[model].spins && strstr(outputs[output % OUTPUTS], "[momentum,"))
        output++;
    return outputs[output % OUTPUTS];
}

static void write_with_step(const char *name, const hk_case *c, size_t model, double h, const char *output,
                            int64_t steps)
{
    FILE *f = fopen(name, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "polhode: 1\nmodel: %s\n%smethod: {name: %s", models[model].model, models[model].more,
            c->method->name);
    for (size_t i = 0; i < c->n; i++)
        fprintf(f, ", %s: %s", c->settings[i].name, c->settings[i].value);
    fprintf(f, "}\nstep: %g\nsteps: %lld\noutput: %s\n", h, (long long)steps, output);
    ck_assert_int_eq(fclose(f), 0);
}

static void write_scenario(const char *name, const hk_case *c, size_t model, const char *output,
                           int64_t steps)
{
    write_with_step(name, c, model, models[model].h, output, steps);
}

/* ---- The program ----------------------------------------------------------------------------------- */

static pid_t start(const char *const *arguments)
{
    const char *argv[16] = {program};
    int n = 1;
    for (; arguments[n - 1]; n++)
        argv[n] = arguments[n - 1];
    argv[n] = NULL;
    pid_t child = fork();
    if (!child) {
        int log = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(log, 1);
        dup2(log, 2);
        if (*libraries)
            setenv("LD_LIBRARY_PATH", libraries, 1);
        execv(program, (char *const *)(uintptr_t)argv);
        _exit(127);
    }
    ck_assert_int_gt(child, 0);
    return child;
}

static void say_log(void)
{
    char line[600];
    FILE *f = fopen("log", "r");
    while (f && fgets(line, sizeof line, f))
        fputs(line, stdout);
    if (f)
        fclose(f);
}

static bool there(const char *name)
{
    struct stat s;
    return !stat(name, &s);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Exit status, or minus the signal. */
static int wait_for(pid_t child)
{
    int how;
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    return WIFSIGNALED(how) ? -WTERMSIG(how) : WEXITSTATUS(how);
}

/* Waits until the process is working on its archive, or has ended (without reaping it), however busy the
 * machine is. */
static void wait_for_work(pid_t child, const char *archive)
{
    siginfo_t info;
    do {
        if (there(archive) && ph_archive_writer(archive, NULL)) /* it appears with its first commit */
            return;
        usleep(500);
        info.si_pid = 0;
        ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT), 0);
    } while (!info.si_pid);
}

static void run_through(const char *const *arguments)
{
    int code = wait_for(start(arguments));
    if (code)
        say_log();
    ck_assert_msg(code == 0, "%s %s ends with %d", arguments[0], arguments[1], code);
}

/* ---- What is in an archive ------------------------------------------------------------------------- */

static int64_t rows_of(const char *name)
{
    TK_OWN(ph_record) *record = NULL;
    if (ph_record_open(name, &record, NULL))
        return 0;
    int64_t rows = ph_record_rows(record);
    return rows;
}

/* Rows that belong to the state: a run that was stopped may have one more, dropped when it resumes. */
static int64_t safe_rows_of(const char *name)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    int64_t rows = 0;
    if (!sqlite3_open_v2(name, &db, SQLITE_OPEN_READONLY, NULL) &&
        !sqlite3_prepare_v2(db, "SELECT rows FROM state", -1, &s, NULL) && sqlite3_step(s) == SQLITE_ROW)
        rows = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return rows;
}

/* The rows of `part` must be the first ones of `whole`; returns their number. */
static int64_t check_prefix(const char *part, const char *whole)
{
    TK_OWN(ph_record) *a = NULL, *b = NULL;
    tk_ok(ph_record_open(part, &a, tk_err));
    tk_ok(ph_record_open(whole, &b, tk_err));
    const size_t columns = ph_record_columns(a);
    ck_assert_uint_eq(columns, ph_record_columns(b));
    const int64_t n = safe_rows_of(part);
    ck_assert_int_le(n, ph_record_rows(a));
    int64_t read = 0, more = 0, next;
    TK_MEMORY double *x = calloc((size_t)n + 1, columns * sizeof *x),
                     *y = calloc((size_t)n + 1, columns * sizeof *y);
    for (int64_t first = 0; first < n; first += read) {
        tk_ok(ph_record_read(a, first, n - first, x + (size_t)first * columns, &read, &next, tk_err));
        ck_assert_int_gt(read, 0);
    }
    for (int64_t first = 0; first < n; first += more) {
        ck_assert(!ph_record_read(b, first, n - first, y + (size_t)first * columns, &more, &next, tk_err));
        ck_assert_int_gt(more, 0);
    }
    for (size_t i = 0; i < (size_t)n * columns; i++)
        ck_assert_msg(!memcmp(x + i, y + i, sizeof *x), "%s: row %zu of %lld, %s: %.17g, not %.17g", part,
                      i / columns, (long long)n, ph_record_column(a, i % columns), x[i], y[i]);
    return n;
}

/* The one text that a query gives. */
static char *text_of(const char *name, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *s;
    /* opened for writing: the first reader rolls back what a kill has left incomplete */
    ck_assert_int_eq(sqlite3_open_v2(name, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    const char *found = (const char *)sqlite3_column_text(s, 0);
    char *text = strdup(found ? found : "");
    sqlite3_finalize(s);
    sqlite3_close(db);
    return text;
}

/* The state, all but times, as hexadecimal text. */
static char *state_of(const char *name)
{
    return text_of(name, "SELECT k || ' ' || rows || ' ' || newton_passes || ' ' || row_passes || ' ' || "
                         "crc32 || ' ' || hex(state) || hex(monitor) FROM state");
}

/* The events before the state, likewise; of those that lie before this many steps. */
static char *events_of(const char *name, int64_t before)
{
    char sql[300];
    snprintf(sql, sizeof sql,
             "SELECT group_concat(line, ',') FROM "
             "(SELECT n || ' ' || name || ' ' || t || ' ' || step || ' ' || crc32 || ' ' || hex(row) AS line "
             "FROM events WHERE step < %lld ORDER BY n)",
             (long long)before);
    return text_of(name, sql);
}

static int64_t number_of(const char *name, const char *sql)
{
    TK_MEMORY char *text = text_of(name, sql);
    const int64_t number = atoll(text);
    return number;
}

/* The events up to the state of `part` must be those of `whole` up to there. */
static void check_events(const char *part, const char *whole, const char *label)
{
    const int64_t k = number_of(part, "SELECT k FROM state");
    TK_MEMORY char *a = events_of(part, k), *b = events_of(whole, k);
    ck_assert_msg(!strcmp(a, b), "%s: other events until step %lld:\n%.300s\n%.300s", label, (long long)k, a,
                  b);
}

/* The same lines, except for those with times. */
static void check_text(const char *one, const char *other)
{
    static char a[100000], b[100000];
    FILE *f = fopen(one, "r"), *g = fopen(other, "r");
    ck_assert_msg(f && g, "%s or %s is missing", one, other);
    while (fgets(a, sizeof a, f)) {
        ck_assert_ptr_nonnull(fgets(b, sizeof b, g));
        if (!strstr(a, "\"cpu_seconds\"") && !strstr(a, "\"ns_per_step\""))
            ck_assert_msg(!strcmp(a, b), "%s has %s and %s has %s", one, a, other, b);
    }
    ck_assert_ptr_null(fgets(b, sizeof b, g));
    fclose(f);
    fclose(g);
}

static void check_archives(const char *label)
{
    int64_t n = check_prefix("v/s.polhode", "whole/s.polhode");
    ck_assert_msg(n == safe_rows_of("whole/s.polhode"), "%s: %lld rows", label, (long long)n);
    ck_assert_int_eq(rows_of("v/s.polhode"), rows_of("whole/s.polhode"));
    TK_MEMORY char *a = state_of("v/s.polhode"), *b = state_of("whole/s.polhode");
    ck_assert_msg(!strcmp(a, b), "%s: another state:\n%s\n%s", label, a, b);
    check_events("v/s.polhode", "whole/s.polhode", label);
    ck_assert_int_eq(number_of("v/s.polhode", "SELECT count(*) FROM events"),
                     number_of("whole/s.polhode", "SELECT count(*) FROM events"));
}

static void check_same(const char *label)
{
    check_archives(label);
    check_text("v/summary.json", "whole/summary.json");
    ck_assert_int_eq(there("v/events.csv"), there("whole/events.csv"));
    if (there("v/events.csv"))
        check_text("v/events.csv", "whole/events.csv");
    ck_assert_int_eq(there("v/trajectory.csv"), there("whole/trajectory.csv"));
    if (there("v/trajectory.csv"))
        check_text("v/trajectory.csv", "whole/trajectory.csv");
    ck_assert_msg(!there("v/s.polhode-wal") && !there("v/s.polhode.lock") && !there("v/STOP"),
                  "%s: leftovers", label);
}

/* ---- Killing --------------------------------------------------------------------------------------- */

static const char *const begin[] = {"run", "s.yaml", "-o", "v", "--force", "--quiet", NULL};
static const char *const whole[] = {"run", "s.yaml", "-o", "whole", "--force", "--quiet", NULL};
static const char *const go_on[] = {"resume", "v/s.polhode", "--quiet", NULL};

/* Text under a key, "" for none; free it. */
static char *meta_of(const char *name, const char *key)
{
    TK_MAKE(ph_record, record, ph_record_open(name, &record, tk_err));
    const char *value = ph_record_meta(record, key);
    char *copy = strdup(value ? value : "");
    return copy;
}

/* Has the run reached the end of the undisturbed run? */
static bool is_through(void)
{
    static const char *const keys[] = {"status", "message"};
    bool same = there("v/s.polhode");
    for (size_t i = 0; i < 2 && same; i++) {
        TK_MEMORY char *a = meta_of("v/s.polhode", keys[i]), *b = meta_of("whole/s.polhode", keys[i]);
        same = !strcmp(a, b);
    }
    return same;
}

static pid_t start_or_go_on(void)
{
    return start(there("v/s.polhode") ? go_on : begin);
}

/* One session that is ended by a signal, so many seconds after it has begun to work; false if it had finished
 * before, with this status. */
static bool end_one(double after, int sign, int natural)
{
    pid_t child = start_or_go_on();
    wait_for_work(child, "v/s.polhode");
    usleep((useconds_t)(1e6 * after));
    int64_t committed = there("v/s.polhode") ? safe_rows_of("v/s.polhode") : 0;
    kill(child, sign);
    const int code = wait_for(child);
    const bool caught = sign == SIGTERM && code == 128 + sign;
    ck_assert_msg(code == natural || code == -sign || caught, "the program ends with %d", code);
    if (code == -SIGKILL && there("v/s.polhode")) {
        ck_assert_int_ge(check_prefix("v/s.polhode", "whole/s.polhode"), committed);
        check_events("v/s.polhode", "whole/s.polhode", "after a kill");
    }
    return code != natural;
}

/* The uninterrupted run of s.yaml. Returns the seconds that its work takes. */
static double run_whole(int *code)
{
    const pid_t child = start(whole);
    wait_for_work(child, "whole/s.polhode");
    const double begun = seconds();
    *code = wait_for(child);
    return seconds() - begun;
}

/* Resumes to the end, which must have the bits of the uninterrupted run and its status. A run that was killed
 * after its end, before all files were written, is not resumed: it would continue beyond the event that stops
 * it. */
static void finish(int natural, const char *label)
{
    if (is_through()) {
        check_archives(label);
        return;
    }
    const int code = wait_for(start_or_go_on());
    if (code != natural)
        say_log();
    ck_assert_msg(code == natural, "%s: ends with %d, not %d", label, code, natural);
    check_same(label);
}

/* The run of s.yaml, ended `often` times at random moments. Returns how often it was ended. */
static int torment(int often, const char *label, tk_random *r)
{
    int ended = 0, natural;
    ck_assert_int_eq(system("rm -rf v whole"), 0);
    const double all = run_whole(&natural);
    ck_assert_msg(natural == 0 || natural == 1, "%s: %d", label, natural);
    for (int tries = 0; ended < often; tries++) {
        /* the more kills have come too late, the earlier are the next ones */
        const double latest = 0.8 * all / (1 + tries / (2 * often));
        const int sign = tries % 5 == 4 ? SIGTERM : SIGKILL;
        ck_assert_msg(tries < 20 * often, "%s: of %d signals %d met a process at work", label, tries, ended);
        if (end_one(tk_uniform(r, 0, latest), sign, natural) && !is_through()) {
            ended++;
        } else if (ended < often) { /* it had finished: again from the start */
            finish(natural, label);
            ck_assert_int_eq(system("rm -rf v"), 0);
        }
    }
    finish(natural, label);
    printf("    %2d ends%s: %s (%.2f s)\n", ended, natural ? ", and an early one" : "", label, all);
    fflush(stdout);
    return ended;
}

/* The keys of a scenario that say what is written, with events or without. */
static void describe_output(size_t model, size_t output, bool events, char *text, size_t room)
{
    snprintf(text, room, "%s%s%s%s", output_for(model, output),
             events ? "\nevents: [{name: zero, when: " : "", events ? models[model].column : "",
             events ? "}, {name: late, when: t, crosses: 1.234}]" : "");
}

/* A case with a model that its method supports, and with one kind of outputs. Which they are depends on the
 * case alone, and not on how many signals the earlier ones needed. */
static int torment_case(size_t i, int often, tk_random *r)
{
    hk_case c;
    tk_random choice = {20240229 + i};
    char label[600], output[300];
    hk_case_at(i, &c);
    const size_t model = model_for(&c, (size_t)tk_uniform(&choice, 0, MODELS));
    ck_assert_msg(model < MODELS, "no model for %s", c.label);
    const bool events = tk_uniform(&choice, 0, 1) < 0.5;
    describe_output(model, (size_t)tk_uniform(&choice, 0, OUTPUTS), events, output, sizeof output);
    write_scenario("s.yaml", &c, model, output, STEPS);
    snprintf(label, sizeof label, "%s, %s, %s", models[model].model, c.label, output);
    return torment(often, label, r);
}

/* No method is left out: there is a model for each case, also for those that only longer forms come to. */
TEST(every_method_has_a_model)
{
    hk_case c;
    for (size_t i = 0; i < hk_all_cases(); i++) {
        hk_case_at(i, &c);
        ck_assert_msg(model_for(&c, 0) < MODELS, "no model for %s", c.label);
    }
}

/* Every choice that the random kills can make is a run that ends well. */
TEST(every_model_has_its_outputs)
{
    hk_case c;
    char output[300];
    for (size_t model = 0; model < MODELS; model++) {
        for (size_t i = 0; hk_case_at(i, &c), !takes(&c, models[model].model);)
            ck_assert_uint_lt(++i, hk_all_cases());
        for (size_t i = tk_short() ? model % 3 : 0; i < OUTPUTS; i += tk_short() ? 3 : 1) {
            describe_output(model, i, true, output, sizeof output);
            write_scenario("s.yaml", &c, model, output, STEPS);
            run_through(whole);
        }
    }
}

TEST(random_kills)
{
    tk_random r = {20240229};
    const int wanted = tk_long() ? 240 : tk_thorough() ? 40 : 10, each = tk_long() ? 4 : 2;
    const size_t cases = hk_all_cases(), stride = tk_long() ? 1 : cases * (size_t)each / (size_t)wanted + 1;
    int ended = 0;
    size_t i = 0;
    for (; ended < wanted || (tk_long() && i < cases); i += stride)
        ended += torment_case(i % cases, each, &r);
    printf("    %d in all, of %zu cases\n", ended, i < cases ? i : cases);
}

/* Runs that end by themselves before their plan: a step that fails, an event that stops, a bound that is
 * passed. */
TEST_EACH(kills_before_an_early_end, 5)
{
    static const struct {
        const char *label, *output;
        double h;
        const char *status;
    } early[] = {
        {"a step that fails", "{every: 5, snapshot: 0}", 0.27, "no-solution"}, /* after some 600 steps */
        {"an event",
         "{every: 7, snapshot: 0}\nevents: [{name: late, when: t, crosses: 25.0017, action: stop}]", 0.01,
         "stopped"},
        {"an event between two rows",
         "{interval: 0.0037, snapshot: 0}\nevents: [{name: late, when: t, crosses: 25.0017, action: stop}]",
         0.01, "stopped"},
        {"a bound between steps", "{interval: 0.0637, snapshot: 0}\nstop: {energy-error: 1.1e-5}", 0.01,
         "interrupted"},
        {"a bound", "{every: 10, snapshot: 0}\nstop: {energy-error: 1.1e-5}", 0.01, "interrupted"},
    };
    hk_case c;
    tk_random r = {1918};
    hk_case_at(0, &c);
    write_with_step("s.yaml", &c, 0, early[_i].h, early[_i].output, STEPS);
    const int often = tk_long() ? 20 : tk_thorough() ? 6 : 2;
    ck_assert_int_eq(torment(often, early[_i].label, &r), often);
    ck_assert_int_lt(number_of("whole/s.polhode", "SELECT k FROM state"), STEPS);
    TK_MEMORY char *status = meta_of("whole/s.polhode", "status");
    ck_assert_str_eq(status, early[_i].status);
}

/* ---- Other ends ------------------------------------------------------------------------------------ */

static void log_says(const char *text)
{
    char line[2000] = "";
    FILE *f = fopen("log", "r");
    ck_assert_ptr_nonnull(f);
    line[fread(line, 1, sizeof line - 1, f)] = '\0';
    fclose(f);
    ck_assert_msg(strstr(line, text), "not \"%s\", but: %s", text, line);
}

static void meta_says(const char *key, const char *text)
{
    TK_MEMORY char *value = meta_of("v/s.polhode", key);
    ck_assert_msg(strstr(value, text), "%s is %s", key, value);
}

static void put_stop(void)
{
    FILE *f = fopen("v/STOP", "w");
    ck_assert(f && !fclose(f));
}

/* Kills of runs that also check the wall clock and the file STOP: the run may be ending at that moment. */
TEST(kills_while_ending)
{
    static const char *const soon[] = {"resume", "v/s.polhode", "--quiet", "--wall-clock", "0.1", NULL};
    hk_case c;
    tk_random r = {1789};
    int natural, ended = 0, killed = 0;
    const int wanted = tk_long() ? 60 : tk_thorough() ? 12 : 4;
    hk_case_at(0, &c);
    write_scenario("s.yaml", &c, 0, "{every: 1000, snapshot: 0.01}", 3000000);
    (void)run_whole(&natural);
    ck_assert_int_eq(natural, 0);
    for (int i = 0; killed < wanted; i++) {
        const bool fresh = !there("v/s.polhode"), stop = i % 3 == 2 && tk_long();
        const double earlier = 1 + i / (2 * wanted); /* where many have ended before */
        ck_assert_msg(i < 20 * wanted, "of %d kills %d met a process at work", i, killed);
        if (stop && !fresh)
            put_stop();
        const pid_t child = start(fresh ? begin : stop ? go_on : soon);
        wait_for_work(child, "v/s.polhode");
        usleep((useconds_t)(1e6 * (stop ? tk_uniform(&r, 0.9, 1.05) : tk_uniform(&r, 0.07, 0.12)) / earlier));
        kill(child, SIGKILL);
        const int code = wait_for(child);
        ck_assert_msg(code == -SIGKILL || code == 1 || code == 0, "ends with %d", code);
        ended += code == 1;
        killed += code == -SIGKILL;
        ck_assert(there("v/s.polhode"));
        check_prefix("v/s.polhode", "whole/s.polhode");
        if (!code) { /* after so many sessions it is through */
            unlink("v/STOP");
            check_same("killed while it ended");
            ck_assert_int_eq(system("rm -rf v"), 0);
        }
    }
    unlink("v/STOP");
    finish(0, "killed while it ended");
    printf("    %d were killed at work, %d had ended before\n", killed, ended);
}

/* Runs until its time by the wall clock is over: with rows where it began and where it stopped. */
static void end_by_wall_clock(const char *const *arguments)
{
    ck_assert_int_eq(wait_for(start(arguments)), 1);
    log_says("the time limit of 0.05 s was reached");
    meta_says("message", "time limit");
    meta_says("status", "interrupted");
    ck_assert_int_eq(rows_of("v/s.polhode"), 2);
}

static void end_by_stop(void)
{
    put_stop();
    ck_assert_int_eq(wait_for(start(go_on)), 1);
    log_says("stopped by v/STOP");
    meta_says("message", "STOP");
    ck_assert(!there("v/STOP"));
}

static void end_by_signal(void)
{
    int code = -SIGTERM;
    for (useconds_t after = 20000; code == -SIGTERM && after < 60000000;
         after *= 2) { /* it comes too early for a busy machine */
        const pid_t child = start(go_on);
        wait_for_work(child, "v/s.polhode");
        usleep(after);
        kill(child, SIGTERM);
        code = wait_for(child);
    }
    ck_assert_int_eq(code, 128 + SIGTERM);
    meta_says("status", "interrupted");
}

/* A run that would take hours is ended by the wall clock, by STOP and by a signal, and is resumed for a short
 * time after each: it equals a run that was planned to end where this one finally ends. */
TEST(ends_on_demand)
{
    static const char *const soon[] = {"run", "s.yaml", "-o", "v", "--wall-clock", "0.05", NULL};
    static const char *const more[] = {"resume", "v/s.polhode", "--wall-clock", "0.05", NULL};
    static const char sparse[] = "{every: 100000000000}";
    hk_case c;
    char until[40];
    hk_case_at(0, &c);
    write_scenario("s.yaml", &c, 0, sparse, 100000000000);
    end_by_wall_clock(soon);
    end_by_wall_clock(more);
    end_by_stop();
    end_by_signal();
    const int64_t steps = number_of("v/s.polhode", "SELECT k FROM state") + 1000;
    snprintf(until, sizeof until, "%.17g", (double)steps * models[0].h);
    run_through((const char *const[]){"resume", "v/s.polhode", "--until", until, "--quiet", NULL});
    write_scenario("s.yaml", &c, 0, sparse, steps);
    run_through(whole);
    check_same("ends on demand");
}

/* A run to T that is continued to 2 T equals a run to 2 T: also its tenths of the time, also where its last
 * step was no output. */
TEST_EACH(further, 2)
{
    static const char *const longer[] = {"resume", "v/s.polhode", "--until", "60", "--quiet", NULL};
    static const char *const back[] = {"resume", "v/s.polhode", "--until", "20", NULL};
    static const char *const tables[] = {"resume", "v/s.polhode", "--csv", "--until", "70", NULL};
    static const char *const between[] = {"resume", "v/s.polhode", "--until", "70.005", NULL};
    hk_case c;
    hk_case_at(0, &c);
    write_scenario("s.yaml", &c, 0, _i ? "{every: 7}" : "{every: 10, csv: true}", 6000);
    run_through(whole);
    write_scenario("s.yaml", &c, 0, _i ? "{every: 7}" : "{every: 10, csv: true}", 3000);
    run_through(begin);
    run_through(go_on); /* nothing to do, and nothing changed */
    ck_assert_int_eq(rows_of("v/s.polhode"), _i ? 1 + 428 + 1 : 301);
    remove("v/summary.json");
    run_through(longer);
    check_same("further");
    ck_assert_int_eq(system("cp v/s.polhode before"), 0);
    ck_assert_int_eq(wait_for(start(back)), 2);
    log_says("is at t = 60 s already");
    ck_assert_int_eq(wait_for(start(between)), 2);
    log_says("a whole number of them");
    ck_assert(!there("v/s.polhode-wal") && !there("v/s.polhode.lock"));
    ck_assert_int_eq(system("cmp v/s.polhode before"), 0);
    ck_assert_int_eq(system("mkdir v/trajectory.csv.part"), 0);
    ck_assert_int_eq(wait_for(start(tables)), 3);
    ck_assert_int_eq(system("cmp v/s.polhode before && rmdir v/trajectory.csv.part"), 0);
    run_through(go_on);
    check_same("once more");
}

/* The first number behind "key": in a summary, NaN for null, and the n-th in a list of them. */
static double in_summary(const char *name, const char *key, size_t n)
{
    static char line[100000];
    FILE *f = fopen(name, "r");
    ck_assert_ptr_nonnull(f);
    const char *at = NULL;
    while (!at && fgets(line, sizeof line, f))
        at = strstr(line, key);
    fclose(f);
    ck_assert_msg(at != NULL, "no %s in %s", key, name);
    at = strchr(at, ':') + 1;
    at += strspn(at, " [");
    for (; n; n--)
        at = strchr(at, ',') + 2;
    return strncmp(at, "null", 4) ? strtod(at, NULL) : NAN;
}

/* With chosen columns the rows are those of an uninterrupted run, in the archive and in the CSV table next to
 * it, and so is the last state. Without energy_error the tenths of the earlier rows are unknown; everything
 * else is known. */
TEST_EACH(further_with_columns, 2)
{
    static const char *const longer[] = {"resume", "v/s.polhode", "--until", "60", "--quiet", NULL};
    static const char *const outputs_of[] = {"{every: 7, csv: true, columns: [q2, energy_error]}",
                                             "{every: 7, csv: true, columns: [Jg, q1x]}"};
    hk_case c;
    hk_case_at(0, &c);
    write_scenario("s.yaml", &c, 0, outputs_of[_i], 6000);
    run_through(whole);
    write_scenario("s.yaml", &c, 0, outputs_of[_i], 2000); /* 3.33 tenths */
    run_through(begin);
    run_through(longer);
    check_text("v/trajectory.csv", "whole/trajectory.csv");
    ck_assert_int_eq(check_prefix("v/s.polhode", "whole/s.polhode"), 858);
    if (!_i) {
        check_same("with energy_error");
        return;
    }
    static const char *const same[] = {"energy_error_max\"", "energy_error_final\"", "momentum_error_max\"",
                                       "tangency_error_max\"", "energy_scale\""};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        ck_assert_msg(in_summary("v/summary.json", same[i], 0) ==
                          in_summary("whole/summary.json", same[i], 0),
                      "%s", same[i]);
    for (size_t i = 0; i < 10; i++) {
        const double tenth = in_summary("v/summary.json", "energy_error_tenths", i);
        const double known = in_summary("whole/summary.json", "energy_error_tenths", i);
        ck_assert_msg(known > 0 && (i < 4 ? isnan(tenth) : tenth == known), "tenth %zu: %g, %g", i, tenth,
                      known);
    }
}

TEST(energy_bound)
{
    static const char *const run[] = {"run", "s.yaml", "-o", "v", "--force", NULL};
    hk_case c;
    hk_case_at(0, &c);
    write_scenario("s.yaml", &c, 0, "{every: 10}\nstop: {energy-error: 1e-5}", 6000);
    ck_assert_int_eq(wait_for(start(run)), 1);
    log_says("beyond the bound 1e-05 of stop.energy-error");
    meta_says("message", "energy error");
    int64_t rows = rows_of("v/s.polhode");
    ck_assert_int_lt(rows, 600);
    ck_assert_int_eq(wait_for(start(go_on)), 1); /* and again at the next output */
    ck_assert_int_gt(rows_of("v/s.polhode"), rows);
    write_scenario("s.yaml", &c, 0, "{every: 10}\nstop: {energy-error: 1}", 600);
    run_through(run);
}

/* An event with the action stop ends a run normally, with the state at the end of its step. The run can then
 * be resumed until the next one, and finally equals a run that nothing stopped. */
TEST(behind_stops)
{
    static const char looks[] =
        "{every: 7, csv: %s}\n"
        "events: [{name: rise, when: q1x, direction: up, action: %s}, {name: zero, when: q1x}]";
    static const char *const recount[] = {"resume", "v/s.polhode", "--quiet", "--csv", NULL};
    hk_case c;
    char output[300];
    hk_case_at(0, &c);
    snprintf(output, sizeof output, looks, "true", "record");
    write_scenario("s.yaml", &c, 0, output, STEPS);
    run_through(whole);
    const int64_t rises = number_of("whole/s.polhode", "SELECT count(*) FROM events WHERE name = 'rise'");
    ck_assert_int_ge(rises, 3);
    ck_assert_int_gt(number_of("whole/s.polhode", "SELECT count(*) FROM events"), rises);
    snprintf(output, sizeof output, looks, "false", "stop");
    write_scenario("s.yaml", &c, 0, output, STEPS);
    run_through(begin);
    for (int64_t i = 0; i < rises; i++) {
        meta_says("status", "stopped");
        meta_says("message", "\"rise\"");
        ck_assert(!there("v/events.csv"));
        ck_assert_int_eq(number_of("v/s.polhode", "SELECT count(*) FROM events WHERE name = 'rise'"), i + 1);
        ck_assert_int_eq(number_of("v/s.polhode", "SELECT k - 1 FROM state"),
                         number_of("v/s.polhode", "SELECT max(step) FROM events"));
        check_prefix("v/s.polhode", "whole/s.polhode");
        check_events("v/s.polhode", "whole/s.polhode", "behind a stop");
        run_through(i + 1 < rises ? go_on : recount);
    }
    meta_says("status", "ok");
    check_same("behind stops");
}

/* The scenario file, and the summary that it continues from, may have been removed or changed since. */
TEST(scenario_that_changed)
{
    hk_case c;
    hk_case_at(0, &c);
    write_scenario("s.yaml", &c, 0, "{every: 100}", 1000);
    run_through(begin);
    ck_assert_int_eq(rename("v/summary.json", "first.json"), 0);
    FILE *f = fopen("s.yaml", "a");
    ck_assert(f && fputs("initial: {from: first.json}\n", f) > 0 && !fclose(f));
    run_through(whole);
    run_through(begin);
    ck_assert(!remove("s.yaml") && !remove("first.json"));
    static const char *const a[] = {"resume", "v/s.polhode", "--until", "30", NULL};
    static const char *const b[] = {"resume", "whole/s.polhode", "--until", "30", NULL};
    run_through(a);
    run_through(b);
    check_same("without its files");
}

/* ---- All ------------------------------------------------------------------------------------------- */

static void make_place(void)
{
    tk_make_folder(folder, sizeof folder, (size_t)1 << 30);
    ck_assert_int_eq(chdir(folder), 0);
}

static void remove_place(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(system(command), 0);
}

int main(void)
{
    const char *build = getenv("top_builddir");
    char here[4000];
    if (!build && !(build = getcwd(here, sizeof here)))
        return 77;
    /* the program itself where polhode is a script of libtool's that would look for it at each start */
    snprintf(program, sizeof program, "%s/.libs/polhode", build);
    if (access(program, X_OK))
        snprintf(program, sizeof program, "%s/polhode", build);
    else
        snprintf(libraries, sizeof libraries, "%s/.libs", build);
    if (access(program, X_OK)) {
        printf("skipped: there is no %s\n", program);
        return 77;
    }
    return tk_run_in("survival", make_place, remove_place);
}
