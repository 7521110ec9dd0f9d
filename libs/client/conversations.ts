import { bodyOf, pathPart, requireArguments } from './arguments.js';
import type { ReplayReport } from './jobs.js';
import type { Json } from './json.js';
import type { QueryOf, Schemas } from './schemas.js';
import {
  type CallOptions,
  type OwnOptions,
  requireCallOptions,
  type Transport,
  type WriteOptions,
} from './transport.js';

/** An item with its index and the time at which the service received it. */
export type ConversationItem = Schemas['ConversationItemDto'];

/** Items of a conversation, oldest first, with the number of all items and the version. */
export type ConversationItems = Schemas['ConversationItemsDto'];

/** The items to replace and the ones that take their place. */
export type ConversationTransaction = Omit<Schemas['ReplaceItems'], 'expected_version'>;

/** Which items a read returns; by default all of them. */
export type ConversationRead = QueryOf<'/v1/conversations/{id}/items'>;

/** Another owner, for callers who may read everyone's conversations. */
export type ConversationOwner = QueryOf<'/v1/conversations/{id}/bundle'>;

/** Conditions of a change. */
export interface ChangeOptions extends WriteOptions {
  /**
   * The change fails with VERSION_CONFLICT unless the conversation has this version. The version counts the
   * changes, so 0 means that the conversation does not exist yet.
   */
  readonly expectedVersion?: number;
}

const CHANGE_OPTIONS = { expectedVersion: 'version?' } as const satisfies OwnOptions<ChangeOptions>;

const MAX_PAGE = 1_000;

/**
 * One conversation of the caller: a list of JSON items, such as the messages of a chat. It exists from the
 * first change on. Personal data in items is stored sealed; its owner gets it back whole.
 */
export class ConversationHandle {
  readonly #path: string;

  constructor(
    private readonly transport: Transport,
    readonly id: string,
  ) {
    this.#path = `/v1/conversations/${pathPart('id', id)}`;
  }

  /** Appends 1 to 500 items of at most 64 KB each. `index` is the index of the first one. */
  append(items: readonly Json[], options?: ChangeOptions): Promise<Schemas['ItemsChangedDto']> {
    requireArguments({ items }, { items: 'items' });
    return this.#change('/items', { items }, options);
  }

  /**
   * Returns the last items, at most `last` (by default all), oldest first. They all belong to one version,
   * also if the conversation changes meanwhile. A conversation that does not exist has no items.
   */
  async items(asked: ConversationRead = {}, options?: CallOptions): Promise<ConversationItems> {
    const { last = Infinity, ...read } = bodyOf('read?', asked, 'GET /v1/conversations/{id}/items');
    let page = await this.#page({ ...read, last: Math.min(last, MAX_PAGE) }, options);
    let { items } = page;
    const { version, count, clears } = page;
    while (page.items.length > 0 && items.length < last && (items[0]?.index ?? 0) > 0) {
      const rest = Math.min(last - items.length, MAX_PAGE);
      const earlier = { ...read, version, before: items[0]?.index ?? 0, last: rest };
      page = await this.#page(earlier, options);
      items = [...page.items, ...items];
    }
    return { items, count, version, clears };
  }

  /** Removes the last item and returns it; `item` is null if there is none. */
  pop(options?: ChangeOptions): Promise<Schemas['PoppedItemDto']> {
    return this.#change('/pop', {}, options);
  }

  /** Removes all items. Reads of earlier versions still return them. */
  clear(options?: ChangeOptions): Promise<Schemas['ConversationChangedDto']> {
    return this.#change('/clear', {}, options);
  }

  /**
   * Replaces items in one step: those from index `from` to before `to` (default: the end), or
   * `expected_suffix`, the items with which the conversation must end. The same `operation_id` again gets the
   * first answer and changes nothing; with other items it fails with IDEMPOTENCY_MISMATCH.
   */
  transact(
    transaction: ConversationTransaction,
    options: ChangeOptions = {},
  ): Promise<Schemas['ItemsChangedDto']> {
    const [condition, rest] = conditionOf(options);
    const body = {
      ...bodyOf('transaction', transaction, 'POST /v1/conversations/{id}/transactions', [
        'expected_version',
      ]),
      ...condition,
    };
    return this.transport.ask(`${this.#path}/transactions`, body, rest);
  }

  /**
   * Yields the conversation's bundle, which `mace verify` checks offline: the signed header line, then one
   * line for each event, without line feeds. Fails with NOT_FOUND before the first change.
   */
  bundle(owner: ConversationOwner = {}, options?: CallOptions): AsyncGenerator<string> {
    const path = `${this.#path}/bundle`;
    return this.transport.lines(
      path,
      bodyOf('owner?', owner, 'GET /v1/conversations/{id}/bundle'),
      options,
    );
  }

  /**
   * Replays the conversation and compares every event. With `audit` the report lists differences; with
   * `strict` the call fails at the first one with REPLAY_DIVERGENCE or INTEGRITY_FAILURE.
   */
  replay(mode: ReplayReport['mode'] = 'audit', options?: CallOptions): Promise<ReplayReport> {
    return this.transport.ask(`${this.#path}/replays`, { mode }, options);
  }

  #page(query: ConversationRead, options?: CallOptions): Promise<ConversationItems> {
    return this.transport.get(`${this.#path}/items`, query, options);
  }

  #change<Answer>(path: string, body: object, options: ChangeOptions = {}): Promise<Answer> {
    const [condition, rest] = conditionOf(options);
    return this.transport.post(this.#path + path, { ...body, ...condition }, rest);
  }
}

/** Returns the condition of a change as the service takes it, and the other options. */
function conditionOf(
  options: ChangeOptions,
): readonly [condition: { readonly expected_version?: number }, rest: WriteOptions] {
  requireCallOptions(options, CHANGE_OPTIONS);
  const { expectedVersion, ...rest } = options;
  return [expectedVersion === undefined ? {} : { expected_version: expectedVersion }, rest];
}
