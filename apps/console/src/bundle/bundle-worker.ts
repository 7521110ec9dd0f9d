import type { BundleHeader } from '#domain/replay/bundle.js';
import type { BundleReport } from '#domain/replay/verify-bundle.js';
import type { EventsAsked, EventsPage, ShownState, Timeline } from '../jobs/record/job-record';
import { OpenedBundle } from './opened-bundle';
import { type SignatureFinding, signatureOf } from './signature';

/** The calls that the page makes to the worker. */
export interface Questions {
  readonly open: (file: Blob) => Promise<Opened>;
  readonly signature: (trusted: readonly string[]) => Promise<SignatureFinding>;
  readonly timeline: () => Timeline;
  readonly events: (asked: EventsAsked) => EventsPage;
  readonly stateAfter: (number: number) => ShownState;
  readonly plainEvent: (number: number) => string;
}

export interface Opened {
  readonly report: BundleReport;
  readonly isJob: boolean;
}

export interface Question {
  readonly id: number;
  readonly name: keyof Questions;
  readonly argument: unknown;
}

export type Answer = { readonly id: number } & (
  { readonly result: unknown } | { readonly failure: string }
);

let opened: OpenedBundle | undefined;

function bundle(): OpenedBundle {
  if (opened === undefined) throw new Error('No bundle is open.');
  return opened;
}

const ANSWERS: Questions = {
  open: async (file) => {
    opened = new OpenedBundle(await linesOf(file));
    return { report: opened.report, isJob: opened.isJob };
  },
  signature: async (trusted) => {
    const header: BundleHeader | undefined = bundle().report.header;
    return header === undefined ? { kind: 'unsigned' } : signatureOf(header, new Set(trusted));
  },
  timeline: () => bundle().timeline(),
  events: (asked) => bundle().events(asked),
  stateAfter: (number) => bundle().stateAfter(number),
  plainEvent: (number) => bundle().plainEvent(number),
};

/** Returns the lines of a file. A file that is not UTF-8 fails. */
async function linesOf(file: Blob): Promise<string[]> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

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
