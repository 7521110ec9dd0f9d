import type { ArgumentKind } from './argument-kinds.js';
import { requireOptions } from './arguments.js';
import { isMaceError, MaceUnreachable } from './mace-error.js';
import type { Schemas } from './schemas.js';
import { pause, type Transport, waitBefore } from './transport.js';

/** One block of a stream of server-sent events. */
interface ServerSentEvent {
  readonly id: string | undefined;
  readonly data: string | undefined;
  readonly comment: string | undefined;
}

/** Yields the blocks of a stream of server-sent events, wherever the connection splits its bytes. */
export async function* serverSentEvents(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of pieces) {
    const blocks = (text + decoder.decode(piece, { stream: true })).split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) yield blockOf(block);
  }
}

function blockOf(block: string): ServerSentEvent {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    const before = fields.get(name);
    fields.set(name, before === undefined || name !== 'data' ? value : `${before}\n${value}`);
  }
  return { id: fields.get('id'), data: fields.get('data'), comment: fields.get('') };
}

/** An event as it is stored in the log. */
export type LogEvent = Schemas['JobEventDto'];

/** A position in the log, as in `LogEvent.position` and `MaceClient.position`, or `end` for its present end. */
export type Position = bigint | string;

export interface FollowOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

export interface EventsOptions extends FollowOptions {
  /** Only events after this position; `end`: only events from now on. By default, from the log's first event. */
  readonly after?: Position;
  /** The iteration ends after this position; `end`: after the present end of the log. By default, it goes on. */
  readonly until?: Position;
  /** Only events of these categories, such as `job` or `sem`. By default, of all that the caller may read. */
  readonly categories?: readonly string[];
  /**
   * Called with each position up to which the stream has shown the log, also where it had no event for the caller.
   * With this position as `after`, another stream goes on from there. The first one says that the stream is open.
   */
  readonly onPosition?: (position: string) => void;
}

export interface FollowJobOptions extends FollowOptions {
  /** Only events after this position. */
  readonly after?: Position;
  /** Only events from this number on. */
  readonly from?: number;
  /** If true, the iteration ends with the last event of the ended job. By default, it goes on. */
  readonly toEnd?: boolean;
}

const EVENTS_OPTIONS = {
  after: 'logPosition?',
  until: 'logPosition?',
  categories: 'categories?',
  onPosition: 'function?',
  signal: 'signal?',
} as const satisfies Record<keyof EventsOptions, ArgumentKind>;

const FOLLOW_OPTIONS = {
  after: 'logPosition?',
  from: 'count?',
  toEnd: 'flag?',
  signal: 'signal?',
} as const satisfies Record<keyof FollowJobOptions, ArgumentKind>;

/** The type of the last event of a job. */
const LAST_OF_JOB = 'episodic_summary';
/** The service sends a comment every 15 s, so a connection that is silent for longer than this is dead. */
const SILENCE_MS = 45_000;
/** The comment with which the service ends a stream at `until`. */
const END_COMMENT = 'the end';

interface Followed {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly lastEventId: string | undefined;
  readonly onPosition?: EventsOptions['onPosition'];
  readonly signal: AbortSignal | undefined;
}

/** Yields the events of the log that the caller may read. See `MaceClient.events`. */
export const followLog = (
  transport: Transport,
  options: EventsOptions,
): AsyncGenerator<LogEvent, void, undefined> => {
  requireOptions(options, EVENTS_OPTIONS);
  const { after, until, categories, onPosition, signal } = options;
  return followed(transport, {
    path: '/v1/events',
    query: {
      after: after?.toString(),
      until: until?.toString(),
      categories: categories?.join(','),
    },
    lastEventId: undefined,
    onPosition,
    signal,
  });
};

/** Yields the events of a job. See `JobHandle.follow`. */
export async function* followJob(
  transport: Transport,
  path: string,
  options: FollowJobOptions,
): AsyncGenerator<LogEvent, void, undefined> {
  requireOptions(options, FOLLOW_OPTIONS);
  const { after, from, toEnd = false, signal } = options;
  const events = followed(transport, {
    path,
    query: { from: from?.toString() },
    lastEventId: after?.toString(),
    signal,
  });
  for await (const event of events) {
    yield event;
    if (toEnd && event.type === LAST_OF_JOB) return;
  }
}

/**
 * Yields the events of a stream. If a connection that was open ends, it connects again after the last event.
 * Ends when the signal aborts. Fails if the first connection fails, or with a refusal.
 */
async function* followed(
  transport: Transport,
  { path, query, onPosition, signal, ...start }: Followed,
): AsyncGenerator<LogEvent, void, undefined> {
  let { lastEventId } = start;
  let wasOpen = false;
  for (let failures = 0; signal?.aborted !== true; failures += 1) {
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    const call = {
      method: 'GET',
      path,
      query,
      headers,
      ...(signal && { options: { signal } }),
    } as const;
    try {
      const pieces = transport.pieces(call, SILENCE_MS, () => (wasOpen = true));
      for await (const block of serverSentEvents(pieces)) {
        failures = 0;
        lastEventId = block.id ?? lastEventId;
        if (block.data !== undefined) yield JSON.parse(block.data) as LogEvent;
        if (block.id !== undefined) onPosition?.(block.id);
        if (block.comment === END_COMMENT) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!wasOpen || !isTemporary(error)) throw error;
    }
    await pause(waitBefore(failures), signal).catch(() => undefined);
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof MaceUnreachable || (isMaceError(error) && [429, 503].includes(error.status));
