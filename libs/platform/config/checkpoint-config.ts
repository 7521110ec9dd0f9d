import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { s3PlaceOf } from '#artifacts/s3-place.js';
import { BadConfig } from './bad-config.js';

/** When checkpoints of the log are made, and where their files are kept (docs/checkpoints.md). */
export interface CheckpointConfig {
  /** `file:///folder`, `s3://bucket` or `s3://bucket/prefix`; empty: only in the data directory. */
  readonly places: readonly string[];
  /** The days for which a bucket with object lock lets nobody delete a file; undefined: without a lock. */
  readonly lockDays: number | undefined;
  /** The minutes between two checkpoints; 0 means only on request. */
  readonly everyMinutes: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of checkpoints. Fails with BadConfig, which names the wrong one. */
export function readCheckpointConfig(env: Environment): CheckpointConfig {
  const places = placesIn(env);
  const lockDays = daysIn(env);
  if (lockDays !== undefined && !places.some((place) => place.startsWith('s3:')))
    throw new BadConfig(
      'MACE_CHECKPOINT_LOCK_DAYS is set, but no place of MACE_CHECKPOINT_PLACE is a bucket.',
    );
  return { places, lockDays, everyMinutes: minutesIn(env) };
}

const MAX_PLACES = 8;

function placesIn(env: Environment): string[] {
  const name = 'MACE_CHECKPOINT_PLACE';
  const places = (env[name] ?? '')
    .split(',')
    .map((place) => place.trim())
    .filter((place) => place !== '');
  if (!places.every((place) => s3PlaceOf(place) !== undefined || folderOf(place) !== undefined))
    throw new BadConfig(
      `${name} must be file:///folder, s3://bucket or s3://bucket/prefix, or several of them separated by commas.`,
    );
  if (new Set(places).size < places.length || places.length > MAX_PLACES)
    throw new BadConfig(`${name} must name at most ${MAX_PLACES} places, each once.`);
  return places;
}

/** Returns the folder that a `file:///` URL names; undefined for any other text. */
export function folderOf(place: string): string | undefined {
  if (!/^file:\/\/\/[^?#]/.test(place) || !URL.canParse(place)) return undefined;
  try {
    const folder = fileURLToPath(place);
    return isAbsolute(folder) ? folder : undefined;
  } catch {
    // The URL has an encoded slash, which no path has.
    return undefined;
  }
}

const MAX_DAYS = 36_500;

function daysIn(env: Environment): number | undefined {
  const text = env['MACE_CHECKPOINT_LOCK_DAYS'];
  if (text === undefined || text === '') return undefined;
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_DAYS)
    throw new BadConfig(
      `MACE_CHECKPOINT_LOCK_DAYS must be a whole number from 1 to ${MAX_DAYS}; it is ${JSON.stringify(text)}.`,
    );
  return days;
}

const MINUTES = { m: 1, h: 60, d: 1_440 } as const;

function minutesIn(env: Environment): number {
  const text = env['MACE_CHECKPOINT_EVERY'];
  if (text === undefined || text === '') return 0;
  const [, count = '0', unit = 'm'] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const minutes = Number(count) * MINUTES[unit as keyof typeof MINUTES];
  if (minutes < 1)
    throw new BadConfig(
      `MACE_CHECKPOINT_EVERY must be a number of minutes, hours or days, such as 30m, 24h or 7d; it is ${JSON.stringify(text)}.`,
    );
  return minutes;
}
