/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of GRIT, Gravitational Rigid-body InTegrators, read: `init_system.json`, with `target_time.json`
 * next to it. All numbers of a case are in SI units; GRIT has solar masses,
 * astronomical units, days, years and km, and the constant of gravity 4 pi^2, by which its solar mass is
 * 4 pi^2 au^3/(G yr^2) with years of 365.25 days.
 *
 * Source: Chen, Li, Tao, ApJ 919 (2021) 50; the files as GRIT's own sources read them. */
#ifndef PH_IMPORT_GRIT_H
#define PH_IMPORT_GRIT_H

#include "import.h"

/* A body. */
typedef struct ph_grit_body {
    char name[64];       /* as GRIT calls it */
    bool rigid;          /* false: a point */
    bool symmetric;      /* about its third axis */
    bool lagged;         /* has it the constants of GRIT's tides? */
    double mass;         /* [kg] */
    double radius;       /* [m] */
    double half_axes[3]; /* of the ellipsoid with its moments of inertia, if rigid [m] */
    double x[3];         /* [m] */
    double v[3];         /* [m/s] */
    double R[9];         /* body to space, row-major, if rigid */
    double omega[3];     /* angular velocity in the body's axes, if rigid [rad/s] */
} ph_grit_body;

/* All that its files say. */
typedef struct ph_grit_case {
    char file[1024];    /* which was read */
    char name[128];     /* of the system */
    size_t n;           /* bodies */
    ph_grit_body *body; /* (n) owned: ph_grit_release */
    double G;           /* [m^3/(kg s^2)], with which the masses are in kg */
    double start;       /* [s] */
    double end;         /* the target time [s]; NaN where its file is not there */
    double step;        /* [s] */
    double interval;    /* between outputs [s] */
    char scheme[16];    /* "M42" */
    size_t order;       /* of the potential, 2 or 4 */
    bool tides;         /* does GRIT add its tides? */
    bool relativity;    /* and its relativistic force? */
} ph_grit_case;

/* *of <- from an init_system.json and the target_time.json next to it. words: nullable. Velocities are relative
 * to the barycentre, as GRIT makes them. Keys that GRIT does not know are remarks. PH_E_IO: no such file;
 * PH_E_PARSE, PH_E_RANGE: file, line, key and what would be right; PH_E_NO_MEMORY. */
ph_status ph_grit_read(const char *path, ph_grit_case *of, ph_remarks *words, ph_error *err);
void ph_grit_release(ph_grit_case *of); /* Free its bodies; NULL is allowed. */

#endif
