import { type ArgumentKind, isPlainObject } from './argument-kinds.js';
import {
  bodyOf,
  MaceArgumentError,
  objectWith,
  pathPart,
  requireArguments,
  requireOptions,
} from './arguments.js';
import { existing } from './existing.js';
import type { FieldOf, Fields } from './field-words.js';
import type { ReplayReport } from './jobs.js';
import { pagesOf } from './pages.js';
import type { QueryOf, Schemas } from './schemas.js';
import {
  type OwnOptions,
  type ReadOptions,
  requireCallOptions,
  type Transport,
  type WriteOptions,
} from './transport.js';

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
  readonly user_id?: string;
}

export type ForgetOptions = OfPerson & WriteOptions;

const ID = { id: 'memoryId' } as const;
const FORGET_OPTIONS = { user_id: 'text?' } as const satisfies OwnOptions<ForgetOptions>;

const REMEMBER = {
  text: 'text?',
  said: 'text?',
  user_id: 'text?',
  tags: 'texts?',
  expires_in: 'seconds?',
} as const satisfies Record<keyof RememberRequest, ArgumentKind>;

const RECALL = {
  query: 'text?',
  user_id: 'text?',
  limit: 'count?',
  max_chars: 'count?',
  tags: 'texts?',
  shared: 'flag?',
  as_of: 'positionText?',
  at: 'moment?',
  record_in: 'seed?',
} as const satisfies Record<keyof RecallRequest, ArgumentKind>;

/** The memories of a person, one by one. `remember`, `recall` and `forget` are methods of the client. */
export class Memories {
  constructor(private readonly transport: Transport) {}

