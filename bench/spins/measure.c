/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run on spheres as phase space should keep, and how far it is from that (measure.h, spins.h). */
#include "measure.h"

#include "bench/common/turns.h"

#include <math.h>

ph_status spins_measure(const spins *s, const motion *start, const ph_state *state, spins_errors *errors,
                        double *energy)
{
    double H, J[3], momentum = 0;
    ph_status status = ph_spins_energy(start->system, state->t, state->z, &H);
    if (!status)
        status = ph_spins_momentum(start->system, state->z, J);
    if (status)
        return status;
    for (size_t k = s->of->axial ? 2 : 0; k < 3; k++)
        momentum += (J[k] - s->J[k]) * (J[k] - s->J[k]);
    for (size_t i = 0; i < s->of->n; i++) {
        const double *v = state->z + 3 * i;
        const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        errors->length = fmax(errors->length, fabs(length - 1));
    }
    *energy = H - s->energy;
    errors->energy = fmax(errors->energy, fabs(*energy));
    errors->momentum = fmax(errors->momentum, sqrt(momentum));
    return isfinite(H) && isfinite(momentum) ? PH_OK : PH_E_NOT_FINITE;
}

double spins_error(const spins_point *p, spins_quantity what)
{
    return what == SPINS_ENERGY ? p->errors.energy : p->errors.place;
}

double spins_cost(const spins_line *l, spins_quantity what, double level)
{
    double errors[SPINS_POINTS], seconds[SPINS_POINTS];
    for (size_t k = 0; k < SPINS_POINTS; k++) {
        errors[k] = l->points[k].turns ? spins_error(&l->points[k], what) : (double)NAN;
        seconds[k] = l->points[k].median;
    }
    return turns_cost(errors, seconds, SPINS_POINTS, level);
}

growth spins_judge(const spins_run *r)
{
    return growth_judge(r->status, r->energy.most[0], r->energy.most[1]);
}
