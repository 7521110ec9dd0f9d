import type { QueryOf, Schemas } from './schemas.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

/** One memory. */
export type MemoryItem = Schemas['MemoryItemDto'];

export type MemorySpace = Schemas['StoreViewDto']['space'];
export type MemoryKind = MemoryItem['kind'];
export type MemoryEventType = NonNullable<MemoryPolicy['allow_event_types']>[number];
export type MemoryAuthority = Schemas['SpacePromotionDto']['min_authority'];

/** What a request may say about its policy; what is left out has the default of the contract. */
export type MemoryPolicy = Schemas['PolicyDto'];

/** What a recall and an interaction have in common. */
export type MemoryRequest = Omit<AskRecall, 'query' | 'trace'>;

export type AskRecall = Schemas['RecallDto'];

export type RecordInteraction = Schemas['InteractionDto'];

/** A decision: `type`, and what the contract asks of that type. */
export type MemoryTrace = Schemas['RecalledDto']['trace'][number];

export type StoreView = Schemas['StoreViewDto'];

/** Memory for assistants that think in turns: the Memory Contract v1. */
export class Memory {
  constructor(private readonly transport: Transport) {}

  /**
   * What is known, to be asked before the model is called: short-term, then semantic, then profile items, and
   * every decision that led to them. Fails with PERMISSION_DENIED for somebody else's session or user,
   * PRIVACY_BLOCKED for an id that holds personal data.
   */
  recall(asked: AskRecall, options?: WriteOptions): Promise<Schemas['RecalledDto']> {
    const path = '/v1/memory/recall';
    return this.transport.json({ method: 'POST', path, body: asked, options, repeatable: true });
  }

  /**
   * Records what was said, after the model was called: what was written, and every decision, also what was
   * denied and why. Fails as `recall` does, and with INVALID_INPUT for what is too large.
   */
  interactions(
    said: RecordInteraction,
    options?: WriteOptions,
  ): Promise<Schemas['RecordedInteractionDto']> {
    const path = '/v1/memory/interactions';
    return this.transport.json({ method: 'POST', path, body: said, options });
  }

  /** What a store holds, or held when its tick stood at `tick`. `owner` is an item's `meta.owner`. */
  store(
    space: MemorySpace,
    owner: string,
    at: QueryOf<'/v1/memory/{space}/{owner}'> = {},
    options?: ReadOptions,
  ): Promise<StoreView> {
    return this.#get(space, owner, '', { ...at }, options);
  }

  /** Its phases, oldest first. */
  phases(space: MemorySpace, owner: string, options?: ReadOptions): Promise<Schemas['PhasesDto']> {
    return this.#get(space, owner, '/phases', {}, options);
  }

  /** What changed from one phase to another; nothing where one of them is unknown. */
  phaseDiff(
    space: MemorySpace,
    owner: string,
    between: QueryOf<'/v1/memory/{space}/{owner}/phases/diff'>,
    options?: ReadOptions,
  ): Promise<Schemas['PhaseDiffViewDto']> {
    return this.#get(space, owner, '/phases/diff', { ...between }, options);
  }

  /** A page of what was decided, from event number `from` on (at most 500; default 50). */
  traces(
    space: MemorySpace,
    owner: string,
    page: Omit<QueryOf<'/v1/memory/{space}/{owner}/traces'>, 'format'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['TracesPageDto']> {
    return this.#get(space, owner, '/traces', { ...page }, options);
  }

  #get<Answer>(
    space: MemorySpace,
    owner: string,
    of: string,
    query: Readonly<Record<string, string | number | undefined>>,
    options: ReadOptions | undefined,
  ): Promise<Answer> {
    const path = `/v1/memory/${space}/${encodeURIComponent(owner)}${of}`;
    return this.transport.json({
      method: 'GET',
      path,
      query,
      ...(options === undefined ? {} : { options }),
    });
  }
}