  /** Returns one page of memories, newest first. */
  list(
    filter: QueryOf<'/v1/memories'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['RememberedPageDto']> {
    return this.transport.get(
      '/v1/memories',
      ofPerson('filter?', filter, 'GET /v1/memories'),
      options,
    );
  }

  /** Yields every memory of a list, page by page. */
  async *all(
    filter: Omit<QueryOf<'/v1/memories'>, 'cursor'> = {},
    options?: ReadOptions,
  ): AsyncGenerator<PersonMemory> {
    const pages = pagesOf((next) =>
      this.list(
        { ...ofPerson('filter?', filter, 'GET /v1/memories', ['cursor']), ...next },
        options,
      ),
    );
    for await (const { memories } of pages) yield* memories;
  }

  /** Returns a memory as it is now, or as it was worded before; undefined if it is not there. */
  async get(
    id: string,
    at: QueryOf<'/v1/memories/{memory_id}'> = {},
    options?: ReadOptions,
  ): Promise<PersonMemory | undefined> {
    requireArguments({ id }, ID);
    return existing(
      this.transport.get<PersonMemory>(
        pathOf(id),
        ofPerson('at?', at, 'GET /v1/memories/{memory_id}'),
        options,
      ),
    );
  }

  /** Gives a memory another text. Its id stays. Fails with NOT_FOUND if it is not there. */
  reword(
    id: string,
    words: Schemas['RewordMemory'],
    options?: WriteOptions,
  ): Promise<Schemas['KeptMemoryDto']> {
    requireArguments({ id }, ID);
    const body = ofPerson('words', words, 'PUT /v1/memories/{memory_id}');
    return this.transport.json({ method: 'PUT', path: pathOf(id), body, options });
  }

  /** Forgets every memory of a person, one by one, and returns how many. Only an erasure destroys them. */
  async forgetAll(of: OfPerson = {}, options?: WriteOptions): Promise<number> {
    let forgotten = 0;
    for await (const { id } of this.all({ ...ofPerson('of?', of, 'GET /v1/memories/bundle') }))
      if (await forget(this.transport, id, { ...of, ...options })) forgotten += 1;
    return forgotten;
  }

  /** Yields the signed bundle of a person's memories, which `mace verify` checks offline. */
  bundle(of: OfPerson = {}, options?: ReadOptions): AsyncGenerator<string> {
    return this.transport.lines(
      '/v1/memories/bundle',
      { ...ofPerson('of?', of, 'GET /v1/memories/bundle') },
      options,
    );
  }

  /** Replays a person's memories and compares every event. */
  replay(
    of: OfPerson = {},
    mode: ReplayReport['mode'] = 'audit',
    options?: ReadOptions,
  ): Promise<ReplayReport> {
    return this.transport.ask(
      '/v1/memories/replays',
      { ...ofPerson('of?', of, 'GET /v1/memories/bundle'), mode },
      options,
    );
  }
}

const pathOf = (id: string): `/v1/memories/${string}` => `/v1/memories/${pathPart('id', id)}`;

/** Returns what a call asks about a person, as `bodyOf` does. */
function ofPerson<Of extends Fields, Asked extends Readonly<Partial<Record<FieldOf<Of>, unknown>>>>(
  argument: string,
  asked: Asked,
  of: Of,
  without?: readonly FieldOf<Of>[],
): Asked {
  requirePerson(argument.replace('?', ''), bodyOf(argument, asked, of, without));
  return asked;
}

/** @throws MaceArgumentError for a person that is named and missing: it would be that of the token */
function requirePerson(argument: string, asked: object): void {
  if ('user_id' in asked && typeof asked.user_id !== 'string')
    throw new MaceArgumentError(
      `${argument}.user_id`,
      'a text, or left out for the person of the token',
      asked.user_id,
    );
}

/**
 * Returns the body of a request that may be given as its text alone. @param argument the field of the text, with a question
 * mark if the request may be left out. @throws MaceArgumentError, also for a field of the body among the options
 */
function bodyOfText<Body extends object>(
  argument: `${keyof Body & string}${'' | '?'}`,
  given: string | Body,
  kinds: Readonly<Record<keyof Body, ArgumentKind>>,
  options: object = {},
): Body | Readonly<Record<string, string>> {
  const field = argument.replace('?', '');
  const misplaced = Object.keys(Object(options) as object).find((name) => name in kinds);
  if (misplaced !== undefined)
    throw new MaceArgumentError(
      `options.${misplaced}`,
      `given in the first argument, as in { ${field}, ${misplaced} }`,
      (options as Record<string, unknown>)[misplaced],
    );
  if (typeof given === 'string') return { [field]: given };
  if (!isPlainObject(given))
    throw new MaceArgumentError(
      field,
      `a text, or ${objectWith(kinds, 'a plain object', argument.endsWith('?'))}`,
      given,
    );
  requireOptions(given, kinds, 'request');
  requirePerson('request', given);
  return given;
}

/** Sends what a person said, or a text, to be remembered. */
export async function remember(
  transport: Transport,
  what: string | RememberRequest,
  options?: WriteOptions,
): Promise<Kept> {
  const body = bodyOfText('text', what, REMEMBER, options);
  // The same text is the same memory, so a repetition needs no key, which costs the service an event. A time to live
  // would begin anew.
  const repeatable = body['expires_in'] === undefined;
  return transport.json({ method: 'POST', path: '/v1/remember', body, repeatable, options });
}

export async function recall(
  transport: Transport,
  asked: string | RecallRequest,
  options?: WriteOptions,
): Promise<Recall> {
  const body = bodyOfText('query?', asked, RECALL, options);
  return transport.json({ method: 'POST', path: '/v1/recall', body, options });
}

/** Returns false if the memory was not there. */
export async function forget(
  transport: Transport,
  id: string,
  options: ForgetOptions,
): Promise<boolean> {
  requireArguments({ id }, ID);
  requireCallOptions(options, FORGET_OPTIONS);
  requirePerson('options', options);
  const { user_id, ...rest } = options;
  const query = { user_id };
  const forgotten = transport.json({ method: 'DELETE', path: pathOf(id), query, options: rest });
  return (await existing(forgotten)) !== undefined;
}
