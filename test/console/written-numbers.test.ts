import { expect, test } from '@jest/globals';
import { nearestNumber } from '#apps/console/src/action-requests/written-numbers.js';

const near = (text: string, sought: number): string | undefined =>
  nearestNumber([text], sought)?.written;

test('a number with the same digits in another order comes before one with another digit, and that before a tenfold one', () => {
  expect(near('EUR 2,540 or 24500 or 2950', 2450)).toBe('2,540');
  expect(near('EUR 24500 or 2950', 2450)).toBe('2950');
  expect(near('EUR 24500 or 7', 2450)).toBe('24500');
  expect(near('0.5 percent', 5)).toBe('0.5');
  expect(near('−254', -245)).toBe('254');
});

test('short numbers, dates, times and numbers that are merely close are not near', () => {
  expect(near('14 days, or 17', 15)).toBeUndefined();
  expect(near('read 2054-02-01 at 20:54, room 0254', 2540)).toBeUndefined();
  expect(near('EUR 2,460 to 3,000', 2450)).toBe('2,460');
  expect(near('EUR 2,361', 2450)).toBeUndefined();
  expect(near('0', 0)).toBeUndefined();
});

test('of 100 kB of numbers, the first 2,000 are compared', () => {
  expect(near('7,'.repeat(25_000) + '7 '.repeat(25_000), 2450)).toBeUndefined();
  expect(near(`${'7 '.repeat(1_999)}2540`, 2450)).toBe('2540');
  expect(near(`${'7 '.repeat(2_000)}2540`, 2450)).toBeUndefined();
});
