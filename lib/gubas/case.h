/* SPDX-License-Identifier: BSD-3-Clause */
/* What the readers of GUBAS's files share. */
#ifndef PH_GUBAS_CASE_H
#define PH_GUBAS_CASE_H

#include <polhode/gubas.h>
#include <polhode/shape.h>
#include <polhode/vector.h>

/* Whom remarks go to; its function may be NULL. */
typedef struct ph_gubas_remarks {
    ph_gubas_remark *remark;
    void *to;
} ph_gubas_remarks;

void ph_gubas_say(const ph_gubas_remarks *remarks, const char *format, ...) PH_PRINTF(2, 3);

/* Values that do not depend on where they were read, checked: flags, orders, axes that must be positive,
 * matrices that must be rotations. path: for messages. PH_E_RANGE. */
ph_status ph_gubas_check(const char *path, const ph_gubas_case *of, ph_error *err);

/* Can files be named by the case's name? PH_E_RANGE: it would leave the folder. */
ph_status ph_gubas_check_name(const ph_gubas_case *of, ph_error *err);

/* of->file, of->folder <- those of this path. PH_E_RANGE: too long. */
ph_status ph_gubas_locate(const char *path, ph_gubas_case *of, ph_error *err);
/* to (size) <- the path of a file that the case names: in its folder, unless the name begins with "/".
 * PH_E_RANGE: too long. */
ph_status ph_gubas_beside(const ph_gubas_case *of, const char *name, char *to, size_t size, ph_error *err);
/* *shape <- the surface of a polyhedron, from the tables that the case names. Errors of ph_shape_read_tables. */
ph_status ph_gubas_read_shape(const ph_gubas_case *of, const ph_gubas_body *body, ph_shape **shape,
                              ph_error *err);

#endif
