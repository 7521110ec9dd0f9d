import { claimsToBeMoment } from '#domain/replay/moment-file.js';
import { HEAD_CHARACTERS, type OtherFile, otherFileOf } from '#domain/replay/other-files.js';
import { claimsToBeReceipt, readReceipt, type ReceiptReport } from '#domain/replay/receipt.js';
import type { BundleReport } from '#domain/replay/verify-bundle.js';
import type { EventsAsked, EventsPage, ShownState, Timeline } from '../jobs/record/job-record';
import { OpenedBundle } from './opened-bundle';
import { openedMoment, type OpenedMoment } from './opened-moment';
import { type SignatureFinding, signatureOf } from './signature';

/** The calls that the page makes to the worker. */
export interface Questions {
  readonly open: (file: File) => Promise<Opened>;
  readonly signature: (trusted: readonly string[]) => Promise<SignatureFinding>;
  readonly timeline: () => Timeline;
  readonly events: (asked: EventsAsked) => EventsPage;
  readonly stateAfter: (number: number) => ShownState;
  readonly plainEvent: (number: number) => string;
}

export type Opened =
  | { readonly kind: 'bundle'; readonly report: BundleReport; readonly isJob: boolean }
  | { readonly kind: 'receipt'; readonly report: ReceiptReport }
  | ({ readonly kind: 'moment' } & OpenedMoment)
  /** A file of the product that this page does not check. */
  | { readonly kind: 'other'; readonly other: OtherFile };

export interface Question {
  readonly id: number;
  readonly name: keyof Questions;
  readonly argument: unknown;
}

export type Answer = { readonly id: number } & (
  { readonly result: unknown } | { readonly failure: string }
);

let opened: OpenedBundle | ReceiptReport | OpenedMoment | undefined;

function bundle(): OpenedBundle {
  if (!(opened instanceof OpenedBundle)) throw new Error('No bundle is open.');
  return opened;
}

const ANSWERS: Questions = {
  open: async (file) => {
    const text = await textOf(file);
    if (!file.name.endsWith('.ndjson') && claimsToBeReceipt(text)) {
      const report = readReceipt(text);
      opened = report;
      return { kind: 'receipt', report };
    }
    const [first = ''] = text.split('\n', 1);
    if (claimsToBeMoment(first)) {
      const moment = await openedMoment(linesOf(text));
      opened = moment;
      return { kind: 'moment', ...moment };
    }
    const other = otherFileOf(text.slice(0, HEAD_CHARACTERS));
    if (other !== undefined) return { kind: 'other', other };
    const read = new OpenedBundle(linesOf(text));
    opened = read;
    return { kind: 'bundle', report: read.report, isJob: read.isJob };
  },
  signature: async (trusted) => {
    const signed = signedIn(opened);
    return signed === undefined ? { kind: 'unsigned' } : signatureOf(signed, new Set(trusted));
  },
  timeline: () => bundle().timeline(),
  events: (asked) => bundle().events(asked),
  stateAfter: (number) => bundle().stateAfter(number),
  plainEvent: (number) => bundle().plainEvent(number),
};

/** Returns the signed part of what is open. */
function signedIn(of: typeof opened): object | undefined {
  if (of === undefined) return undefined;
  if (of instanceof OpenedBundle) return of.report.header;
  return 'streams' in of ? of.report.statement : of.receipt;
}

/** A file that is not UTF-8 fails. */
const textOf = async (file: File): Promise<string> =>
  new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());

/** Returns the lines of a text, without a last one that has no line feed, because it was cut off. */
const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);

async function answer({ id, name, argument }: Question): Promise<Answer> {
  try {
    const reply = ANSWERS[name] as (argument: unknown) => unknown;
    return { id, result: await reply(argument) };
  } catch (cause) {
    return { id, failure: cause instanceof Error ? cause.message : 'The file cannot be read.' };
  }
}

globalThis.onmessage = ({ data }: MessageEvent<Question>) => {
  void answer(data).then((reply) => globalThis.postMessage(reply));
};
