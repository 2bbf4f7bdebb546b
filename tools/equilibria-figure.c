/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy-momentum diagram: the energy of each family against the momentum, its line by stability, with folds and
 * bifurcations marked and the numbers of the table where the families begin. */
#include "equilibria.h"
#include "figures/svg.h"

#include <stdlib.h>

/* Colours and labels behind those of the stabilities. */
enum { FOLD = PH_STABILITIES, BRANCH, NUMBERS };

static ph_status add_point(table *t, const family_point *at, ph_error *err)
{
    return table_add(t, (double[]){at->momentum, at->energy}, err);
}

/* The stretches of all families with one stability, each up to the next point, and a gap behind it. */
static ph_status add_stretches(picture *p, const findings *f, ph_stability kind, ph_error *err)
{
    table *t = p->tables;
    drawn one = {.of = t, .y = 1, .run = kind, .dashes = kind, .from = t->rows};
    ph_status status = PH_OK;
    for (size_t i = 0; i < f->n; i++) {
        const family *x = &f->families[i];
        for (size_t j = 0; j < x->n && !status; j++) {
            const bool ends = j && x->at[j - 1].stability == kind;
            const bool goes_on = j + 1 < x->n && x->at[j].stability == kind;
            status = ends || goes_on ? add_point(t, &x->at[j], err) : PH_OK;
            if (!status && ends && !goes_on)
                status = table_break(t, err);
        }
    }
    one.to = t->rows;
    if (one.to > one.from)
        panel_add(p->panels, one);
    return status;
}

static ph_status add_marks(picture *p, const findings *f, ph_family_mark mark, drawn one, ph_error *err)
{
    table *t = p->tables;
    ph_status status = PH_OK;
    one.of = t;
    one.y = 1;
    one.from = t->rows;
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < f->families[i].n && !status; j++)
            if (f->families[i].at[j].mark == mark)
                status = add_point(t, &f->families[i].at[j], err);
    one.to = t->rows;
    if (one.to > one.from)
        panel_add(p->panels, one);
    return status;
}

static ph_status fill(picture *p, const findings *f, ph_error *err)
{
    static const char *const colours[NUMBERS] = {"#1b7837", "#2166ac", "#b2182b",
                                                 "#666666", "#000000", "#000000"};
    ph_status status = PH_OK;
    panel *at = p->panels;
    p->n = 1;
    p->tables->columns = 2;
    snprintf(at->x_label, sizeof at->x_label, "momentum %s [%s]", f->symmetry->name, f->symmetry->unit);
    snprintf(at->y_label, sizeof at->y_label, "energy [J]");
    for (size_t k = 0; k < NUMBERS; k++) {
        p->colours[k] = colours[k];
        picture_label(p, k, "%s",
                      k == FOLD     ? "fold"
                      : k == BRANCH ? "bifurcation"
                                    : ph_stability_text((ph_stability)k));
    }
    for (int k = 0; k < PH_STABILITIES && !status; k++)
        status = add_stretches(p, f, (ph_stability)k, err);
    if (!status)
        status = add_marks(p, f, PH_FAMILY_FOLD, (drawn){.look = LOOK_DOTS, .run = FOLD}, err);
    if (!status)
        status = add_marks(p, f, PH_FAMILY_BRANCH, (drawn){.look = LOOK_CROSS, .run = BRANCH}, err);
    for (size_t i = 0; i < f->n && NUMBERS + i < LABELS_MOST && !status; i++) {
        picture_label(p, NUMBERS + i, "%zu", i + 1);
        p->colours[NUMBERS + i] = "#000000";
        status = picture_add(p, 0, (drawn){.look = LOOK_DOTS, .run = NUMBERS + i}, &f->momentum,
                             &f->at[i]->energy, 1, err);
    }
    return status;
}

ph_status equilibria_draw(FILE *out, const void *self, ph_error *err)
{
    const findings *f = self;
    picture *p = calloc(1, sizeof *p);
    const ph_status status = p ? fill(p, f, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        svg_panel(out, p, 0, false, "Energies of families of relative equilibria against the momentum");
    if (p)
        picture_free(p);
    free(p);
    return status;
}
