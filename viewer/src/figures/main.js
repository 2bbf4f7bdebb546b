// SPDX-License-Identifier: BSD-3-Clause
// Static figures of a page made interactive: <figure class="plot"><svg>...</svg><script type="application/json" class="data">...</script></figure>.
// On paper, without scripts, and where something fails, the static picture stays. Nothing is fetched.
import plotStyle from 'uplot/dist/uPlot.min.css';
import { Body } from './body.js';
import { Chart } from './chart.js';
import { extentOf } from './extent.js';
import { readFigure } from './read.js';
import style from './style.css';

const wordsOf = (picture) => picture.querySelector('title')?.textContent ?? '';

function enhance(element) {
  const picture = element.querySelector(':scope > svg');
  const figure = readFigure(element.querySelector(':scope > script.data')?.textContent);
  if (!picture || !figure) return null;
  if (figure.kind === 'curves' && (!extentOf(figure, 'x') || !extentOf(figure, 'y'))) return null;
  const host = document.createElement('div');
  host.className = figure.kind === 'polhode' ? 'live turn' : 'live';
  picture.after(host);
  element.classList.add('on');
  try {
    return new (figure.kind === 'polhode' ? Body : Chart)(figure, host, wordsOf(picture).trim());
  } catch (error) {
    element.classList.remove('on');
    host.remove();
    console.warn('A figure stays as it is:', error);
    return null;
  }
}

// A figure is made when it comes near the screen: a long page opens at once.
function begin() {
  const sheet = document.createElement('style');
  sheet.textContent = plotStyle + style;
  document.head.append(sheet);
  const made = [];
  const watch = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((e) => e.isIntersecting)) {
        watch.unobserve(entry.target);
        const figure = enhance(entry.target);
        if (figure) made.push(figure);
      }
    },
    { rootMargin: '400px' },
  );
  document.querySelectorAll('figure.plot').forEach((element) => watch.observe(element));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => made.forEach((figure) => figure.repaint()));
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
else begin();
