import uPlot from 'uplot';
import type { ColourOf } from '../ui/plot';
import type { Figures } from './figures-table';

type Options = Omit<uPlot.Options, 'width'>;
type Series = Figures['series'];

/** The options of both plots: the buckets from left to right, and the callback for the bucket under the pointer. */
interface Buckets {
  readonly names: readonly string[];
  readonly point: (index: number | null) => void;
}

const HEIGHT = 180;
const FONT = '12px system-ui, sans-serif';
/** Room for the longest words at the side, so that the plots stand exactly below each other. */
const SIDE = 56;
const BELOW = 28;
/** A part of the room of a bucket, and at most so many pixels. */
const BAR: [number, number] = [0.7, 48];
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000];
const DURATIONS = [
  ...[1, 5, 10, 30],
  ...[1, 5, 10, 30].map((count) => count * MINUTE),
  ...[1, 2, 4, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 10, 30, 100, 365].map((count) => count * DAY),
];

/** The closed requests of each bucket: approved ones, on them the rejected, on them the expired ones. */
export const countsPlot =
  (buckets: Buckets) =>
  (colour: ColourOf): Options =>
    plot(
      buckets,
      colour,
      { steps: WHOLE, words: String, atLeast: 4 },
      ['--muted', '--bad', '--good'].map((token) => barOf(colour(token), colour('--page'))),
    );

/** A bar begins at zero, so each one covers the lower part of the one before it. Nothing is drawn for a zero. */
export const countsData = (series: Series): uPlot.AlignedData => [
  series.map((_, index) => index),
  series.map(({ decided, expired }) => decided + expired || null),
  series.map(({ decided }) => decided || null),
  series.map(({ approved }) => approved || null),
];

export const medianPlot =
  (buckets: Buckets) =>
  (colour: ColourOf): Options =>
    plot(buckets, colour, { steps: DURATIONS, words: stepWords, atLeast: MINUTE }, [
      {
        stroke: colour('--accent'),
        width: 2,
        points: { show: true, size: 7, fill: colour('--accent') },
      },
    ]);

export const medianData = (series: Series): uPlot.AlignedData => [
  series.map((_, index) => index),
  series.map(({ median_seconds_to_decide }) => median_seconds_to_decide),
];

/** The line in the colour of the page parts the bars for those who see no difference between their colours. */
const barOf = (fill: string, stroke: string): uPlot.Series => ({
  ...{ fill, stroke, width: 1 },
  paths: uPlot.paths.bars?.({ size: BAR }),
  points: { show: false },
});

interface Side {
  readonly steps: readonly number[];
  readonly words: (value: number) => string;
  /** The least value at the top, so that small values are not drawn as large ones. */
  readonly atLeast: number;
}

function plot(
  { names, point }: Buckets,
  colour: ColourOf,
  { steps, words, atLeast }: Side,
  series: readonly uPlot.Series[],
): Options {
  const axis = {
    font: FONT,
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    height: HEIGHT,
    legend: { show: false },
    cursor: { sync: { key: 'figures' }, drag: { x: false, y: false }, y: false },
    scales: {
      x: { time: false, range: () => [-0.5, names.length - 0.5] },
      y: { range: (_, __, most) => [0, Math.max(most ?? 0, atLeast) * 1.05] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        incrs: WHOLE,
        ...{ space: 72, size: BELOW },
        values: (_, splits) => splits.map((index) => names[index] ?? ''),
      },
      { ...axis, incrs: [...steps], size: SIDE, values: (_, splits) => splits.map(words) },
    ],
    series: [{}, ...series],
    hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)] },
  };
}

/** A duration of one unit: `30 min`, `2 days`. */
function stepWords(seconds: number): string {
  if (seconds === 0) return '0';
  if (seconds % DAY === 0) return seconds === DAY ? '1 day' : `${seconds / DAY} days`;
  if (seconds % HOUR === 0) return `${seconds / HOUR} h`;
  return seconds % MINUTE === 0 ? `${seconds / MINUTE} min` : `${seconds} s`;
}
