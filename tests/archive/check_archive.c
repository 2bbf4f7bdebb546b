/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives: the columns of trajectory.csv, the output directory, and what happens to files when the
 * disk is full, the directory unwritable or the run given up. */
#include "tests/kit/iokit.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* From now on no file may grow beyond this length, as on a full disk. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    ck_assert(!getrlimit(RLIMIT_FSIZE, &limit));
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert(!setrlimit(RLIMIT_FSIZE, &limit));
}

/* ---- trajectory.csv ------------------------------------------------------------------------------- */

TEST(csv_columns)
{
    ph_csv *csv;
    IO_RUN(r, "double-spherical-pendulum", "variational", NULL, 0);
    tk_ok(ph_csv_create(io_path("trajectory.csv"), r.system, NULL, 0, &csv, tk_err));
    ck_assert(!io_there("trajectory.csv"));
    ck_assert(io_there("trajectory.csv.part"));
    io_walk(&r, csv);
    tk_ok(ph_csv_close(csv, tk_err));
    ck_assert(!io_there("trajectory.csv.part"));
    char *text = io_get("trajectory.csv"), *rest = NULL, *line = strtok_r(text, "\n", &rest);
    static const char header[] =
        "t[s],step,q1x[1],q1y[1],q1z[1],q2x[1],q2y[1],q2z[1],pi1x[kg m^2/s],pi1y[kg m^2/s],pi1z[kg m^2/s],"
        "pi2x[kg m^2/s],pi2y[kg m^2/s],pi2z[kg m^2/s],energy[J],energy_error[J],constraint_error[1],"
        "tangency[kg m^2/s],";
    ck_assert_msg(!strncmp(line, header, sizeof header - 1), "%s", line);
    size_t columns = 1, symmetries = ph_system_symmetries(r.system), rows = 0, moved = 0;
    double first = 0;
    for (const char *s = line; *s; s++)
        columns += *s == ',';
    ck_assert_uint_eq(columns, 2 + 12 + 4 + symmetries + 1);
    ck_assert_str_eq(strrchr(line, ','), ",newton_passes");
    for (line = strtok_r(NULL, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), rows++) {
        double t = 0, value = 0, energy = 0, error = 0;
        long step = 0;
        ck_assert_int_eq(sscanf(line, "%lf,%ld,%lf", &t, &step, &value), 3);
        ck_assert_int_eq(step, 5 * (long)rows);
        ck_assert_double_eq_tol(t, 0.5 + 0.05 * (double)rows, 1e-12);
        ck_assert_int_eq(atoi(strrchr(line, ',') + 1), 3 * (int)rows);
        const char *at = line;
        for (int i = 0; i < 14; i++)
            at = strchr(at, ',') + 1;
        ck_assert_int_eq(sscanf(at, "%lf,%lf", &energy, &error), 2);
        first = rows ? first : energy;
        ck_assert_double_eq(error, energy - first);
        moved += error != 0;
        size_t there_are = 1;
        for (const char *s = line; *s; s++)
            there_are += *s == ',';
        ck_assert_uint_eq(there_are, columns);
    }
    ck_assert_uint_eq(rows, 6);
    ck_assert_uint_gt(moved, 0);
    free(text);
}

/* The last row has exactly the bits of the state. */
TEST(csv_digits)
{
    ph_csv *csv;
    IO_RUN(r, "spherical-pendulum", "rk4", NULL, 0);
    ck_assert(!ph_csv_create(io_path("a"), r.system, NULL, 0, &csv, tk_err));
    io_walk(&r, csv);
    ck_assert(!ph_csv_close(csv, tk_err));
    TK_MEMORY char *text = io_get("a");
    text[strlen(text) - 1] = '\0';
    char *s = strrchr(text, '\n') + 1;
    ck_assert(strtod(s, &s) == r.state->t);
    strtod(s + 1, &s);
    for (size_t i = 0; i < 3; i++)
        ck_assert(strtod(s + 1, &s) == r.state->z[i]);
    for (size_t i = 0; i < 3; i++)
        ck_assert(strtod(s + 1, &s) == r.state->p[i]);
}

