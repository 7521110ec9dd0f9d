import { FieldReader, readMapEntry, readUuid } from '#event-store-protocol/protobuf.js';
import { invalid, Refused, Status, unimplemented } from '../protocol/status.js';
import { type ProposedEvent } from '../storage/record.js';
import { Expectation, type Expected } from '../storage/decide.js';
import { METADATA_PREFIX } from '../storage/stream-metadata.js';
import { type ReadFilter } from './filter.js';

/** EventStoreDB's default limit for the size of one append. */
export const MAX_APPEND_SIZE = 1024 * 1024;
const MAX_STREAM_NAME = 1024;
const MAX_EVENT_TYPE = 4096;

/**
 * The stream of a write and its expected revision. Each character of the name string stands for one byte
 * of the UTF-8 name.
 */
export interface WriteTarget {
  readonly stream: string;
  readonly expected: Expected;
  /** The deadline in milliseconds since 1970. */
  readonly deadline?: number;
}

/**
 * Reads the options of Append, BatchAppend, Delete and Tombstone, which use the same field numbers. The
 * caller checks the stream name.
 */
export function readWriteTarget(fields: FieldReader): WriteTarget {
  let stream = '';
  let expected: Expected = 0;
  let deadline: number | undefined;
  while (fields.next()) {
    if (fields.field === 1) stream = readStreamName(fields.nested());
    else if (fields.field === 2) expected = fields.number();
    else if (fields.field === 6) deadline = readTimestamp(fields.nested());
    else {
      if (fields.field === 3) expected = Expectation.noStream;
      if (fields.field === 4) expected = Expectation.any;
      if (fields.field === 5) expected = Expectation.streamExists;
      fields.skip();
    }
  }
  return deadline === undefined ? { stream, expected } : { stream, expected, deadline };
}

/** @throws Refused. */
export function requireStreamName(name: string): void {
  const problem = problemOfStreamName(name);
  if (problem !== undefined) throw invalid(problem);
}

/** Returns why no stream can have this name; undefined for a possible name. */
export function problemOfStreamName(name: string): string | undefined {
  if (name === '') return 'A stream name is missing';
  if (name.length > MAX_STREAM_NAME) return `A stream name may have ${MAX_STREAM_NAME} bytes`;
  if (name !== METADATA_PREFIX) return undefined;
  return `${METADATA_PREFIX} is not a stream, because it would be the metadata of no stream`;
}

function readStreamName(fields: FieldReader): string {
  let name = '';
  while (fields.next()) {
    if (fields.field === 3) name = fields.text('latin1');
    else fields.skip();
  }
  return name;
}

