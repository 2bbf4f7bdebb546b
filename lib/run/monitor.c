/* SPDX-License-Identifier: BSD-3-Clause */
/* Maxima of the errors over a run, tenth by tenth of its planned time. The scales are known at the end
 * only (the range of the potential energy is one of them), so absolute errors are kept. */
#include <polhode/constraints.h>
#include <polhode/diagnostics.h>

#include "lib/internal/bytes.h"
#include "lib/internal/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A momentum map. */
typedef struct map {
    double initial, largest, final; /* value; |error|; signed error */
} map;

enum { NUMBERS = 21 };

struct ph_monitor {
    ph_diagnostics *diagnostics;
    union {
        struct {
            double t0, t1;
            double energy0, energy_final, energy_max, energy_tenths[10], kinetic0, potential_min,
                potential_max;
            double constraint_max, tangency_max, momentum_size;
        };
        double numbers[NUMBERS]; /* the same, in the order in which they are packed */
    };
    double slip_max; /* error of the velocity constraints; not packed where there are none */
    int64_t outputs;
    size_t n_maps;
    bool slips; /* are there velocity constraints? */
    map maps[];
};

/* |E0| (or |J0|) is too small to be a scale where it is below this fraction of the other scale. */
static const double small_beside = 0.01;
/* The range of the potential and the size of the momentum are those on the manifold: states further off than
 * this do not count. */
static const double on_manifold = 1e-2;

/* The largest of errors some of which are not known: of a tenth, or of the velocity constraints of a run that an
 * earlier version began. It is larger than any error, so it stays. */
static const double unknown = INFINITY;

/* No output has been seen in any tenth. */
static void forget_tenths(ph_monitor *m)
{
    for (size_t i = 0; i < 10; i++)
        m->energy_tenths[i] = NAN;
}

ph_status ph_monitor_create(ph_diagnostics *diagnostics, double t0, double t1, ph_monitor **monitor,
                            ph_error *err)
{
    if (!diagnostics)
        return ph_not_created(err, "diagnostics", "ph_diagnostics_create");
    size_t n = ph_system_symmetries(ph_diagnostics_system(diagnostics));
    ph_monitor *m = calloc(1, sizeof *m + n * sizeof m->maps[0]);
    if (!m)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    m->diagnostics = diagnostics;
    m->t0 = t0;
    m->t1 = t1;
    m->n_maps = n;
    m->slips = ph_system_constraints(ph_diagnostics_system(diagnostics)) > 0;
    forget_tenths(m);
    *monitor = m;
    return PH_OK;
}

void ph_monitor_free(ph_monitor *m)
{
    free(m);
}

/* The first output is the reference of all errors. */
static void take_reference(ph_monitor *m, const ph_measures *now)
{
    m->energy0 = now->energy;
    m->kinetic0 = now->kinetic;
    m->potential_min = m->potential_max = now->potential;
    for (size_t i = 0; i < m->n_maps; i++)
        m->maps[i].initial = now->momenta[i];
}

/* The tenth of the planned time that t is in. */
static size_t tenth_of(const ph_monitor *m, double t)
{
    double part = 10 * (t - m->t0) / (m->t1 - m->t0);
    return part >= 9 ? 9 : part >= 0 ? (size_t)part : 0; /* NaN: 0 */
}

/* *largest <- value where that is larger, or where one of them is NaN. */
static void keep_largest(double *largest, double value)
{
    if (!(*largest >= value))
        *largest = value;
}

void ph_monitor_recall(ph_monitor *m, double t, double energy_error)
{
    keep_largest(&m->energy_tenths[tenth_of(m, t)], isnan(energy_error) ? unknown : fabs(energy_error));
}

void ph_monitor_replan(ph_monitor *m, double t1)
{
    m->t1 = t1;
    forget_tenths(m);
}