static ph_status no_generator(void *user, const double *z, double *xi)
{
    (void)user;
    (void)z;
    memset(xi, 0, 3 * sizeof *xi);
    return PH_OK;
}

/* A user's symmetry may have any name; numbers may be anything. */
TEST(csv_odd)
{
    static const double inertia[1] = {1};
    static const ph_factor sphere = {.kind = PH_FACTOR_S2};
    static const ph_symmetry odd = {
        .name = "a,\"b\"", .text = "odd", .unit = "kg", .generator = no_generator};
    ph_csv *csv;
    double z[3] = {1, 0, 0}, p[3] = {NAN, INFINITY, -INFINITY}, J = 0.1;
    ph_system_definition d = {.inertia = inertia, .symmetries = &odd, .n_symmetries = 1};
    TK_OWN(ph_system) *system = tk_system(d, &sphere, 1);
    ck_assert(!ph_csv_create(io_path("a"), system, NULL, 0, &csv, tk_err));
    ph_state state = {.t = 0.1, .k = 7, .z = z, .p = p, .nz = 3, .np = 3};
    ph_measures m = {.energy = 1e300, .momenta = &J};
    ck_assert(!ph_csv_row(csv, &state, &m, 0, tk_err));
    state.nz = 6;
    tk_returns(ph_csv_row(csv, &state, &m, 0, tk_err), PH_E_SIZE);
    ck_assert(!ph_csv_close(csv, tk_err));
    TK_MEMORY char *text = io_get("a");
    ck_assert_ptr_nonnull(strstr(text, ",tangency[kg m^2/s],\"a,\"\"b\"\"[kg]\",newton_passes\n"));
    ck_assert_ptr_nonnull(strstr(text,
                                 "\n0.10000000000000001,7,1,0,0,nan,inf,-inf,1.0000000000000001e+300,0,0,0,"
                                 "0.10000000000000001,0\n"));
}

/* Chosen columns; and rows given by their values, the first of which is the reference of energy_error in
 * later rows. */
TEST(csv_choice)
{
    static const char *const words[] = {"pi1y", "energy_error", "t", "q1", "newton_passes"}, *unknown = "q2x";
    static const char headings[] =
        "t[s],step,pi1y[kg m^2/s],energy_error[J],q1x[1],q1y[1],q1z[1],newton_passes";
    static const char *const first_rows[] = {"3,9,0.25,0,1,0,-0.5,6",
                                             "2,8,0.5,-1.5,0.25,0,1.0000000000000001e+300,4"};
    ph_csv *csv;
    char expected[400];
    IO_RUN(r, "spherical-pendulum", "rk4", NULL, 0);
    const ph_state state = {
        .t = 3, .k = 9, .z = (double[3]){1, 0, -0.5}, .p = (double[3]){7, 0.25, 8}, .nz = 3, .np = 3};
    const ph_measures first = {.energy = 5}, later = {.energy = 7};
    const double before[] = {2, 8, 0.5, -1.5, 0.25, 0, 1e300, 4};
    for (int recalled = 0; recalled < 2; recalled++) {
        ck_assert(!ph_csv_create(io_path("a"), r.system, words, 5, &csv, tk_err));
        if (recalled)
            ck_assert(!ph_csv_recall(csv, before, 5, tk_err));
        else
            ck_assert(!ph_csv_row(csv, &state, &first, 6, tk_err));
        ck_assert(!ph_csv_row(csv, &state, &later, 11, tk_err));
        ck_assert(!ph_csv_close(csv, tk_err));
        snprintf(expected, sizeof expected, "%s\n%s\n3,9,0.25,2,1,0,-0.5,11\n", headings,
                 first_rows[recalled]);
        io_check_content("a", expected);
    }
    ck_assert(!ph_csv_create(io_path("a"), r.system, words, 1, &csv, tk_err));
    ck_assert(!ph_csv_row(csv, &state, NULL, 0, tk_err)); /* nothing of it is measured */
    ck_assert(!ph_csv_close(csv, tk_err));
    io_check_content("a", "t[s],step,pi1y[kg m^2/s]\n3,9,0.25\n");
    tk_returns(ph_csv_create(io_path("a"), r.system, &unknown, 1, &csv, tk_err), PH_E_UNKNOWN);
    ck_assert(!io_there("a.part"));
}

