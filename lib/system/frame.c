/* SPDX-License-Identifier: BSD-3-Clause */
/* The tangent space vector by vector, for code that treats each direction separately. */
#include "derivative.h"

#include <string.h>

void ph_frame_lay(ph_frame *f, const ph_space *space, ph_lay *l)
{
    size_t m = ph_space_dimension(space);
    f->space = space;
    f->E = ph_lay_doubles(l, ph_space_basis_size(space));
    f->home = ph_lay_bytes(l, m * sizeof *f->home);
    f->row = ph_lay_bytes(l, m * sizeof *f->row);
    f->v = ph_lay_doubles(l, ph_space_ambient(space));
}

void ph_frame_make(ph_frame *f, const double *z)
{
    const double *row = f->E;
    ph_space_basis(f->space, z, f->E);
    for (size_t i = 0; i < ph_space_factors(f->space); i++) {
        const ph_factor_place *home = ph_space_factor(f->space, i);
        for (size_t a = 0; a < home->nx; a++, row += home->nz) {
            f->home[home->x + a] = home;
            f->row[home->x + a] = row;
        }
    }
}

void ph_frame_vector(const ph_frame *f, size_t i, double *e)
{
    memset(e, 0, ph_space_ambient(f->space) * sizeof *e);
    memcpy(e + f->home[i]->z, f->row[i], f->home[i]->nz * sizeof *e);
}

double ph_frame_component(const ph_frame *f, const double *mu, size_t i)
{
    double sum = 0;
    for (size_t k = 0; k < f->home[i]->nz; k++)
        sum += mu[f->home[i]->z + k] * f->row[i][k];
    return sum;
}

void ph_frame_move(ph_frame *f, const double *z, const double *e, double s, double *z1)
{
    size_t nz = ph_space_ambient(f->space);
    bool curved = ph_space_has_retraction(f->space);
    for (size_t k = 0; k < nz; k++) {
        f->v[k] = s * e[k];
        z1[k] = z[k] + f->v[k];
    }
    if (curved)
        ph_space_exp(f->space, z, f->v, z1);
}
