const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Returns a span of ms in its two greatest units: `2 h 5 min`, `4.2 s`, `850 ms`. */
export function durationWords(ms: number): string {
  const span = Math.max(0, Math.round(ms));
  if (span < 1_000) return `${span} ms`;
  if (span < 60_000) return `${Math.floor(span / 100) / 10} s`;
  const first = UNITS.findIndex(([, size]) => span >= size);
  let rest = span;
  const parts = UNITS.slice(first, first + 2).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return parts.join(' ');
}
