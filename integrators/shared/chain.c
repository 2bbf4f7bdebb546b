/* SPDX-License-Identifier: BSD-3-Clause */
/* What does not change of a chain of links, four in a vector: see chain.h. */
#include "chain.h"

#include <math.h>
#include <string.h>

void ph_chain_lay(chain *w, const ph_system *system, ph_lay *l)
{
    const ph_space *space = ph_system_space(system);
    w->n = ph_space_factors(space) - (ph_space_factor(space, 0)->kind == PH_FACTOR_R);
    w->length = (w->n + LANES - 1) / LANES;
    w->parts = ph_lay_line(l, w->length * sizeof *w->parts);
    w->rows = ph_lay_line(l, w->length * sizeof *w->rows);
    w->last = ph_lay_line(l, sizeof *w->last);
}

/* How many of the first blocks have four links, and how many of those equal the first. */
static void chain_find_alike(chain *w)
{
    size_t last = (LANES - 1) * w->length;
    w->full = w->n > last ? w->n - last : 0;
    w->alike = 0;
    for (size_t s = 0; s < w->full; s++)
        for (size_t lane = 0; lane < LANES; lane++)
            if (w->parts[s].w[lane] != w->parts->w[0] || w->parts[s].il[lane] != w->parts->il[0])
                return;
    w->alike = w->full;
}

/* The largest acceleration that the weight below a link, through it, gives the masses at its ends, over its
 * length. */
static double chain_find_rest(const chain *w)
{
    const double *g = w->gravity;
    double below = 0, largest = 0;
    for (size_t i = w->n; i-- > 0;) {
        const chain_part *p = w->parts + i % w->length, *before = i ? w->parts + (i - 1) % w->length : NULL;
        const double inverse = p->w[i / w->length],
                     other = before ? before->w[(i - 1) / w->length] : w->cart_w;
        below += 1 / inverse;
        largest = fmax(largest, below * (inverse + other) * p->il[i / w->length]);
    }
    return largest * sqrt(g[X] * g[X] + g[Y] * g[Y] + g[Z] * g[Z]);
}

void ph_chain_set(chain *w, const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const ph_linkage *linkage = ph_system_linkage(system);
    const size_t first = ph_space_factors(space) - w->n;
    memset(w->parts, 0, w->length * sizeof *w->parts); /* lanes that no link has stay so */
    memset(w->rows, 0, w->length * sizeof *w->rows);
    w->axes = first ? ph_space_ambient(space) - AXES * w->n : 0;
    w->cart_w = first ? 1 / linkage->mass[0] : 0;
    for (size_t a = 0; a < AXES; a++)
        w->gravity[a] = linkage->gravity[a];
    for (size_t i = 0; i < w->n; i++) {
        chain_part *p = w->parts + i % w->length;
        p->il[i / w->length] = 1 / linkage->length[first + i];
        p->w[i / w->length] = 1 / linkage->mass[first + i];
    }
    chain_find_alike(w);
    w->rest = chain_find_rest(w);
}
