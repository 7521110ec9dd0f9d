import { expect, test } from '@jest/globals';
import { Viewers } from '#apps/api/action-requests/viewers.js';

test('a reviewer who looks at very many requests does not hide who else looks at one', () => {
  const viewers = new Viewers();
  viewers.look('shared', 'ann');
  for (let n = 0; n < 20_000; n += 1) viewers.look(`request ${n}`, 'greedy');
  expect(viewers.of('shared')).toStrictEqual(['ann']);
  expect(viewers.all()).toHaveLength(101);
  expect(viewers.of('request 19900')).toStrictEqual(['greedy']);
  expect(viewers.look('request 19900', 'greedy')).toStrictEqual(['greedy']);
  viewers.look('one more', 'greedy');
  expect(viewers.of('request 19900')).toStrictEqual(['greedy']);
  expect(viewers.of('request 19901')).toStrictEqual([]);
});
