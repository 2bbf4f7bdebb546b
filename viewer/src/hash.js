// SPDX-License-Identifier: BSD-3-Clause
// What of a page is in the address, behind #: time, speed, camera, columns, so that a link leads to the same picture.

/** @param {{t?: number, speed?: number, camera?: number[], columns?: string[], flags?: string[]}} state */
export function writeHash({ t, speed, camera, columns, flags }) {
  const parts = [];
  if (Number.isFinite(t)) parts.push(`t=${t}`);
  if (Number.isFinite(speed)) parts.push(`speed=${speed}`);
  if (camera?.every(Number.isFinite)) parts.push(`camera=${camera.map((c) => Number(c.toPrecision(5))).join(',')}`);
  if (columns) parts.push(`columns=${columns.map(encodeURIComponent).join(',')}`);
  if (flags) parts.push(`show=${flags.map(encodeURIComponent).join(',')}`);
  return `#${parts.join('&')}`;
}

/** What is not understood is left out. */
export function readHash(hash) {
  const state = {};
  const decode = (word) => {
    try {
      return decodeURIComponent(word);
    } catch {
      return '';
    }
  };
  for (const part of hash.replace(/^#/, '').split('&')) {
    const [key, value = ''] = part.split('=', 2);
    const numbers = value.split(',').map((v) => (v === '' ? NaN : Number(v)));
    if (key === 't' && Number.isFinite(numbers[0])) state.t = numbers[0];
    if (key === 'speed' && Number.isFinite(numbers[0]) && numbers[0] !== 0) state.speed = numbers[0];
    if (key === 'camera' && numbers.every(Number.isFinite)) state.camera = numbers;
    if (key === 'columns') state.columns = value ? value.split(',').map(decode).filter(Boolean) : [];
    if (key === 'show') state.flags = value ? value.split(',').map(decode).filter(Boolean) : [];
  }
  return state;
}
