/* SPDX-License-Identifier: BSD-3-Clause */
/* libarchive, loaded when a table is written with it (load.h). */
#ifndef PH_ARCHIVE_LIBARCHIVE_LIBRARY_H
#define PH_ARCHIVE_LIBARCHIVE_LIBRARY_H

#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>

#include "load.h"

/* clang-format off */
#define PH_LIBARCHIVE_NAMES(X) \
    X(archive_entry_clear) X(archive_entry_free) X(archive_entry_new) X(archive_entry_set_filetype) \
    X(archive_entry_set_pathname_utf8) X(archive_entry_set_perm) X(archive_entry_set_size) \
    X(archive_error_string) X(archive_write_close) X(archive_write_data) X(archive_write_free) \
    X(archive_write_header) X(archive_write_new) X(archive_write_open) \
    X(archive_write_set_bytes_in_last_block) X(archive_write_set_format_zip) \
    X(archive_write_set_options)

typedef struct ph_libarchive {
#ifdef PH_LOADED_LIBARCHIVE
#define PH_MEMBER(name) __typeof__(name) *name;
    PH_LIBARCHIVE_NAMES(PH_MEMBER)
#undef PH_MEMBER
#else
    bool linked;
#endif
} ph_libarchive;

/* *libarchive <- loaded, or linked. Errors of ph_load_library. */
static inline ph_status ph_libarchive_load(ph_libarchive *libarchive, ph_error *err)
{
#ifdef PH_LOADED_LIBARCHIVE
#define PH_NAME(name) #name,
    static const char *const names[] = {PH_LIBARCHIVE_NAMES(PH_NAME)};
#undef PH_NAME
    return ph_load_library(PH_LOADED_LIBARCHIVE, "libarchive (Debian: libarchive-dev brings it)", names,
                           sizeof names / sizeof *names, libarchive, err);
#else
    (void)err;
    libarchive->linked = true;
    return PH_OK;
#endif
}

#ifdef PH_LOADED_LIBARCHIVE
#define PH_LIBARCHIVE_OF(loaded) const ph_libarchive *const libarchive = (loaded)
#define archive_entry_clear libarchive->archive_entry_clear
#define archive_entry_free libarchive->archive_entry_free
#define archive_entry_new libarchive->archive_entry_new
#define archive_entry_set_filetype libarchive->archive_entry_set_filetype
#define archive_entry_set_pathname_utf8 libarchive->archive_entry_set_pathname_utf8
#define archive_entry_set_perm libarchive->archive_entry_set_perm
#define archive_entry_set_size libarchive->archive_entry_set_size
#define archive_error_string libarchive->archive_error_string
#define archive_write_close libarchive->archive_write_close
#define archive_write_data libarchive->archive_write_data
#define archive_write_free libarchive->archive_write_free
#define archive_write_header libarchive->archive_write_header
#define archive_write_new libarchive->archive_write_new
#define archive_write_open libarchive->archive_write_open
#define archive_write_set_bytes_in_last_block libarchive->archive_write_set_bytes_in_last_block
#define archive_write_set_format_zip libarchive->archive_write_set_format_zip
#define archive_write_set_options libarchive->archive_write_set_options
#else
#define PH_LIBARCHIVE_OF(loaded) (void)(loaded)
#endif
/* clang-format on */

#endif
