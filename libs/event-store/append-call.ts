import sharedPb, {
  type UUID,
  type WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import streamsPb, {
  type BatchAppendReq,
  type BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import timestampPb from 'google-protobuf/google/protobuf/timestamp_pb.js';
import { randomUUID } from 'node:crypto';
import type { Link } from './connection.js';
import {
  AmbiguousAppend,
  type Appended,
  type EventToAppend,
  type ExpectedRevision,
  LogFull,
  RevisionConflict,
} from './event-store.js';

interface Waiting {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly timer: NodeJS.Timeout;
  resolve(appended: Appended): void;
  reject(cause: Error): void;
}

/**
 * One BatchAppend call and the appends that wait for its answers. The client's own `appendToStream` is
 * not used: it waits for ever, and keeps what it waits for in one table for the whole process, so that a
 * failure of one connection fails the appends of all others, and the answers to those, when they come
 * after all, throw where nobody can catch them.
 */
export class AppendCall {
  readonly #waiting = new Map<string, Waiting>();
  #failure: Error | undefined;

  private constructor(
    private readonly call: ClientDuplexStream<BatchAppendReq, BatchAppendResp>,
    private readonly timeoutMs: number,
    private readonly onTimeout: () => void,
  ) {
    call.on('data', (response: BatchAppendResp) => this.#answered(response));
    call.on('error', (cause) => this.#fail(cause));
    call.on('end', () => this.#fail(new Error('the server ended the call')));
  }

  static async open(link: Link, timeoutMs: number, onTimeout: () => void): Promise<AppendCall> {
    const call = await link.open((streams, metadata, options) =>
      streams.batchAppend(metadata, options),
    );
    return new AppendCall(call, timeoutMs, onTimeout);
  }

  get isUsable(): boolean {
    return this.#failure === undefined;
  }

  /** Every failure but a conflict and a full log leaves open whether the events were written. */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<Appended> {
    const correlation = randomUUID();
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(ambiguous(stream, this.#failure));
      const timer = setTimeout(() => this.#timedOut(correlation), this.timeoutMs);
      this.#waiting.set(correlation, { stream, expected, timer, resolve, reject });
      this.call.write(request(correlation, stream, expected, events, this.timeoutMs));
    });
  }

  #answered(response: BatchAppendResp): void {
    const waiting = this.#taken(textOf(response.getCorrelationId()));
    if (waiting === undefined) return; // It had timed out.
    const error = response.getError();
    if (error !== undefined) return waiting.reject(failureOf(error, waiting));
    const success = response.getSuccess()!;
    waiting.resolve({
      revision: Number(success.getCurrentRevision()),
      position: BigInt(success.getPosition()?.getCommitPosition() ?? 0),
    });
  }

  #timedOut(correlation: string): void {
    const waiting = this.#taken(correlation);
    if (waiting === undefined) return;
    waiting.reject(ambiguous(waiting.stream, `no answer in ${this.timeoutMs} ms`));
    this.onTimeout();
  }

  #taken(correlation: string): Waiting | undefined {
    const waiting = this.#waiting.get(correlation);
    if (waiting === undefined) return undefined;
    clearTimeout(waiting.timer);
    this.#waiting.delete(correlation);
    return waiting;
  }

  #fail(cause: Error): void {
    this.#failure ??= cause;
    for (const correlation of [...this.#waiting.keys()]) {
      const waiting = this.#taken(correlation);
      waiting?.reject(ambiguous(waiting.stream, cause));
    }
  }
}

const ambiguous = (stream: string, cause: unknown): AmbiguousAppend =>
  new AmbiguousAppend(
    `It is not known whether the append to ${stream} was done: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );

function request(
  correlation: string,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
  timeoutMs: number,
): BatchAppendReq {
  const name = new sharedPb.StreamIdentifier();
  name.setStreamName(Uint8Array.from(Buffer.from(stream)));
  const options = new streamsPb.BatchAppendReq.Options();
  options.setStreamIdentifier(name);
  options.setDeadline(timestampPb.Timestamp.fromDate(new Date(Date.now() + timeoutMs)));
  if (expected === 'no_stream') options.setNoStream(new sharedPb.Empty());
  else options.setStreamPosition(String(expected));
  const append = new streamsPb.BatchAppendReq();
  append.setCorrelationId(uuid(correlation));
  append.setOptions(options);
  append.setProposedMessagesList(events.map(proposed));
  append.setIsFinal(true);
  return append;
}

const uuid = (text: string): UUID => {
  const id = new sharedPb.UUID();
  id.setString(text);
  return id;
};

const encoder = new TextEncoder();
const json = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

function proposed(event: EventToAppend): BatchAppendReq.ProposedMessage {
  const message = new streamsPb.BatchAppendReq.ProposedMessage();
  message.setId(uuid(event.id));
  message.getMetadataMap().set('type', event.type).set('content-type', 'application/json');
  message.setData(json(event.data));
  message.setCustomMetadata(json(event.metadata));
  return message;
}

/** EventStoreDB answers with two 64-bit halves, whatever it was sent. */
function textOf(id: UUID | undefined): string {
  const halves = id?.getStructured();
  if (halves === undefined) return id?.getString() ?? '';
  const hex = (half: string): string =>
    BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0');
  const digits = hex(halves.getMostSignificantBits()) + hex(halves.getLeastSignificantBits());
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const RESOURCE_EXHAUSTED = 8;

function failureOf(error: Status, { stream, expected }: Waiting): Error {
  if (Number(error.getCode()) === RESOURCE_EXHAUSTED) {
    return new LogFull(`The log has no room for an append to ${stream}`);
  }
  const details = error.getDetails();
  const type = details?.getTypeName();
  const unpacked = details?.unpack(
    (bytes) => sharedPb.WrongExpectedVersion.deserializeBinary(bytes),
    'event_store.client.WrongExpectedVersion',
  );
  if (unpacked) return new RevisionConflict(stream, expected, actualOf(unpacked));
  switch (type) {
    case 'event_store.client.StreamDeleted':
    case 'event_store.client.AccessDenied':
    case 'event_store.client.MaximumAppendSizeExceeded':
    case 'event_store.client.BadRequest':
      return new Error(`An append to ${stream} was refused: ${type}`);
    default:
      return ambiguous(stream, `${type ?? 'unnamed'}: ${error.getMessage()}`);
  }
}

const actualOf = (conflict: WrongExpectedVersion): ExpectedRevision =>
  conflict.hasCurrentStreamRevision() ? Number(conflict.getCurrentStreamRevision()) : 'no_stream';
