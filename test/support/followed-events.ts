import type { ServiceClient } from './service-client.js';

/** One block of a stream of server-sent events. */
export interface Block {
  readonly id: string | undefined;
  readonly comment: string | undefined;
  /** The parsed data; undefined for a block without data. */
  readonly event: FollowedEvent | undefined;
}

/** An event of the log, as a stream shows it. */
export interface FollowedEvent {
  readonly stream: string;
  readonly number: number;
  readonly position: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface FollowOptions {
  readonly token: string;
  readonly lastEventId?: string;
}

/** An open stream of server-sent events, read over HTTP. */
export class FollowedEvents {
  readonly #blocks: AsyncGenerator<Block, void>;
  /** The id of the last block that had one. */
  lastEventId = '';

  private constructor(
    readonly response: Response,
    private readonly abort: AbortController,
  ) {
    this.#blocks = blocksOf(response);
  }

  /** Opens the stream at a path below /v1/. */
  static async open(
    service: Pick<ServiceClient, 'url'>,
    path: string,
    { token, lastEventId }: FollowOptions,
  ): Promise<FollowedEvents> {
    const abort = new AbortController();
    const response = await fetch(`${service.url}/v1/${path}`, {
      signal: abort.signal,
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
    });
    return new FollowedEvents(response, abort);
  }

  /** Returns the next block; undefined at the end of the stream. */
  async block(): Promise<Block | undefined> {
    const next = await this.#blocks.next();
    if (next.done) return undefined;
    const block: Block = next.value;
    if (block.id !== undefined) this.lastEventId = block.id;
    return block;
  }

  /** Returns the next events, `count` of them or up to the end of the stream. */
  async next(count: number): Promise<FollowedEvent[]> {
    const events: FollowedEvent[] = [];
    while (events.length < count) {
      const block = await this.block();
      if (block === undefined) break;
      if (block.event !== undefined) events.push(block.event);
    }
    return events;
  }

  /** Returns all events up to the end of the stream. */
  rest(): Promise<FollowedEvent[]> {
    return this.next(Infinity);
  }

  /** Closes the connection. */
  close(): void {
    this.abort.abort();
  }
}

async function* blocksOf(response: Response): AsyncGenerator<Block, void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks.map(blockOf);
  }
}

function blockOf(block: string): Block {
  const field = (name: string): string | undefined =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const data = field('data');
  return {
    id: field('id'),
    comment: field(''),
    event: data === undefined ? undefined : (JSON.parse(data) as FollowedEvent),
  };
}