/* ---- events.csv ------------------------------------------------------------------------------------- */

TEST(event_rows)
{
    ph_event_csv *csv;
    IO_RUN(r, "spherical-pendulum", "rk4", NULL, 0);
    const double z[3] = {1, 0, 0}, p[3] = {0, 0.5, -0.25};
    ph_state state = {.t = 9, .k = 9, .z = (double[3]){1, 0, 0}, .p = (double[3]){0}, .nz = 3, .np = 3};
    memcpy(state.z, z, sizeof z);
    memcpy(state.p, p, sizeof p);
    ph_occurrence o = {.t = 0.1, .theta = 0.75, .step = 8, .direction = 1, .state = &state};
    tk_ok(ph_event_csv_create(io_path("a"), r.system, &csv, tk_err));
    ck_assert(!ph_event_csv_row(csv, "up", &o, tk_err));
    o.direction = -1;
    ck_assert(!ph_event_csv_row(csv, "a, \"b\"", &o, tk_err));
    ck_assert(!io_there("a"));
    ck_assert(!ph_event_csv_close(csv, tk_err));
    io_check_content("a",
                     "event,t[s],step,theta[1],direction,q1x[1],q1y[1],q1z[1],pi1x[kg m^2/s],pi1y[kg m^2/s],"
                     "pi1z[kg m^2/s]\n"
                     "up,0.10000000000000001,8,0.75,1,1,0,0,0,0.5,-0.25\n"
                     "\"a, \"\"b\"\"\",0.10000000000000001,8,0.75,-1,1,0,0,0,0.5,-0.25\n");
    ck_assert(!ph_event_csv_create(io_path("a"), r.system, &csv, tk_err)); /* abandoned: no change */
    ph_event_csv_abandon(csv);
    ph_event_csv_abandon(NULL);
    ck_assert(io_there("a"));
    ck_assert(!io_there("a.part"));
    tk_returns(ph_event_csv_create(io_path("none/a"), r.system, &csv, tk_err), PH_E_IO);
    ck_assert(!ph_event_csv_create(io_path("a"), r.system, &csv, tk_err));
    limit_files(10000);
    ph_status status = PH_OK;
    for (int i = 0; i < 10000 && !status; i++)
        status = ph_event_csv_row(csv, "up", &o, tk_err);
    ck_assert_int_eq(status, PH_E_IO);
    tk_returns(ph_event_csv_close(csv, tk_err), PH_E_IO);
}

/* A row of many numbers, which are written a few at a time: as many fields as headings. */
TEST(long_rows)
{
    static const double links = 40;
    const ph_parameter_value number = {"links", &links, 1};
    TK_OWN(ph_system) *system = tk_build("chain-pendulum", &number, 1);
    static double z[120], p[120];
    const ph_state state = {.z = z, .p = p, .nz = 120, .np = 120};
    const ph_occurrence o = {.direction = 1, .state = &state};
    ph_event_csv *csv;
    size_t commas[2] = {0, 0}, line = 0;
    ck_assert(!ph_event_csv_create(io_path("a"), system, &csv, NULL));
    ck_assert(!ph_event_csv_row(csv, "x", &o, NULL));
    ck_assert(!ph_event_csv_close(csv, NULL));
    char *text = io_get("a");
    for (const char *s = text; *s; s++) {
        line += *s == '\n';
        commas[line % 2] += *s == ',';
    }
    ck_assert_uint_eq(line, 2);
    ck_assert_uint_eq(commas[0], 4 + 240);
    ck_assert_uint_eq(commas[1], 4 + 240);
    free(text);
}

