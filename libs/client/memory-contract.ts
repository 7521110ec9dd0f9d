import { bodyOf, pathPart } from './arguments.js';
import type { QueryOf, Schemas } from './schemas.js';
import {
  type ReadOptions,
  requireCallOptions,
  type Transport,
  type WriteOptions,
} from './transport.js';

/** One stored item. */
export type MemoryItem = Schemas['MemoryItemDto'];

export type MemorySpace = Schemas['StoreViewDto']['space'];
export type MemoryKind = MemoryItem['kind'];
export type MemoryEventType = NonNullable<MemoryPolicy['allow_event_types']>[number];
export type MemoryAuthority = Schemas['SpacePromotionDto']['min_authority'];

/** The policy fields of a request. Fields that are left out have the contract's defaults. */
export type MemoryPolicy = Schemas['PolicyDto'];

/** The fields that recalls and interactions share. */
export type MemoryRequest = Omit<AskRecall, 'query' | 'trace'>;

export type AskRecall = Schemas['RecallMemory'];

export type RecordInteraction = Schemas['RecordMemory'];

/** A recorded decision: its `type`, and the fields that the contract requires for this type. */
export type MemoryTrace = Schemas['RecalledDto']['trace'][number];

/** A store in a list. */
export type ListedStore = Schemas['ListedStoreDto'];

/** A session in a list of those of a user. */
export type ListedSession = Schemas['ListedSessionDto'];

/** One request to a store: what was said, and what the rules decided about it. */
export type MemoryTurn = Schemas['TurnDto'];

/** A phase of a store. */
export type Phase = Schemas['PhaseViewDto'];

export type StoreView = Schemas['StoreViewDto'];

/** The Memory Contract v1: memory for chat assistants. */
export class Memory {
  constructor(private readonly transport: Transport) {}

  /**
   * Recalls items before a model call: short-term, then semantic, then profile items, with all
   * decisions. Fails with PERMISSION_DENIED for another owner's session or user, and with
   * PRIVACY_BLOCKED for an id with personal data.
   */
  recall(asked: AskRecall, options?: WriteOptions): Promise<Schemas['RecalledDto']> {
    return this.transport.ask(
      '/v1/memory/recall',
      bodyOf('asked', asked, 'POST /v1/memory/recall'),
      options,
    );
  }

  /**
   * Records a turn after the model call. Returns the written items and all decisions, including denials
   * with their reasons. Fails as `recall` does, and with INVALID_INPUT for a request that is too large.
   */
  interactions(
    said: RecordInteraction,
    options?: WriteOptions,
  ): Promise<Schemas['RecordedInteractionDto']> {
    return this.transport.post(
      '/v1/memory/interactions',
      bodyOf('said', said, 'POST /v1/memory/interactions'),
      options,
    );
  }

  /**
   * Returns one page of the stores that the caller may read. A page may be short although others follow: go on while
   * `next_cursor` is not null.
   */
  stores(
    query: QueryOf<'/v1/memory'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['StoresPageDto']> {
    return this.transport.get('/v1/memory', bodyOf('query?', query, 'GET /v1/memory'), options);
  }

  /**
   * Returns one page of the sessions in which assistants acted for a user, the newest first, without those that the caller
   * may not read. A page may be short although others follow: go on while `next_cursor` is not null.
   */
  sessions(
    query: QueryOf<'/v1/memory/sessions'>,
    options?: ReadOptions,
  ): Promise<Schemas['SessionsPageDto']> {
    return this.transport.get(
      '/v1/memory/sessions',
      bodyOf('query', query, 'GET /v1/memory/sessions'),
      options,
    );
  }

  /**
   * Returns the items of a store as they are now, or as they were at the given `tick`. `owner` is the
   * `meta.owner` of an item.
   */
  store(
    space: MemorySpace,
    owner: string,
    at: QueryOf<'/v1/memory/{space}/{owner}'> = {},
    options?: ReadOptions,
  ): Promise<StoreView> {
    return this.#get(
      space,
      owner,
      '',
      { ...bodyOf('at?', at, 'GET /v1/memory/{space}/{owner}') },
      options,
    );
  }

  /** Returns the store's phases, oldest first, now or as the log had them at a time. */
  phases(
    space: MemorySpace,
    owner: string,
    options: ReadOptions & QueryOf<'/v1/memory/{space}/{owner}/phases'> = {},
  ): Promise<Schemas['PhasesDto']> {
    requireCallOptions(options, { at: 'moment?' });
    const { at, ...rest } = options;
    return this.#get(space, owner, '/phases', { at }, rest);
  }

  /**
   * Returns a page of the turns of a store: what was said, what was kept of it, what was not, and why. Without `before` and
   * `from`, it has the last turns. The page has at most 100 turns (default 25).
   */
  turns(
    space: MemorySpace,
    owner: string,
    page: QueryOf<'/v1/memory/{space}/{owner}/turns'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['TurnsPageDto']> {
    return this.#get(
      space,
      owner,
      '/turns',
      { ...bodyOf('page?', page, 'GET /v1/memory/{space}/{owner}/turns') },
      options,
    );
  }

  /** Returns the changes from one phase to another; empty if one of the phases is unknown. */
  phaseDiff(
    space: MemorySpace,
    owner: string,
    between: QueryOf<'/v1/memory/{space}/{owner}/phases/diff'>,
    options?: ReadOptions,
  ): Promise<Schemas['PhaseDiffViewDto']> {
    return this.#get(
      space,
      owner,
      '/phases/diff',
      { ...bodyOf('between', between, 'GET /v1/memory/{space}/{owner}/phases/diff') },
      options,
    );
  }

  /** Returns a page of decisions, starting at event number `from`. The page has at most 500 decisions (default 50). */
  traces(
    space: MemorySpace,
    owner: string,
    page: Omit<QueryOf<'/v1/memory/{space}/{owner}/traces'>, 'format'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['TracesPageDto']> {
    return this.#get(
      space,
      owner,
      '/traces',
      { ...bodyOf('page?', page, 'GET /v1/memory/{space}/{owner}/traces', ['format']) },
      options,
    );
  }

  #get<Answer>(
    space: MemorySpace,
    owner: string,
    of: string,
    query: Readonly<Record<string, string | number | undefined>>,
    options: ReadOptions | undefined,
  ): Promise<Answer> {
    return this.transport.get(
      `/v1/memory/${pathPart('space', space)}/${pathPart('owner', owner)}${of}`,
      query,
      options,
    );
  }
}
