import { MaceArgumentError, pathPart, requireArguments } from './arguments.js';
import { existing } from './existing.js';
import type { ReplayReport } from './jobs.js';
import { pagesOf } from './pages.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

/** A text about a person, which is kept until it is forgotten. */
export type PersonMemory = Schemas['RememberedDto'];

/** A text to keep as it is, or what a person said, of which what lasts is kept. */
export type RememberRequest = Schemas['RememberMemory'];

/** What was kept and what was not, with the reason. */
export type Kept = Schemas['KeptDto'];

export type RecallRequest = Schemas['RecallMemories'];

/** What is remembered: each memory, and one text for a prompt. */
export type Recall = Schemas['RecallDto'];

/** Whose memory a call names: an agent's token without a user names the person. */
export interface OfPerson {
  readonly user_id?: string | undefined;
}

const ID = { id: 'text' } as const;

/** The memories of a person, one by one. `remember`, `recall` and `forget` are methods of the client. */
export class Memories {
  constructor(private readonly transport: Transport) {}

  /** Returns one page of memories, newest first. */
  list(
    filter: QueryOf<'/v1/memories'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['RememberedPageDto']> {
    return this.transport.get('/v1/memories', filter, options);
  }

  /** Yields every memory of a list, page by page. */
  async *all(
    filter: Omit<QueryOf<'/v1/memories'>, 'cursor'> = {},
    options?: ReadOptions,
  ): AsyncGenerator<PersonMemory> {
    const pages = pagesOf((next) => this.list({ ...filter, ...next }, options));
    for await (const { memories } of pages) yield* memories;
  }

  /** Returns a memory as it is now, or as it was worded before; undefined if it is not there. */
  async get(
    id: string,
    at: QueryOf<'/v1/memories/{memory_id}'> = {},
    options?: ReadOptions,
  ): Promise<PersonMemory | undefined> {
    requireArguments({ id }, ID);
    return existing(this.transport.get<PersonMemory>(pathOf(id), at, options));
  }

  /** Gives a memory another text. Its id stays. Fails with NOT_FOUND if it is not there. */
  reword(
    id: string,
    words: Schemas['RewordMemory'],
    options?: WriteOptions,
  ): Promise<Schemas['KeptMemoryDto']> {
    requireArguments({ id }, ID);
    return this.transport.json({ method: 'PUT', path: pathOf(id), body: words, options });
  }

  /** Forgets every memory of a person, one by one, and returns how many. Only an erasure destroys them. */
  async forgetAll(of: OfPerson = {}, options?: WriteOptions): Promise<number> {
    let forgotten = 0;
    for await (const { id } of this.all({ ...of }))
      if (await forget(this.transport, id, { ...of, ...options })) forgotten += 1;
    return forgotten;
  }

  /** Yields the signed bundle of a person's memories, which `mace verify` checks offline. */
  bundle(of: OfPerson = {}, options?: ReadOptions): AsyncGenerator<string> {
    return this.transport.lines('/v1/memories/bundle', { ...of }, options);
  }

  /** Replays a person's memories and compares every event. */
  replay(
    of: OfPerson = {},
    mode: ReplayReport['mode'] = 'audit',
    options?: ReadOptions,
  ): Promise<ReplayReport> {
    return this.transport.ask('/v1/memories/replays', { ...of, mode }, options);
  }
}

const pathOf = (id: string): `/v1/memories/${string}` => `/v1/memories/${pathPart('id', id)}`;

/** Refuses a person that is named and missing: the memory would be that of the token. @throws MaceArgumentError */
function requirePerson(request: object): void {
  if ('user_id' in request && typeof request.user_id !== 'string')
    throw new MaceArgumentError(
      'user_id',
      'a text, or left out for the person of the token',
      request.user_id,
    );
}

/** Sends what a person said, or a text, to be remembered. */
export async function remember(
  transport: Transport,
  what: string | RememberRequest,
  options?: WriteOptions,
): Promise<Kept> {
  if (typeof what !== 'object') requireArguments({ text: what }, { text: 'text' });
  const body: RememberRequest = typeof what === 'string' ? { text: what } : what;
  requirePerson(body);
  // The same text is the same memory, so a repetition needs no key, which costs the service an event. A time to live
  // would begin anew.
  const repeatable = body.expires_in === undefined;
  return transport.json({ method: 'POST', path: '/v1/remember', body, repeatable, options });
}

export async function recall(
  transport: Transport,
  asked: string | RecallRequest,
  options?: WriteOptions,
): Promise<Recall> {
  if (typeof asked !== 'object') requireArguments({ query: asked }, { query: 'text' });
  const body = typeof asked === 'string' ? { query: asked } : asked;
  requirePerson(body);
  return transport.json({ method: 'POST', path: '/v1/recall', body, options });
}

/** Returns false if the memory was not there. */
export async function forget(
  transport: Transport,
  id: string,
  { user_id, ...options }: OfPerson & WriteOptions,
): Promise<boolean> {
  requireArguments({ id }, ID);
  const query = { user_id };
  const forgotten = transport.json({ method: 'DELETE', path: pathOf(id), query, options });
  return (await existing(forgotten)) !== undefined;
}
