import { expect, test } from '@jest/globals';
import { plainView } from '#domain/plain-view.js';

test('M19 the plain view sorts keys, joins nested keys with dots, counts list items and omits empty objects', () => {
  const view = plainView({
    type: 'memory_recall',
    current_phase: null,
    policy: { spaces: { read_order: ['session', 'user'] }, dedupe_enabled: true },
    items: [{ id: 'a', score: 2 }],
    empty: {},
    none: [],
    text: 'two\nlines\tand a tab\r',
  });
  expect(view).toBe(
    [
      'current_phase: null',
      'items.count: 1',
      'items.1.id: a',
      'items.1.score: 2',
      'none.count: 0',
      'policy.dedupe_enabled: true',
      'policy.spaces.read_order.count: 2',
      'policy.spaces.read_order.1: session',
      'policy.spaces.read_order.2: user',
      'text: two\\nlines\\tand a tab\\r',
      'type: memory_recall',
    ].join('\n'),
  );
});
