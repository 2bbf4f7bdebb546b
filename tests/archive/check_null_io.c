/* SPDX-License-Identifier: BSD-3-Clause */
/* As check_null.c, for what libpolhode-io has: archives, records, tables, summaries, sessions. */
#include "tests/kit/testkit.h"

#include <polhode/archive.h>
#include <polhode/csv.h>
#include <polhode/domain/import.h>
#include <polhode/record.h>
#include <polhode/scenario.h>
#include <polhode/session.h>
#include <polhode/summary.h>
#include <polhode/sweep.h>
#include <polhode/table.h>

/* Fails with a message that names the missing object; an earlier failure in err is kept. */
#define tk_missing(what, call)                                                                               \
    do {                                                                                                     \
        ph_error err = {.status = PH_OK}, *e = &err;                                                         \
        ck_assert_int_eq((call), PH_E_INVALID);                                                              \
        ck_assert_msg(strstr(err.message, "no " what " (it is NULL)") != NULL, "%s: %s", #call,              \
                      err.message);                                                                          \
        err = (ph_error){PH_E_IO, "because"};                                                                \
        ck_assert_int_eq((call), PH_E_IO);                                                                   \
        ck_assert_str_eq(err.message, "because");                                                            \
        e = NULL;                                                                                            \
        ck_assert_int_eq((call), PH_E_INVALID);                                                              \
    } while (0)

TEST(archives_and_tables)
{
    static const char path[] = "/nowhere/at.all";
    const double z[3] = {1, 0, 0}, v[3] = {0, 1, 0};
    TK_OWN(ph_system) *system = tk_model("spherical-pendulum");
    TK_START(it, state, system, "variational", NULL, 0.01, z, v);
    const ph_archive_plan plan = {.integrator = it}, without = {.steps = 1};
    const ph_result result = {.integrator = it}, other = {.state = state};
    const ph_occurrence event = {.state = state};
    const ph_ending ending = {.status = PH_OK};
    const ph_account account = {.rows = 0};
    const ph_measures measures = {.energy = 0};
    ph_archive *archive = NULL;
    ph_csv *csv = NULL;
    ph_event_csv *events = NULL;
    ph_recorded_event found;
    ph_commit commit;
    ph_account read_account;
    int64_t read, next;
    double values[16] = {0};
    tk_missing("integrator", ph_archive_create(path, &without, state, NULL, 0, &archive, e));
    tk_missing("state", ph_archive_create(path, &plan, NULL, NULL, 0, &archive, e));
    tk_missing("system", ph_archive_reopen(path, NULL, 0, &archive, e));
    tk_missing("archive", ph_archive_go_on(NULL, e));
    tk_missing("archive", ph_archive_row(NULL, state, &measures, 0, e));
    tk_missing("archive", ph_archive_event(NULL, "x", &event, e));
    tk_missing("archive", ph_archive_commit(NULL, state, NULL, &account, e));
    tk_missing("archive", ph_archive_close(NULL, &ending, e));
    tk_missing("archive", ph_archive_finish(NULL, state, NULL, &account, &ending, e));
    tk_missing("record", ph_record_read(NULL, 0, 1, values, &read, &next, e));
    tk_missing("record", ph_record_event(NULL, 0, &found, e));
    tk_missing("record", ph_import_gubas_tables(path, NULL, path, e));
    int64_t chosen[2];
    ph_rows *rows;
    const ph_copy_plan copied = {.rows = 2};
    ph_copy_report report;
    unsigned char *bytes;
    size_t size;
    tk_missing("record", ph_record_choose(NULL, 2, chosen, &read, e));
    tk_missing("record", ph_rows_open(NULL, NULL, 0, &rows, e));
    tk_missing("record", ph_rows_use_system(NULL, NULL, e));
    tk_missing("rows", ph_rows_read(NULL, 0, 1, values, &read, &next, e));
    tk_missing("rows", ph_rows_values(NULL, values, 1, values, e));
    tk_missing("record", ph_record_copy(NULL, &copied, &bytes, &size, &report, e));
    char *settings = NULL;
    tk_missing("record", ph_record_member_settings(NULL, 0, &settings, e));
    tk_missing("record", ph_record_commit(NULL, &commit, e));
    tk_missing("record", ph_record_check_state(NULL, e));
    tk_missing("record", ph_record_check_events(NULL, e));
    tk_missing("record", ph_record_verify(NULL, e));
    tk_missing("record", ph_record_starved(NULL, e));
    tk_missing("record", ph_record_repair(NULL, "none", &(ph_repair){.rows = 0}, e));
    ph_summary errors_read;
    size_t maps_read;
    tk_missing("record", ph_record_errors(NULL, &errors_read, &maps_read, e));
    tk_missing("record", ph_record_state(NULL, state, NULL, &read_account, e));
    tk_missing("system", ph_csv_create(path, NULL, NULL, 0, &csv, e));
    tk_missing("csv", ph_csv_row(NULL, state, &measures, 0, e));
    tk_missing("csv", ph_csv_recall(NULL, values, 0, e));
    tk_missing("csv", ph_csv_close(NULL, e));
    tk_missing("system", ph_event_csv_create(path, NULL, &events, e));
    tk_missing("csv", ph_event_csv_row(NULL, "x", &event, e));
    tk_missing("csv", ph_event_csv_close(NULL, e));
    tk_missing("integrator", ph_summary_write(path, &other, e));
    tk_missing("state", ph_summary_write(path, &result, e));
    tk_missing("integrator", ph_summary_print(stdout, &other, NULL, 0, e));
    tk_missing("state", ph_summary_print(stdout, &result, NULL, 0, e));
    tk_missing("table", ph_table_add(NULL, values, 1, e));
    tk_missing("table", ph_table_group(NULL, 1, e));
    tk_missing("table", ph_table_close(NULL, e));
    ck_assert(!archive && !csv && !events);
}

