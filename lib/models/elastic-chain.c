/* SPDX-License-Identifier: BSD-3-Clause */
/* A chain of links whose joints resist bending, hung from a ball joint or clamped (rod.h): uniform
 * by its totals, or with a length and a mass for each link. */
#include "gravity.h"
#include "rod.h"

#include <polhode/kit/elementary.h>

enum { BENDING = PH_ROD_PARAMETERS, CLAMP, LENGTHS, MASSES };
enum { DEFAULT_LINKS = 8 };

static const ph_parameter parameters[] = {
    PH_ROD_ROWS(
        1, 0.5,
        PH_ROD_LINKS_ROW(0, "number of links; 0: as many as a list of lengths or masses has numbers, or 8")),
    [BENDING] = PH_ROD_BENDING(0.02),
    [CLAMP] = PH_VECTOR("clamp", "1", PH_ANY, 0, 0, 0,
                        "direction in which it leaves the fixed point; (0, 0, 0): any, a ball joint"),
    [LENGTHS] = PH_PER_LINK("lengths", "m", PH_NOT_NEGATIVE, 0,
                            "length of each link, in place of the whole length; 0: equal links"),
    [MASSES] = PH_PER_LINK("masses", "kg", PH_NOT_NEGATIVE, 0,
                           "mass at the end of each link, in place of the whole mass; 0: spread evenly"),
};

enum { CURVED, HANGING, SETTLED };

static const ph_preset presets[] = {
    [CURVED] = {"curved", "bent evenly by 90 degrees from the clamp (or the horizontal) downwards; "
                          "the tip moves sideways at 0.5 m/s, the rest less"},
    [HANGING] = {"hanging", "all links along gravity, at rest: the stable equilibrium on a ball joint"},
    [SETTLED] =
        {"settled",
         "the stable equilibrium, at rest: on a ball joint hanging, from a clamp downhill from straight"},
};

/* ---- The chain ---------------------------------------------------------------------------------- */

/* *given <- is the list given (not all zeros)? If so, all its numbers must be positive. */
static ph_status is_given(const ph_parameter_value *list, bool *given, ph_error *err)
{
    const size_t n = ph_parameter_length(list);
    *given = n > 1 || list->values[0] > 0;
    for (size_t i = 0; i < n && *given; i++)
        if (!(list->values[i] > 0))
            return ph_fail(err, PH_E_RANGE, "entry %zu of %s is 0; give a positive number for each link",
                           i + 1, list->name);
    return PH_OK;
}

/* Mass at the end of link i of a uniform rod: half of the two links that meet there. */
static double share(const ph_rod *r, size_t i, double density)
{
    return 0.5 * density * (r->length[i] + (i + 1 < r->n ? r->length[i + 1] : 0));
}

/* Lists take the place of the totals, each by itself: along given lengths the whole mass is spread evenly. */
static ph_status fill(ph_rod *r, const ph_model_table *table, ph_error *err)
{
    bool lengths, masses;
    double whole = ph_number(table, PH_ROD_MASS);
    ph_status status = is_given(&table->row[LENGTHS], &lengths, err);
    if (!status)
        status = is_given(&table->row[MASSES], &masses, err);
    if (status)
        return status;
    memcpy(r->clamp, ph_vector(table, CLAMP), sizeof r->clamp);
    ph_rod_direction(r->clamp);
    for (size_t i = 0; i < r->n && lengths; i++)
        r->length[i] = ph_entry(table, LENGTHS, i);
    double reach = ph_rod_reach(r);
    for (size_t i = 0; i < r->n && (lengths || masses); i++)
        r->mass[i] = masses ? ph_entry(table, MASSES, i) : share(r, i, whole / reach);
    ph_rod_stiffen(r, ph_number(table, BENDING));
    return PH_OK;
}

static const ph_numbering numbering =
    PH_NUMBERING("links", PH_ROD_LINKS, DEFAULT_LINKS, PH_ROD_MOST, LENGTHS, MASSES);

/* *rod <- the rod with the parameters of the table. */
static ph_status read(const ph_model_table *table, ph_rod **rod, ph_error *err)
{
    size_t n = 0;
    ph_status status = ph_parameter_number(table, &numbering, &n, err);
    if (!status)
        status = ph_rod_create(table, n, rod, err);
    if (status)
        return status;
    status = fill(*rod, table, err);
    if (status)
        free(*rod);
    return status;
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_rod *rod;
    ph_status status = read(table, &rod, err);
    return status ? status : ph_rod_build(rod, system, err);
}

/* ---- Initial conditions ------------------------------------------------------------------------- */

/* The middle of a link at s turns by 90 degrees s/L, and sideways by (s/L)/L m/s: x(s) moves at 0.5 (s/L)^2
 * m/s. */
static void curve(const ph_rod *r, double *z, double *zdot)
{
    static const double quarter = 1.5707963267948966192;
    double along[3], down[3], across[3], reach = ph_rod_reach(r), s = 0;
    ph_rod_frame(r, along, down, across);
    for (size_t i = 0; i < r->n; i++) {
        double part = (s + 0.5 * r->length[i]) / reach, angle = quarter * part;
        for (size_t a = 0; a < 3; a++) {
            z[3 * i + a] = ph_cos(angle) * along[a] + ph_sin(angle) * down[a];
            zdot[3 * i + a] = part / reach * across[a];
        }
        ph_unit_correct3(z + 3 * i);
        s += r->length[i];
    }
}

/* A rod on a ball joint hangs straight where it is settled. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_rod *rod;
    ph_status status = read(table, &rod, err);
    if (status)
        return status;
    memset(zdot, 0, 3 * rod->n * sizeof *zdot);
    if (which == CURVED)
        curve(rod, z, zdot);
    else if (which == HANGING || ph_all_zero(3, rod->clamp))
        ph_rod_hang(rod, z);
    else
        status = ph_rod_settle(rod, z, err);
    free(rod);
    return status;
}

const ph_model ph_model_elastic_chain = {
    .name = "elastic-chain",
    .summary = "chain of links whose joints resist bending: a slender rod or rope, hung or clamped",
    .reference = "Lee, Leok, McClamroch, two-spheres, section V, with bending; "
                 "Love, Mathematical Theory of Elasticity, 4th ed., chapter 18",
    PH_MODEL_HERE,
};