ph_status ph_monitor_see(ph_monitor *m, const ph_state *state, ph_measures *measures)
{
    if (!m || !state)
        return PH_E_INVALID;
    ph_measures now;
    ph_status status = ph_diagnostics_measure(m->diagnostics, state, &now);
    if (measures)
        *measures = now;
    if (status)
        return status;
    if (m->outputs == 0)
        take_reference(m, &now);
    m->energy_final = now.energy - m->energy0;
    /* the reference itself has no error; a tenth without another output has none either */
    if (m->outputs++) {
        keep_largest(&m->energy_max, fabs(m->energy_final));
        ph_monitor_recall(m, state->t, m->energy_final);
    }
    if (now.constraint_error <= on_manifold) {
        keep_largest(&m->potential_max, now.potential);
        keep_largest(&m->momentum_size, now.momentum_size);
        m->potential_min = fmin(m->potential_min, now.potential);
    }
    keep_largest(&m->constraint_max, now.constraint_error);
    keep_largest(&m->tangency_max, now.tangency);
    keep_largest(&m->slip_max, now.velocity_constraint_error);
    for (size_t i = 0; i < m->n_maps; i++) {
        m->maps[i].final = now.momenta[i] - m->maps[i].initial;
        keep_largest(&m->maps[i].largest, fabs(m->maps[i].final));
    }
    return PH_OK;
}

/* `own`, or `other` where `own` is small compared with it; 1 instead of 0. */
static double error_scale(double own, double other)
{
    double s = own < small_beside * other ? other : own;
    return s > 0 ? s : 1;
}

/* The momentum map with the largest relative error counts. */
static void summarise_momenta(const ph_monitor *m, ph_summary *s)
{
    s->momentum_scale = s->momentum_error_max = s->momentum_error_final = NAN;
    for (size_t i = 0; i < m->n_maps; i++) {
        double size = error_scale(fabs(m->maps[i].initial), m->momentum_size);
        if (m->maps[i].largest / size <= s->momentum_error_max)
            continue;
        s->momentum_scale = size;
        s->momentum_error_max = m->maps[i].largest / size;
        s->momentum_error_final = m->maps[i].final / size;
    }
}

/* The summary of no outputs at all. */
static ph_summary nothing_seen(void)
{
    ph_summary s = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, {0}, 0};
    for (size_t i = 0; i < 10; i++)
        s.energy_error_tenths[i] = NAN;
    return s;
}

void ph_monitor_summary(const ph_monitor *m, ph_summary *s)
{
    *s = nothing_seen();
    if (!m->outputs)
        return;
    s->outputs = m->outputs;
    double size = error_scale(fabs(m->energy0), m->kinetic0 + m->potential_max - m->potential_min);
    s->energy_initial = m->energy0;
    s->energy_scale = size;
    s->energy_error_max = m->energy_max / size;
    for (size_t i = 0; i < 10; i++)
        s->energy_error_tenths[i] = m->energy_tenths[i] < unknown ? m->energy_tenths[i] / size : NAN;
    s->energy_error_max_first_tenth = s->energy_error_tenths[0];
    s->energy_error_max_last_tenth = s->energy_error_tenths[9];
    s->energy_error_final = m->energy_final / size;
    s->constraint_error_max = m->constraint_max;
    s->tangency_max = m->tangency_max;
    if (m->slips && m->slip_max < unknown)
        s->velocity_constraint_error_max = m->slip_max;
    summarise_momenta(m, s);
}

/* ---- Packing ------------------------------------------------------------------------------------ */

enum { TAG = 8 };
/* Without and with the error of velocity constraints. */
static const char plain_tag[TAG + 1] = "phmonit2", slip_tag[TAG + 1] = "phmonit3";
/* Words of the head, and of each momentum map. */
enum { HEAD_WORDS = 3 + NUMBERS, MAP_WORDS = 3 };

static size_t packed_size(size_t n_maps, bool slips)
{
    return 8 * (HEAD_WORDS + MAP_WORDS * n_maps + slips);
}

