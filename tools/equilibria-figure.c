/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy-momentum diagram: the energy of each family against the momentum, its line by stability, with folds and
 * bifurcations marked and the numbers of the table where the families begin. Drawn by gnuplot. */
#include "equilibria.h"

#include "figures/gnuplot.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char *const colours[PH_STABILITIES] = {"#1b7837", "#2166ac", "#b2182b", "#666666"};
static const char *const dashes[PH_STABILITIES] = {"solid", "'-'", "'.'", "'_ '"};

/* A block of data for each stretch of the family with one stability, which also has the next point; returns how many
 * there are now. */
static size_t put_stretches(FILE *g, const family *x, size_t n, ph_stability *kinds, size_t most)
{
    for (size_t i = 0; i + 1 < x->n && n < most; n++) {
        const ph_stability kind = x->at[i].stability;
        fprintf(g, "$d%zu << EOD\n", n);
        kinds[n] = kind;
        fprintf(g, "%.10g %.10g\n", x->at[i].momentum, x->at[i].energy);
        do {
            i++;
            fprintf(g, "%.10g %.10g\n", x->at[i].momentum, x->at[i].energy);
        } while (i + 1 < x->n && x->at[i].stability == kind);
        fputs("EOD\n", g);
    }
    return n;
}

static void put_marks(FILE *g, const findings *f, ph_family_mark mark)
{
    fprintf(g, "$m%d << EOD\n", (int)mark);
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < f->families[i].n; j++)
            if (f->families[i].at[j].mark == mark)
                fprintf(g, "%.10g %.10g\n", f->families[i].at[j].momentum, f->families[i].at[j].energy);
    fputs("NaN NaN\nEOD\n", g); /* there may be none, and a block must not be empty */
}

static void put_script(FILE *g, const findings *f)
{
    enum { MOST = 400 };
    ph_stability kinds[MOST];
    size_t n = 0;
    fprintf(g,
            "set terminal svg size 760,560 enhanced font 'sans-serif,15' background rgb 'white'\n"
            "set grid lc rgb '#dddddd' lw 1 dt solid\nset border lw 1.2\nset tics nomirror\n"
            "set key outside below horizontal\nset xlabel 'momentum %s [%s]'\nset ylabel 'energy [J]'\n",
            f->symmetry->name, f->symmetry->unit);
    for (size_t i = 0; i < f->n; i++) {
        n = put_stretches(g, &f->families[i], n, kinds, MOST);
        fprintf(g, "set label '%zu ' at %.10g,%.10g right\n", i + 1, f->momentum, f->at[i]->energy);
    }
    put_marks(g, f, PH_FAMILY_FOLD);
    put_marks(g, f, PH_FAMILY_BRANCH);
    fputs("plot $m1 with points pt 8 ps 1.2 lc rgb 'black' title 'fold', "
          "$m2 with points pt 4 ps 1.2 lc rgb 'black' title 'bifurcation'",
          g);
    bool titled[PH_STABILITIES] = {false};
    for (size_t i = 0; i < n; i++) {
        fprintf(g, ", $d%zu with lines lw 2 dt %s lc rgb '%s' ", i, dashes[kinds[i]], colours[kinds[i]]);
        if (titled[kinds[i]])
            fputs("notitle", g);
        else
            fprintf(g, "title '%s'", ph_stability_text(kinds[i]));
        titled[kinds[i]] = true;
    }
    fputc('\n', g);
}

ph_status equilibria_draw(const findings *f, char **svg, size_t *length, ph_error *err)
{
    int missing = 0;
    *svg = NULL;
    FILE *script = tmpfile();
    if (!script)
        return ph_fail(err, PH_E_IO, "no temporary file for gnuplot: %s", strerror(errno));
    put_script(script, f);
    ph_status status = gnuplot_run(script, svg, length, &missing, err);
    fclose(script);
    return status;
}