/* ---- When writing fails ---------------------------------------------------------------------------- */

TEST(disk_full)
{
    ph_csv *csv;
    ph_error err;
    ph_status status = PH_OK;
    IO_RUN(r, "spherical-pendulum", "rk4", NULL, 0);
    ph_measures m;
    ck_assert(!ph_diagnostics_measure(r.diagnostics, r.state, &m));
    io_put("a", "old");
    ck_assert(!ph_csv_create(io_path("a"), r.system, NULL, 0, &csv, &err));
    limit_files(10000);
    for (int i = 0; i < 10000 && !status; i++)
        status = ph_csv_row(csv, r.state, &m, 0, &err);
    ck_assert_int_eq(status, PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "File too large"));
    err.message[0] = '\0';
    ck_assert_int_eq(ph_csv_close(csv, &err), PH_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "File too large"));
    ck_assert(!io_there("a.part"));
    io_check_content("a", "old");
    io_walk(&r, NULL);
    limit_files(100);
    ck_assert_int_eq(ph_summary_write(io_path("a"), &r.result, &err), PH_E_IO);
    ck_assert(!io_there("a.part"));
    io_check_content("a", "old");
}

/* The last bytes fail, when the file is completed. */
TEST(file_too_large)
{
    ph_csv *csv;
    IO_RUN(r, "spherical-pendulum", "rk4", NULL, 0);
    io_put("a", "old");
    ck_assert(!ph_csv_create(io_path("a"), r.system, NULL, 0, &csv, tk_err));
    limit_files(64);
    ph_status status = ph_csv_close(csv, tk_err);
    limit_files(RLIM_INFINITY);
    ck_assert_int_eq(status, PH_E_IO);
    ck_assert_ptr_nonnull(strstr(tk_err->message, "File too large"));
    ck_assert(!io_there("a.part"));
    io_check_content("a", "old");
}

/* Below a regular file, where root cannot write either; and where a directory has the final name. */
TEST(no_place)
{
    ph_csv *csv;
    IO_RUN(r, "spherical-pendulum", "rk4", NULL, 0);
    io_walk(&r, NULL);
    io_put("a", "old");
    tk_refused(ph_csv_create(io_path("a/b"), r.system, NULL, 0, &csv, tk_err), PH_E_IO, "Not a directory");
    tk_returns(ph_summary_write(io_path("missing/b"), &r.result, tk_err), PH_E_IO);
    ck_assert_int_eq(ph_summary_write("/proc/b", &r.result, NULL), PH_E_IO);
    ck_assert(!mkdir(io_path("x"), 0777));
    tk_refused(ph_summary_write(io_path("x"), &r.result, tk_err), PH_E_IO, "final name");
    ck_assert(!io_there("x.part"));
}

TEST(abandon_and_replace)
{
    ph_csv *csv, *other;
    IO_RUN(r, "spherical-pendulum", "rk4", NULL, 0);
    io_put("a", "old");
    io_put("a.part", "a leftover that is longer than what is to be written? no, but it must go\n");
    ck_assert(!ph_csv_create(io_path("a"), r.system, NULL, 0, &csv, tk_err));
    tk_refused(ph_csv_create(io_path("a"), r.system, NULL, 0, &other, tk_err), PH_E_EXISTS,
               "another program");
    ck_assert(io_there("a.part"));
    io_check_content("a", "old");
    ph_csv_abandon(csv);
    ck_assert(!io_there("a.part"));
    io_check_content("a", "old");
    ck_assert(!ph_csv_create(io_path("a"), r.system, NULL, 0, &csv, tk_err));
    ck_assert(!ph_csv_close(csv, tk_err));
    TK_MEMORY char *text = io_get("a");
    ck_assert(!strncmp(text, "t[s],step,", 10) && !strstr(text, "leftover") && !strstr(text, "old"));
    ph_csv_abandon(NULL);
}

/* ---- Obstacles under the name ----------------------------------------------------------------------- */