function readTimestamp(fields: FieldReader): number {
  let seconds = 0;
  let nanos = 0;
  while (fields.next()) {
    if (fields.field === 1) seconds = fields.number();
    else if (fields.field === 2) nanos = fields.number();
    else fields.skip();
  }
  return seconds * 1000 + nanos / 1e6;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function readId(fields: FieldReader): string {
  const id = readUuid(fields).toLowerCase();
  if (!UUID.test(id)) throw invalid('An id must be a UUID');
  return id;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** Reads a ProposedMessage of Append or BatchAppend. */
export function readProposedEvent(fields: FieldReader): ProposedEvent {
  let id = '';
  let type: Buffer | undefined;
  let contentType: string | undefined;
  let metadata: Buffer = NOTHING;
  let data: Buffer = NOTHING;
  while (fields.next()) {
    if (fields.field === 1) id = readId(fields.nested());
    else if (fields.field === 2) {
      const { key, value } = readMapEntry(fields.nested());
      if (key === 'type') type = value;
      if (key === 'content-type') contentType = value.toString('latin1');
    } else if (fields.field === 3) metadata = fields.view();
    else if (fields.field === 4) data = fields.view();
    else fields.skip();
  }
  if (id === '' || !type || type.length === 0 || contentType === undefined) {
    throw new Refused(Status.invalidArgument, 'Required metadata is missing', {
      exception: 'missing-required-metadata-property',
      'required-metadata-properties': 'type,content-type',
    });
  }
  if (type.length > MAX_EVENT_TYPE) throw invalid(`An event type may have ${MAX_EVENT_TYPE} bytes`);
  return { id, type, isJson: contentType === 'application/json', metadata, data };
}

/** Returns the size in bytes that counts towards EventStoreDB's append limit. */
export const sizeOnDisk = (event: ProposedEvent): number =>
  event.type.length * 2 + event.metadata.length + event.data.length;

/** A request to read a part of the log. */
export interface ReadRequest {
  /** The stream to read; undefined means $all. */
  readonly stream: string | undefined;
  /** The number or position from which to read. */
  readonly from: number | 'start' | 'end';
  readonly backwards: boolean;
  /** The maximum events to return; undefined for a subscription. */
  readonly count: number | undefined;
  readonly filter: ReadFilter | undefined;
  /** True if the answer to a link contains the event that the link names. */
  readonly resolvesLinks: boolean;
}

/** EventStoreDB's default search window, in events. */
const DEFAULT_WINDOW = 32;

export function readReadRequest(bytes: Buffer): ReadRequest {
  const message = new FieldReader(bytes);
  let options = NOTHING;
  while (message.next()) {
    if (message.field === 1) options = message.view();
    else message.skip();
  }
  const fields = new FieldReader(options);
  let stream: string | undefined;
  let from: ReadRequest['from'] = 'start';
  let direction = 0;
  let count: number | undefined;
  let isSubscription = false;
  let resolvesLinks = false;
  let filter: ReadFilter | undefined;
  while (fields.next()) {
    if (fields.field === 1) ({ stream, from } = readStreamOptions(fields.view()));
    else if (fields.field === 2) from = readAllOptions(fields.view());
    else if (fields.field === 3) direction = fields.number();
    else if (fields.field === 4) resolvesLinks = fields.number() !== 0;
    else if (fields.field === 5) count = fields.number();
    else if (fields.field === 6) {
      isSubscription = true;
      fields.skip();
    } else if (fields.field === 7) filter = readFilter(fields.view());
    else if (fields.field === 9) requireTextIds(fields.view());
    else fields.skip();
  }
  if (filter && stream !== undefined) throw invalid('A stream is not read by a filter');
  if (isSubscription && direction !== 0) throw invalid('A subscription goes forwards');
  if (!isSubscription && !count) throw invalid('A read needs a count');
  return {
    stream,
    from,
    backwards: direction === 1,
    count: isSubscription ? undefined : count,
    filter,
    resolvesLinks,
  };
}

function requireTextIds(bytes: Buffer): void {
  const fields = new FieldReader(bytes);
  while (fields.next()) {
    if (fields.field === 1) throw unimplemented('Reading structured ids');
    fields.skip();
  }
}

function readStreamOptions(bytes: Buffer): { stream: string; from: ReadRequest['from'] } {
  const fields = new FieldReader(bytes);
  let stream = '';
  let from: ReadRequest['from'] = 'start';
  while (fields.next()) {
    if (fields.field === 1) stream = readStreamName(fields.nested());
    else if (fields.field === 2) from = fields.number();
    else {
      if (fields.field === 4) from = 'end';
      fields.skip();
    }
  }
  requireStreamName(stream);
  return { stream, from };
}

function readAllOptions(bytes: Buffer): ReadRequest['from'] {
  const fields = new FieldReader(bytes);
  let from: ReadRequest['from'] = 'start';
  while (fields.next()) {
    if (fields.field === 1) from = readPosition(fields.view());
    else {
      if (fields.field === 3) from = 'end';
      fields.skip();
    }
  }
  return from;
}

function readPosition(bytes: Buffer): number {
  const fields = new FieldReader(bytes);
  let commit = 0;
  while (fields.next()) {
    if (fields.field === 1) commit = fields.number();
    else fields.skip();
  }
  return commit;
}

function readFilter(bytes: Buffer): ReadFilter {
  const fields = new FieldReader(bytes);
  let on: ReadFilter['on'] = 'stream';
  let expression = NOTHING;
  let window = DEFAULT_WINDOW;
  let multiplier = 1;
  while (fields.next()) {
    if (fields.field === 1 || fields.field === 2) {
      on = fields.field === 1 ? 'stream' : 'type';
      expression = fields.view();
    } else if (fields.field === 3) window = fields.number();
    else if (fields.field === 5) multiplier = fields.number();
    else fields.skip();
  }
  const checkpointInterval = Math.max(1, window) * Math.max(1, multiplier);
  return { on, ...readExpression(expression), checkpointInterval };
}

function readExpression(bytes: Buffer): { regex: string; prefixes: string[] } {
  const fields = new FieldReader(bytes);
  let regex = '';
  const prefixes: string[] = [];
  while (fields.next()) {
    if (fields.field === 1) regex = fields.text();
    else if (fields.field === 2) prefixes.push(fields.view().toString('latin1'));
    else fields.skip();
  }
  return { regex, prefixes };
}
