/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree of massless links with a point mass at the end of each, hung from a fixed point by ball joints: a
 * mobile. Mass i is at x_i = x_parent(i) + l_i q_i (ph_linkage). Links are listed parents first: a complete
 * tree level by level, or as a list of parents says. */
#include "gravity.h"
#include "linkage.h"

#include <polhode/kit/elementary.h>

enum { DEPTH, BRANCHES, PARENTS, MASSES, LENGTHS, GRAVITY };
enum { MOST_LINKS = 1000000, MOST_BRANCHES = 100 };

static const ph_parameter parameters[] = {
    [DEPTH] = PH_COUNT("depth", PH_FROM(1, MOST_LINKS), 3, "links from the fixed point to any end"),
    [BRANCHES] = PH_COUNT("branches", PH_FROM(1, MOST_BRANCHES), 2, "links that hang on each but the ends"),
    [PARENTS] = PH_PER_LINK(
        "parents", "1", PH_FROM(-1, MOST_LINKS), -1,
        "the link that each hangs on, counted from 1 and before it, 0 for the fixed point; -1: the complete tree of this depth"),
    [MASSES] = PH_PER_LINK("masses", "kg", PH_POSITIVE, 0.1, "point mass at the end of a link"),
    [LENGTHS] = PH_PER_LINK("lengths", "m", PH_POSITIVE, 0.1, "length of a link"),
    [GRAVITY] = PH_GRAVITY(-9.81),
};

enum { SPREAD, HANGING, DISTURBED };

static const ph_preset presets[] = {
    [SPREAD] = {"spread", "links lean by 0.5 rad, those of one parent evenly round it, "
                          "and turn about the vertical at 1 rad/s"},
    [HANGING] = {"hanging", "all links along gravity, at rest: the stable equilibrium"},
    [DISTURBED] = {"disturbed", "hanging but for the last link, which leans by 0.5 rad, at rest"},
};

/* ---- The tree ----------------------------------------------------------------------------------- */

/* The number of links of the complete tree; MOST_LINKS + 1 where it is larger than MOST_LINKS. */
static size_t complete(const ph_model_table *table)
{
    double level = 1, sum = 1;
    for (double k = 1; k < ph_number(table, DEPTH) && sum <= MOST_LINKS; k++) {
        level *= ph_number(table, BRANCHES);
        sum += level;
    }
    return sum <= MOST_LINKS ? (size_t)sum : MOST_LINKS + 1;
}

/* Is it a list, or a number that is not the -1 of the default? A number is that of a single link. */
static bool is_listed(const ph_parameter_value *parents)
{
    return parents->n > 1 || parents->values[0] != -1;
}

/* *n <- the number of links; lists of masses and lengths must agree with it. */
static ph_status count(const ph_model_table *table, size_t *n, ph_error *err)
{
    static const ph_numbering numbering = PH_NUMBERING("links", PH_NO_INDEX, 0, MOST_LINKS, MASSES, LENGTHS);
    *n = is_listed(&table->row[PARENTS]) ? ph_parameter_length(&table->row[PARENTS]) : complete(table);
    if (*n > MOST_LINKS)
        return ph_fail(err, PH_E_RANGE, "a tree of depth %g with %g branches has more than %d links",
                       ph_number(table, DEPTH), ph_number(table, BRANCHES), (int)MOST_LINKS);
    return ph_parameter_check_lists(table, &numbering, *n, err);
}

/* parent (n) <- on which link each hangs: as listed, or in the complete tree, whose links stand level by
 * level. */
