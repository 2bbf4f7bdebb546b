/* SPDX-License-Identifier: BSD-3-Clause */
/* A table as HDF5: an extendible dataset for each array, with the attribute `unit` and, if its columns have numbers, `numbers`;
 * attributes of the table are those of the root group, whose attribute `columns` lists the datasets in order.
 * HDF5 writes through a driver of our own (hdf5-driver.h) into the file that is renamed at the end. */
#include "config.h"

#include "hdf5-driver.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

typedef struct open_objects {
    ph_hdf5 library;
    ph_hdf5_file *opened;
    hid_t driver, access, file, text, *columns; /* each < 0, or as many as there are arrays: not open */
    double *gathered;                           /* rows of an array */
} open_objects;

/* ---- Errors --------------------------------------------------------------------------------------- */

/* Keeps the description of the innermost error: the first one of the walk. */
static herr_t keep_innermost(unsigned n, const H5E_error2_t *e, void *text)
{
    if (!n)
        snprintf(text, 200, "%s", e->desc ? e->desc : "");
    return 0;
}

/* The error of the file, if there is one, is reported rather than HDF5's message about it. */
static ph_status fail_hdf5(const ph_table *t, ph_error *err)
{
    PH_HDF5_OF(&((const open_objects *)t->own)->library);
    char text[200] = "";
    ph_status status = ph_file_check(t->file, err);
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, text);
    return status ? status : ph_fail(err, PH_E_IO, "%s: HDF5: %s", t->path, text);
}

/* ---- Attributes ------------------------------------------------------------------------------------ */

static bool is_open(hid_t id)
{
    return id >= 0;
}