size_t ph_monitor_packed_size(const ph_monitor *m)
{
    return packed_size(m->n_maps, m->slips);
}

void ph_monitor_pack(const ph_monitor *m, void *bytes)
{
    unsigned char *to = bytes;
    memcpy(to, m->slips ? slip_tag : plain_tag, TAG);
    to = ph_put_word(to + TAG, m->n_maps);
    to = ph_put_word(to, (uint64_t)m->outputs);
    to = ph_put_doubles(to, m->numbers, NUMBERS);
    for (size_t i = 0; i < m->n_maps; i++) {
        to = ph_put_double(to, m->maps[i].initial);
        to = ph_put_double(to, m->maps[i].largest);
        to = ph_put_double(to, m->maps[i].final);
    }
    if (m->slips)
        ph_put_double(to, m->slip_max);
}

/* What the head says. */
typedef struct head {
    uint64_t n_maps, outputs;
    bool slips; /* does the error of velocity constraints follow? */
} head;

/* Is it a packed monitor? */
static ph_status read_head(const unsigned char *from, size_t size, head *h, ph_error *err)
{
    h->slips = size >= TAG && !memcmp(from, slip_tag, TAG);
    if (size < 8 * HEAD_WORDS || (!h->slips && memcmp(from, plain_tag, TAG)))
        return ph_fail(err, PH_E_PARSE,
                       "these %zu bytes are no packed monitor, which begins with \"%s\" or \"%s\"", size,
                       plain_tag, slip_tag);
    ph_get_word(ph_get_word(from + TAG, &h->n_maps), &h->outputs);
    if ((int64_t)h->outputs < 0)
        return ph_fail(err, PH_E_RANGE, "the packed monitor has seen %lld outputs", (long long)h->outputs);
    return PH_OK;
}

ph_status ph_monitor_unpack(ph_monitor *m, const void *bytes, size_t size, ph_error *err)
{
    if (!m)
        return ph_not_created(err, "monitor", "ph_monitor_create");
    const unsigned char *from = bytes;
    head h;
    ph_status status = read_head(from, size, &h, err);
    if (status)
        return status;
    if (h.n_maps != m->n_maps || (h.slips && !m->slips) || size != packed_size(m->n_maps, h.slips))
        return ph_fail(err, PH_E_SIZE,
                       "the packed monitor has %llu momentum maps in %zu bytes; the system has %zu, in %zu",
                       (unsigned long long)h.n_maps, size, m->n_maps, ph_monitor_packed_size(m));
    m->outputs = (int64_t)h.outputs;
    from = ph_get_doubles(from + 8 * (HEAD_WORDS - NUMBERS), m->numbers, NUMBERS);
    for (size_t i = 0; i < m->n_maps; i++) {
        from = ph_get_double(from, &m->maps[i].initial);
        from = ph_get_double(from, &m->maps[i].largest);
        from = ph_get_double(from, &m->maps[i].final);
    }
    m->slip_max = unknown;
    if (h.slips)
        ph_get_double(from, &m->slip_max);
    return PH_OK;
}

ph_status ph_monitor_unpack_summary(const void *bytes, size_t size, ph_summary *summary, size_t *maps,
                                    ph_error *err)
{
    if (!bytes)
        return ph_fail(err, PH_E_PARSE, "there is no packed monitor");
    head h;
    ph_status status = read_head(bytes, size, &h, err);
    if (status)
        return status;
    const size_t n = (size / 8 - HEAD_WORDS) / MAP_WORDS;
    ph_monitor *m = calloc(1, sizeof *m + n * sizeof m->maps[0]);
    if (!m)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    m->n_maps = n;
    m->slips = h.slips;
    status = ph_monitor_unpack(m, bytes, size, err);
    if (!status) {
        ph_monitor_summary(m, summary);
        *maps = n;
    }
    ph_monitor_free(m);
    return status;
}
