import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { played, type GoldenConversation } from './golden-conversation.js';

/**
 * The folder of the golden conversations. Each file holds every answer of one conversation, and the test
 * compares the answers byte for byte as JSON. A file changes only if the contract changes.
 */
const folder = new URL('./conversations/', import.meta.url);
const CONVERSATIONS = [
  'borders-closed',
  'conflict-correction',
  'conflict-recency',
  'correction-in-a-new-phase',
  'cross-phase-recall',
  'decay-boundary',
  'denied-secret',
  'full-window-twice',
  'max-phases',
  'plain-turn',
  'policies-minimal-none-aggressive',
  'promotions-granted',
  'promotions-refused',
  'ttl-boundary',
];

test('M18 [golden] the folder has every conversation of the contract', () => {
  const found = readdirSync(folder).map((name) => name.replace(/\.json$/, ''));
  expect(found.sort()).toStrictEqual(CONVERSATIONS);
});

for (const name of CONVERSATIONS) {
  const text = readFileSync(new URL(`${name}.json`, folder), 'utf8');
  const conversation = JSON.parse(text) as GoldenConversation;
  test(`M18 [golden] ${name}: ${conversation.about}`, () => {
    for (const { step, actual, expected } of played(conversation))
      expect([`step ${step}`, actual]).toStrictEqual([`step ${step}`, expected]);
  });
}
