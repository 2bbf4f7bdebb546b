// SPDX-License-Identifier: BSD-3-Clause
// CRC-32 as zlib's (polynomial 0xEDB88320), continued from an earlier value, eight bytes at a time.

const table = Array.from({ length: 8 }, () => new Uint32Array(256));
for (let n = 0; n < 256; n++) {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  table[0][n] = c >>> 0;
}
for (let k = 1; k < 8; k++)
  for (let n = 0; n < 256; n++) table[k][n] = (table[k - 1][n] >>> 8) ^ table[0][table[k - 1][n] & 255];

/** crc32 of the bytes, begun with `before` in place of 0. */
export function crc32(bytes, before = 0) {
  let c = ~before >>> 0;
  let i = 0;
  const [t0, t1, t2, t3, t4, t5, t6, t7] = table;
  for (; i + 8 <= bytes.length; i += 8) {
    c ^= bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    c =
      t7[c & 255] ^ t6[(c >>> 8) & 255] ^ t5[(c >>> 16) & 255] ^ t4[c >>> 24] ^
      t3[bytes[i + 4]] ^ t2[bytes[i + 5]] ^ t1[bytes[i + 6]] ^ t0[bytes[i + 7]];
  }
  for (; i < bytes.length; i++) c = t0[(c ^ bytes[i]) & 255] ^ (c >>> 8);
  return ~c >>> 0;
}