/* Writes an attribute of n texts; n = 0: a single text that is not in an array. */
static bool put_texts(const open_objects *b, hid_t object, const char *name, const char *const *texts,
                      size_t n)
{
    PH_HDF5_OF(&b->library);
    hsize_t size = n;
    hid_t space = n ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute =
        is_open(space) ? H5Acreate2(object, name, b->text, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    bool done = is_open(attribute) && H5Awrite(attribute, b->text, texts) >= 0;
    if (is_open(attribute))
        done = H5Aclose(attribute) >= 0 && done;
    if (is_open(space))
        H5Sclose(space);
    return done;
}

/* The list of the columns, and the attributes of the table, at the root group. */
static bool put_attributes(const ph_table *t)
{
    const open_objects *b = t->own;
    const char **names = malloc(t->n_arrays * sizeof *names);
    bool done = names != NULL;
    for (size_t c = 0; c < t->n_arrays && done; c++)
        names[c] = t->arrays[c].name;
    done = done && put_texts(b, b->file, "columns", names, t->n_arrays);
    for (size_t i = 0; i < t->n_attributes && done; i++)
        done = put_texts(b, b->file, t->attributes[i].key, &t->attributes[i].text, 0);
    free(names);
    return done;
}

/* ---- Columns --------------------------------------------------------------------------------------- */

/* Creates the groups that contain a column "a/b/c". */
static bool create_groups(const open_objects *b, const char *name)
{
    PH_HDF5_OF(&b->library);
    hid_t create = H5Pcreate(H5P_GROUP_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
    char *path = strdup(name);
    bool done =
        path && H5Pset_obj_track_times(create, 0) >= 0 && H5Pset_char_encoding(links, H5T_CSET_UTF8) >= 0;
    for (char *slash = path ? strchr(path + 1, '/') : NULL; slash && done; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!(H5Lexists(b->file, path, H5P_DEFAULT) > 0)) {
            hid_t group = H5Gcreate2(b->file, path, links, create, H5P_DEFAULT);
            done = is_open(group) && H5Gclose(group) >= 0;
        }
        *slash = '/';
    }
    free(path);
    H5Pclose(links);
    H5Pclose(create);
    return done;
}

/* The most dimensions of an array: groups, rows, and its shape. */
enum { RANK = 5 };

/* Dimensions of the array: rows of its shape; of a table with groups so many groups, of so many rows. */
static int put_shape(const ph_table *t, const ph_table_array *a, hsize_t groups, hsize_t rows,
                     hsize_t size[RANK])
{
    int rank = 0;
    if (t->group > 1)
        size[rank++] = groups;
    size[rank++] = rows;
    for (size_t k = 0; k < a->rank; k++)
        size[rank++] = a->shape[k];
    return rank;
}

/* The attribute `numbers` of the array's dataset, if it has some. */
static bool put_numbers(const ph_table *t, const ph_table_array *a, hid_t dataset)
{
    PH_HDF5_OF(&((const open_objects *)t->own)->library);
    int64_t *list = malloc(a->count * sizeof *list);
    const hsize_t n = list ? ph_array_numbers(a, t->columns, list) : 0;
    hid_t space = n ? H5Screate_simple(1, &n, NULL) : -1, attribute = -1;
    bool done = list && !n;
    if (is_open(space))
        attribute = H5Acreate2(dataset, "numbers", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    if (is_open(attribute)) {
        done = H5Awrite(attribute, H5T_NATIVE_INT64, list) >= 0;
        done = H5Aclose(attribute) >= 0 && done;
    }
    if (is_open(space))
        H5Sclose(space);
    free(list);
    return done;
}

/* Chunks are as long as what is written at a time, so that none is read again; HDF5's chunk caches are
 * therefore not needed. */
static bool create_column(ph_table *t, size_t c, size_t rows, hid_t links)
{
    open_objects *b = t->own;
    PH_HDF5_OF(&b->library);
    const ph_table_array *a = &t->arrays[c];
    hsize_t none[RANK], any[RANK], piece[RANK];
    const bool grouped = t->group > 1;
    const hsize_t chunk = rows ? rows : 1, inside = t->group < chunk ? t->group : chunk;
    const int rank = put_shape(t, a, 0, grouped ? t->group : 0, none);
    put_shape(t, a, H5S_UNLIMITED, grouped ? t->group : H5S_UNLIMITED, any);
    put_shape(t, a, chunk / inside, grouped ? inside : chunk, piece);
    hid_t space = H5Screate_simple(rank, none, any), create = H5Pcreate(H5P_DATASET_CREATE);
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    bool done =
        is_open(space) && H5Pset_chunk(create, rank, piece) >= 0 && H5Pset_obj_track_times(create, 0) >= 0 &&
        H5Pset_fill_time(create, H5D_FILL_TIME_NEVER) >= 0 &&
        H5Pset_chunk_cache(access, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, 0, H5D_CHUNK_CACHE_W0_DEFAULT) >= 0 &&
        create_groups(b, a->name);
    if (done) {
        b->columns[c] = H5Dcreate2(b->file, a->name, H5T_IEEE_F64LE, space, links, create, access);
        done = is_open(b->columns[c]) && (!a->unit || put_texts(b, b->columns[c], "unit", &a->unit, 0)) &&
               put_numbers(t, a, b->columns[c]);
    }
    H5Pclose(access);
    H5Pclose(create);
    H5Sclose(space);
    return done;
}

static bool create_columns(ph_table *t, size_t rows)
{
    PH_HDF5_OF(&((const open_objects *)t->own)->library);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    bool done = H5Pset_char_encoding(links, H5T_CSET_UTF8) >= 0;
    for (size_t c = 0; c < t->n_arrays && done; c++)
        done = create_column(t, c, rows, links);
    H5Pclose(links);
    return done;
}

/* Writes n rows of the array, from this row on: of one group, of whole groups, or of a table without groups. */
static bool put_piece(const ph_table *t, size_t c, const double *rows, hsize_t row, hsize_t n)
{
    const open_objects *b = t->own;
    PH_HDF5_OF(&b->library);
    const ph_table_array *a = &t->arrays[c];
    const hsize_t each = t->group, group = row / each, groups = n / each, last = (row + n + each - 1) / each;
    const bool grouped = each > 1, whole = grouped && groups > 0;
    hsize_t first[RANK] = {grouped ? group : row, grouped ? row % each : 0}, size[RANK], piece[RANK];
    const int rank = put_shape(t, a, last, grouped ? each : row + n, size);
    put_shape(t, a, whole ? groups : 1, whole ? each : n, piece);
    hid_t memory = H5Screate_simple(rank, piece, NULL), file = -1;
    bool done = H5Dset_extent(b->columns[c], size) >= 0 && is_open(file = H5Dget_space(b->columns[c])) &&
                H5Sselect_hyperslab(file, H5S_SELECT_SET, first, NULL, piece, NULL) >= 0 &&
                H5Dwrite(b->columns[c], H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, rows) >= 0;
    if (is_open(file))
        H5Sclose(file);
    H5Sclose(memory);
    return done;
}

/* Appends n rows to the dataset of array c. */
static bool put_column(const ph_table *t, size_t c, const double *values, hsize_t n)
{
    const open_objects *b = t->own;
    const ph_table_array *a = &t->arrays[c];
    const hsize_t each = t->group;
    const double *from = b->gathered;
    bool done = true;
    ph_array_gather(a, values, t->room, n, b->gathered);
    for (hsize_t row = (hsize_t)t->rows, here; n > 0 && done; row += here, n -= here) {
        const hsize_t inside = row % each;
        here = each == 1 ? n : inside || n < each ? (n < each - inside ? n : each - inside) : n / each * each;
        done = put_piece(t, c, from, row, here);
        from += here * a->count;
    }
    return done;
}

/* ---- The table ------------------------------------------------------------------------------------- */

/* Sets HDF5 up with our driver and creates the file. */
static bool open_file(ph_table *t)
{
    open_objects *b = t->own;
    PH_HDF5_OF(&b->library);
    ph_hdf5_connection l = {.file = t->file, .opened = &b->opened};
    b->driver = ph_hdf5_driver(&b->library);
    b->access = H5Pcreate(H5P_FILE_ACCESS);
    b->text = H5Tcopy(H5T_C_S1);
    hid_t create = H5Pcreate(H5P_FILE_CREATE);
    /* the format of 1.8, in which attributes may be longer than 64 kB, as a list of many columns is */
    bool done = is_open(b->driver) && is_open(b->access) && is_open(create) &&
                H5Tset_size(b->text, H5T_VARIABLE) >= 0 && H5Tset_cset(b->text, H5T_CSET_UTF8) >= 0 &&
                H5Pset_driver(b->access, b->driver, &l) >= 0 &&
                H5Pset_libver_bounds(b->access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
                H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
                H5Pset_obj_track_times(create, 0) >= 0; /* these are properties of the root group, too */
    if (done)
        b->file = H5Fcreate(t->path, H5F_ACC_TRUNC, create, b->access);
    if (is_open(create))
        H5Pclose(create);
    return is_open(b->file);
}

static ph_status begin_hdf5(ph_table *t, ph_error *err)
{
    ph_hdf5 library;
    ph_status status = ph_hdf5_load(&library, err);
    if (status)
        return status;
    PH_HDF5_OF(&library);
    open_objects *b = t->own = calloc(1, sizeof *b);
    if (!b)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    b->library = library;
    b->driver = b->access = b->file = b->text = -1;
    b->columns = malloc(t->n * sizeof *b->columns);
    if (b->columns)
        b->gathered = malloc(t->room * ph_arrays_widest(t->arrays, t->n_arrays) * sizeof *b->gathered);
    if (!b->gathered) {
        free(b->columns);
        b->columns = NULL;
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    for (size_t c = 0; c < t->n; c++)
        b->columns[c] = -1;
    H5E_BEGIN_TRY
    {
        if (!open_file(t) || !put_attributes(t))
            status = fail_hdf5(t, err);
    }
    H5E_END_TRY
    return status;
}

static ph_status put_rows(ph_table *t, const double *values, size_t n, ph_error *err)
{
    PH_HDF5_OF(&((const open_objects *)t->own)->library);
    ph_status status = PH_OK;
    H5E_BEGIN_TRY
    {
        bool done = t->rows || create_columns(t, n);
        for (size_t c = 0; c < t->n_arrays && done; c++)
            done = put_column(t, c, values + t->arrays[c].first * t->room, n);
        if (!done)
            status = fail_hdf5(t, err);
    }
    H5E_END_TRY
    return status;
}

/* Closes everything that is open. Did all of it succeed? */
static bool close_all(ph_table *t)
{
    open_objects *b = t->own;
    PH_HDF5_OF(&b->library);
    bool done = true;
    for (size_t c = 0; c < t->n && b->columns; c++)
        if (is_open(b->columns[c])) {
            done = H5Dclose(b->columns[c]) >= 0 && done;
            b->columns[c] = -1;
        }
    if (is_open(b->file))
        done = H5Fclose(b->file) >= 0 && done;
    if (is_open(b->text))
        H5Tclose(b->text);
    if (is_open(b->access))
        H5Pclose(b->access);
    if (is_open(b->driver))
        H5FDunregister(b->driver);
    b->file = b->text = b->access = b->driver = -1;
    return done;
}

static ph_status finish_hdf5(ph_table *t, ph_error *err)
{
    PH_HDF5_OF(&((const open_objects *)t->own)->library);
    ph_status status = PH_OK;
    H5E_BEGIN_TRY
    {
        bool done = t->rows || create_columns(t, 0);
        if (!close_all(t) || !done)
            status = fail_hdf5(t, err);
    }
    H5E_END_TRY
    return status ? status : ph_file_check(t->file, err);
}

static void free_hdf5(ph_table *t)
{
    open_objects *b = t->own;
    PH_HDF5_OF(&b->library);
    ph_hdf5_stop_writing(b->opened);
    H5E_BEGIN_TRY
    {
        close_all(t);
    }
    H5E_END_TRY
    ph_hdf5_disconnect(b->opened);
    free(b->columns);
    free(b->gathered);
    free(b);
}

static ph_status is_available(ph_error *err)
{
    return ph_hdf5_load(&(ph_hdf5){0}, err);
}

const ph_table_format ph_table_hdf5 = {.name = "hdf5",
                                       .available = is_available,
                                       .endings = "h5 hdf5",
                                       .columns = true,
                                       .begin = begin_hdf5,
                                       .put = put_rows,
                                       .finish = finish_hdf5,
                                       .release = free_hdf5};
