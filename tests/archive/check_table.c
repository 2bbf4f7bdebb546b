/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables for other programs, read back by readers in this test (NumPy's header word by word, zip by its
 * directory, with checksums) and by the HDF5 library; nothing remains of a table that could not be
 * written. */
#include "config.h"

#include "tests/kit/iokit.h"
#include "tests/kit/untried.h"

#include <polhode/table.h>

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#ifdef HAVE_HDF5
#include <hdf5.h>
#endif

/* ---- What is written ------------------------------------------------------------------------------- */

static const ph_column columns[] = {{.name = "t", .unit = "s"},
                                    {.name = "step", .unit = NULL},
                                    {.name = "it's \\ \xce\xb8", .unit = ""},
                                    {.name = "Pi1x", .unit = "kg m^2/s"}};
static const ph_attribute attributes[] = {{"model", "chain-pendulum"},
                                          {"scenario", "polhode: 1\nmodel: \"\xce\xb8\"\n"}};
enum {
    COLUMNS = 4,
    ATTRIBUTES = 2,
    MANY = 20011
}; /* more rows than a block of a format has, and not a multiple of it */

/* The value in row i of column c: all different, and some of them NaN, infinite or subnormal. */
static double value(size_t i, size_t c)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, -0.0, 0x1p-1074, -1.7976931348623157e308};
    if (c == 2 && i < 6)
        return odd[i];
    return ((double)i + 1 / 3.0) * (c == 3 ? -1e-200 : 1) + 0.1 * (double)c;
}

static ph_table *start(const char *name, const char *format, bool force)
{
    ph_table *table = NULL;
    tk_ok(ph_table_create(io_path(name), ph_table_format_find(format, NULL), columns, COLUMNS, attributes,
                          ATTRIBUTES, force, &table, tk_err));
    return table;
}

/* rows, `at_once` at a time. */
static ph_status write_rows(ph_table *table, size_t rows, size_t at_once, ph_error *err)
{
    TK_MEMORY double *some = malloc(at_once * COLUMNS * sizeof *some);
    ph_status status = PH_OK;
    for (size_t i = 0; i < rows && !status; i += at_once) {
        size_t n = rows - i < at_once ? rows - i : at_once;
        for (size_t k = 0; k < n * COLUMNS; k++)
            some[k] = value(i + k / COLUMNS, k % COLUMNS);
        status = ph_table_add(table, some, n, err);
    }
    return status;
}

static void make(const char *name, const char *format, size_t rows, size_t at_once)
{
    ph_table *table = start(name, format, false);
    tk_ok(write_rows(table, rows, at_once, tk_err));
    tk_ok(ph_table_close(table, tk_err));
}

static void check_same(const double *got, size_t rows, size_t stride, size_t c)
{
    for (size_t i = 0; i < rows; i++) {
        double want = value(i, c);
        ck_assert_msg(!memcmp(&got[i * stride], &want, sizeof want) ||
                          (isnan(want) && isnan(got[i * stride])),
                      "row %zu of column %zu is %a, not %a", i, c, got[i * stride], want);
    }
}

/* ---- Files ------------------------------------------------------------------------------------------ */

static size_t entries(bool clear)
{
    size_t n = 0;
    DIR *d = opendir(io_folder());
    ck_assert_ptr_nonnull(d);
    for (struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
            n++;
            if (clear)
                remove(io_path(e->d_name));
        }
    closedir(d);
    return n;
}

static void clear_folder(void)
{
    entries(true);
    io_remove_folder();
}

/* The whole file, in a block of exactly its length, so that reads beyond the end are detected. */
static unsigned char *take(const char *name, size_t *n)
{
    FILE *f = fopen(io_path(name), "rb");
    ck_assert_msg(f != NULL, "%s is not there", name);
    ck_assert(!fseek(f, 0, SEEK_END));
    *n = (size_t)ftell(f);
    rewind(f);
    unsigned char *bytes = malloc(*n + 1);
    ck_assert_uint_eq(fread(bytes, 1, *n, f), *n);
    fclose(f);
    return bytes;
}

static uint64_t little(const unsigned char *at, size_t n)
{
    uint64_t v = 0;
    while (n)
        v = v << 8 | at[--n];
    return v;
}

/* The dictionary of an .npy in `bytes`, without its padding; *data <- where the numbers begin. */
static char *npy_dictionary(const unsigned char *bytes, size_t n, unsigned version, size_t *data)
{
    ck_assert_uint_gt(n, 12);
    ck_assert(!memcmp(bytes, "\x93NUMPY", 6) && bytes[7] == 0);
    ck_assert_uint_eq(bytes[6], version);
    size_t before = version == 1 ? 10 : 12, length = (size_t)little(bytes + 8, version == 1 ? 2 : 4);
    *data = before + length;
    ck_assert_uint_le(*data, n);
    ck_assert_uint_eq(*data % 64, 0);
    ck_assert_uint_eq(bytes[*data - 1], '\n');
    char *text = strndup((const char *)bytes + before, length - 1);
    for (size_t k = strlen(text); k && text[k - 1] == ' ';)
        text[--k] = '\0';
    return text;
}

