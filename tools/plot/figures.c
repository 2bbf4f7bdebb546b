/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of figures. */
#include "figures.h"

#include <polhode/kit/text.h>

#include <string.h>

static const figure figures[] = {
    {"energy",
     "the largest energy error so far against time, on logarithmic axes, with a line like sqrt(t) or t where it grows so",
     "energy_error", false, &steps_energy},
    {"drift", "the energy error with its sign on linear axes, least and largest of neighbouring rows",
     "energy_error", false, &steps_drift},
    {"momentum", "the same as energy of the momentum maps", "those of momentum_maps", false, &steps_momentum},
    {"constraint", "the same as energy of the deviation from the manifold", "constraint_error", false,
     &steps_constraint},
    {"velocities", "the same as energy of velocity constraints", "velocity_constraint_error", false,
     &steps_velocities},
    {"trajectory",
     "paths of the points over all rows, projected on the planes of the axes; chains also at equal times, light to dark",
     "the configuration", false, &steps_trajectory},
    {"phase",
     "each of the first factors over all rows: its coordinate and its momentum; the pair that varies most where the usual one is "
     "constant, as of a pendulum in a plane; the momentum of a rotation in the body frame, or the angle about its "
     "only axis",
     "the configuration and momentum", false, &steps_phase},
    {"section",
     "a coordinate and a momentum at each event, a panel for each name (--columns chooses two others)",
     "events", false, &steps_section},
    {"newton",
     "iterations for a step, Newton's or sweeps: mean and largest over time, and the share of the steps that take so many",
     "step and newton_passes", false, &steps_newton},
    {"tension", "tensions of links over time, least and largest where rows are many",
     "tensions, or what they are computed from", true, &steps_tension},
    {"columns", "columns of --columns over time; with --against the first against the second", "those", true,
     &steps_columns}};

enum { FIGURES = sizeof figures / sizeof *figures };
_Static_assert((int)FIGURES <= (int)FIGURES_MOST, "all figures can be made together");

const figure *figure_at(size_t i)
{
    return i < FIGURES ? &figures[i] : NULL;
}

const figure *figure_find(const char *name, ph_error *err)
{
    const char *names[FIGURES];
    for (size_t i = 0; i < FIGURES; i++) {
        names[i] = figures[i].name;
        if (!strcmp(names[i], name))
            return &figures[i];
    }
    const char *near = ph_suggest(name, names, FIGURES);
    ph_fail(err, PH_E_UNKNOWN, "unknown figure '%.60s'%s%s%s (polhode plot --list names them)", name,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}
