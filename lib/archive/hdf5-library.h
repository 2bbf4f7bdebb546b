/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5, loaded when a table is written with it (load.h). */
#ifndef PH_ARCHIVE_HDF5_LIBRARY_H
#define PH_ARCHIVE_HDF5_LIBRARY_H

#include <hdf5.h>
#include <stdbool.h>

#include "load.h"

/* clang-format off */
#define PH_HDF5_NAMES(X) \
    X(H5Aclose) X(H5Acreate2) X(H5Awrite) X(H5Dclose) X(H5Dcreate2) X(H5Dget_space) X(H5Dset_extent) \
    X(H5Dwrite) X(H5Eauto_is_v2) X(H5Eget_auto1) X(H5Eget_auto2) X(H5Eset_auto1) X(H5Eset_auto2) \
    X(H5Ewalk2) X(H5FDregister) X(H5FDunregister) X(H5Fclose) X(H5Fcreate) X(H5Gclose) X(H5Gcreate2) \
    X(H5Lexists) X(H5Pclose) X(H5Pcreate) X(H5Pget_driver_info) X(H5Pset_char_encoding) X(H5Pset_chunk) \
    X(H5Pset_chunk_cache) X(H5Pset_driver) X(H5Pset_fill_time) X(H5Pset_libver_bounds) \
    X(H5Pset_link_creation_order) X(H5Pset_obj_track_times) X(H5Sclose) X(H5Screate) X(H5Screate_simple) \
    X(H5Sselect_hyperslab) X(H5Tclose) X(H5Tcopy) X(H5Tset_cset) X(H5Tset_size) X(H5check_version) \
    X(H5open) X(H5P_CLS_DATASET_ACCESS_ID_g) X(H5P_CLS_DATASET_CREATE_ID_g) X(H5P_CLS_FILE_ACCESS_ID_g) \
    X(H5P_CLS_FILE_CREATE_ID_g) X(H5P_CLS_GROUP_CREATE_ID_g) X(H5P_CLS_LINK_CREATE_ID_g) X(H5T_C_S1_g) \
    X(H5T_IEEE_F64LE_g) X(H5T_NATIVE_DOUBLE_g) X(H5T_NATIVE_INT64_g) X(H5T_STD_I64LE_g)

typedef struct ph_hdf5 {
#ifdef PH_LOADED_HDF5
#define PH_MEMBER(name) __typeof__(name) *name;
    PH_HDF5_NAMES(PH_MEMBER)
#undef PH_MEMBER
#else
    bool linked;
#endif
} ph_hdf5;

/* *hdf5 <- loaded, or linked. Errors of ph_load_library. */
static inline ph_status ph_hdf5_load(ph_hdf5 *hdf5, ph_error *err)
{
#ifdef PH_LOADED_HDF5
#define PH_NAME(name) #name,
    static const char *const names[] = {PH_HDF5_NAMES(PH_NAME)};
#undef PH_NAME
    return ph_load_library(PH_LOADED_HDF5, "HDF5 (Debian: libhdf5-dev brings it)", names,
                           sizeof names / sizeof *names, hdf5, err);
#else
    (void)err;
    hdf5->linked = true;
    return PH_OK;
#endif
}

#ifdef PH_LOADED_HDF5
#define PH_HDF5_OF(loaded) const ph_hdf5 *const hdf5 = (loaded)
#define H5Aclose hdf5->H5Aclose
#define H5Acreate2 hdf5->H5Acreate2
#define H5Awrite hdf5->H5Awrite
#define H5Dclose hdf5->H5Dclose
#define H5Dcreate2 hdf5->H5Dcreate2
#define H5Dget_space hdf5->H5Dget_space
#define H5Dset_extent hdf5->H5Dset_extent
#define H5Dwrite hdf5->H5Dwrite
#define H5Eauto_is_v2 hdf5->H5Eauto_is_v2
#define H5Eget_auto1 hdf5->H5Eget_auto1
#define H5Eget_auto2 hdf5->H5Eget_auto2
#define H5Eset_auto1 hdf5->H5Eset_auto1
#define H5Eset_auto2 hdf5->H5Eset_auto2
#define H5Ewalk2 hdf5->H5Ewalk2
#define H5FDregister hdf5->H5FDregister
#define H5FDunregister hdf5->H5FDunregister
#define H5Fclose hdf5->H5Fclose
#define H5Fcreate hdf5->H5Fcreate
#define H5Gclose hdf5->H5Gclose
#define H5Gcreate2 hdf5->H5Gcreate2
#define H5Lexists hdf5->H5Lexists
#define H5Pclose hdf5->H5Pclose
#define H5Pcreate hdf5->H5Pcreate
#define H5Pget_driver_info hdf5->H5Pget_driver_info
#define H5Pset_char_encoding hdf5->H5Pset_char_encoding
#define H5Pset_chunk hdf5->H5Pset_chunk
#define H5Pset_chunk_cache hdf5->H5Pset_chunk_cache
#define H5Pset_driver hdf5->H5Pset_driver
#define H5Pset_fill_time hdf5->H5Pset_fill_time
#define H5Pset_libver_bounds hdf5->H5Pset_libver_bounds
#define H5Pset_link_creation_order hdf5->H5Pset_link_creation_order
#define H5Pset_obj_track_times hdf5->H5Pset_obj_track_times
#define H5Sclose hdf5->H5Sclose
#define H5Screate hdf5->H5Screate
#define H5Screate_simple hdf5->H5Screate_simple
#define H5Sselect_hyperslab hdf5->H5Sselect_hyperslab
#define H5Tclose hdf5->H5Tclose
#define H5Tcopy hdf5->H5Tcopy
#define H5Tset_cset hdf5->H5Tset_cset
#define H5Tset_size hdf5->H5Tset_size
#define H5check_version hdf5->H5check_version
#define H5open hdf5->H5open
#define H5P_CLS_DATASET_ACCESS_ID_g *hdf5->H5P_CLS_DATASET_ACCESS_ID_g
#define H5P_CLS_DATASET_CREATE_ID_g *hdf5->H5P_CLS_DATASET_CREATE_ID_g
#define H5P_CLS_FILE_ACCESS_ID_g *hdf5->H5P_CLS_FILE_ACCESS_ID_g
#define H5P_CLS_FILE_CREATE_ID_g *hdf5->H5P_CLS_FILE_CREATE_ID_g
#define H5P_CLS_GROUP_CREATE_ID_g *hdf5->H5P_CLS_GROUP_CREATE_ID_g
#define H5P_CLS_LINK_CREATE_ID_g *hdf5->H5P_CLS_LINK_CREATE_ID_g
#define H5T_C_S1_g *hdf5->H5T_C_S1_g
#define H5T_IEEE_F64LE_g *hdf5->H5T_IEEE_F64LE_g
#define H5T_NATIVE_DOUBLE_g *hdf5->H5T_NATIVE_DOUBLE_g
#define H5T_NATIVE_INT64_g *hdf5->H5T_NATIVE_INT64_g
#define H5T_STD_I64LE_g *hdf5->H5T_STD_I64LE_g
#else
#define PH_HDF5_OF(loaded) (void)(loaded)
#endif
/* clang-format on */

#endif