/* ---- CSV -------------------------------------------------------------------------------------------- */

TEST(csv)
{
    make("a", "csv", 8, 3);
    char *text = io_get("a"), *rest = NULL, *line = strtok_r(text, "\n", &rest);
    ck_assert_str_eq(line, "t[s],step,it's \\ \xce\xb8[],Pi1x[kg m^2/s]");
    for (size_t i = 0; i < 8; i++) {
        double got[COLUMNS];
        char *at = line = strtok_r(NULL, "\n", &rest);
        ck_assert_ptr_nonnull(line);
        for (size_t c = 0; c < COLUMNS; c++) {
            got[c] = strtod(at, &at);
            ck_assert_int_eq(*at++, c + 1 < COLUMNS ? ',' : '\0');
        }
        for (size_t c = 0; c < COLUMNS; c++)
            ck_assert(!memcmp(&got[c], (const double[]){value(i, c)}, 8) || isnan(value(i, c)));
    }
    ck_assert_ptr_null(strtok_r(NULL, "\n", &rest));
    free(text);
}

/* ---- NumPy ------------------------------------------------------------------------------------------ */

TEST(npy)
{
    static const size_t rows[] = {0, 1, 99, MANY};
    for (size_t k = 0; k < 4; k++) {
        char want[300];
        size_t n, data;
        make("a", "npy", rows[k], 1000);
        TK_MEMORY unsigned char *bytes = take("a", &n);
        TK_MEMORY char *dictionary = npy_dictionary(bytes, n, 3, &data);
        snprintf(
            want, sizeof want,
            "{'descr': [('t', '<f8'), ('step', '<f8'), ('it\\'s \\\\ \xce\xb8', '<f8'), ('Pi1x', '<f8')], "
            "'fortran_order': False, 'shape': (%zu,), }",
            rows[k]);
        ck_assert_str_eq(dictionary, want);
        ck_assert_uint_eq(n - data, rows[k] * COLUMNS * 8);
        TK_MEMORY double *values = malloc(n - data + 1);
        memcpy(values, bytes + data, n - data);
        for (size_t c = 0; c < COLUMNS; c++)
            check_same(values + c, rows[k], COLUMNS, c);
        remove(io_path("a"));
    }
}

/* Headers of less and of more than 65535 bytes have lengths of two and of four; both hold `n` fields of the
 * right names. */
TEST(npy_versions)
{
    for (size_t n = 1; n <= 9000; n += 8999) {
        TK_MEMORY ph_column *many = calloc(n, sizeof *many);
        char(*names)[8] = calloc(n, sizeof *names);
        TK_MEMORY double *row = calloc(n, sizeof *row);
        ph_table *table;
        size_t size, data, at = 0;
        for (size_t i = 0; i < n; i++) {
            snprintf(names[i], sizeof names[i], "c%zu", i % 100000);
            many[i] = (ph_column){.name = names[i], .unit = "m"};
            row[i] = (double)i;
        }
        ck_assert(!ph_table_create(io_path("a"), ph_table_format_find("npy", NULL), many, n, NULL, 0, true,
                                   &table, NULL));
        ck_assert(!ph_table_add(table, row, 1, NULL));
        ck_assert(!ph_table_close(table, NULL));
        TK_MEMORY unsigned char *bytes = take("a", &size);
        TK_MEMORY char *dictionary = npy_dictionary(bytes, size, n > 4000 ? 2 : 1, &data);
        for (size_t i = 0; i < n; i++) {
            char field[32];
            snprintf(field, sizeof field, "('%s', '<f8')", names[i]);
            const char *found = strstr(dictionary + at, field);
            ck_assert_ptr_nonnull(found);
            at = (size_t)(found - dictionary);
        }
        ck_assert_uint_eq(size - data, 8 * n);
        free(names);
    }
}

