// SPDX-License-Identifier: BSD-3-Clause
// The scene of one run, or of two overlaid, at the clock's time: three.js where WebGL is there, else lines on a canvas (flat.js).
//
//   const view = createView(host, { runs, clock, options });
//
// host is an element with a size, whose children the view becomes; runs are objects as in run.js. The view draws by itself when the clock,
// the camera, the options or its size change, and does nothing otherwise. It has
//
//   canvas, element          the picture
//   setRuns(runs)            others in place of these
//   options, setOptions({})  trails ('usual' | 'all' | 'none' | [numbers of points]), trailSeconds (0: none, Infinity), omega, momentum,
//                            grid, legend (booleans), follow (-1 | 'mean' | number of a point), parallel (boolean), ghost (boolean)
//   setView(name)            'home' 'front' 'side' 'top' 'oblique' 'x' 'y' 'z' ...
//   rotate(across, up) zoom(factor) pan(right, up)      steps of keys: rad, -, shares of the height
//   getCamera(), setCamera(numbers)                     short lists for an address
//   has                      what there is to show: {trails, omega, momentum, tensions, follow, points (how many), drifts: it goes far beyond
//                            its own size, so that following it shows more}
//   words                    sentences on what cannot be shown, and why
//   description()            what the picture shows, in words for screen readers
//   refresh()                after a change of the page's colours
//   draw()                   now, not in the next frame
//   snapshot()               promise of a PNG (Blob)
//   stats()                  {frames, fps, milliseconds, triangles, calls, software}
//   onCamera                 called when the camera has moved
//   dispose()
import { FlatView } from './flat.js';
import { SolidView, webglContext } from './solid.js';

export const DEFAULTS = {
  trails: 'usual',
  trailSeconds: null, // as the motion needs
  omega: false,
  momentum: false,
  grid: true,
  legend: true,
  follow: -1,
  parallel: false,
  ghost: true,
};

export function createView(host, { runs, clock, options = {} }) {
  const chosen = { ...DEFAULTS, ...options };
  const canvas = host.ownerDocument.createElement('canvas');
  const context = options.flat ? null : webglContext(canvas);
  return context ? new SolidView(host, canvas, context, runs, clock, chosen) : new FlatView(host, runs, clock, chosen);
}
