/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a check: its entries and their names. */
#include "derivative.h"

static const char *const names[PH_DERIVATIVE_ENTRIES] = {
    [PH_DERIVATIVE_JACOBIAN] = "Jacobian of the constraints",
    [PH_DERIVATIVE_RANK] = "rank of the constraints",
    [PH_DERIVATIVE_BEND] = "second derivative of the constraints",
    [PH_DERIVATIVE_PROJECTION] = "projection",
    [PH_DERIVATIVE_PROJECTION_ALONG] = "derivative of the projection",
    [PH_DERIVATIVE_POTENTIAL] = "gradient of the potential",
    [PH_DERIVATIVE_INERTIA] = "symmetry of the inertia",
    [PH_DERIVATIVE_INERTIA_DZ] = "derivative of the inertia",
    [PH_DERIVATIVE_COMPLEX] = "L by its complex version",
    [PH_DERIVATIVE_COMPLEX_DZ] = "dL/dz by a complex step",
    [PH_DERIVATIVE_COMPLEX_DV] = "dL/dzdot by a complex step",
    [PH_DERIVATIVE_LZ] = "dL/dz",
    [PH_DERIVATIVE_LV] = "dL/dzdot",
    [PH_DERIVATIVE_LZZ] = "d2L/dz2",
    [PH_DERIVATIVE_LVZ] = "d2L/dzdot dz",
    [PH_DERIVATIVE_LVV] = "d2L/dzdot2",
    [PH_DERIVATIVE_LT] = "dL/dt",
    [PH_DERIVATIVE_LVT] = "d2L/dzdot dt",
    [PH_DERIVATIVE_FORCE_DV] = "df/dzdot",
    [PH_DERIVATIVE_IN_TIME] = "gradient of the potential in time",
    [PH_DERIVATIVE_RATE] = "rate of the potential in time",
    [PH_DERIVATIVE_CONTROL] = "rate of the control",
    [PH_DERIVATIVE_SPINS] = "second derivative of the energy of spins",
    [PH_DERIVATIVE_CONSTRAINT] = "derivative of the velocity constraint",
    [PH_DERIVATIVE_REGULAR] = "regularity",
    [PH_DERIVATIVE_SYMMETRY] = "invariance under the symmetries",
};

ph_derivative_entry *ph_report_add(ph_derivative_report *report, ph_derivative what)
{
    ph_derivative_entry *entry = &report->entry[report->n++];
    *entry = (ph_derivative_entry){.what = what,
                                   .name = names[what],
                                   .factor = PH_NO_INDEX,
                                   .row = PH_NO_INDEX,
                                   .column = PH_NO_INDEX,
                                   .along = PH_NO_INDEX};
    return entry;
}

const ph_derivative_entry *ph_derivative_report_entry(const ph_derivative_report *report, ph_derivative what)
{
    for (size_t i = 0; i < report->n; i++)
        if (report->entry[i].what == what)
            return &report->entry[i];
    return NULL;
}