#ifdef HAVE_LIBARCHIVE
/* As in the standard of zip, APPNOTE 4.4.7, bit by bit. */
static uint32_t crc32_of(const unsigned char *bytes, size_t n)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* The i-th file of a zip that stores them, found by the directory at its end. */
static const unsigned char *zip_entry(const unsigned char *zip, size_t n, size_t i, char name[64],
                                      size_t *size)
{
    const unsigned char *end = zip + n - 22;
    ck_assert(little(end, 4) == 0x06054b50);
    ck_assert_uint_lt(i, little(end + 10, 2));
    const unsigned char *at = zip + little(end + 16, 4);
    while (i--)
        at += 46 + little(at + 28, 2) + little(at + 30, 2) + little(at + 32, 2);
    ck_assert(little(at, 4) == 0x02014b50);
    ck_assert_uint_eq(little(at + 10, 2), 0); /* stored */
    ck_assert_uint_eq(little(at + 20, 4), little(at + 24, 4));
    *size = little(at + 24, 4);
    snprintf(name, 64, "%.*s", (int)little(at + 28, 2), (const char *)at + 46);
    if (strchr(name, '\xce'))
        ck_assert(little(at + 8, 2) & 1 << 11); /* says that names are UTF-8 */
    const unsigned char *local = zip + little(at + 42, 4), *bytes;
    ck_assert(little(local, 4) == 0x04034b50);
    bytes = local + 30 + little(local + 26, 2) + little(local + 28, 2);
    ck_assert_uint_le((size_t)(bytes - zip) + *size, n);
    ck_assert_uint_eq(crc32_of(bytes, *size), little(at + 16, 4));
    return bytes;
}

/* An array (rows, 2) of texts, as UTF-32. */
static void check_pairs(const unsigned char *bytes, size_t n, const char *const (*want)[2], size_t rows,
                        size_t width)
{
    char expected[160];
    size_t data;
    TK_MEMORY char *dictionary = npy_dictionary(bytes, n, 1, &data);
    snprintf(expected, sizeof expected, "{'descr': '<U%zu', 'fortran_order': False, 'shape': (%zu, 2), }",
             width, rows);
    ck_assert_str_eq(dictionary, expected);
    ck_assert_uint_eq(n - data, rows * 2 * width * 4);
    for (size_t i = 0; i < 2 * rows; i++) {
        const char *s = want[i / 2][i % 2];
        for (size_t k = 0; k < width; k++) {
            uint64_t code = little(bytes + data + 4 * (i * width + k), 4);
            if (!strncmp(s, "\xce\xb8", 2)) { /* theta */
                ck_assert_uint_eq(code, 0x3b8);
                s += 2;
            } else {
                ck_assert_uint_eq(code, (unsigned char)*s);
                s += *s != '\0';
            }
        }
    }
}

TEST(npz)
{
    static const char *const units[][2] = {
        {"t", "s"}, {"step", ""}, {"it's \\ \xce\xb8", ""}, {"Pi1x", "kg m^2/s"}};
    static const char *const facts[][2] = {{"model", "chain-pendulum"},
                                           {"scenario", "polhode: 1\nmodel: \"\xce\xb8\"\n"}};
    static const size_t rows[] = {0, 5, MANY};
    for (size_t k = 0; k < 3; k++) {
        char name[64], want[100];
        size_t n, size, data;
        make("a", "npz", rows[k], 777);
        TK_MEMORY unsigned char *zip = take("a", &n);
        for (size_t c = 0; c < COLUMNS; c++) {
            const unsigned char *bytes = zip_entry(zip, n, c, name, &size);
            snprintf(want, sizeof want, "%s.npy", columns[c].name);
            ck_assert_str_eq(name, want);
            TK_MEMORY char *dictionary = npy_dictionary(bytes, size, 1, &data);
            snprintf(want, sizeof want, "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu,), }",
                     rows[k]);
            ck_assert_str_eq(dictionary, want);
            ck_assert_uint_eq(size - data, 8 * rows[k]);
            TK_MEMORY double *values = malloc(size - data + 1);
            memcpy(values, bytes + data, size - data);
            check_same(values, rows[k], 1, c);
        }
        const unsigned char *bytes = zip_entry(zip, n, COLUMNS, name, &size);
        ck_assert_str_eq(name, "units.npy");
        check_pairs(bytes, size, units, COLUMNS, 8);
        bytes = zip_entry(zip, n, COLUMNS + 1, name, &size);
        ck_assert_str_eq(name, "attributes.npy");
        check_pairs(bytes, size, facts, ATTRIBUTES, 22);
        ck_assert_uint_eq(little(zip + n - 12, 2), COLUMNS + 2);
        remove(io_path("a"));
    }
    ph_table *table;
    static const char *const kept[] = {"units", "numbers/q"};
    for (size_t k = 0; k < 2; k++) {
        tk_refused(ph_table_create(io_path("a"), ph_table_format_find("npz", NULL),
                                   (ph_column[]){{.name = kept[k], .unit = "1"}}, 1, NULL, 0, false, &table,
                                   tk_err),
                   PH_E_INVALID, kept[k]);
    }
    ck_assert_uint_eq(entries(false), 0);
}
#endif

/* ---- HDF5 ------------------------------------------------------------------------------------------- */

#ifdef HAVE_HDF5
static char *text_attribute(hid_t object, const char *name)
{
    char *text = NULL;
    hid_t a = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(a);
    ck_assert(H5Tis_variable_str(type) > 0 && H5Tget_cset(type) == H5T_CSET_UTF8);
    ck_assert(H5Aread(a, type, &text) >= 0);
    H5Tclose(type);
    H5Aclose(a);
    return text;
}

