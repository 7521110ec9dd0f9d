import { isSigned } from '#domain/replay/bundle.js';
import type { BundleFinding, BundleProblem } from '#domain/replay/bundle-suspect.js';
import { deciderOf } from '#domain/replay/stream-rules.js';
import { type BundleReport, verifyBundle } from '#domain/replay/verify-bundle.js';
import { UnreadableEvent } from '#domain/upcast.js';
import { signatureCheck } from '#platform/signing/bundle-signature.js';
import { couldNotCheck } from '../exit-code.js';
import { FileBytes } from '#files/file-bytes.js';
import { linesIn, linesOf } from '#files/lines.js';

/** Further requirements of a reader, which not every intact bundle meets. */
export interface Requirements {
  /** The ids of the keys of which one must have signed the bundle; undefined accepts every bundle. */
  readonly keys?: ReadonlySet<string> | undefined;
  /** True if the bundle must contain its job's end. */
  readonly ended?: boolean | undefined;
}

/** The problems that only the file or the reader's requirements show. */
type FileProblem = BundleProblem | 'no_line_feed' | 'not_ended';
type FileFinding = Omit<BundleFinding, 'problem'> & { readonly problem: FileProblem };

/** The result of an offline check of a bundle (SPEC X4). */
export interface FileVerification {
  readonly file: string;
  readonly intact: boolean;
  /** The stream that the file's first line names. */
  readonly stream: string | null;
  readonly events: number;
  readonly head_hash: string | null;
  readonly content_hash: string | null;
  /** The id of the key that signed the bundle; null if the first line has no signature. */
  readonly key_id: string | null;
  /** True if the reader named the keys to trust, and one of them signed the bundle. */
  readonly pinned: boolean;
  /** True if the bundle contains its job's end. */
  readonly ended: boolean;
  readonly finding: (FileFinding & { readonly sentence: string }) | null;
}

/** Verifies an exported bundle: its form, hash chain, count, head, signature, and every decision. */
export async function verifyFile(
  file: string,
  required: Requirements = {},
): Promise<FileVerification> {
  const check = signatureCheck(required.keys);
  const bytes = new FileBytes(file);
  const report = await verifyBundle(deciderOf, linesIn(bytes), check).catch((error: unknown) => {
    if (error instanceof UnreadableEvent)
      throw couldNotCheck(`${file} holds an event of a later version: ${error.message}`);
    throw error;
  });
  const { header, replay, ended } = report;
  const finding = findingIn(bytes, report, required);
  const intact = finding === undefined;
  return {
    file,
    intact,
    stream: header?.stream ?? null,
    events: replay?.events_checked ?? 0,
    head_hash: header?.head_hash ?? null,
    content_hash: replay?.content_hash ?? null,
    key_id: header !== undefined && isSigned(header) ? header.key_id : null,
    pinned: intact && required.keys !== undefined,
    ended,
    finding: intact ? null : { ...finding, sentence: await sentenceOf(file, finding) },
  };
}

function findingIn(
  bytes: FileBytes,
  { finding, ended }: BundleReport,
  required: Requirements,
): FileFinding | undefined {
  if (finding !== undefined) return finding;
  if (!bytes.endWithLineFeed) return { problem: 'no_line_feed' };
  return required.ended === true && !ended ? { problem: 'not_ended' } : undefined;
}

const SAYS: Readonly<Record<FileProblem, string>> = {
  not_a_bundle: 'the first line does not name a stream, its event count and its head hash',
  not_canonical: 'is not as it was exported, byte for byte',
  edited: 'was edited: its hash does not follow from what it says',
  deleted: 'is missing: it was deleted, or the file was cut off',
  inserted: 'was inserted: it does not follow from the event before it',
  reordered: 'was moved: it stands in another place than it was written at',
  wrong_count: 'the first line counts other events than the file holds',
  wrong_head: 'the first line names another head hash than the last event has',
  wrong_stream: 'the first line names another stream than the events do',
  wrong_end: 'the first line and the events disagree on whether the job has ended',
  wrong_signature: 'the first line was edited: its signature is not valid for what it says',
  other_key: 'the first line is signed by a key that is not among the given ones',
  unsigned: 'the first line has no signature, as in a bundle of a release before signatures',
  no_line_feed: 'the last line has no line feed: the file was cut off',
  not_ended: 'the job has no end: it was still running, or the file was cut off',
  diverged: 'is not what the rules make of the recorded inputs: the chain was computed anew',
};

/** Returns a finding as a sentence, such as `event 17 (wm_inserted, line 19) was edited: …`. */
async function sentenceOf(file: string, { problem, line, number }: FileFinding): Promise<string> {
  if (number === undefined) return SAYS[problem];
  const type = line === undefined ? undefined : await typeAt(file, line);
  const place = [type, line && `line ${line}`].filter(Boolean).join(', ');
  return `event ${number}${place === '' ? '' : ` (${place})`} ${SAYS[problem]}`;
}

/** Returns the event type in a line, if the line can be parsed. */
async function typeAt(file: string, wanted: number): Promise<string | undefined> {
  let line = 0;
  for await (const text of linesOf(file)) {
    line += 1;
    if (line === wanted) return /"type":"([a-z_]{1,64})"\}$/.exec(text)?.[1];
  }
  return undefined;
}