TEST(scenarios_and_sessions)
{
    const double z[3] = {1, 0, 0}, v[3] = {0, 1, 0};
    TK_OWN(ph_system) *system = tk_model("spherical-pendulum");
    ph_integrator *other = NULL;
    ph_session *session = NULL;
    TK_START(it, state, system, "variational", NULL, 0.01, z, v);
    const ph_session_plan without = {.name = "x", .state = state, .steps = 1};
    ph_scenario *recalled = NULL;
    const ph_session_plan motionless = {.name = "x", .integrator = it, .steps = 1};
    tk_missing("scenario", ph_scenario_integrator(NULL, NULL, &other, e));
    tk_missing("scenario", ph_scenario_settle(NULL, NULL, NULL, 0, 0.1, 0, 0, e));
    tk_missing("scenario", ph_scenario_compile(NULL, e));
    tk_missing("record", ph_session_recall(NULL, "x.polhode", &recalled, e));
    tk_missing("scenario", ph_session_open_scenario(NULL, "x.yaml", "/nowhere", NULL, &session, e));
    tk_missing("integrator", ph_session_open_system(&without, "/nowhere", NULL, &session, e));
    tk_missing("state", ph_session_open_system(&motionless, "/nowhere", NULL, &session, e));
    tk_missing("session", ph_session_run(NULL, e));
    tk_missing("sweep", ph_sweep_run(NULL, e));
    tk_missing("sweep", ph_sweep_close(NULL, e));
    tk_missing("sweep", ph_sweep_time(NULL, 0, &(double){0}, e));
    tk_missing("session", ph_session_run_until(NULL, 1, e));
    tk_missing("session", ph_session_close(NULL, e));
    ck_assert(!session && !other);
    ph_session_abandon(NULL);
}

/* Of a format the suggestion stays, and another failure before does not. */
TEST(formats)
{
    const ph_column column = {.name = "x"};
    ph_table *table = NULL;
    ph_error err = {PH_E_IO, "because"};
    ck_assert_int_eq(ph_table_format_available(NULL, &err), PH_E_INVALID);
    ck_assert_msg(strstr(err.message, "no format (it is NULL)") != NULL, "%s", err.message);
    ck_assert_int_eq(
        ph_table_create("x", ph_table_format_find("hdf", &err), &column, 1, NULL, 0, false, &table, &err),
        PH_E_UNKNOWN);
    ck_assert_msg(strstr(err.message, "\"hdf5\"") != NULL, "%s", err.message);
    ck_assert_int_eq(
        ph_table_create("x", ph_table_format_of("x.xls", &err), &column, 1, NULL, 0, false, &table, &err),
        PH_E_UNKNOWN);
    ck_assert_msg(strstr(err.message, ".npz") != NULL, "%s", err.message);
    ck_assert_ptr_null(table);
}

int main(void)
{
    return tk_run("null, files");
}
