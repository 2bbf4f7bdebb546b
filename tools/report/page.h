/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a report. */
#ifndef POLHODE_TOOLS_REPORT_PAGE_H
#define POLHODE_TOOLS_REPORT_PAGE_H

#include <stdio.h>

#include "tools/runs/archived.h"

/* Sweeps the rows of the runs (n >= 1), which were opened (archived_use), and writes the whole page of them. Progress unless quiet. PH_E_INTERRUPTED, PH_E_NO_MEMORY; the caller checks the stream for
 * errors. */
ph_status archived_page(FILE *f, archived *runs, size_t n, bool quiet, ph_error *err);

/* ---- Parts -------------------------------------------------------------------------------------------------- */

/* An item of a list of terms, none where the text is NULL or empty; a scenario, folded. */
void page_item(FILE *f, const char *term, const char *text);
void page_scenario(FILE *f, const char *text);

#endif
