import { jobDecider } from '#domain/job/decider.js';
import type { BundleFinding, BundleProblem } from '#domain/replay/bundle-suspect.js';
import { verifyBundle } from '#domain/replay/verify-bundle.js';
import { UnreadableEvent } from '#domain/upcast.js';
import { couldNotCheck } from '../exit-code.js';
import { linesOf } from '../files/lines.js';

/** The result of an offline check of a bundle (SPEC X4). */
export interface FileVerification {
  readonly file: string;
  readonly intact: boolean;
  /** The stream that the file's first line names. */
  readonly stream: string | null;
  readonly events: number;
  readonly head_hash: string | null;
  readonly content_hash: string | null;
  readonly finding: (BundleFinding & { readonly sentence: string }) | null;
}

/** Verifies an exported bundle: its form, its hash chain, its count and head, and every decision. */
export async function verifyFile(file: string): Promise<FileVerification> {
  const { intact, header, finding, replay } = await verifyBundle(jobDecider, linesOf(file)).catch(
    (error: unknown) => {
      if (error instanceof UnreadableEvent)
        throw couldNotCheck(`${file} holds an event of a later version: ${error.message}`);
      throw error;
    },
  );
  return {
    file,
    intact,
    stream: header?.stream ?? null,
    events: replay?.events_checked ?? 0,
    head_hash: header?.head_hash ?? null,
    content_hash: replay?.content_hash ?? null,
    finding:
      finding === undefined ? null : { ...finding, sentence: await sentenceOf(file, finding) },
  };
}

const SAYS: Readonly<Record<BundleProblem, string>> = {
  not_a_bundle: 'the first line does not name a stream, its event count and its head hash',
  not_canonical: 'is not as it was exported, byte for byte',
  edited: 'was edited: its hash does not follow from what it says',
  deleted: 'is missing: it was deleted, or the file was cut off',
  inserted: 'was inserted: it does not follow from the event before it',
  reordered: 'was moved: it stands in another place than it was written at',
  wrong_count: 'the first line counts other events than the file holds',
  wrong_head: 'the first line names another head hash than the last event has',
  wrong_stream: 'the first line names another stream than the events do',
  diverged: 'is not what the rules make of the recorded inputs: the chain was computed anew',
};

/** `event 17 (wm_inserted, line 19) was edited: …` */
async function sentenceOf(file: string, { problem, line, number }: BundleFinding): Promise<string> {
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
