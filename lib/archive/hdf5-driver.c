/* SPDX-License-Identifier: BSD-3-Clause */
/* A driver by which HDF5 writes into a ph_file, which is renamed at the end. It records the first error, and reports
 * success for everything after it, so that HDF5 can always close its objects. */
#include "config.h"

#include "hdf5-driver.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <stdlib.h>
#include <string.h>

struct ph_hdf5_file {
    H5FD_t pub;    /* HDF5's own, first */
    ph_file *file; /* NULL: the table has been freed, so nothing is written any more */
    ph_hdf5_file **back;
    haddr_t eoa, eof;
};

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t fapl, haddr_t maxaddr)
{
    (void)name, (void)flags, (void)maxaddr;
    ph_hdf5 library; /* HDF5 has no place where it is told what called it */
    if (ph_hdf5_load(&library, NULL))
        return NULL;
    PH_HDF5_OF(&library);
    const ph_hdf5_connection *l = H5Pget_driver_info(fapl);
    ph_hdf5_file *s = l ? calloc(1, sizeof *s) : NULL;
    if (!s)
        return NULL;
    s->file = l->file;
    s->back = l->opened;
    *s->back = s;
    return &s->pub;
}

/* The table then no longer refers to what is freed here. */
static herr_t driver_close(H5FD_t *self)
{
    ph_hdf5_file *s = (ph_hdf5_file *)self;
    if (s->back)
        *s->back = NULL;
    free(s);
    return 0;
}

/* What HDF5 may do to write less often: gather metadata and small pieces. */
static herr_t driver_query(const H5FD_t *self, unsigned long *flags)
{
    (void)self;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t driver_eoa(const H5FD_t *self, H5FD_mem_t type)
{
    (void)type;
    return ((const ph_hdf5_file *)self)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *self, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((ph_hdf5_file *)self)->eoa = address;
    return 0;
}

static haddr_t driver_eof(const H5FD_t *self, H5FD_mem_t type)
{
    (void)type;
    return ((const ph_hdf5_file *)self)->eof;
}

/* Reads, which HDF5 does for metadata only; zeros where the table has been freed. */
static herr_t driver_read(H5FD_t *self, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t n, void *bytes)
{
    (void)type, (void)dxpl;
    ph_hdf5_file *s = (ph_hdf5_file *)self;
    if (s->file)
        ph_file_get_at(s->file, (int64_t)address, bytes, n);
    else
        memset(bytes, 0, n);
    return 0;
}

/* Writes; the first error is kept by the file and reported by the table. */
static herr_t driver_write(H5FD_t *self, H5FD_mem_t type, hid_t dxpl, haddr_t address, size_t n,
                           const void *bytes)
{
    (void)type, (void)dxpl;
    ph_hdf5_file *s = (ph_hdf5_file *)self;
    if (s->file)
        ph_file_put_at(s->file, (int64_t)address, bytes, n);
    if (address + n > s->eof)
        s->eof = address + n;
    return 0;
}

/* HDF5 requires the file to be as long as the space it has allocated. */
static herr_t driver_truncate(H5FD_t *self, hid_t dxpl, hbool_t closing)
{
    (void)dxpl, (void)closing;
    ph_hdf5_file *s = (ph_hdf5_file *)self;
    if (s->file && s->eoa != s->eof)
        ph_file_resize(s->file, (int64_t)s->eoa);
    s->eof = s->eoa;
    return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)519,
#endif
    .name = "polhode",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(ph_hdf5_connection),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_eof,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t ph_hdf5_driver(const ph_hdf5 *library)
{
    PH_HDF5_OF(library);
    return H5FDregister(&driver);
}

void ph_hdf5_stop_writing(ph_hdf5_file *opened)
{
    if (opened)
        opened->file = NULL;
}

void ph_hdf5_disconnect(ph_hdf5_file *opened)
{
    if (opened)
        opened->back = NULL;
}
