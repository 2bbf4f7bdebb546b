/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as little-endian bytes, eight each, on any machine: what is packed here is unpacked there to the
 * same bits. */
#ifndef PH_INTERNAL_BYTES_H
#define PH_INTERNAL_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline unsigned char *ph_put_word(unsigned char *to, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        to[i] = (unsigned char)(word >> (8 * i));
    return to + 8;
}

static inline const unsigned char *ph_get_word(const unsigned char *from, uint64_t *word)
{
    *word = 0;
    for (int i = 0; i < 8; i++)
        *word |= (uint64_t)from[i] << (8 * i);
    return from + 8;
}

static inline unsigned char *ph_put_double(unsigned char *to, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return ph_put_word(to, word);
}

static inline const unsigned char *ph_get_double(const unsigned char *from, double *value)
{
    uint64_t word;
    from = ph_get_word(from, &word);
    memcpy(value, &word, sizeof word);
    return from;
}

/* Does this machine have numbers in this order? Then many are copied at once. */
static inline int ph_is_little_endian(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one;
}

static inline unsigned char *ph_put_doubles(unsigned char *to, const double *values, size_t n)
{
    if (n && ph_is_little_endian())
        return (unsigned char *)memcpy(to, values, n * sizeof *values) + n * sizeof *values;
    for (size_t i = 0; i < n; i++)
        to = ph_put_double(to, values[i]);
    return to;
}

/* Doubles where they stand become the bytes that ph_put_doubles makes of them. */
static inline void ph_make_little_endian(double *values, size_t n)
{
    for (size_t i = 0; i < n && !ph_is_little_endian(); i++)
        ph_put_double((unsigned char *)&values[i], values[i]);
}

static inline const unsigned char *ph_get_doubles(const unsigned char *from, double *values, size_t n)
{
    if (n && ph_is_little_endian()) {
        memcpy(values, from, n * sizeof *values);
        return from + n * sizeof *values;
    }
    for (size_t i = 0; i < n; i++)
        from = ph_get_double(from, &values[i]);
    return from;
}

#endif