/* Whatever exists under the name (a link, for example), what it leads to is not changed, and the file is
 * created. */
TEST_EACH(planted, 12)
{
    ph_csv *csv;
    char victim[300], nowhere[300];
    struct stat s;
    IO_RUN(r, "spherical-pendulum", "rk4", NULL, 0);
    snprintf(victim, sizeof victim, "%s", io_path("r"));
    snprintf(nowhere, sizeof nowhere, "%s", io_path("r-wal"));
    io_put("r", "precious");
    const char *name = _i % 2 ? "trajectory.csv" : "trajectory.csv.part";
    switch (_i / 2) {
    case 0:
        ck_assert(!symlink(victim, io_path(name)));
        break;
    case 1:
        ck_assert(!symlink(nowhere, io_path(name)));
        break;
    case 2:
        ck_assert(!symlink(io_folder(), io_path(name)));
        break;
    case 3:
        ck_assert(!link(victim, io_path(name)));
        break;
    case 4:
        ck_assert(!mkfifo(io_path(name), 0666));
        break;
    default:
        ck_assert(!symlink("/dev/full", io_path(name)));
    }
    tk_ok(ph_csv_create(io_path("trajectory.csv"), r.system, NULL, 0, &csv, tk_err));
    io_walk(&r, csv);
    tk_ok(ph_csv_close(csv, tk_err));
    io_check_content("r", "precious");
    ck_assert(!io_there("r-wal") && !io_there("trajectory.csv.part"));
    ck_assert(!lstat(io_path("trajectory.csv"), &s) && S_ISREG(s.st_mode) && s.st_nlink == 1 &&
              s.st_size > 1000);
}

/* A directory is kept, and reported. */
TEST(a_directory_in_the_way)
{
    ph_csv *csv;
    IO_RUN(r, "spherical-pendulum", "rk4", NULL, 0);
    ck_assert(!mkdir(io_path("a.part"), 0777));
    tk_refused(ph_csv_create(io_path("a"), r.system, NULL, 0, &csv, tk_err), PH_E_IO,
               "a.part: cannot be created: Is a directory");
    ck_assert(io_there("a.part"));
}

/* ---- The directory --------------------------------------------------------------------------------- */

TEST(prepare)
{
    char nested[300];
    snprintf(nested, sizeof nested, "%s/x//y/z/", io_folder());
    tk_ok(ph_archive_prepare(nested, NULL, false, tk_err));
    ck_assert(io_there("x/y/z"));
    ck_assert(!io_there("x/y/z/trajectory.csv.part") && !io_there("x/y/z/summary.json.part"));
    tk_ok(ph_archive_prepare(nested, NULL, false, tk_err));
    tk_ok(ph_archive_prepare(io_folder(), NULL, false, tk_err));
    io_put("summary.json", "old");
    tk_refused(ph_archive_prepare(io_folder(), NULL, false, tk_err), PH_E_EXISTS,
               "summary.json: exists already");
    tk_returns(ph_archive_prepare(io_folder(), NULL, true, tk_err), PH_OK);
    io_check_content("summary.json", "old");
    ck_assert(!mkdir(io_path("trajectory.csv"), 0777));
    tk_returns(ph_archive_prepare(io_folder(), NULL, true, tk_err), PH_E_IO);
    tk_returns(ph_archive_prepare("", NULL, true, tk_err), PH_E_INVALID);
    tk_returns(ph_archive_prepare("/proc", NULL, true, tk_err), PH_E_IO);
    ck_assert_int_eq(ph_archive_prepare("/proc/none/such", NULL, true, NULL), PH_E_IO);
    io_put("a", "file");
    tk_returns(ph_archive_prepare(io_path("a"), NULL, false, tk_err), PH_E_IO);
    tk_returns(ph_archive_prepare(io_path("a/b"), NULL, false, tk_err), PH_E_IO);
}

int main(void)
{
    return tk_run_in("archive", io_make_folder, io_remove_folder);
}
