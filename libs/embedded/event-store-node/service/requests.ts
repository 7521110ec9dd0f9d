import { nodeMessages } from '#event-store-protocol/messages.js';
import { type FieldReader } from '#event-store-protocol/protobuf.js';
import { invalid, Refused, Status, unimplemented } from '../protocol/status.js';
import { type ProposedEvent } from '../storage/record.js';
import { type Expected } from '../storage/decide.js';
import { METADATA_PREFIX } from '../storage/stream-metadata.js';
import { type ReadFilter } from './filter.js';

const { ProposedMessage, ReadReq } = nodeMessages;

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

type Options = NonNullable<ReturnType<typeof nodeMessages.DeleteReq.decode>['options']>;

/** Returns where to write. The caller checks the stream name. */
export const writeTarget = ({
  stream = '',
  expected = 0,
  deadline,
}: Partial<Options> = {}): WriteTarget =>
  deadline === undefined ? { stream, expected } : { stream, expected, deadline };

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

/** Returns the text whose bytes are the characters of this one. */
export const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

const JSON_TYPE = Buffer.from('application/json');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns a UUID as lower-case text. */
export function requireId(text: string): string {
  const id = text.toLowerCase();
  if (!UUID.test(id)) throw invalid('An id must be a UUID');
  return id;
}

/** Reads a ProposedMessage of Append or BatchAppend. */
export function proposedEvent(fields: FieldReader): ProposedEvent {
  const { id, type, contentType, metadata, data } = ProposedMessage.read(fields);
  if (id === undefined || !type || type.length === 0 || contentType === undefined) {
    throw new Refused(Status.invalidArgument, 'Required metadata is missing', {
      exception: 'missing-required-metadata-property',
      'required-metadata-properties': 'type,content-type',
    });
  }
  if (type.length > MAX_EVENT_TYPE) throw invalid(`An event type may have ${MAX_EVENT_TYPE} bytes`);
  return { id: requireId(id), type, isJson: contentType.equals(JSON_TYPE), metadata, data };
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

export function readRequest(bytes: Buffer): ReadRequest {
  const { options } = ReadReq.decode(bytes);
  const { stream, direction = 0, count = 0, subscription: isSubscription = false } = options ?? {};
  if (stream) requireStreamName(stream.name ?? '');
  if (options?.ids === 'structured') throw unimplemented('Reading structured ids');
  const filter = options?.filter && filterOf(options.filter);
  if (filter && stream) throw invalid('A stream is not read by a filter');
  if (isSubscription && direction !== 0) throw invalid('A subscription goes forwards');
  if (!isSubscription && count === 0) throw invalid('A read needs a count');
  return {
    stream: stream?.name,
    from: (stream ? stream.from : options?.all) ?? 'start',
    backwards: direction === 1,
    count: isSubscription ? undefined : count,
    filter,
    resolvesLinks: options?.resolvesLinks ?? false,
  };
}

type Filter = NonNullable<NonNullable<ReturnType<typeof ReadReq.decode>['options']>['filter']>;

function filterOf({
  stream,
  type,
  window = DEFAULT_WINDOW,
  checkpointMultiplier,
}: Filter): ReadFilter {
  const { regex = '', prefixes = [] } = type ?? stream ?? {};
  const checkpointInterval = Math.max(1, window) * Math.max(1, checkpointMultiplier);
  return { on: type ? 'type' : 'stream', regex: textOf(regex), prefixes, checkpointInterval };
}
