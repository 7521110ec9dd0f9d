import { useMemo, useState } from 'react';
import { DataTable, type Column } from '../ui/data-table';
import { Plot } from '../ui/plot';
import { Section } from '../ui/section';
import styles from './figures.module.css';
import { countsData, countsPlot, medianData, medianPlot } from './figures-plots';
import { durationWords, type Figures } from './figures-table';

type Bucket = Figures['bucket'];
type InBucket = Figures['series'][number];

const HEADINGS: Readonly<Record<Bucket, string>> = { day: 'Day', week: 'Week', month: 'Month' };

const NUMBERS: readonly Column<InBucket>[] = [
  { name: 'Decided', isNumber: true, cell: ({ decided }) => decided.toLocaleString('en') },
  { name: 'Approved', isNumber: true, cell: ({ approved }) => approved.toLocaleString('en') },
  { name: 'Rejected', isNumber: true, cell: ({ rejected }) => rejected.toLocaleString('en') },
  { name: 'Expired', isNumber: true, cell: ({ expired }) => expired.toLocaleString('en') },
  {
    name: 'Median time to decide',
    isNumber: true,
    cell: ({ median_seconds_to_decide }) => durationWords(median_seconds_to_decide),
  },
];

/** The figures over time: drawn, and the same numbers in a table. */
export function FiguresOverTime({ figures }: { readonly figures: Figures }) {
  const { bucket, series } = figures;
  const [pointed, point] = useState<number | null>(null);
  const { counts, median } = useMemo(() => {
    const buckets = { names: series.map((each) => shortName(bucket, each)), point };
    return {
      counts: { optionsOf: countsPlot(buckets), data: countsData(series) },
      median: { optionsOf: medianPlot(buckets), data: medianData(series) },
    };
  }, [bucket, series]);
  const columns = useMemo(
    () => [{ name: HEADINGS[bucket], cell: (each: InBucket) => nameOf(bucket, each) }, ...NUMBERS],
    [bucket],
  );
  return (
    <Section title="Over time">
      <figure className={styles.figure}>
        <figcaption>Closed requests per {bucket}</figcaption>
        <p className={styles.legend} aria-hidden="true">
          <span className={styles.approved}>Approved</span>
          <span className={styles.rejected}>Rejected</span>
          <span className={styles.expired}>Expired</span>
        </p>
        <Plot {...counts} />
      </figure>
      <figure className={styles.figure}>
        <figcaption>Median time to decide</figcaption>
        <Plot {...median} />
      </figure>
      <p className={styles.pointed} aria-hidden="true">
        {wordsOf(bucket, series[pointed ?? -1])}
      </p>
      <details>
        <summary>The numbers of each {bucket}</summary>
        <DataTable
          label={`Figures of each ${bucket}`}
          columns={columns}
          rows={series}
          keyOf={({ from }) => from}
          empty={null}
        />
      </details>
    </Section>
  );
}

function wordsOf(bucket: Bucket, pointed: InBucket | undefined): string {
  if (pointed === undefined) return `Point at a ${bucket} to read its numbers.`;
  const { approved, rejected, expired, median_seconds_to_decide: median } = pointed;
  const counts = `${approved} approved, ${rejected} rejected, ${expired} expired`;
  const time = median === null ? '' : `, median ${durationWords(median)}`;
  return `${nameOf(bucket, pointed)}: ${counts}${time}`;
}

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (at: string): string => formatter.format(new Date(at));
};
const shortDay = format({ day: 'numeric', month: 'short' });
const day = format({ day: 'numeric', month: 'short', year: 'numeric' });
const month = format({ month: 'short', year: 'numeric' });

const shortName = (bucket: Bucket, { from }: InBucket): string =>
  bucket === 'month' ? month(from) : shortDay(from);

function nameOf(bucket: Bucket, { from, to }: InBucket): string {
  if (bucket === 'month') return month(from);
  if (bucket === 'day') return day(from);
  return `${shortDay(from)} – ${day(new Date(Date.parse(to) - 1).toISOString())}`;
}
