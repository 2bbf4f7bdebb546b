/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers that are functions of a counter: the n-th number of a stream depends on seed, member, stream and n alone, so
 * that they may be drawn in any order, on any machine. Their bits follow from IEEE arithmetic: logarithm and exponential are
 * our own, and of the C library frexp, ldexp and sqrt are used, which are exact or correctly rounded. Nothing is kept. */
#ifndef PH_RANDOM_H
#define PH_RANDOM_H

#include <stdint.h>

/* A stream of random numbers. */
typedef struct ph_stream {
    uint64_t seed, member;
    uint32_t name; /* of several streams of a member */
} ph_stream;

/* out <- Philox4x32-10 of a counter and a key (Salmon, Moraes, Dror, Shaw, SC11, section 3.3). */
void ph_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* The n-th number of the stream, uniform in (0, 1): an odd multiple of 2^-53. */
double ph_random_uniform(const ph_stream *s, uint32_t n);
/* The same as a normal number of mean 0 and variance 1, by the inverse of its distribution function. */
double ph_random_normal(const ph_stream *s, uint32_t n);
/* q <- uniform on the unit sphere, by the numbers n to n + 2. */
void ph_random_direction(const ph_stream *s, uint32_t n, double q[3]);
/* q <- uniform where the angle to the unit vector `axis` is at most that with this 1 - cos, by the same. */
void ph_random_cap(const ph_stream *s, uint32_t n, const double axis[3], double height, double q[3]);
/* q <- of the density exp(k axis.q) (von Mises and Fisher), k > 0, by the same. */
void ph_random_around(const ph_stream *s, uint32_t n, const double axis[3], double k, double q[3]);
/* c <- a unit quaternion (w, x, y, z), w >= 0, of a rotation by Haar's measure, by the numbers n to n + 3. */
void ph_random_rotation(const ph_stream *s, uint32_t n, double c[4]);

/* x with the distribution function p of normal numbers, 0 < p < 1 (Wichura, Appl. Statist. 37 (1988) 477, AS 241): to some
 * 1e-16 of it. */
double ph_normal_quantile(double p);

#endif
