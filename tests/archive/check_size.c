/* SPDX-License-Identifier: BSD-3-Clause */
/* What a session says beforehand of the size of its results, held against the files that it writes then, for
 * every kind of schedule, for chosen columns, with trajectory.csv, and resumed to another end; and
 * options.largest, which refuses before anything is written. */
#include "tests/kit/iokit.h"

#include <polhode/kit/text.h>
#include <polhode/session.h>

#include <string.h>
#include <sys/stat.h>

static const char *const files[] = {"a/s.polhode",      "a/s.polhode-wal",  "a/s.polhode-shm",
                                    "a/s.polhode.lock", "a/trajectory.csv", "a/trajectory.csv.part",
                                    "a/summary.json"};

static void remove_results(void)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        remove(io_path(files[i]));
    remove(io_path("a"));
}

static void remove_folder(void)
{
    remove_results();
    io_remove_folder();
}

/* [bytes] of a file, 0 where there is none. */
static double size_of(const char *name)
{
    struct stat about;
    return stat(io_path(name), &about) ? 0 : (double)about.st_size;
}

/* A double spherical pendulum for so many steps of 0.001 s, with this output. */
static ph_session *open_run(const char *steps, const char *output, const ph_session_options *options,
                            ph_status expected, ph_error *err)
{
    char text[1000];
    ph_session *s = NULL;
    snprintf(
        text, sizeof text,
        "polhode: 1\nmodel: chain-pendulum\nparameters: {masses: [1, 1], lengths: 1}\n"
        "initial: {q: [[0.8, 0, 0.6], [0.6, 0, 0.8]], omega: [[0.1, 0.2, 0], [0, 1, 0]], project: true}\n"
        "method: variational\nstep: 0.001\nsteps: %s\noutput: {%s}\n",
        steps, output);
    ph_status status = ph_session_open_text(text, strlen(text), "s.yaml", io_path("a"), options, &s, err);
    ck_assert_msg(status == expected, "%s, not %s: %s", ph_status_name(status), ph_status_name(expected),
                  status ? err->message : "");
    return s;
}

static void is_near(const char *what, const char *output, double estimated, double true_value, double by)
{
    ck_assert_msg(fabs(estimated - true_value) <= by, "%s of {%s}: %.10g estimated, %.10g", what, output,
                  estimated, true_value);
}

/* ---- Estimates ----------------------------------------------------------------------------------- */

static const struct {
    const char *steps, *output;
    double share; /* of the rows, by which the estimate may be wrong */
} runs[] = {{"20000", "every: 1", 0},
            {"20001", "every: 7", 0},
            {"20000", "every: 40000", 0},
            {"20000", "interval: 0.0137", 0},
            {"20000", "interval: 0.0005", 0},
            {"200", "at: [0.0005, 0.001, 0.1, 0.10001, 0.1999]", 0},
            {"20000", "per-decade: 1", 0.05},
            {"20000", "per-decade: 12", 0.05},
            {"20000", "per-decade: 3000", 0.05},
            {"20000", "per-decade: 100000", 0.05},
            {"60000", "every: 1, columns: [q1, energy_error]", 0},
            {"20000", "every: 1, csv: true", 0}};
enum { RUNS = sizeof runs / sizeof runs[0] };

TEST_EACH(estimates, RUNS)
{
    const char *output = runs[_i].output;
    ph_session_size size, at_end;
    ph_session *s = open_run(runs[_i].steps, output, NULL, PH_OK, tk_err);
    ph_session_estimate(s, &size);
    tk_ok(ph_session_run(s, tk_err));
    ph_session_estimate(s, &at_end);
    const double rows = (double)ph_session_rows(s);
    const bool csv = ph_session_path(s, PH_SESSION_TRAJECTORY);
    tk_ok(ph_session_close(s, tk_err));
    is_near("rows", output, size.rows, rows, 2 + runs[_i].share * rows);
    is_near("rows left", output, at_end.rows, 0, 2);
    const double archive = size_of("a/s.polhode"), table = size_of("a/trajectory.csv");
    ck_assert(csv == (table > 0));
    if (!csv && archive > 1e6)
        is_near("bytes", output, size.bytes, archive, 0.05 * archive);
    else
        is_near("bytes", output, size.bytes, archive + table, 0.35 * table + 0.05 * archive + 80e3);
}

