/* SPDX-License-Identifier: BSD-3-Clause */
/* States that are larger than a piece: written, read and damaged. */
#include "lib/archive/database.h"
#include "tests/kit/recording.h"

/* ---- Events ---------------------------------------------------------------------------------------- */

/* Pieces of so many bytes; and the whole state, when the archive is resumed with pieces of the usual size. */
static void check_pieces(const ph_state *state, size_t piece)
{
    const size_t all = ph_state_packed_size(state);
    unsigned char *packed = malloc(all), *at = packed;
    sqlite3 *db;
    sqlite3_stmt *s;
    ph_state_pack(state, packed);
    ck_assert_int_eq(rec_number("SELECT length(state) FROM state"), all > piece ? 0 : (int64_t)all);
    ck_assert_int_eq(sqlite3_open_v2(io_path("r"), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (!sqlite3_prepare_v2(db, "SELECT i, bytes FROM state_pieces ORDER BY i", -1, &s, NULL)) {
        for (int i = 0; sqlite3_step(s) == SQLITE_ROW; i++) {
            const size_t n = (size_t)sqlite3_column_bytes(s, 1), left = (size_t)(packed + all - at);
            ck_assert_int_eq(sqlite3_column_int(s, 0), i);
            ck_assert_uint_eq(n, left < piece ? left : piece);
            ck_assert(!memcmp(at, sqlite3_column_blob(s, 1), n));
            at += n;
        }
        sqlite3_finalize(s);
    }
    ck_assert_ptr_eq(at, all > piece ? packed + all : packed);
    sqlite3_close(db);
    free(packed);
}

/* A state that is too large for one row of SQLite; here the limit is set to a few bytes. */
TEST(states_in_pieces)
{
    recording t;
    io_begin(&t.r, "double-spherical-pendulum", "variational", NULL, 0);
    const size_t all = ph_state_packed_size(t.r.state);
    const size_t pieces[] = {8, 72, 80, 152, all - 8, all, all + 8};
    io_end(&t.r);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        rec_create_in_pieces(&t, 1e9, pieces[i]);
        check_pieces(t.r.state, pieces[i]);
        rec_check_state(&t, t.r.state, (ph_account){0}, 0);
        for (int j = 0; j < 3; j++) {
            rec_commit_rows(&t, 2);
            check_pieces(t.r.state, pieces[i]);
            rec_check_state(&t, t.r.state, rec_account(&t), t.n);
        }
        rec_close(&t);
        rec_check_state(&t, t.r.state, rec_account(&t), t.n);
        tk_ok(ph_archive_reopen(io_path("r"), t.r.system, 1e9, &t.archive, NULL));
        rec_commit_rows(&t, 1);
        check_pieces(t.r.state, all);
        rec_check_state(&t, t.r.state, rec_account(&t), t.n);
        rec_check_rows(&t, t.n, 3);
        rec_close(&t);
        rec_free(&t);
    }
}

/* ---- The row of the state without the state ------------------------------------------------------------ */

/* Pieces that are missing, exchanged, cut or changed. */
TEST(damaged_pieces)
{
    static const char *const changes[] = {
        "DELETE FROM state_pieces WHERE i = 1",
        "DELETE FROM state_pieces",
        "DROP TABLE state_pieces",
        "UPDATE state_pieces SET i = 99 WHERE i = 0",
        "UPDATE state_pieces SET bytes = substr(bytes, 2) WHERE i = 2",
        "UPDATE state_pieces SET bytes = x'' WHERE i = 2",
        "INSERT INTO state_pieces VALUES(100, x'00')",
    };
    TK_ENDS(rec_free) recording t;
    size_t size;
    rec_create_in_pieces(&t, 1e9, 72);
    rec_commit_rows(&t, 3);
    rec_close(&t);
    TK_MEMORY unsigned char *bytes = rec_load("r", &size);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        ph_account account;
        rec_store("r", bytes, size);
        rec_change(changes[i]);
        ph_record *record = rec_open("r");
        tk_returns(ph_record_state(record, t.r.state, NULL, &account, tk_err), PH_E_IO);
        ck_assert_msg(i == 2 ? strstr(tk_err->message, "state_pieces") != NULL
                             : strstr(tk_err->message, "state is damaged") &&
                                   strstr(tk_err->message, "checksum"),
                      "%s: %s", changes[i], tk_err->message);
        ph_record_close(record);
        rec_check_rows(&t, 3, 3);
    }
}

/* ---- Chosen columns --------------------------------------------------------------------------------- */

/* Pieces of the usual size. */
TEST_IF(a_large_state, tk_long())
{
    const double links = 600000;
    const ph_parameter_value values[] = {{"links", &links, 1}};
    const size_t n = 3 * (size_t)links;
    TK_OWN(ph_system) *system = tk_build("chain-pendulum", values, 1);
    double *z = calloc(2 * n, sizeof *z), *zdot = z + n;
    ph_archive *archive = NULL;
    ph_account account;
    tk_preset("chain-pendulum", values, 1, NULL, z, zdot);
    TK_START(it, state, system, "variational", NULL, 1e-4, z, zdot);
    ck_assert_uint_gt(ph_state_packed_size(state), (size_t)64 << 20);
    const ph_archive_plan plan = {.integrator = it, .steps = 1};
    tk_ok(ph_archive_create(io_path("r"), &plan, state, NULL, 1e9, &archive, NULL));
    ck_assert_int_eq(rec_number("SELECT max(length(bytes)) FROM state_pieces"), 64 << 20);
    tk_ok(ph_integrator_step(it, state, 1));
    account = (ph_account){0};
    tk_ok(ph_archive_finish(archive, state, NULL, &account, &(ph_ending){.status = PH_OK}, NULL));
    TK_MAKE(ph_state, found, ph_state_create(it, &found, NULL));
    TK_MAKE(ph_record, record, ph_record_open(io_path("r"), &record, NULL));
    tk_ok(ph_record_state(record, found, NULL, &account, NULL));
    ck_assert(found->k == 1 && !memcmp(found->z, state->z, n * sizeof *z) &&
              !memcmp(found->carry, state->carry, state->ncarry * sizeof *z));
    free(z);
}

int main(void)
{
    return tk_run_in("record: pieces", io_make_folder, io_remove_folder);
}
