import { stat } from 'node:fs/promises';
import { claimsToBeMoment } from '#domain/replay/moment-file.js';
import { HEAD_CHARACTERS, type OtherFile, otherFileOf } from '#domain/replay/other-files.js';
import { chunksOf } from '#files/regular-file.js';
import { couldNotCheck } from '../exit-code.js';

/** For each other kind of file, a sentence that names it and its use. */
const OTHERS: Readonly<Record<OtherFile, (file: string) => string>> = {
  checkpoint: (file) =>
    `${file} is a checkpoint of the log. Compare the log with it: mace verify --log --since ${file}`,
  keys: (file) => `${file} has keys. Name it as what signatures are checked with: --key ${file}`,
  private_keys: (file) =>
    `${file} has private keys. Give it to nobody; signatures are checked with the keys of mace keys.`,
  backup: (file) =>
    `${file} is the list of a backup’s files. mace restore checks them before it writes one.`,
  event: (file) =>
    `${file} names an event of the log and says what it records. It has no signature: the bundle of the event’s stream proves it (GET /v1/streams/bundle?stream=…).`,
  replay_report: (file) =>
    `${file} has the report of a replay, which nobody has signed. The console’s page “Compare two jobs” puts it beside another one.`,
  runs: (file) =>
    `${file} has recorded runs, which nobody has signed. Bring them in: mace import ${file}`,
};

/**
 * Returns which kind of file this is, besides a receipt. A pipe, which can be read only once, is a bundle. @throws the
 * failure of a check that was not done, for a file of a kind that is used otherwise
 */
export async function kindOf(file: string): Promise<'bundle' | 'moment'> {
  if (!(await stat(file)).isFile()) return 'bundle';
  const head = await headOf(file);
  const [line = ''] = head.split('\n', 1);
  if (claimsToBeMoment(line)) return 'moment';
  const other = otherFileOf(head);
  if (other !== undefined) throw couldNotCheck(OTHERS[other](file));
  return 'bundle';
}

async function headOf(file: string): Promise<string> {
  for await (const chunk of chunksOf(file)) return chunk.toString('utf8').slice(0, HEAD_CHARACTERS);
  return '';
}