/* What is left of a run that is resumed: the same as what its archive grows by. */
TEST(of_what_is_left)
{
    const double until = 60;
    ph_session_size size;
    ph_session *s = open_run("20000", "every: 1", NULL, PH_OK, tk_err);
    tk_ok(ph_session_close(s, tk_err));
    s = NULL;
    tk_ok(ph_session_resume(io_path("a/s.polhode"), NULL, &s, tk_err));
    tk_ok(ph_session_run(s, tk_err));
    tk_ok(ph_session_close(s, tk_err));
    const double before = size_of("a/s.polhode");
    tk_ok(ph_session_resume(io_path("a/s.polhode"), &(ph_session_options){.until = &until}, &s, tk_err));
    ph_session_estimate(s, &size);
    is_near("rows", "every: 1", size.rows, 40000, 1);
    tk_ok(ph_session_run(s, tk_err));
    tk_ok(ph_session_close(s, tk_err));
    const double more = size_of("a/s.polhode") - before;
    is_near("bytes", "every: 1", size.bytes, more, 0.05 * more);
}

/* ---- A bound ------------------------------------------------------------------------------------- */

TEST(refused_before_anything_is_written)
{
    const double largest = 1e10, nothing = 0, nan = NAN;
    open_run("1e15", "every: 1", &(ph_session_options){.largest = &largest}, PH_E_SIZE, tk_err);
    ck_assert_msg(strstr(tk_err->message, "PB on disk (1e+15 rows of") &&
                      strstr(tk_err->message, "more than the 10 GB that options.largest allows"),
                  "%s", tk_err->message);
    open_run("1e15", "interval: 0.01", &(ph_session_options){.largest = &largest}, PH_E_SIZE, tk_err);
    open_run("1e15", "every: 1", &(ph_session_options){.largest = &(const double){1e30}}, PH_E_SIZE, tk_err);
    ck_assert_msg(strstr(tk_err->message, "that the disk has room for"), "%s", tk_err->message);
    open_run("1e15", "every: 1, columns: [energy]", &(ph_session_options){.largest = &largest}, PH_E_SIZE,
             tk_err);
    open_run("10", "every: 1", &(ph_session_options){.largest = &nothing}, PH_E_RANGE, tk_err);
    open_run("10", "every: 1", &(ph_session_options){.largest = &nan}, PH_E_RANGE, tk_err);
    ck_assert(!io_there("a"));
    ph_session_abandon(
        open_run("1e15", "per-decade: 9", &(ph_session_options){.largest = &largest}, PH_OK, tk_err));
}

TEST(refused_when_resumed)
{
    const double largest = 1e7, until = 1e6, near = 2.1;
    ph_session *s = open_run("2000", "every: 1", NULL, PH_OK, &(ph_error){PH_OK, ""});
    tk_ok(ph_session_run(s, tk_err));
    tk_ok(ph_session_close(s, tk_err));
    TK_MEMORY char *before = io_get("a/s.polhode"), *after = NULL;
    const double size = size_of("a/s.polhode");
    s = NULL;
    tk_returns(ph_session_resume(io_path("a/s.polhode"),
                                 &(ph_session_options){.largest = &largest, .until = &until}, &s, tk_err),
               PH_E_SIZE);
    ck_assert_ptr_null(s);
    ck_assert_msg(strstr(tk_err->message, "more than the 10 MB"), "%s", tk_err->message);
    after = io_get("a/s.polhode");
    ck_assert(size == size_of("a/s.polhode") && !memcmp(before, after, (size_t)size));
    tk_ok(ph_session_resume(io_path("a/s.polhode"),
                            &(ph_session_options){.largest = &largest, .until = &near}, &s, tk_err));
    ph_session_abandon(s);
}

TEST(words)
{
    static const struct {
        double bytes;
        const char *text;
    } list[] = {{0, "0 kB"},       {65536, "65.5 kB"}, {999.4e3, "999 kB"}, {999.6e3, "1 MB"},
                {2.1e9, "2.1 GB"}, {1e10, "10 GB"},    {1.6e17, "160 PB"},  {5e18, "5 EB"}};
    char text[32];
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        ph_bytes_text(list[i].bytes, text);
        ck_assert_str_eq(text, list[i].text);
    }
}

int main(void)
{
    return tk_run_in("size of results", io_make_folder, remove_folder);
}
