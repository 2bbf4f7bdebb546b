/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivatives of a scenario's system against differences, and its fastest rates, at the initial state and at
 * configurations all over the space: what `polhode check` says and `polhode new` chooses a step by. */
#include "judge.h"

#include "program.h"

#include "bench/common/family.h"

#include "figures/utf8.h"

#include <polhode/columns.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pseudo-random number in (-1, 1), the same everywhere. */
static double next_random(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(*s >> 11) * 0x1p-52 - 1;
}

/* Some time of the run. */
static double time_within(const ph_scenario *sc, uint64_t *seed)
{
    return ph_scenario_time(sc) + (0.5 + 0.5 * next_random(seed)) * ph_scenario_duration(sc);
}

static ph_status judge_state(const ph_system *system, double t, const double *z, const double *zdot,
                             bool derivatives, verdict *v, ph_error *err)
{
    ph_derivative_report r = {.n = 0};
    double rate = 0;
    ph_status status = derivatives ? ph_system_check_derivatives(system, t, z, zdot, &r, err) : PH_OK;
    v->rates_alone = v->rates_alone || status == PH_E_UNSUPPORTED; /* articulations of hundreds of bodies */
    if (!status || status == PH_E_UNSUPPORTED)
        status = ph_system_fastest_rate(system, t, z, &rate, err);
    if (status)
        return status;
    for (size_t i = 0; i < r.n; i++) {
        ph_derivative what = r.entry[i].what;
        if (!v->seen[what] || r.entry[i].error > v->worst[what].error)
            v->worst[what] = r.entry[i];
        v->seen[what] = true;
    }
    v->rate = fmax(v->rate, rate);
    return PH_OK;
}

/* How far spins may be moved from where they are: of vortices, whose energy is singular where they meet, a tenth of the least
 * distance, or of many not at all; infinite for others. */
static double freedom_of(const ph_system *system, const double *z)
{
    enum { MANY = 2000 };
    const ph_spins *spins = ph_system_spins(system);
    bool vortices = false;
    for (size_t g = 0; spins && g < spins->n_bonds; g++)
        vortices |= spins->bonds[g].kind == PH_BOND_VORTICES;
    if (!vortices)
        return INFINITY;
    return spins->n > MANY ? 0 : 0.1 * ph_spins_least_distance(system, z);
}

/* A configuration anywhere; of vortices near the initial one z0, as others have rates of no meaning for the motion; of bodies
 * under gravity, whose places have no natural unit, near z0, with their attitudes anywhere. */
static void draw(const ph_system *system, double freedom, const double *z0, uint64_t *seed, double *z)
{
    const ph_gravitation *g = ph_system_gravitation(system);
    const size_t places = g ? 3 * ph_gravitation_places(g) : 0,
                 nz = ph_space_ambient(ph_system_space(system));
    for (size_t k = 0; k < nz; k++)
        z[k] = freedom < INFINITY ? z0[k] + freedom * next_random(seed)
               : k < places       ? z0[k] * (1 + 0.2 * next_random(seed))
                                  : next_random(seed);
}

/* Judges the initial state, and configurations all over the space with its velocity projected. If it is at rest
 * they have random velocities, such as the motion is likely to have. */
static ph_status judge_states(const ph_scenario *sc, double *memory, bool derivatives, verdict *v,
                              ph_error *err)
{
    const ph_system *system = ph_scenario_system(sc);
    const ph_space *space = ph_system_space(system);
    size_t nz = ph_space_ambient(space);
    double *z = memory, *zdot = z + nz, *w = zdot + nz, *work = w + ph_space_algebra(space);
    uint64_t seed = 2026;
    memcpy(z, ph_scenario_configuration(sc), nz * sizeof *z);
    ph_status status =
        ph_system_velocity_at(system, ph_scenario_time(sc), z, ph_scenario_momentum(sc), zdot, work);
    if (status)
        return ph_fail(err, status, "the initial velocity: %s", ph_status_text(status));
    v->turn = fastest_turn(space, z, zdot, w);
    status = judge_state(system, ph_scenario_time(sc), z, zdot, derivatives, v, err);
    const double freedom = freedom_of(system, ph_scenario_configuration(sc));
    const bool timed = !ph_system_is_conservative(system);
    bool at_rest = true;
    for (size_t k = 0; k < nz; k++)
        at_rest = at_rest && zdot[k] == 0;
    const size_t m = ph_space_dimension(space);
    v->samples = m > VERY_MANY_DIMENSIONS ? 0 : m > MANY_DIMENSIONS ? SAMPLES_OF_MANY : SAMPLES;
    for (int i = 0; i < v->samples && !status; i++) {
        draw(system, freedom, ph_scenario_configuration(sc), &seed, z);
        for (size_t k = 0; k < nz && at_rest; k++)
            zdot[k] = 0.1 * v->rate * next_random(&seed);
        status = ph_space_project(space, z);
        if (status == PH_E_NOT_ON_MANIFOLD) {
            status = PH_OK; /* an embedded manifold need not have a nearest point everywhere */
            continue;
        }
        ph_space_project_tangent(space, z, zdot);
        if (!status)
            status = judge_state(system, timed ? time_within(sc, &seed) : ph_scenario_time(sc), z, zdot,
                                 derivatives, v, err);
    }
    return status;
}

/* judge_states with its memory. */
ph_status judge_scenario(const ph_scenario *sc, bool derivatives, verdict *v, ph_error *err)
{
    const ph_system *system = ph_scenario_system(sc);
    size_t nz = ph_space_ambient(ph_system_space(system)), np = ph_space_algebra(ph_system_space(system));
    double *memory = malloc((2 * nz + np + ph_system_work(system)) * sizeof *memory);
    *v = (verdict){0};
    ph_status status = memory ? judge_states(sc, memory, derivatives, v, err)
                              : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    free(memory);
    return status;
}

ph_status check_rate(const ph_scenario *scenario, double *rate, ph_error *err)
{
    verdict v;
    ph_status status = judge_scenario(scenario, false, &v, err);
    *rate = fmax(v.rate, v.turn);
    return status;
}

void write_factors(const ph_system *system, char *text, size_t size)
{
    enum { FEW = 12 };
    static const char *const word = "configuration";
    char room[PH_COLUMN_NAME], title[PH_COLUMN_NAME], group[PH_COLUMN_NAME] = "";
    ph_columns *columns;
    *text = '\0';
    if (!ph_system_label(system, 0) || ph_columns_create(system, &word, 1, &columns, NULL))
        return;
    for (size_t i = 0, n = 0; i < ph_columns_count(columns) && n <= FEW; i++) {
        const char *name = ph_columns_name(columns, i, room);
        const size_t letters = strcspn(name, "0123456789"),
                     all = letters + strspn(name + letters, "0123456789");
        if (!strncmp(name, group, all) && !group[all])
            continue;
        snprintf(group, sizeof group, "%.*s", (int)all, name);
        text_add(text, size, n ? ", " : "");
        if (n++ == FEW)
            text_add(text, size, "...");
        else
            text_add(text, size, "%s (%s)", ph_column_title(system, group, title), group);
    }
    ph_columns_free(columns);
}
