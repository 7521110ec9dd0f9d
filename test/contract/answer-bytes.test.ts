import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { MemoryTrace } from '#domain/memory-contract/events.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import { policyOf } from '#domain/memory-contract/policy.js';
import { traceOf } from '#domain/memory-contract/trace/trace.js';
import { AnswerBytes } from '#apps/api/memory-contract/answer-bytes.js';

const ANSWER_BYTES = '#apps/api/memory-contract/answer-bytes.js';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The append takes 50 ms. During this time JSON.stringify fails, because JSON cannot represent a BigInt.
 */
const PROGRAM = `
  const { AnswerBytes } = await import('${ANSWER_BYTES}');
  const body = new AnswerBytes().of({ items: [{ meta: { n: 1n } }], trace: [] }, {});
  await new Promise((appended) => setTimeout(appended, 50));
  await body.catch(({ name }) => console.log(name));
`;

test('an answer that cannot be made into JSON during the append fails its request, but does not end the process', async () => {
  const args = ['--input-type=module', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  expect(stdout).toBe('TypeError\n');
});

const turns = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `session:own-ä:short_term:${from + n}`);

test('an answer has the canonical JSON of its items and traces, whatever lists were answered before', async () => {
  const bytes = new AnswerBytes();
  const policy = policyOf({});
  const list = fc
    .tuple(fc.integer({ min: 0, max: 600 }), fc.nat(3))
    .map(([count, added]) => [...turns(count), ...turns(added, 10_000)]);
  await fc.assert(
    fc.asyncProperty(fc.array(list, { minLength: 1, maxLength: 4 }), async (lists) => {
      for (const summary_of of lists) {
        const plain = { id: 'i', text: '["\\u00000"]', meta: { tags: ['\\u00000'] } };
        const summary = { id: 's', text: '\u0001', meta: { summary_of } };
        const items = [plain, summary, summary] as unknown as MemoryItem[];
        const trace = [
          { type: 'memory_recall', data: { recalled: items, settings: {} } },
          { type: 'memory_write', data: { written: items } },
        ] as unknown as MemoryTrace[];
        const shown = { items, trace: trace.map((event) => traceOf(event, policy)) };
        expect(String(await bytes.of({ items, trace }, policy))).toBe(canonicalJson(shown));
      }
    }),
  );
});
