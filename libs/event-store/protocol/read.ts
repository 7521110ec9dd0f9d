import type { JsonObject } from '#domain/json.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { clientMessages } from '#event-store-protocol/messages.js';
import type { LoggedEvent } from '../event-store.js';

const { ReadReq, ReadResp, RecordedEvent } = clientMessages;

interface StreamRange {
  /** The first number to read; undefined means the stream's beginning or, backwards, its end. */
  readonly from: number | undefined;
  readonly backwards: boolean;
  readonly count: number;
}

const BACKWARDS = { direction: 1 } as const;
const PLAIN = { noFilter: true, ids: 'text' } as const;

/** Encodes a ReadReq for a stream. Each function for a request in this file returns a gRPC frame. */
export const readStreamRequest = (
  stream: string,
  { from, backwards, count }: StreamRange,
): Buffer =>
  ReadReq.frame({
    options: {
      stream: { name: stream, from: from ?? (backwards ? 'end' : 'start') },
      ...(backwards ? BACKWARDS : {}),
      ...{ ...PLAIN, count },
    },
  });

/** Encodes a ReadReq for $all, backwards from its end, including the `$` streams. */
export const readAllBackwardsRequest = (count: number): Buffer =>
  ReadReq.frame({ options: { ...PLAIN, ...BACKWARDS, all: 'end', count } });

/** Encodes a ReadReq for the first event of $all from this position on. */
export const readAllFromRequest = (position: bigint): Buffer =>
  ReadReq.frame({ options: { ...PLAIN, all: position, count: 1 } });

const SEARCH_WINDOW = 1000;

/**
 * Encodes a subscription to $all after a position. The server skips the `$` streams and sends
 * checkpoints.
 */
export const subscribeRequest = (after: bigint | undefined): Buffer =>
  ReadReq.frame({
    options: {
      all: after ?? 'start',
      subscription: true,
      filter: {
        stream: { regex: '^[^\\$].*' },
        ...{ window: SEARCH_WINDOW, checkpointMultiplier: 1 },
      },
      ids: 'text',
    },
  });

/** The content of one response. It is empty for responses that this client does not use. */
export interface ReadResponse {
  readonly event?: LoggedEvent;
  /** Every matching event up to this position has been sent. */
  readonly checkpoint?: bigint;
  readonly caughtUp?: true;
}

const NOTHING: ReadResponse = {};
const CAUGHT_UP: ReadResponse = { caughtUp: true };

/** EventStoreDB before 24.10.6 sends this in place of a position while it has nothing to send. */
const NOTHING_YET = 2n ** 64n - 1n;

/** Reads a ReadResp. @param withTexts whether the event has its JSON texts as well */
export function readResponse(bytes: Buffer, withTexts = false): ReadResponse {
  const { event, checkpoint, caughtUp } = ReadResp.decode(bytes);
  if (event?.event) return eventOf(RecordedEvent.read(event.event), withTexts);
  if (checkpoint !== undefined && checkpoint !== NOTHING_YET) return { checkpoint };
  return caughtUp ? CAUGHT_UP : NOTHING;
}

/** An event that is not JSON gets empty data and metadata, which no schema accepts. */
function eventOf(
  recorded: ReturnType<typeof RecordedEvent.read>,
  withTexts: boolean,
): ReadResponse {
  const { id = '', stream = '', type = '', contentType } = recorded;
  const { number, position, data, metadata } = recorded;
  if (stream.startsWith('$')) return NOTHING;
  const event: LoggedEvent = {
    id,
    stream,
    number,
    type,
    position,
    data: (contentType === 'application/json' ? objectIn(data) : {}) as JsonObject,
    metadata: objectIn(metadata) as EventMetadata,
  };
  if (withTexts) event.json = { data, metadata };
  return { event };
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
