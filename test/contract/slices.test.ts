import { expect, test } from '@jest/globals';
import { inSlices } from '#bounded/slices.js';
import type { Slices } from '#domain/slices.js';

/** Work of so many slices, which notes its name when it ends. */
function* work(name: string, slices: number, ended: string[]): Slices<string> {
  for (let slice = 0; slice < slices; slice += 1) yield;
  ended.push(name);
  return name;
}

test('short work ends before long work that began earlier, and the event loop turns meanwhile', async () => {
  const ended: string[] = [];
  let turns = 0;
  let isCounting = true;
  const count = (): void => {
    turns += 1;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const long = Array.from({ length: 5 }, () => inSlices(work('long', 3_000_000, ended)));
  expect(await inSlices(work('short', 2, ended))).toBe('short');
  expect(ended).toStrictEqual(['short']);
  expect(await Promise.all(long)).toStrictEqual(Array(5).fill('long'));
  isCounting = false;
  expect(turns).toBeGreaterThan(10);
});

test('an error of the work rejects its promise, and other work goes on', async () => {
  const ended: string[] = [];
  const failing = inSlices(
    (function* (): Slices<never> {
      yield;
      throw new Error('cannot go on');
    })(),
  );
  const other = inSlices(work('other', 5, ended));
  await expect(failing).rejects.toThrow('cannot go on');
  expect(await other).toBe('other');
});
