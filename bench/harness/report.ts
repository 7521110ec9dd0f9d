/** One measured thing. */
export interface Row {
  readonly name: string;
  readonly value: number;
  /** For what is better small, the ratio is turned round. */
  readonly unit: 'per second' | 'ms';
  readonly note?: string;
}

/** What is to be reached, and whether it was. */
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

/** How many times as good as the first row. */
const ratio = (row: Row, first: Row): string => {
  const times = row.unit === 'ms' ? first.value / row.value : row.value / first.value;
  return `${number(times)} ×`;
};

/** A table whose ratios compare each row with the first of its unit. */
export function tableOf({ rows, targets }: Report): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map((row) => {
    const first = rows.find(({ unit }) => unit === row.unit) ?? row;
    const unit = row.unit === 'ms' ? 'ms' : '/s';
    const value = `${number(row.value)} ${unit}`.padStart(14);
    const note = row.note === undefined ? '' : `   ${row.note}`;
    return `  ${row.name.padEnd(width)} ${value} ${ratio(row, first).padStart(9)}${note}`;
  });
  const verdicts = targets.map(
    ({ what, measured, reached }) =>
      `  ${reached ? 'reached    ' : 'not reached'}  ${what}: ${measured}`,
  );
  return [...lines, ...verdicts].join('\n');
}

/** A target on `ours` being at least `factor` times as good as `theirs`. */
export function atLeast(what: string, factor: number, ours: Row, theirs: Row): Target {
  const times = ours.unit === 'ms' ? theirs.value / ours.value : ours.value / theirs.value;
  return { what, measured: `${number(times)} ×`, reached: times >= factor };
}

export const perSecond = (name: string, count: number, ms: number, note?: string): Row => ({
  name,
  value: (count * 1000) / ms,
  unit: 'per second',
  ...(note === undefined ? {} : { note }),
});

/** The value below which that part of the sample lies. */
export function percentile(sample: readonly number[], part: number): number {
  const sorted = [...sample].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const latencies = (name: string, sample: readonly number[]): readonly [Row, Row] => [
  { name: `${name}, p50`, value: percentile(sample, 0.5), unit: 'ms' },
  { name: `${name}, p99`, value: percentile(sample, 0.99), unit: 'ms' },
];