static ph_status list_parents(const ph_model_table *table, size_t n, size_t *parent, ph_error *err)
{
    const ph_parameter_value *parents = &table->row[PARENTS];
    size_t branches = ph_count(table, BRANCHES);
    bool listed = is_listed(parents);
    for (size_t i = 0; i < n; i++) {
        double on = listed ? parents->values[i] : i ? (double)((i - 1) / branches + 1) : 0;
        if (on != floor(on) || on < 0 || on > (double)i)
            return ph_fail(err, PH_E_RANGE,
                           "entry %zu of parents is %g; link %zu must hang on a link before it, "
                           "from 1 to %zu, or on the fixed point, 0",
                           i + 1, on, i + 1, i);
        parent[i] = on == 0 ? PH_NO_INDEX : (size_t)on - 1;
    }
    return PH_OK;
}

/* *links <- the tree; *parent <- its parents, which the caller frees. */
static ph_status read(const ph_model_table *table, ph_links *links, size_t **parent, ph_error *err)
{
    *links = (ph_links){.d = 3, .mass = &table->row[MASSES], .length = &table->row[LENGTHS]};
    memcpy(links->G, ph_vector(table, GRAVITY), sizeof links->G);
    *parent = NULL;
    ph_status status = count(table, &links->n, err);
    if (status)
        return status;
    links->parent = *parent = malloc(links->n * sizeof **parent);
    if (!*parent)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for a tree of %zu links", links->n);
    return list_parents(table, links->n, *parent, err);
}

static ph_status build(const ph_model_table *table, ph_system **system, ph_error *err)
{
    ph_links links;
    size_t *parent;
    ph_status status = read(table, &links, &parent, err);
    if (!status)
        status = ph_links_build(&links, NULL, system, err);
    free(parent);
    return status;
}

/* ---- Initial conditions ------------------------------------------------------------------------- */

/* q leans by 0.5 rad from down, towards the angle in the plane of the other two. */
static void lean(const double along[3], const double across[3], const double down[3], double angle,
                 double q[3])
{
    static const double cosine = 0.87758256189037271612, sine = 0.47942553860420300027;
    for (size_t a = 0; a < 3; a++)
        q[a] = cosine * down[a] + sine * (ph_cos(angle) * along[a] + ph_sin(angle) * across[a]);
    ph_unit_correct3(q);
}

/* The children of a link are spread evenly round its end; the first is at an angle of 1 rad for each
 * level. */
static ph_status spread(const ph_links *t, const double frame[3][3], double *z, double *zdot, ph_error *err)
{
    static const double whole = 6.2831853071795864769;
    size_t *children = calloc(3 * (t->n + 1), sizeof *children);
    if (!children)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for a tree of %zu links", t->n);
    size_t *placed = children + t->n + 1, *level = placed + t->n + 1;
    for (size_t i = 0; i < t->n; i++)
        children[t->parent[i] + 1]++; /* those of the fixed point at 0 */
    for (size_t i = 0; i < t->n; i++) {
        size_t on = t->parent[i] + 1;
        level[i + 1] = level[on] + 1;
        double angle = whole * (double)placed[on]++ / (double)children[on] + (double)level[on];
        lean(frame[0], frame[1], frame[2], angle, z + 3 * i);
        ph_cross3(z + 3 * i, frame[2], zdot + 3 * i); /* -down x q */
    }
    free(children);
    return PH_OK;
}

/* All start from hanging; the other two then lean links away from it. */
static ph_status preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err)
{
    ph_links links;
    size_t *parent;
    double frame[3][3];
    ph_status status = read(table, &links, &parent, err);
    if (!status) {
        ph_links_preset(&links, PH_LINKS_HANGING, z, zdot);
        ph_gravity_frame(links.G, frame[0], frame[1], frame[2]);
        if (which == SPREAD)
            status = spread(&links, frame, z, zdot, err);
        else if (which == DISTURBED)
            lean(frame[0], frame[1], frame[2], 0, z + 3 * (links.n - 1));
    }
    free(parent);
    return status;
}

const ph_model ph_model_branching_pendulum = {
    .name = "branching-pendulum",
    .summary = "tree of massless links with point masses, in space: a mobile",
    .reference = "Lee, Leok, McClamroch, two-spheres, section V, for a tree",
    PH_MODEL_HERE,
};
