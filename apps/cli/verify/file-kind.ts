import { stat } from 'node:fs/promises';
import { claimsToBeCheckpoint, claimsToBeMoment } from '#domain/replay/moment-file.js';
import { couldNotCheck } from '../exit-code.js';
import { linesOf } from '../files/lines.js';

/** Files of other kinds, by what their first line says, and how each of them is used. */
const OTHERS: readonly {
  readonly claims: (line: string) => boolean;
  readonly say: (file: string) => string;
}[] = [
  {
    claims: claimsToBeCheckpoint,
    say: (file) =>
      `${file} is a checkpoint of the log. Compare the log with it: mace verify --log --since ${file}`,
  },
  {
    claims: (line) => /"kty"\s*:|-----BEGIN /.test(line),
    say: (file) => `${file} has keys. Name it as what signatures are checked with: --key ${file}`,
  },
];

const MAX_CHARACTERS = 4_096;

/**
 * Returns which kind of file this is, besides a receipt. A pipe, which can be read only once, is a bundle. @throws the
 * failure of a check that was not done, for a file of a kind that is used otherwise
 */
export async function kindOf(file: string): Promise<'bundle' | 'moment'> {
  if (!(await stat(file)).isFile()) return 'bundle';
  const line = await firstLineOf(file);
  if (claimsToBeMoment(line)) return 'moment';
  const other = OTHERS.find(({ claims }) => claims(line));
  if (other !== undefined) throw couldNotCheck(other.say(file));
  return 'bundle';
}

async function firstLineOf(file: string): Promise<string> {
  for await (const line of linesOf(file)) return line.slice(0, MAX_CHARACTERS);
  return '';
}
