const BLOCK_BITS = 1_024;
const WORD_BITS = 32;

/** An immutable set of counters, stored as bits in blocks. Adding a counter copies only its block. */
export type CounterSet = readonly (readonly number[] | undefined)[];

const placeOf = (counter: number) => ({
  block: Math.floor(counter / BLOCK_BITS),
  word: Math.floor((counter % BLOCK_BITS) / WORD_BITS),
  bit: 1 << (counter % WORD_BITS),
});

export const NO_COUNTERS: CounterSet = [];

export function hasCounter(set: CounterSet, counter: number): boolean {
  const { block, word, bit } = placeOf(counter);
  return ((set[block]?.[word] ?? 0) & bit) !== 0;
}

export function withCounter(set: CounterSet, counter: number): CounterSet {
  const { block, word, bit } = placeOf(counter);
  const words = set[block]?.slice() ?? new Array<number>(BLOCK_BITS / WORD_BITS).fill(0);
  words[word] = (words[word] ?? 0) | bit;
  const blocks = set.slice();
  while (blocks.length < block) blocks.push(undefined);
  blocks[block] = words;
  return blocks;
}
