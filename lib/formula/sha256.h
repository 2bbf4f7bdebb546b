/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256 of what comes in parts. */
#ifndef PH_FORMULA_SHA256_H
#define PH_FORMULA_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { PH_SHA256_BYTES = 32 };

typedef struct ph_sha256 {
    uint32_t h[8];
    unsigned char block[64];
    uint64_t n; /* bytes so far */
} ph_sha256;

void ph_sha256_begin(ph_sha256 *s);
void ph_sha256_add(ph_sha256 *s, const void *bytes, size_t n);
void ph_sha256_end(ph_sha256 *s, unsigned char digest[PH_SHA256_BYTES]);

#endif