static void check_text(hid_t object, const char *name, const char *want)
{
    char *text = text_attribute(object, name);
    ck_assert_str_eq(text, want);
    H5free_memory(text);
}

static void check_dataset(hid_t file, size_t c, size_t rows)
{
    hsize_t size, most;
    char name[64];
    hbool_t dated = 1;
    /* in the root group they have the order of the table, and no date: the same table is the same file
     * tomorrow */
    ck_assert(H5Lget_name_by_idx(file, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, c, name, sizeof name,
                                 H5P_DEFAULT) > 0);
    ck_assert_str_eq(name, columns[c].name);
    hid_t set = H5Dopen2(file, columns[c].name, H5P_DEFAULT), made = H5Dget_create_plist(set);
    ck_assert(H5Pget_obj_track_times(made, &dated) >= 0 && !dated);
    H5Pclose(made);
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    ck_assert_int_eq(H5Sget_simple_extent_ndims(space), 1);
    H5Sget_simple_extent_dims(space, &size, &most);
    ck_assert_uint_eq(size, rows);
    ck_assert(most == H5S_UNLIMITED);
    ck_assert(H5Tequal(type, H5T_IEEE_F64LE) > 0);
    TK_MEMORY double *values = malloc(rows * sizeof *values + 1);
    ck_assert(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    check_same(values, rows, 1, c);
    if (columns[c].unit)
        check_text(set, "unit", columns[c].unit);
    else
        ck_assert_int_eq(H5Aexists(set, "unit"), 0);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
}

/* The attribute `columns`: n names, in order. */
static void check_names(hid_t file, const ph_column *want, size_t n)
{
    char **names = calloc(n, sizeof *names);
    hid_t a = H5Aopen(file, "columns", H5P_DEFAULT), type = H5Aget_type(a), space = H5Aget_space(a);
    ck_assert_int_eq(H5Sget_simple_extent_npoints(space), (long)n);
    ck_assert(H5Aread(a, type, names) >= 0);
    for (size_t i = 0; i < n; i++) {
        ck_assert_str_eq(names[i], want[i].name);
        H5free_memory(names[i]);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(a);
    free(names);
}

TEST(hdf5)
{
    static const size_t rows[] = {0, 5, MANY};
    for (size_t k = 0; k < 3; k++) {
        make("a", "hdf5", rows[k], 777);
        hid_t file = H5Fopen(io_path("a"), H5F_ACC_RDONLY, H5P_DEFAULT);
        ck_assert(file >= 0);
        for (size_t c = 0; c < COLUMNS; c++)
            check_dataset(file, c, rows[k]);
        check_names(file, columns, COLUMNS);
        for (size_t i = 0; i < ATTRIBUTES; i++)
            check_text(file, attributes[i].key, attributes[i].text);
        ck_assert(H5Fclose(file) >= 0);
        remove(io_path("a"));
    }
}

/* So many columns that the list of their names is longer than 64 kB, the former limit of HDF5's
 * attributes. */
TEST(hdf5_many)
{
    enum { N = 6000 };
    static ph_column many[N];
    static char names[N][8];
    static double rows[3 * N];
    ph_table *table;
    for (size_t i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "c%zu", i % 100000);
        many[i] = (ph_column){.name = names[i], .unit = "m"};
    }
    for (size_t i = 0; i < 3 * N; i++)
        rows[i] = (double)i;
    ck_assert(!ph_table_create(io_path("a"), ph_table_format_find("hdf5", NULL), many, N, NULL, 0, true,
                               &table, tk_err));
    for (int k = 0; k < 100; k++)
        ck_assert(!ph_table_add(table, rows, 3, NULL));
    tk_ok(ph_table_close(table, tk_err));
    hid_t file = H5Fopen(io_path("a"), H5F_ACC_RDONLY, H5P_DEFAULT);
    check_names(file, many, N);
    for (size_t i = 0; i < N; i += 499) {
        double got[300];
        hid_t set = H5Dopen2(file, names[i], H5P_DEFAULT);
        ck_assert(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
        for (size_t k = 0; k < 300; k++)
            ck_assert_double_eq(got[k], (double)(k % 3 * N + i));
        H5Dclose(set);
    }
    ck_assert(H5Fclose(file) >= 0);
}

/* A program that uses HDF5 itself is not affected: its setting of how errors are printed is unchanged. */
static herr_t counted(hid_t stack, void *self)
{
    (void)stack;
    ++*(int *)self;
    return 0;
}

TEST(hdf5_errors_of_others)
{
    int count = 0;
    H5Eset_auto2(H5E_DEFAULT, counted, &count);
    make("a", "hdf5", 5, 5);
    ck_assert_int_eq(count, 0);
    ck_assert(H5Fopen("/missing", H5F_ACC_RDONLY, H5P_DEFAULT) < 0);
    ck_assert_int_eq(count, 1);
    ck_assert_int_eq(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* Columns with slashes lie in groups, which have no date either: the same a second later. */
TEST(hdf5_groups)
{
    static const ph_column inside[] = {{.name = "a/b/c", .unit = "s"},
                                       {.name = "a/b/d", .unit = NULL},
                                       {.name = "a/e", .unit = "1"},
                                       {.name = "f", .unit = NULL}};
    const double row[] = {1, 2, 3, 4};
    unsigned char *files[2];
    size_t sizes[2];
    for (int k = 0; k < 2; k++) {
        ph_table *table = NULL;
        nanosleep(&(struct timespec){.tv_sec = k}, NULL);
        tk_ok(ph_table_create(io_path("a"), ph_table_format_find("hdf5", NULL), inside, 4, NULL, 0, true,
                              &table, tk_err));
        ck_assert(!ph_table_add(table, row, 1, tk_err));
        ck_assert(!ph_table_close(table, tk_err));
        files[k] = take("a", &sizes[k]);
    }
    ck_assert_uint_eq(sizes[0], sizes[1]);
    ck_assert(!memcmp(files[0], files[1], sizes[0]));
    hid_t file = H5Fopen(io_path("a"), H5F_ACC_RDONLY, H5P_DEFAULT);
    for (int c = 0; c < 4; c++) {
        double got = 0;
        hid_t column = H5Dopen2(file, inside[c].name, H5P_DEFAULT);
        ck_assert(column >= 0 &&
                  H5Dread(column, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &got) >= 0);
        ck_assert(got == row[c]);
        H5Dclose(column);
    }
    H5Fclose(file);
    free(files[0]);
    free(files[1]);
}
#endif

/* ---- All formats ------------------------------------------------------------------------------------ */

static const ph_table_format *available[4]; /* those of this build, by main */
static int n_available;

/* However the rows are divided into calls, the file is the same; so is one written a second later. */
TEST_EACH(same_bytes, n_available)
{
    const ph_table_format *f = available[_i];
    static const size_t at_once[] = {1, 8192, MANY};
    size_t n, m;
    make("a", ph_table_format_name(f), MANY, 100);
    TK_MEMORY unsigned char *first = take("a", &n);
    for (size_t k = 0; k < 3; k++) {
        remove(io_path("a"));
        if (k == 0)
            nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
        make("a", ph_table_format_name(f), MANY, at_once[k]);
        TK_MEMORY unsigned char *other = take("a", &m);
        ck_assert_uint_eq(n, m);
        ck_assert(!memcmp(first, other, n));
    }
}

/* A disk that is full anywhere between the first byte and the last: PH_E_IO, the reason, and nothing left
 * behind. */
TEST_EACH(disk_full, n_available)
{
    const ph_table_format *f = available[_i];
    struct rlimit before, small;
    size_t n;
    make("a", ph_table_format_name(f), MANY, MANY);
    free(take("a", &n));
    io_put("a", "old");
    ck_assert(!getrlimit(RLIMIT_FSIZE, &before));
    small = before;
    signal(SIGXFSZ, SIG_IGN);
    for (size_t k = 0; k <= 16; k++) {
        ph_table *table = NULL;
        small.rlim_cur = k < 16 ? n * k / 16 : n - 1;
        ck_assert(!setrlimit(RLIMIT_FSIZE, &small));
        ph_status status =
            ph_table_create(io_path("a"), f, columns, COLUMNS, attributes, ATTRIBUTES, true, &table, tk_err);
        if (!status) {
            status = write_rows(table, MANY, 5000, tk_err);
            if (status)
                ph_table_abandon(table);
            else
                status = ph_table_close(table, tk_err);
        }
        ck_assert(!setrlimit(RLIMIT_FSIZE, &before));
        ck_assert_msg(status == PH_E_IO, "%zu of %zu bytes: %s", (size_t)small.rlim_cur, n,
                      ph_status_name(status));
        ck_assert_msg(strstr(tk_err->message, "File too large") != NULL, "%s", tk_err->message);
        io_check_content("a", "old");
        ck_assert_uint_eq(entries(false), 1);
    }
}

TEST_EACH(places, n_available)
{
    const ph_table_format *f = available[_i];
    ph_table *table, *other;
    const char *name = ph_table_format_name(f);
    io_put("a", "old");
    tk_refused(ph_table_create(io_path("a"), f, columns, COLUMNS, NULL, 0, false, &table, tk_err),
               PH_E_EXISTS, "exists already");
    tk_refused(ph_table_create(io_path("a/b"), f, columns, COLUMNS, NULL, 0, false, &table, tk_err), PH_E_IO,
               "Not a directory");
    ck_assert(!mkdir(io_path("x"), 0777));
    tk_refused(ph_table_create(io_path("x"), f, columns, COLUMNS, NULL, 0, true, &table, tk_err), PH_E_IO,
               "directory");
    /* given up, before and after rows */
    table = start("a", name, true);
    ph_table_abandon(table);
    table = start("a", name, true);
    ck_assert(!write_rows(table, MANY, 1000, tk_err));
    /* one writer at a time */
    tk_refused(ph_table_create(io_path("a"), f, columns, COLUMNS, NULL, 0, true, &other, tk_err), PH_E_EXISTS,
               "another program");
    ck_assert(io_there("a.part"));
    ph_table_abandon(table);
    ph_table_abandon(NULL);
    io_check_content("a", "old");
    ck_assert_uint_eq(entries(false), 2);
    /* replaced; the leftover of a crash does not prevent it */
    io_put("a.part", "left over by a crash, and longer than what a table of one row and one column has");
    table = start("a", name, true);
    ck_assert(!write_rows(table, 3, 3, tk_err));
    tk_ok(ph_table_close(table, tk_err));
    size_t n, m;
    TK_MEMORY unsigned char *replaced = take("a", &n), *fresh = NULL;
    make("b", name, 3, 1);
    fresh = take("b", &m);
    ck_assert(n == m && !memcmp(fresh, replaced, n));
    ck_assert_uint_eq(entries(false), 3);
}

TEST_EACH(mistakes, n_available)
{
    const ph_table_format *f = available[_i];
    static const struct {
        ph_column columns[2];
        size_t n;
        ph_attribute attribute;
        const char *says;
    } wrong[] = {
        {{{.name = "a", .unit = NULL}}, 0, {"k", "x"}, "at least one column"},
        {{{.name = "a", .unit = NULL}, {.name = "a", .unit = "m"}},
         2,
         {"k", "x"},
         "two columns are called \"a\""},
        {{{.name = "a", .unit = NULL}, {.name = "", .unit = "m"}}, 2, {"k", "x"}, "column 2"},
        {{{.name = "a\n", .unit = NULL}}, 1, {"k", "x"}, "column 1"},
        {{{.name = "../a", .unit = NULL}}, 1, {"k", "x"}, "leads out of a folder"},
        {{{.name = "/a", .unit = NULL}}, 1, {"k", "x"}, "leads out of a folder"},
        {{{.name = "a/..", .unit = NULL}}, 1, {"k", "x"}, "leads out of a folder"},
        {{{.name = "a", .array = "/q", .shape = {1}}}, 1, {"k", "x"}, "leads out of a folder"},
        {{{.name = "=a", .unit = NULL}}, 1, {"k", "x"}, "begins with \"=\""},
        {{{.name = "a", .unit = "\xff"}}, 1, {"k", "x"}, "column 1"},
        {{{.name = "a", .unit = "\x7f"}}, 1, {"k", "x"}, "column 1"},
        {{{.name = "a", .array = "q", .shape = {2}}},
         1,
         {"k", "x"},
         "the array \"q\" needs 2 columns that follow one another, from column 1"},
        {{{.name = "a", .array = "q", .shape = {2}}, {.name = "b", .array = "p", .shape = {2}}},
         2,
         {"k", "x"},
         "the array \"q\" needs 2 columns"},
        {{{.name = "a", .array = "q", .shape = {0}}, {.name = "b", .array = "q", .shape = {0}}},
         2,
         {"k", "x"},
         "the array \"q\" needs 0 columns"},
        {{{.name = "a", .array = "b", .shape = {1}}, {.name = "b"}},
         2,
         {"k", "x"},
         "two arrays are called \"b\""},
        {{{.name = "a", .array = "", .shape = {1}}, {.name = "b"}},
         2,
         {"k", "x"},
         "the name of array 1 is empty"},
        {{{.name = "a", .unit = "m"}}, 1, {"", "x"}, "attribute 1"},
        {{{.name = "a", .unit = "m"}}, 1, {"k\n", "x"}, "attribute 1"},
        {{{.name = "a", .unit = "m"}}, 1, {"k", NULL}, "attribute 1"},
        {{{.name = "a", .unit = "m"}}, 1, {"k", "\xc3"}, "attribute 1"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ph_table *table;
        tk_refused(ph_table_create(io_path("a"), f, wrong[i].columns, wrong[i].n, &wrong[i].attribute, 1,
                                   false, &table, tk_err),
                   PH_E_INVALID, wrong[i].says);
        ck_assert_uint_eq(entries(false), 0);
    }
}

/* ---- Columns as arrays ------------------------------------------------------------------------------- */

/* Columns of a source; which of them, NULL: all; and what is expected, by hand: of each array its name and shape, then of its columns
 * the place in the source and the number of the factor; of a column without array its place. */
static const struct {
    const char *source, *picked, *arrays;
} groupings[] = {
    {"t energy", NULL, "0 1"},
    /* numbers of factors may have gaps; columns between those of an array come behind it */
    {"x2_1 x2_2 t x5_1 x5_2", NULL, "x(2,2) 0:2 1:2 3:5 4:5 2"},
    {"R7xx R7xy R7xz R7yx R7yy R7yz R7zx R7zy R7zz", NULL, "R(1,3,3) 0:7 1:7 2:7 3:7 4:7 5:7 6:7 7:7 8:7"},
    {"quaternion1w quaternion1x quaternion1y quaternion1z", NULL, "quaternion(1,4) 0:1 1:1 2:1 3:1"},
    /* a number each; R^9 is no rotation */
    {"tension1 tension2 x1_1 x1_2 x1_3 x1_4 x1_5 x1_6 x1_7 x1_8 x1_9", NULL,
     "tension(2) 0:1 1:2 x(1,9) 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1"},
    /* a circle and a sphere: an array each; pi1 would have the name of its only column */
    {"q1x q1y q2x q2y q2z pi1 pi2x pi2y pi2z", NULL, "q1(2) 0:1 1:1 q2(3) 2:2 3:2 4:2 5 pi2(3) 6:2 7:2 8:2"},
    /* the order is that of the choice; a part of a factor, or one in another order, makes none */
    {"q1x q1y q1z q2x q2y q2z q3x q3y q3z q4x q4y q4z", "6 7 8 0 3 4 5 1 11 10 9",
     "q(2,3) 6:3 7:3 8:3 3:2 4:2 5:2 0 1 11 10 9"},
    /* two momenta are a part of a sphere's; a column has the name that the array would have; a pair has two numbers */
    {"pi1x pi1y tension tension1 distance1_2", NULL, "0 1 2 3 4"},
    /* no numbers of factors */
    {"q0x q0y q0z x01_1 1 q99999999999999999999x 7x", NULL, "0 1 2 3 4 5 6"},
};

/* text <- the columns (n), as those above are written. */
static void write_arrays(char *text, size_t size, const ph_column *some, const size_t *picked, size_t n)
{
    size_t used = 0;
    for (size_t c = 0; c < n; c++) {
        const ph_column *column = &some[c];
        const size_t *shape = column->shape;
        used += (size_t)snprintf(text + used, size - used, "%s", c ? " " : "");
        if (column->array && (!c || !some[c - 1].array || strcmp(some[c - 1].array, column->array))) {
            used += (size_t)snprintf(text + used, size - used, "%s(%zu", column->array, shape[0]);
            for (size_t i = 1; i < 3 && shape[i]; i++)
                used += (size_t)snprintf(text + used, size - used, ",%zu", shape[i]);
            used += (size_t)snprintf(text + used, size - used, ") ");
        }
        used += (size_t)snprintf(text + used, size - used, column->number ? "%zu:%zu" : "%zu", picked[c],
                                 column->number);
    }
}

TEST_EACH(columns_as_arrays, sizeof groupings / sizeof groupings[0])
{
    char words[300], names[24][PH_COLUMN_NAME], text[300];
    ph_column source[24], got[24];
    size_t n = 0, m = 0, picked[24];
    snprintf(words, sizeof words, "%s", groupings[_i].source);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        /* what the source says of arrays itself is not taken over */
        source[n++] = (ph_column){.name = word, .unit = "m", .array = "old", .number = 3, .shape = {1}};
    for (const char *at = groupings[_i].picked; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
        picked[m++] = strtoul(at, NULL, 10);
    for (; m < n && !groupings[_i].picked; m++)
        picked[m] = m;
    tk_ok(ph_table_arrays(source, n, picked, m, got, names[0], tk_err));
    write_arrays(text, sizeof text, got, picked, m);
    ck_assert_str_eq(text, groupings[_i].arrays);
    for (size_t c = 0; c < m; c++)
        ck_assert(got[c].name == source[picked[c]].name && got[c].unit == source[picked[c]].unit);
    /* formats take them as they are */
    for (size_t f = 0; f < ph_table_formats(); f++) {
        const ph_table_format *format = ph_table_format_at(f);
        ph_table *table;
        if (ph_table_format_available(format, NULL))
            continue;
        tk_ok(ph_table_create(io_path("a"), format, got, m, NULL, 0, true, &table, tk_err));
        ph_table_abandon(table);
    }
}

TEST(arrays_of_what_is_not_there)
{
    const ph_column source[] = {{.name = "t"}, {.name = NULL}};
    ph_column got[2];
    char names[2 * PH_COLUMN_NAME];
    size_t picked[] = {0, 1};
    tk_refused(ph_table_arrays(source, 1, picked, 2, got, names, tk_err), PH_E_RANGE,
               "picked[1] is 1; the source has 1 columns");
    tk_refused(ph_table_arrays(source, 2, picked, 1, got, names, tk_err), PH_E_INVALID,
               "column 1 has no name");
    tk_ok(ph_table_arrays(source, 1, picked, 0, got, names, NULL));
}

/* Names of any length must not crash any format: libarchive's zip writer corrupts memory from 65536 bytes on.
 * A name that is too long is reported, with the limit. */
TEST_EACH(long_names, n_available)
{
    enum { LONGEST = 300000 };
    static const size_t lengths[] = {255, 256, 4096, 65400, 65536, 66000, LONGEST};
    const ph_table_format *f = available[_i];
    TK_MEMORY char *name = malloc(LONGEST + 1), *umlauts = malloc(258);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (int what = 0; what < 3; what++) {
            ph_table *table = NULL;
            ph_error err = {PH_OK, ""};
            memset(name, 'a', lengths[i]);
            name[lengths[i]] = '\0';
            const ph_column two[] = {{.name = "t", .unit = "s"},
                                     {.name = what == 0 ? name : "b", .unit = what == 1 ? name : "m"}};
            const ph_attribute one = {what == 2 ? name : "k", "text"};
            const ph_status status = ph_table_create(io_path("a"), f, two, 2, &one, 1, false, &table, &err);
            ck_assert_int_eq(status, lengths[i] > 255 ? PH_E_INVALID : PH_OK);
            if (status) {
                char bytes[40];
                snprintf(bytes, sizeof bytes, "has %zu bytes; at most 255", lengths[i]);
                ck_assert_msg(strstr(err.message, bytes) && strstr(err.message, "\"aaaaaaaa"), "%s",
                              err.message);
                ck_assert_ptr_nonnull(strstr(err.message, what == 0   ? "name of column 2"
                                                          : what == 1 ? "unit of column 2"
                                                                      : "key of attribute 1"));
                ck_assert_uint_eq(entries(false), 0);
                continue;
            }
            tk_ok(ph_table_add(table, (const double[]){1, 2, 3, 4}, 2, NULL));
            ck_assert_msg(!ph_table_close(table, &err), "%s", err.message);
            ck_assert_int_eq(remove(io_path("a")), 0);
        }
    /* the part that is shown ends with a whole character */
    for (int lead = 0; lead < 2; lead++) {
        ph_table *table;
        ph_error err;
        memset(umlauts, 'x', 257);
        for (int i = 0; i < 128; i++)
            memcpy(umlauts + lead + 2 * i, "\xc3\xa4", 2);
        umlauts[256 + lead] = '\0';
        ck_assert_int_eq(
            ph_table_create(io_path("a"), f, &(ph_column){.name = umlauts}, 1, NULL, 0, false, &table, &err),
            PH_E_INVALID);
        ck_assert_msg(strstr(err.message, lead ? "\xa4...\"" : "\xc3\xa4...\""), "%s", err.message);
    }
}

TEST(names)
{
    static const char *const endings[][2] = {{"a.csv", "csv"}, {"x/y.z/a.npy", "npy"}, {"a.csv.npz", "npz"},
                                             {"a.h5", "hdf5"}, {"a.HDF5", "hdf5"},     {"a.cSv", "csv"}};
    static const char *const none[] = {"a", "csv", "x.csv/a", "a.h", "a.hdf5x", "a.", "a.h5 hdf5", ".npy/"};
    ph_error err;
    ck_assert_uint_eq(ph_table_formats(), 4);
    ck_assert_ptr_null(ph_table_format_at(4));
    for (size_t i = 0; i < 4; i++) {
        const ph_table_format *f = ph_table_format_at(i);
        ck_assert_ptr_eq(ph_table_format_find(ph_table_format_name(f), NULL), f);
    }
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        ck_assert_ptr_eq(ph_table_format_of(endings[i][0], &err), ph_table_format_find(endings[i][1], NULL));
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        ck_assert_msg(!ph_table_format_of(none[i], &err), "%s", none[i]);
        ck_assert_int_eq(err.status, PH_E_UNKNOWN);
        ck_assert_ptr_nonnull(strstr(err.message, ".h5"));
    }
    ck_assert_ptr_null(ph_table_format_find("hdf", &err));
    ck_assert_ptr_nonnull(strstr(err.message, "did you mean \"hdf5\"?"));
    /* for formats that this build lacks, the message says what to install */
    for (size_t i = 0; i < 4; i++) {
        ph_table *table;
        const ph_table_format *f = ph_table_format_at(i);
        if (!ph_table_format_available(f, &err))
            continue;
        ck_assert_ptr_nonnull(strstr(err.message, "Debian: lib"));
        ck_assert_int_eq(ph_table_create(io_path("a"), f, columns, COLUMNS, NULL, 0, false, &table, NULL),
                         PH_E_UNSUPPORTED);
    }
}

int main(void)
{
    for (size_t i = 0; i < ph_table_formats(); i++) {
        const ph_table_format *f = ph_table_format_at(i);
        if (!ph_table_format_available(f, tk_err))
            available[n_available++] = f;
        else
            untried(NULL, "%s: %s", ph_table_format_name(f), tk_err->message);
    }
    return tk_run_in("table", io_make_folder, clear_folder);
}
