import { expect, test } from '@jest/globals';
import type { MemoryTurn } from '#client/index.js';
import { LEFT_OUT_REASONS } from '#domain/memory-contract/interaction/left-out.js';
import { DENIAL_REASONS } from '#domain/memory-contract/interaction/write-check.js';
import { DELETION_REASONS, MEMORY_KINDS, SPACES } from '#domain/memory-contract/item.js';
import { FORGET_REASONS } from '#domain/memory-contract/retention/retention.js';
import { CONFLICT_RULES } from '#domain/memory-contract/store/conflict.js';
import { BORDER_REASONS } from '#domain/memory-contract/trace/borders.js';

type Words = Readonly<Record<string, string>>;

// Vite resolves the console's imports without endings, so the compiler of the tests must not follow them.
const sources = (file: string): Promise<unknown> =>
  import(`#apps/console/src/memory-contract/${file}.js`);
const reasons = (await sources('reasons')) as Readonly<
  Record<
    | 'DENIED'
    | 'LEFT_OUT'
    | 'BORDERS'
    | 'CONFLICTS'
    | 'FORGOTTEN'
    | 'DELETED'
    | 'KINDS'
    | 'SPACES_IN_WORDS',
    Words
  >
>;
const { sentencesOf } = (await sources('turn-sentences')) as {
  readonly sentencesOf: (
    turn: MemoryTurn,
  ) => readonly { readonly side: string; readonly words: string }[];
};

test('every reason of the rules has words of its own', () => {
  const tables: readonly (readonly [readonly string[], Words])[] = [
    [[...DENIAL_REASONS, 'personal_data'], reasons.DENIED],
    [LEFT_OUT_REASONS, reasons.LEFT_OUT],
    [BORDER_REASONS, reasons.BORDERS],
    [CONFLICT_RULES, reasons.CONFLICTS],
    [FORGET_REASONS, reasons.FORGOTTEN],
    [DELETION_REASONS, reasons.DELETED],
    [MEMORY_KINDS, reasons.KINDS],
    [SPACES, reasons.SPACES_IN_WORDS],
  ];
  for (const [codes, words] of tables) {
    expect(Object.keys(words).toSorted()).toStrictEqual([...codes].toSorted());
    for (const code of codes) expect(words[code]).toMatch(/^[A-Za-z][^_]{3,}[^.]$/);
    expect(new Set(Object.values(words)).size).toBe(codes.length);
  }
});

const TURN: MemoryTurn = {
  ...{ number: 0, recorded_at: '2026-01-01T00:00:00.000Z', type: 'interaction_recorded' },
  ...{ user: { text: 'It is so.' }, ai: { text: 'Noted.' }, tool: null },
  ...{ stored: [], left_out: [], decisions: [] },
};
const wordsOf = (turn: Partial<MemoryTurn>) =>
  sentencesOf({ ...TURN, ...turn }).map(({ side, words }) => `${side}: ${words}`);

test('a text in which personal data was found says so, although the rules refuse it as sensitive', () => {
  const decisions = [
    {
      ...{ number: 2, type: 'memory_denied', reason: 'privacy_deny_sensitive', tags: [] },
      attempted: { id: 'session:s:short_term:1', kind: 'short_term', source: 'user' },
    },
  ];
  expect(wordsOf({ decisions })).toStrictEqual([
    `user: Not kept as a turn: ${reasons.DENIED['privacy_deny_sensitive']}.`,
  ]);
  expect(wordsOf({ decisions, user: { text: null, withheld: 'personal_data' } })).toStrictEqual([
    `user: Not kept as a turn: ${reasons.DENIED['personal_data']}.`,
  ]);
});

test('a write that passed the border and left no mark was the same as before', () => {
  const check = {
    ...{ number: 1, type: 'memory_border_check', action: 'write', allowed: true },
    ...{ reason: 'allowed', from_space: 'session', subject_id: 'session:s:profile:2' },
  };
  expect(wordsOf({ decisions: [check] })).toStrictEqual([
    'user: Not kept again as a profile fact: the same is kept already.',
  ]);
});

test('the turns that left the window are one sentence, whatever their number', () => {
  const forget = (number: number) => ({
    ...{ number, type: 'memory_forget', memory_id: `session:s:short_term:${number}` },
    ...{ reason: 'decay', kind: 'short_term', event_type: 'context', authority: 'user_asserted' },
  });
  expect(wordsOf({ decisions: [forget(1), forget(2)] })).toStrictEqual([
    'turn: 2 earlier items left the last turns: the summary covers them.',
  ]);
});
