/** Files of the product that are neither bundles nor receipts nor of a moment. They are not broken: they are used otherwise. */
export const OTHER_FILES = [
  'checkpoint',
  'keys',
  'private_keys',
  'backup',
  'runs',
  'event',
  'replay_report',
] as const;
export type OtherFile = (typeof OTHER_FILES)[number];

/** The characters at the start of a file that say of which kind it is. */
export const HEAD_CHARACTERS = 4_096;

/** What stands at the start of a file of each kind; of several kinds, the first one counts. */
const SIGNS: readonly (readonly [kind: OtherFile, ...signs: readonly RegExp[]])[] = [
  ['checkpoint', /"kind"\s*:\s*"log_checkpoint"/],
  ['backup', /"kind"\s*:\s*"mace_backup"/],
  ['replay_report', /"kind"\s*:\s*"replay_report"/],
  ['private_keys', /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/],
  ['private_keys', /"signingKey"\s*:/, /"sealingKey"\s*:/],
  ['private_keys', /"kty"\s*:/, /"d"\s*:/],
  ['keys', /"kty"\s*:/],
  ['keys', /-----BEGIN /],
  ['runs', /"messages"\s*:\s*\[/],
  ['event', /"event"\s*:\s*\{/, /"trace_id"\s*:/, /"sub"\s*:/],
];

/** What stands in the first line of a bundle. */
const OF_BUNDLE = [/"stream"\s*:/, /"head_hash"\s*:/];

/**
 * Returns which other kind of file of the product this is; undefined if it may be a bundle, also a broken one. A file of
 * lines says so in its first line, and one that is written over several lines in its first ones.
 * @param head the first characters of the file
 */
export function otherFileOf(head: string): OtherFile | undefined {
  const [line = ''] = head.split('\n', 1);
  const isOneDocument = /^\s*[[{]\s*$/.test(line) || line.startsWith('-----BEGIN ');
  const said = (isOneDocument ? head : line).slice(0, HEAD_CHARACTERS);
  const has = (sign: RegExp): boolean => sign.test(said);
  if (!isOneDocument && OF_BUNDLE.every(has)) return undefined;
  return SIGNS.find(([, ...signs]) => signs.every(has))?.[0];
}
