// SPDX-License-Identifier: BSD-3-Clause
// Elements of the page. Text is always set as text: names and messages come from files.

/** An element with attributes (on...: listeners; class, text) and children. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'text') element.textContent = value;
    else if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== 'list' && typeof value !== 'string') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((c) => c !== null && c !== undefined));
  return element;
}

/** A button with a label for everybody and a symbol or word on it. */
export function button(words, label, onclick, attributes = {}) {
  return el('button', { type: 'button', 'aria-label': label, title: label, text: words, onclick, ...attributes });
}

const SHAPES = {
  start: 'M3 3h2v10H3zM13 3v10L6 8z', end: 'M11 3h2v10h-2zM3 3v10l7-5z', back: 'M10.5 3v10L4.5 8z', on: 'M5.5 3v10l6-5z',
  play: 'M4 2.5v11l9-5.5z', pause: 'M4 3h3v10H4zM9 3h3v10H9z', theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12v-1.5a4.5 4.5 0 0 0 0-9z',
  curve: 'M1 9.5C3 2 5.5 2 8 8s5 6 7-1.5l-1.4-.4C12 12 10.8 11.8 9.3 7.5 6.5-.2 2-.2-.4 9.1z',
};

/** A drawing on a button, in the colour of its text: fonts do not have such signs everywhere. */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'icon');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', SHAPES[name]);
  svg.append(path);
  return svg;
}

/** A button with a drawing. */
export function iconButton(name, label, onclick, attributes = {}) {
  const made = button('', label, onclick, attributes);
  made.append(icon(name));
  return made;
}

/** Hands a file to the person: as a download. */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = el('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** A dialog with a title, its contents and a button that closes it; removed when it is closed. */
export function dialog(title, ...children) {
  const close = button('Close', 'Close', () => box.close(), { autofocus: true });
  const box = el('dialog', { 'aria-label': title }, el('h2', { text: title }), ...children, el('p', { class: 'end' }, close));
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}
