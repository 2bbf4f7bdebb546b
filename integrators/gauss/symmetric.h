/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric matrices of six numbers (XX, XY, ...) in lanes: included once for each width of vectors (lanes-width.h). */

INLINE void OF(apply_symmetric)(const number *S, const number *b, number *c)
{
    c[0] = S[XX] * b[0] + S[XY] * b[1] + S[XZ] * b[2];
    c[1] = S[XY] * b[0] + S[YY] * b[1] + S[YZ] * b[2];
    c[2] = S[XZ] * b[0] + S[YZ] * b[1] + S[ZZ] * b[2];
}

INLINE void OF(invert)(const number *S, number *I)
{
    I[XX] = S[YY] * S[ZZ] - S[YZ] * S[YZ];
    I[XY] = S[XZ] * S[YZ] - S[XY] * S[ZZ];
    I[XZ] = S[XY] * S[YZ] - S[XZ] * S[YY];
    I[YY] = S[XX] * S[ZZ] - S[XZ] * S[XZ];
    I[YZ] = S[XY] * S[XZ] - S[XX] * S[YZ];
    I[ZZ] = S[XX] * S[YY] - S[XY] * S[XY];
    const number over = 1.0 / (S[XX] * I[XX] + S[XY] * I[XY] + S[XZ] * I[XZ]);
    for (int k = 0; k < 6; k++)
        I[k] *= over;
}
