/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue of formulations, the classical Runge-Kutta method on any of them, and the exchange
 * between y and a state whose carry is (1 if filled, velocity part of y). */
#include <internal/equations.h>

#include <string.h>

static const ph_field *const catalogue[] = {&ph_field_q_qdot, &ph_field_q_omega};

enum { COUNT = sizeof catalogue / sizeof catalogue[0] };

size_t ph_fields(void)
{
    return COUNT;
}

const ph_field *ph_field_at(size_t i)
{
    return i < COUNT ? catalogue[i] : NULL;
}

/* k1 = F(t, y), k2 = F(t + h/2, y + h/2 k1), k3 likewise from k2, k4 = F(t + h, y + h k3);
 * y1 = y + h/6 (k1 + 2 k2 + 2 k3 + k4).  The sum is gathered before y is added: one rounding at its size. */
ph_status ph_field_rk4(const ph_field *field, const ph_system *system, double t, double h, const double *y,
                       double *y1, double *work)
{
    static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    size_t n = field->size(system);
    double *k = work, *stage = work + n, *sum = work + 2 * n, *rest = work + 3 * n;
    const double *at = y;
    for (size_t j = 0; j < 4; j++) {
        ph_status status = field->evaluate(system, t + node[j] * h, at, k, rest);
        if (status)
            return status;
        for (size_t i = 0; i < n; i++)
            sum[i] = j ? sum[i] + weight[j] * k[i] : k[i];
        for (size_t i = 0; i < n && j < 3; i++)
            stage[i] = y[i] + node[j + 1] * h * k[i];
        at = stage;
    }
    for (size_t i = 0; i < n; i++)
        y1[i] = y[i] + h / 6 * sum[i];
    return PH_OK;
}

/* ---- y and the state ---------------------------------------------------------------------------- */

size_t ph_field_carry(const ph_field *field, const ph_system *system)
{
    return 1 + field->size(system) - ph_space_ambient(ph_system_space(system));
}

ph_status ph_field_load(const ph_field *field, const ph_system *system, const ph_state *state, double *y,
                        double *work)
{
    if (state->carry[0] == 0)
        return field->from_momentum(system, state->z, state->p, y, work);
    memcpy(y, state->z, state->nz * sizeof *y);
    memcpy(y + state->nz, state->carry + 1, (state->ncarry - 1) * sizeof *y);
    return PH_OK;
}

static int all_finite(const double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i] - v[i]; /* 0, or NaN for a number that is not finite */
    return sum == 0;
}

ph_status ph_field_store(const ph_field *field, const ph_system *system, const double *y, ph_state *state,
                         double *work, double *zp)
{
    size_t nz = state->nz, np = state->np;
    field->to_momentum(system, y, zp, zp + nz, work);
    if (!all_finite(y, field->size(system)) || !all_finite(zp + nz, np))
        return PH_E_DIVERGED;
    memcpy(state->z, zp, nz * sizeof *zp);
    memcpy(state->p, zp + nz, np * sizeof *zp);
    memcpy(state->carry + 1, y + nz, (state->ncarry - 1) * sizeof *y);
    state->carry[0] = 1;
    return PH_OK;
}
