/* SPDX-License-Identifier: BSD-3-Clause */
/* Checksums over the tables of an archive that have none in their rows. */
#ifndef PH_ARCHIVE_SEAL_H
#define PH_ARCHIVE_SEAL_H

#include "database.h"

/* What was changed: meta, what a sweep says of its members, or all. */
typedef enum ph_sealing { PH_SEAL_META, PH_SEAL_MEMBERS, PH_SEAL_ALL } ph_sealing;

/* In the open transaction that has changed them: writes the checksums of these tables, and that of meta. */
ph_status ph_seal_put(const ph_database *database, ph_sealing what, ph_error *err);
/* Do the tables agree with their checksums? *is: are there any, as from version 3 on? PH_E_IO: the message names the table that does not. */
ph_status ph_seal_check(const ph_database *database, bool *is, ph_error *err);

#endif
