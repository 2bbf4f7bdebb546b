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
  const close = button('Close', 'Close', () => box.close());
  const box = el('dialog', { 'aria-label': title }, el('h2', { text: title }), ...children, el('p', { class: 'end' }, close));
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}
