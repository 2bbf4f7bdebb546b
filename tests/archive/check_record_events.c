/* SPDX-License-Identifier: BSD-3-Clause */
/* Events in archives: written, read, in blocks, and damaged. */
#include "tests/kit/recording.h"

/* ---- Events ---------------------------------------------------------------------------------------- */

static void check_event(ph_record *record, int64_t i, const char *name, int64_t step, const ph_state *state)
{
    ph_recorded_event e;
    tk_ok(ph_record_event(record, i, &e, tk_err));
    ck_assert_str_eq(e.name, name);
    ck_assert(e.t == 0.1 * (double)step + 0.01 && e.theta == 0.25 + 1e-3 * (double)step);
    ck_assert_int_eq(e.step, step);
    ck_assert_int_eq(e.direction, step % 2 ? 1 : -1);
    ck_assert_uint_eq(e.n, 12);
    ck_assert(!memcmp(e.values, state->z, 6 * sizeof(double)) &&
              !memcmp(e.values + 6, state->p, 6 * sizeof(double)));
}

/* Events appear with the next state, in the order in which they were reported. */
TEST(events)
{
    ph_recorded_event e;
    static const char longest[] =
        "a name, \xc3\xa9, of more letters than there are numbers in a state: much longer, really, "
        "than any name that a scenario may have, but a program's own may be as long as it likes";
    RECORDING(t, 0);
    rec_add_rows(&t, 4); /* to step 12 */
    TK_MAKE(ph_state, at, ph_state_create(t.r.integrator, &at, NULL));
    tk_ok(ph_state_copy(at, t.r.state));
    rec_add_event(&t, "one", 3);
    rec_add_event(&t, longest, 7);
    rec_add_event(&t, "one", 11);
    ph_record *record = rec_open("r");
    ck_assert_int_eq(ph_record_events(record), 0);
    tk_returns(ph_record_event(record, 0, &e, tk_err), PH_E_RANGE);
    rec_commit(&t);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(ph_record_events(record), 3);
        ck_assert_int_eq(ph_record_found(record, "one"), 2);
        ck_assert_int_eq(ph_record_found(record, longest), 1);
        ck_assert_int_eq(ph_record_found(record, "none"), 0);
        check_event(record, 1, longest, 7, at);
        check_event(record, 0, "one", 3, at);
        check_event(record, 2, "one", 11, at);
        tk_returns(ph_record_event(record, 3, &e, tk_err), PH_E_RANGE);
        tk_returns(ph_record_event(record, -1, &e, tk_err), PH_E_RANGE);
        rec_commit(&t); /* nothing is written twice */
    }
    rec_add_rows(&t, 1);
    rec_add_event(&t, "late", 14);
    ck_assert_int_eq(ph_record_events(record), 3);
    rec_commit(&t);
    check_event(record, 3, "late", 14, t.r.state);
    /* one behind the state, as ph_archive_close leaves it */
    rec_add_event(&t, "late", 15);
    rec_close(&t);
    ph_record_close(record);
    record = rec_open("r");
    ck_assert_int_eq(ph_record_events(record), 5);
    ph_record_close(record);
    ph_archive *again = NULL;
    tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &again, NULL));
    tk_ok(ph_archive_go_on(again, NULL));
    record = rec_open("r");
    ck_assert_int_eq(ph_record_events(record), 4);
    t.archive = again;
    rec_add_event(&t, "one", 15);
    tk_ok(ph_integrator_step(t.r.integrator, t.r.state, 1));
    tk_ok(ph_state_copy(at, t.r.state));
    rec_commit(&t);
    ck_assert_int_eq(ph_record_events(record), 5);
    ck_assert_int_eq(ph_record_found(record, "late"), 1);
    ck_assert_int_eq(ph_record_found(record, "one"), 3);
    ph_record_close(record);
    rec_close(&t);
}

/* However many are found between two states, they take a few megabytes at most while they wait. */
TEST(many_events)
{
    int64_t n = 0;
    RECORDING(t, 0);
    for (; n < 100000 && !ph_archive_due(t.archive); n++)
        rec_add_event(&t, "many", n);
    ck_assert_int_gt(n, 20000); /* of 16 numbers, two lengths and a name */
    ck_assert_int_lt(n, 40000);
    tk_ok(ph_integrator_step(t.r.integrator, t.r.state, n));
    rec_commit(&t);
    ck_assert(!ph_archive_due(t.archive));
    TK_OWN(ph_record) *record = rec_open("r");
    ck_assert_int_eq(ph_record_found(record, "many"), n);
    rec_close(&t);
}

/* ---- Bad disks and bad files ------------------------------------------------------------------------- */

/* Each event has a checksum: of its place, its name and its numbers. */
TEST(damaged_events)
{
    static const char *const changes[] = {"UPDATE events SET name = 'two' WHERE n = 1",
                                          "UPDATE events SET row = zeroblob(length(row)) WHERE n = 1",
                                          "UPDATE events SET row = substr(row, 1, 24) WHERE n = 1",
                                          "UPDATE events SET crc32 = crc32 + 1 WHERE n = 1",
                                          "UPDATE events SET step = 2 WHERE n = 1",
                                          "UPDATE events SET t = t + 1 WHERE n = 1",
                                          "UPDATE events SET t = NULL WHERE n = 1",
                                          "UPDATE events SET n = 9 WHERE n = 1"};
    size_t size;
    RECORDING(t, 0);
    rec_add_rows(&t, 4);
    for (int64_t step = 0; step < 3; step++)
        rec_add_event(&t, "one", step);
    rec_commit(&t);
    rec_close(&t);
    TK_MEMORY unsigned char *bytes = rec_load("r", &size);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        ph_recorded_event e;
        rec_store("r", bytes, size);
        rec_change(changes[i]);
        TK_OWN(ph_record) *record = rec_open("r");
        tk_refused(ph_record_event(record, 1, &e, tk_err), PH_E_IO, "event 1 is ");
        if (i == 7) {
            tk_refused(ph_record_event(record, 9, &e, tk_err), PH_E_IO, "checksum");
        }
        check_event(record, 0, "one", 0, t.r.state);
        check_event(record, 2, "one", 2, t.r.state);
    }
}

int main(void)
{
    return tk_run_in("record: events", io_make_folder, io_remove_folder);
}
