// Runs the demo and records its steps as an animated picture, docs/demo.svg: node scripts/record-demo.mjs
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SECONDS_A_STEP = 4;
const WIDTH = 900;
const LINE_HEIGHT = 20;
const MARGIN = 24;

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const output = execFileSync('node', [path('bin/mace.mjs'), 'demo'], { encoding: 'utf8' });
const steps = output
  .trim()
  .split(/\n{2,}/)
  .map((block) => block.split('\n'));
const height = Math.max(...steps.map((lines) => lines.length)) * LINE_HEIGHT + 2 * MARGIN;
const duration = steps.length * SECONDS_A_STEP;

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const classOf = (line, place) => {
  if (line.includes('✔')) return 'proof';
  if (line.includes('›')) return 'result';
  return place === 0 ? 'title' : 'words';
};
const lineOf = (line, place) =>
  `<text x="${MARGIN}" y="${MARGIN + (place + 0.7) * LINE_HEIGHT}" class="${classOf(line, place)}">${escaped(line)}</text>`;
const stepOf = (lines, place) =>
  `<g style="animation-delay:${place * SECONDS_A_STEP}s">${lines.map(lineOf).join('')}</g>`;

const share = (100 / steps.length).toFixed(3);
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="The demo, step by step">
<style>
rect { fill: #14171f }
text { font: 13px ui-monospace, Menlo, Consolas, monospace; white-space: pre; fill: #c8ccd4 }
.title { fill: #ffffff; font-weight: bold }
.result { fill: #7fb4e0 }
.proof { fill: #8fd19e }
g { opacity: 0; animation: step ${duration}s linear infinite }
@keyframes step { 0%, ${share}% { opacity: 1 } ${share}1%, 100% { opacity: 0 } }
</style>
<rect width="${WIDTH}" height="${height}" rx="8"/>
${steps.map(stepOf).join('\n')}
</svg>
`;
writeFileSync(path('docs/demo.svg'), svg);
process.stdout.write(`docs/demo.svg: ${steps.length} steps, ${duration} s\n`);
