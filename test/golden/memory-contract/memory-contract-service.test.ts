import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '#domain/json.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import { storeOwners } from '#domain/memory-contract/owners.js';
import { recallHash } from '#domain/memory-contract/recall/recall.js';
import { Caller } from '#test/support/caller.js';
import { TestService } from '#test/support/service.js';
import { expectedOf, type GoldenConversation, type GoldenStep } from './golden-conversation.js';

/**
 * Runs the golden conversations through the service. They share its log, so each conversation gets a
 * session, a user and a project with a prefix of its own. The prefix is removed before answers are
 * compared.
 */
let service: TestService;
let agent: Caller;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  agent = await Caller.of(service, 'agent');
});
afterAll(() => service?.stop());

const ROOT = '/srv/app';

function bodyOf(step: GoldenStep, prefix: string): JsonObject {
  const asked = 'say' in step ? { ai_text: 'Noted.', ...step.say } : { query: '', ...step.recall };
  const { flagged: _, session_id = 's1', user_id = 'u1', project_root = ROOT, ...rest } = asked;
  return {
    assistant: 'helper',
    ...(rest as unknown as JsonObject),
    memory: { short_term: 20, semantic: true, profile: true, ...asked.memory },
    session_id: `${prefix}${session_id}`,
    user_id: `${prefix}${user_id}`,
    ...(project_root === null ? {} : { project_root: `/${prefix}${project_root}` }),
  };
}

const projectOf = (project_root: string): string =>
  storeOwners({ session_id: 's1', user_id: null, project_root }).project;

/**
 * Returns the answer without the prefix. A hash over ids is verified first, and then recomputed over the
 * ids without the prefix.
 */
function withoutPrefix(answer: JsonObject, prefix: string): JsonObject {
  const rewritten = JSON.stringify(answer)
    .replaceAll(projectOf(`/${prefix}${ROOT}`), projectOf(ROOT))
    .replaceAll(prefix, '');
  const shown = JSON.parse(rewritten) as JsonObject;
  const [first] = (shown['trace'] ?? []) as [{ deterministic_hash?: string }?];
  if (first?.deterministic_hash === undefined) return shown;
  const [real] = answer['trace'] as [{ deterministic_hash: string }];
  expect(real.deterministic_hash).toBe(recallHash(answer['items'] as unknown as MemoryItem[]));
  first.deterministic_hash = recallHash(shown['items'] as unknown as MemoryItem[]);
  return shown;
}

const folder = new URL('./conversations/', import.meta.url);
for (const [index, file] of readdirSync(folder).sort().entries()) {
  const text = readFileSync(new URL(file, folder), 'utf8');
  const conversation = JSON.parse(text) as GoldenConversation;
  test(`M18 [golden] ${file} gives the same answers over HTTP`, async () => {
    const prefix = `c${index}-`;
    for (const [number, step] of conversation.steps.entries()) {
      const path = 'say' in step ? 'memory/interactions' : 'memory/recall';
      let answer: JsonObject = {};
      for (let time = 0; time < (step.times ?? 1); time += 1)
        answer = await agent.post<JsonObject>(path, bodyOf(step, prefix));
      const expected = expectedOf(step, conversation);
      if (expected === undefined) continue;
      expect([`step ${number + 1}`, withoutPrefix(answer, prefix)]).toStrictEqual([
        `step ${number + 1}`,
        expected,
      ]);
    }
  });
}

/**
 * For each of the ten turns in docs/memory-contract.md, what the request contains besides Ada's words.
 */
const MORE: Readonly<Record<number, JsonObject>> = {
  1: { ai_text: 'Hello! Where shall we go?' },
  2: { ai_text: 'Nice to meet you, Ada.' },
  3: { ai_text: 'Trains it is.' },
  4: { ai_text: 'Lisbon in May.' },
  8: { tool_events: [{ tool: 'search_trains', found: 3 }] },
  9: { ai_text: 'Corrected.', phase: { token: 'booking', name: 'Booking' } },
  10: { ai_text: 'You are welcome.', phase_diff: { from: 'phase-1', to: 'phase-2' } },
};

test('the service gives the answers that docs/memory-contract.md shows', async () => {
  const page = readFileSync(new URL('../../../docs/memory-contract.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| +(\d+) \| ([^|]+) \| ([^|]+) \|/gm)];
  expect(rows).toHaveLength(10);
  const asked = {
    ...{ assistant: 'helper', session_id: 'trip', user_id: 'ada', project_root: '/srv/trips' },
    memory: { short_term: 4, semantic: true, profile: true },
  };
  for (const [, number, said = '', kept = ''] of rows) {
    const user_text = said.trim().replace(/ \(a new phase.*$/, '');
    const body = { ...asked, user_text, ai_text: 'Noted.', ...MORE[Number(number)] };
    const { written } = await agent.post<{ written: MemoryItem[] }>('memory/interactions', body);
    const kinds = { semantic: 'sem', profile: 'pro' } as const;
    for (const { id, kind, meta } of written) {
      const n = id.slice(id.lastIndexOf(':') + 1);
      const isCopy = meta.promoted_from !== undefined;
      if (isCopy) expect(kept).toContain(id);
      else if (kind !== 'short_term') expect(kept).toMatch(new RegExp(`${kinds[kind]} ${n}\\b`));
      else if (meta.summary_of === undefined) expect(kept).toMatch(new RegExp(`(st|–) ?${n}\\b`));
    }
  }
  const query = 'Which seats and trains do I prefer?';
  const { items, trace } = await agent.post<{ items: MemoryItem[]; trace: JsonObject[] }>(
    'memory/recall',
    { ...asked, query },
  );
  const shown = [...page.matchAll(/"id": "([^"]+)"/g)].map(([, id]) => id);
  expect(items.map(({ id }) => id)).toStrictEqual(shown);
  expect(page).toContain(JSON.stringify(trace[0]?.['deterministic_hash']));
  const plain = /```\n(ai_profile: [^`]+)```/.exec(page)?.[1] ?? '';
  const from = /^number: (\d+)$/m.exec(plain)?.[1];
  const path = `memory/session/trip/traces?format=plain&limit=1&from=${from}`;
  expect(await agent.get(path)).toBe(plain);
});
