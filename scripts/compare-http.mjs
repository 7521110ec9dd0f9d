// Compares what the service answered in runs of the same tests:
//   MACE_RECORD_HTTP=/tmp/one npm run test:all      (and two; then, on the changed code, three)
//   node scripts/compare-http.mjs /tmp/three /tmp/one /tmp/two
// Each request of the first folder must stand in one of the others, and what stands in all of the others must
// stand in it. Ids, hashes, times, positions and names of one run are masked.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [changed, ...before] = process.argv.slice(2);
if (before.length === 0)
  throw new Error('Name the folder of the changed code, and one or two of the code before.');

/** Answers about the process, and not about memory. */
const LEFT_OUT = /^GET \/(?:health|metrics)/;
const MASKS = [
  [/"jwe":"[^"]*"/g, '"jwe":"<sealed>"'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [
    /\d{4}-\d\d-\d\d(?:[T ]|%20)\d\d(?::|%3A)\d\d(?::|%3A)\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g,
    '<time>',
  ],
  [/\d{4}-\d\d-\d\d/g, '<day>'],
  [/_[bcdfghjkmnpqrstvwxz]{8}(?![a-z])/g, '_<file>'],
  [/-[bcdfghjkmnpqrstvwxz]{8}(?![a-z])/g, '-<file>'],
  [/\b[0-9a-f]{16,}\b/gi, '<hash>'],
  [/[\w+/-]{40,}={0,2}/g, '<bytes>'],
  [/127\.0\.0\.1:\d+/g, '<host>'],
  [/\/tmp\/[\w./-]+/g, '<path>'],
  [
    /("(?:[a-z_]*position|after|before|cursor|next|lag|took_ms|[a-z_]*_ms|bytes|uptime[a-z_]*|number|revision)":)"?[\w.=-]+"?/g,
    '$1<number>',
  ],
  [/((?:after|before|cursor|position)=)[^&]+/g, '$1<number>'],
  [/\b\d{5,}\b/g, '<number>'],
  [/<\d+ characters, <hash>>/g, '<text>'],
];
const masked = (text) =>
  MASKS.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text ?? '');

/** Returns how often each masked line stands in a folder's file. */
function countsOf(folder, file) {
  const counts = new Map();
  let text = '';
  try {
    text = readFileSync(join(folder, file), 'utf8');
  } catch {
    return counts;
  }
  for (const line of text.split('\n').filter(Boolean)) {
    const { test, request, sent, status, type, answer } = JSON.parse(line);
    if (LEFT_OUT.test(request)) continue;
    const key = [test, masked(request), masked(sent), status, type, masked(answer)].join('\n  ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const files = new Set([changed, ...before].flatMap((folder) => readdirSync(folder)));
let requests = 0;
let differences = 0;
for (const file of [...files].sort()) {
  const now = countsOf(changed, file);
  const then = before.map((folder) => countsOf(folder, file));
  const report = (what, key) => {
    differences += 1;
    console.log(`${what} ${file}\n  ${key}\n`);
  };
  for (const [key, times] of now) {
    requests += times;
    if (!then.some((counts) => counts.has(key))) report('new:', key);
  }
  for (const key of then[0].keys())
    if (then.every((counts) => counts.has(key)) && !now.has(key)) report('gone:', key);
}
console.log(`${requests} requests in ${files.size} files, ${differences} differences.`);
process.exitCode = differences === 0 ? 0 : 1;
