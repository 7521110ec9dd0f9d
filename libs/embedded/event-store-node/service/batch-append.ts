import { FieldReader } from '#event-store-protocol/protobuf.js';
import { type Call, type CallHandler, guarded } from '../protocol/grpc-server.js';
import { invalid, Refused, refusalOf, Status } from '../protocol/status.js';
import { type EventLog, isTooLate, type Outcome } from '../storage/event-log.js';
import { type ProposedEvent } from '../storage/record.js';
import { Draft } from './append.js';
import { readId, readWriteTarget, requireStreamName, type WriteTarget } from './requests.js';
import { batchAppended, batchAppendedNot, tooLarge } from './responses.js';

/** The maximum bytes of one call's appends that are not answered yet: enough for the largest group of the log. */
const MAX_PENDING = 4 * 1024 * 1024;

/** The most that the unfinished appends of one call may hold: an append of more than 1 MiB is refused anyway. */
const MAX_UNFINISHED = 1_000;
const MAX_UNFINISHED_BYTES = 32 * 1024 * 1024;

interface BatchDraft {
  readonly target: WriteTarget;
  readonly draft: Draft;
  /** The bytes of the append's messages. */
  size: number;
  /** True if the append was refused before its last message. */
  isAnswered: boolean;
}

interface BatchMessage {
  readonly correlation: Buffer;
  readonly key: string;
  readonly options: FieldReader | undefined;
  readonly proposed: readonly FieldReader[];
  readonly isFinal: boolean;
}

/**
 * Serves Streams.BatchAppend: many appends on one call, identified by their correlation ids. If one
 * append is refused, the other appends of the call continue.
 */
export function batchAppend(log: EventLog, call: Call): CallHandler {
  call.open();
  return new Batch(log, call);
}

class Batch implements CallHandler {
  private readonly drafts = new Map<string, BatchDraft>();
  private unfinishedBytes = 0;
  private pending = 0;
  private pendingBytes = 0;
  private isPaused = false;
  /** True until the client has read the answers that were unread when the call was paused. */
  private isDraining = false;
  private isEnded = false;

  constructor(
    private readonly log: EventLog,
    private readonly call: Call,
  ) {}

  message(body: Buffer): void {
    const message = readBatchMessage(body);
    const entry = this.draftOf(message);
    for (const event of message.proposed) entry.draft.add(event);
    entry.size += body.length;
    this.unfinishedBytes += body.length;
    if (!message.isFinal) return this.requireFewUnfinished();
    this.drafts.delete(message.key);
    this.unfinishedBytes -= entry.size;
    if (!entry.isAnswered) this.submit(message.correlation, entry);
    this.pauseIfUnanswered();
  }

  /** Refuses the append to which the message belongs. Later messages of this append have no effect. */
  tooLong(start: Buffer): void {
    const message = readBatchMessage(start, { isCut: true });
    const entry = this.draftOf(message);
    entry.draft.attempt(() => {
      throw tooLarge();
    });
    if (!entry.isAnswered) this.submit(message.correlation, entry);
    entry.isAnswered = true;
    this.requireFewUnfinished();
    this.pauseIfUnanswered();
  }

  /** Returns the draft of the message's append: a new one for its first message. */
  private draftOf({ key, options }: BatchMessage): BatchDraft {
    const known = this.drafts.get(key);
    if (!options) {
      if (!known) throw invalid('A batch begins without its options');
      return known;
    }
    const entry = beginDraft(options);
    this.unfinishedBytes -= known?.size ?? 0;
    this.drafts.set(key, entry);
    return entry;
  }

  /** Ends the call of a client that begins appends and never finishes them. */
  private requireFewUnfinished(): void {
    if (this.drafts.size <= MAX_UNFINISHED && this.unfinishedBytes <= MAX_UNFINISHED_BYTES) return;
    this.drafts.clear();
    throw new Refused(
      Status.resourceExhausted,
      `A call may have at most ${MAX_UNFINISHED} unfinished appends with ${MAX_UNFINISHED_BYTES} bytes`,
    );
  }

  /** Ends the call after the answers to all its appends. */
  end(): void {
    this.isEnded = true;
    if (this.pending === 0) this.call.finish();
  }

  /**
   * Stops reading the client's appends while too many of them have no answer yet, or while the client does
   * not read the answers. Otherwise such a client could fill the memory.
   */
  private pauseIfUnanswered(): void {
    if (this.isPaused || (this.call.isWritable && this.pendingBytes < MAX_PENDING)) return;
    this.isPaused = true;
    this.call.pause();
    this.resumeIfAnswered();
  }

  private resumeIfAnswered(): void {
    if (!this.isPaused || this.isDraining || this.pendingBytes >= MAX_PENDING) return;
    if (this.call.isWritable) {
      this.isPaused = false;
      this.call.resume();
      return;
    }
    this.isDraining = true;
    this.call.onDrain(() => {
      this.isDraining = false;
      this.resumeIfAnswered();
    });
  }

  private submit(id: Buffer, { target, draft, size }: BatchDraft): void {
    let events: readonly ProposedEvent[];
    try {
      events = draft.finished();
    } catch (error) {
      const outcome: Outcome = isTooLate(target)
        ? { kind: 'too-late' }
        : { kind: 'refused', error: refusalOf(error) };
      this.call.send(batchAppendedNot(id, target, outcome));
      return;
    }
    this.pending += 1;
    this.pendingBytes += size;
    const done = guarded(this.call, (outcome: Outcome) => {
      this.pending -= 1;
      this.pendingBytes -= size;
      this.call.send(
        outcome.kind === 'written'
          ? batchAppended(id, target.stream, outcome)
          : batchAppendedNot(id, target, outcome),
      );
      if (this.isEnded && this.pending === 0) this.call.finish();
      else this.resumeIfAnswered();
    });
    this.log.write({ kind: 'append', ...target, events, done });
  }
}

/** Reads a message. If the message is cut, only what precedes its events is read. */
function readBatchMessage(body: Buffer, { isCut = false } = {}): BatchMessage {
  const fields = new FieldReader(body);
  let correlation: Buffer | undefined;
  let options: FieldReader | undefined;
  let isFinal = false;
  const proposed: FieldReader[] = [];
  while (fields.next()) {
    if (fields.field === 1) correlation = fields.view();
    else if (fields.field === 2) options = fields.nested();
    else if (fields.field === 3) {
      if (isCut) break;
      proposed.push(fields.nested());
    } else if (fields.field === 4) isFinal = fields.number() !== 0;
    else fields.skip();
  }
  if (!correlation) throw invalid('A batch has no correlation id');
  return { correlation, key: readId(new FieldReader(correlation)), options, proposed, isFinal };
}

function beginDraft(options: FieldReader): BatchDraft {
  const target = readWriteTarget(options);
  const draft = new Draft();
  draft.attempt(() => requireStreamName(target.stream));
  return { target, draft, size: 0, isAnswered: false };
}
