import type { Decider, DomainEvent } from '../decider.js';
import { CHAIN_START } from '../determinism/hash-chain.js';
import type { Json } from '../json.js';
import type { RecordedEvent } from '../recorded-event.js';
import {
  type BundleHeader,
  claimedNumber,
  isEventLine,
  isHeader,
  isSigned,
  parseLine,
} from './bundle.js';
import { type BundleFinding, BrokenLine, type SignatureProblem } from './bundle-suspect.js';
import { type ReplayReport, StreamReplay } from './stream-replay.js';

export interface BundleReport {
  /** True if the bundle is complete, unchanged, and equal to the computed events. */
  readonly intact: boolean;
  /** The content of the first line. */
  readonly header?: BundleHeader;
  /** True if the last valid event is one after which the stream accepts no further event. */
  readonly ended: boolean;
  readonly finding?: BundleFinding;
  /** The replay of the events before the first problem. */
  readonly replay?: ReplayReport;
}

/**
 * Checks the signature of a first line; returns undefined if the check finds no problem. The caller
 * passes this function, because Node and browsers have different cryptography.
 */
export type SignatureCheck = (
  header: BundleHeader,
) => SignatureProblem | undefined | Promise<SignatureProblem | undefined>;

/** The decider of the bundle’s events, or a function that returns the decider of a stream. */
export type BundleDecider<State, Command, Event extends DomainEvent> =
  Decider<State, Command, Event> | ((stream: string) => Decider<State, Command, Event>);

/**
 * Verifies a bundle line by line and offline: its form, chain, count, head and decisions (SPEC X4). It
 * names the first event that was edited, deleted, inserted or moved.
 */
export class BundleVerification<State, Command, Event extends DomainEvent> {
  #header: BundleHeader | undefined;
  #replay: StreamReplay<State, Command, Event> | undefined;
  #lines = 0;
  /** The number of events whose chain link is valid. */
  #verified = 0;
  #head = CHAIN_START;
  #ended = false;
  /** The hash of the last event that the count in the first line includes; undefined until that event is read. */
  #headAtCount: string | undefined;
  #brokenLine: BrokenLine | undefined;
  #finding: BundleFinding | undefined;

  #decider: Decider<State, Command, Event> | undefined;

  constructor(private readonly decider: BundleDecider<State, Command, Event>) {}

  /** Checks the next line, which is given without its line feed. */
  line(text: string): void {
    this.#lines += 1;
    const parsed = parseLine(text);
    if (this.#lines === 1) return this.#open(parsed?.exact === true ? parsed.value : null);
    if (this.#brokenLine !== undefined)
      return this.#brokenLine.see(this.#lines, claimedNumber(parsed?.value));
    if (this.#finding !== undefined) return;
    if (parsed?.exact === true && isEventLine(parsed.value)) return this.#event(parsed.value);
    this.#suspect(claimedNumber(parsed?.value), parsed?.exact ?? false);
  }

  /** Returns the report after the last line. */
  finish(): BundleReport {
    const header = this.#header;
    if (header === undefined)
      return { intact: false, ended: false, finding: { problem: 'not_a_bundle', line: 1 } };
    const replay = this.#replay?.finish();
    const found = this.#finding ?? this.#suspected(header) ?? this.#miscounted(header);
    const finding =
      found ??
      (replay?.divergence && diverged(replay.divergence.number)) ??
      this.#endedOtherwise(header);
    return {
      intact: finding === undefined,
      header,
      ended: this.#ended,
      ...(finding === undefined ? {} : { finding }),
      ...(replay === undefined ? {} : { replay }),
    };
  }

  #open(value: Json): void {
    if (isHeader(value)) this.#header = value;
    else this.#finding = { problem: 'not_a_bundle', line: 1 };
  }

  #event(event: RecordedEvent): void {
    // The replay is for the stream of the first event. If the first line names another stream, the first
    // line is wrong.
    const decider = (this.#decider ??=
      typeof this.decider === 'function' ? this.decider(event.stream) : this.decider);
    this.#replay ??= new StreamReplay(decider, event.stream, 'strict');
    this.#replay.feed(event);
    const { failure } = this.#replay;
    if (failure?.code === 'INTEGRITY_FAILURE') return this.#suspect(event.number, true);
    if (event.stream !== this.#header?.stream) this.#finding = { problem: 'wrong_stream', line: 1 };
    else if (failure !== undefined) this.#finding = diverged(event.number, this.#lines);
    this.#verified += 1;
    this.#head = event.metadata.hash;
    this.#ended = decider.lastType !== undefined && event.type === decider.lastType;
    if (this.#verified === this.#header?.event_count) this.#headAtCount = this.#head;
  }

  #suspect(claimed: number | undefined, exact: boolean): void {
    const expected = this.#verified;
    this.#brokenLine = new BrokenLine({ line: this.#lines, expected, claimed, exact });
  }

  #suspected({ event_count }: BundleHeader): BundleFinding | undefined {
    return this.#brokenLine?.finding(event_count, this.#lines - 1);
  }

  /** Checks the count and head of the first line against the events with a valid chain. */
  #miscounted({ event_count, head_hash }: BundleHeader): BundleFinding | undefined {
    if (this.#verified === event_count)
      return this.#head === head_hash ? undefined : { problem: 'wrong_head', line: 1 };
    if (this.#head === head_hash) return { problem: 'wrong_count', line: 1 };
    if (this.#verified < event_count) return { problem: 'deleted', number: this.#verified };
    // More lines follow, although an earlier event agrees with the count and head of the first line.
    return (this.#headAtCount ?? CHAIN_START) === head_hash
      ? { problem: 'inserted', line: event_count + 2, number: event_count }
      : { problem: 'wrong_count', line: 1 };
  }

  #endedOtherwise(header: BundleHeader): BundleFinding | undefined {
    return isSigned(header) && header.ended !== this.#ended
      ? { problem: 'wrong_end', line: 1 }
      : undefined;
  }
}

const diverged = (number: number, line?: number): BundleFinding =>
  line === undefined ? { problem: 'diverged', number } : { problem: 'diverged', line, number };

/**
 * Verifies a whole bundle, given as lines without line feeds. Without `checkSignature`, only the events
 * are verified.
 */
export async function verifyBundle<State, Command, Event extends DomainEvent>(
  decider: BundleDecider<State, Command, Event>,
  lines: Iterable<string> | AsyncIterable<string>,
  checkSignature?: SignatureCheck,
): Promise<BundleReport> {
  const verification = new BundleVerification(decider);
  for await (const line of lines) verification.line(line);
  const report = verification.finish();
  if (report.finding !== undefined || report.header === undefined) return report;
  const problem = await checkSignature?.(report.header);
  if (problem === undefined) return report;
  return { ...report, intact: false, finding: { problem, line: 1 } };
}
