// SPDX-License-Identifier: BSD-3-Clause
// Bundles the viewer into one file, and the script that makes figures of pages interactive into another:
// node build.mjs [VIEWER [FIGURES]]. The same sources and the same lock file give the same bytes. Both files have the hash of these sources, which
// tests/viewer/viewer.sh compares where there is no Node:
// find build.mjs package.json package-lock.json src -type f | LC_ALL=C sort | xargs sha256sum | sha256sum
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, 'viewer.html');
const figures = process.argv[3] ?? join(here, 'figures.js');

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const below = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? below(join(folder, e.name)) : [join(folder, e.name)]));
const files = ['build.mjs', 'package.json', 'package-lock.json', ...below(join(here, 'src')).map((file) => relative(here, file))].sort();
const sources = `sources: sha256 ${sha256(files.map((file) => `${sha256(readFileSync(join(here, file)))}  ${file}\n`).join(''))}`;

// A licence of each package that ends in the page.
const licences = ['three', 'sql.js', 'uplot', 'fflate'].map((name) => {
  const of = JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8'));
  return `${of.name} ${of.version}\n${readFileSync(join(here, 'node_modules', name, 'LICENSE'), 'utf8').trim()}`;
});

// `import bytes from '...wasm'` gives base64 of the gzipped file.
const packed = {
  name: 'packed',
  setup(b) {
    b.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
      contents: `export default ${JSON.stringify(gzipSync(readFileSync(path), { level: 9 }).toString('base64'))}`,
      loader: 'js',
    }));
  },
};

const bundle = async (entry, loader = {}) =>
  (
    await build({
      entryPoints: [join(here, 'src', entry)],
      bundle: true,
      minify: true,
      write: false,
      charset: 'utf8',
      legalComments: 'none',
      target: ['es2022'],
      format: 'iife',
      plugins: [packed],
      loader,
      external: ['fs', 'path', 'crypto'],
    })
  ).outputFiles[0].text;

const inPage = (text) => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
const script = inPage(await bundle('main.js'));
const style = await bundle('style.css');
const page = readFileSync(join(here, 'src', 'index.html'), 'utf8');
const put = { SOURCES: sources, STYLE: style, SCRIPT: script, LICENCES: licences.join('\n\n').replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`) };
writeFileSync(output, page.replace(/\{\{(\w+)\}\}/g, (_, word) => put[word]));
writeFileSync(figures, `/* ${sources} */\n/*\n${licences[2]}\n*/\n${inPage(await bundle('figures/main.js', { '.css': 'text' }))}`);
