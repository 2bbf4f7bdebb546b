/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5's way to a ph_file: see hdf5-driver.c. */
#ifndef PH_ARCHIVE_HDF5_DRIVER_H
#define PH_ARCHIVE_HDF5_DRIVER_H

#include "file.h"
#include "hdf5-library.h"

typedef struct ph_hdf5_file ph_hdf5_file;

/* The connection of a table and HDF5's open file. Whichever is closed first sets the pointer of the other to
 * NULL. */
typedef struct ph_hdf5_connection {
    ph_file *file;
    ph_hdf5_file **opened;
} ph_hdf5_connection;

/* The driver, which HDF5 knows by this from now on; negative where HDF5 refuses it. */
hid_t ph_hdf5_driver(const ph_hdf5 *library);
/* Nothing is written to the ph_file any more. NULL is allowed, here and below. */
void ph_hdf5_stop_writing(ph_hdf5_file *opened);
/* The connection is about to go; HDF5, which could not close the file, may try again at the end of the process. */
void ph_hdf5_disconnect(ph_hdf5_file *opened);

#endif
