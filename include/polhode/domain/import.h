/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of other programs, GUBAS and GRIT, made into scenarios; GUBAS's tables of a run. Part of
 * libpolhode-io. What is read and what is taken differently: manual, From GUBAS and GRIT. */
#ifndef POLHODE_IMPORT_H
#define POLHODE_IMPORT_H

#include <polhode/record.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** What a run of another program was made into. */
typedef struct ph_import {
    const char *program; /**< "GUBAS", "GRIT" */
    char name[128];      /**< of its case */
    char *scenario;      /**< the text of the scenario, with the remarks as comments; malloc */
    /** Remarks on the files (unknown keys, values that look like wrong units), and what is taken
     * differently, and why: a paragraph each, "- ...", of lines of at most 108 characters; malloc */
    char *remarks;
} ph_import;

/** *import <- of a directory of GUBAS (hou_config.cfg, with Fahnestock's pair of files where that says so,
 * or else ic_input.txt) or of GRIT (init_system.json, with target_time.json), or of one of these files,
 * whatever its name. Files are read strictly. output: nullable, the file that the scenario is for, to which
 * paths in it are relative. Free it by ph_import_release. PH_E_IO: no such file; PH_E_PARSE: file, line and
 * key, and what would be right; PH_E_RANGE: a value that cannot be; errors of ph_shape_read_tables and
 * ph_mass_polyhedron; PH_E_NO_MEMORY. */
PH_API ph_status ph_import_read(const char *path, const char *output, ph_import *import, ph_error *err);
PH_API void ph_import_release(ph_import *import); /**< Free its texts; NULL is allowed. */

/** Write the tables that GUBAS would have written of this run of a scenario of the case at `path`, with
 * GUBAS's columns, units, numbers and names, to a folder that exists: LagrangianStateOut_...,
 * HamiltonianStateOut_..., FHamiltonianStateOut_..., Energy+AngMom_..., Conservation_Energy+AngMom_..., and
 * HyperbolicState_..., SolarState_... where there is such a perturbation. All appear when all are complete.
 * PH_E_INVALID: the run has other bodies, or is one of another model; PH_E_IO; PH_E_EXISTS: somebody else
 * writes them; errors of ph_import_read and of ph_rows_open. */
PH_API ph_status ph_import_gubas_tables(const char *path, ph_record *run, const char *folder, ph_error *err);

PH_END_DECLS
#endif
