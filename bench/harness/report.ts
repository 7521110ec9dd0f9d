/** The abbreviation of each unit in the table. */
const UNITS = { 'per second': '/s', ms: 'ms', positions: 'positions', megabytes: 'MB' } as const;

/** One measured value. Of rates, the larger one is better; of everything else, the smaller one. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: keyof typeof UNITS;
  readonly note?: string;
  /** The row of our product with which this row is compared; set only in a peer's row. */
  readonly ours?: Row;
}

export interface Target {
  readonly what: string;
  readonly measured: string;
  readonly reached: boolean;
}

export interface Report {
  readonly rows: readonly Row[];
  readonly targets: readonly Target[];
}

const number = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : value.toLocaleString('en-US', { maximumSignificantDigits: 3 });

/** Returns the factor by which ours is better. */
const times = (ours: Row, theirs: Row): number =>
  ours.unit === 'per second' ? ours.value / theirs.value : theirs.value / ours.value;

export function tableOf({ rows, targets }: Report): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map((row) => {
    const value = `${number(row.value)} ${UNITS[row.unit]}`.padStart(16);
    const ratio = row.ours === undefined ? '' : `ours: ${number(times(row.ours, row))} ×`;
    return `  ${row.name.padEnd(width)} ${value}   ${ratio.padEnd(16)} ${row.note ?? ''}`.trimEnd();
  });
  const verdicts = targets.map(
    ({ what, measured, reached }) =>
      `  ${reached ? 'reached    ' : 'not reached'}  ${what}: ${measured}`,
  );
  return [...lines, ...verdicts].join('\n');
}

/** Makes a target: `ours` must be at least `factor` times as good as `theirs`. */
export function atLeast(what: string, factor: number, ours: Row, theirs: Row): Target {
  const reached = times(ours, theirs);
  return { what, measured: `${number(reached)} ×`, reached: reached >= factor };
}

/** Makes a target: the value of `row` must be less than `limit`. */
export const below = (row: Row, limit: number): Target => ({
  what: `${row.name}: under ${number(limit)} ${UNITS[row.unit]}`,
  measured: `${number(row.value)} ${UNITS[row.unit]}`,
  reached: row.value < limit,
});

export const beside = (theirs: Row, ours: Row): Row => ({ ...theirs, ours });

export const perSecond = (name: string, count: number, ms: number, note?: string): Row => ({
  name,
  value: (count * 1000) / ms,
  unit: 'per second',
  ...(note === undefined ? {} : { note }),
});

/** Returns a percentile of a sample; `part` is between 0 and 1. */
export function percentile(sample: readonly number[], part: number): number {
  const sorted = [...sample].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const latencies = (name: string, sample: readonly number[]): readonly [Row, Row] => [
  { name: `${name}, p50`, value: percentile(sample, 0.5), unit: 'ms' },
  { name: `${name}, p99`, value: percentile(sample, 0.99), unit: 'ms' },
];
