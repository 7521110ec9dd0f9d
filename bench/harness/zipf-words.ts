const VOCABULARY = 50_000;

/** Makes words `w0`, `w1`, …, of which the n-th has the frequency 1/n. */
export function zipf(random: () => number): () => string {
  const cumulated: number[] = [];
  let total = 0;
  for (let rank = 1; rank <= VOCABULARY; rank += 1) cumulated.push((total += 1 / rank));
  return () => {
    const drawn = random() * total;
    let low = 0;
    let high = VOCABULARY - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulated[middle] ?? 0) < drawn) low = middle + 1;
      else high = middle;
    }
    return `w${low}`;
  };
}

/** Makes texts of 5 to 40 Zipf-distributed words. */
export const textsOf = (random: () => number): (() => string) => {
  const word = zipf(random);
  return () => Array.from({ length: 5 + Math.floor(random() * 36) }, word).join(' ');
};

/** Makes queries of each kind: `one common word`, `several words`, which are of mixed frequency, and `rare words`. */
export function queriesOf(
  random: () => number,
): Readonly<Record<'one common word' | 'several words' | 'rare words', () => string>> {
  const word = zipf(random);
  const rank = (from: number, to: number): string =>
    `w${from + Math.floor(random() * (to - from))}`;
  return {
    'one common word': () => rank(0, 5),
    'several words': () => [rank(0, 20), rank(20, 500), word(), word()].join(' '),
    'rare words': () => [rank(5_000, 40_000), rank(5_000, 40_000)].join(' '),
  };
}
