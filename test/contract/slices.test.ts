import { expect, test } from '@jest/globals';
import { fewAtOnce } from '#bounded/few-at-once.js';
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

test('new short work goes before the next share of each of many long works', async () => {
  const ended: string[] = [];
  const long = Array.from({ length: 60 }, () => inSlices(work('long', 300_000, ended)));
  const turn = () => new Promise(setImmediate);
  // Each long work has had a share.
  for (let turns = 0; turns < 60; turns += 1) await turn();
  let isDone = false;
  const short = inSlices(work('short', 2, ended)).then(() => (isDone = true));
  let turns = 0;
  for (; !isDone; turns += 1) await turn();
  await Promise.all([short, ...long]);
  expect(turns).toBeLessThan(5);
});

test('few at once works in order, keeps the places, and begins nothing after an error', async () => {
  let running = 0;
  let most = 0;
  const wait = async (value: number): Promise<number> => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running -= 1;
    return value * 2;
  };
  const values = Array.from({ length: 50 }, (_, place) => place);
  expect(await fewAtOnce(values, wait)).toStrictEqual(values.map((value) => value * 2));
  expect(most).toBe(2);
  const begun: number[] = [];
  const failing = fewAtOnce(values, (value) => {
    begun.push(value);
    return value === 3 ? Promise.reject(new Error('the fourth')) : wait(value);
  });
  await expect(failing).rejects.toThrow('the fourth');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(begun).toStrictEqual([0, 1, 2, 3]);
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
