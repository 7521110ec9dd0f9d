import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import {
  type ArgumentKind,
  ERASED,
  isErased,
  MaceClient,
  type MaceClientOptions,
  MaceErased,
  type Note,
  recordOf,
  requireArguments,
  valueOf,
  writtenWithin,
} from '@mace-memory/client';
import { matches } from './filter.js';

/** The most hits that one search of the service returns. */
const MAX_HITS = 100;
const PAGE = 100;

/**
 * A store for LangGraph on MACE Memory: each item is a note, whose every put and delete is an event. Namespaces compare
 * by whole components, so `['acme']` never finds anything of `['acme-corp']`. Items belong to the user of the client's
 * token, or to its sub. A search with a query ranks by words (SPEC Q2), without embeddings.
 *
 * ```ts
 * const store = new MaceStore({ baseUrl: 'http://127.0.0.1:3000', token });
 * const graph = builder.compile({ checkpointer, store });
 * ```
 */
export class MaceStore extends BaseStore {
  readonly client: MaceClient;

  constructor(client: MaceClient | MaceClientOptions) {
    super();
    this.client = 'notes' in client ? client : new MaceClient(client);
  }

  /**
   * Runs several operations. The reads see the store as it was before the batch. Of several puts of one item, the last
   * one counts.
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    requireArguments({ operations }, { operations: 'objects' });
    for (const [place, operation] of operations.entries()) {
      requireArguments(operation, kindsOf(operation), `operations[${place}]`);
      if (isPut(operation) && operation.value !== null) recordOf(operation.value);
      if ('matchConditions' in operation)
        for (const condition of operation.matchConditions ?? [])
          requireArguments(condition, { path: 'texts' }, `operations[${place}].matchConditions`);
    }
    const results = await Promise.all(operations.map((operation) => this.#read(operation)));
    const puts = new Map<string, PutOperation>();
    for (const operation of operations)
      if (isPut(operation))
        puts.set(JSON.stringify([operation.namespace, operation.key]), operation);
    await Promise.all([...puts.values()].map((operation) => this.#put(operation)));
    return results as OperationResults<Op>;
  }

  override async get(...given: Parameters<BaseStore['get']>) {
    const [namespace, key] = given;
    requireArguments({ namespace, key }, { namespace: 'texts', key: 'name' });
    return super.get(...given);
  }

  override async put(...given: Parameters<BaseStore['put']>) {
    const [namespace, key, value] = given;
    requireArguments({ namespace, key, value }, { namespace: 'texts', key: 'id', value: 'object' });
    return super.put(...given);
  }

  override async delete(...given: Parameters<BaseStore['delete']>) {
    const [namespace, key] = given;
    requireArguments({ namespace, key }, { namespace: 'texts', key: 'id' });
    return super.delete(...given);
  }

  override async search(...given: Parameters<BaseStore['search']>) {
    const [namespacePrefix, options = {}] = given;
    requireArguments({ namespacePrefix, options }, { namespacePrefix: 'texts', options: 'object' });
    return super.search(...given);
  }

  override async listNamespaces(options: Parameters<BaseStore['listNamespaces']>[0] = {}) {
    requireArguments({ options }, { options: 'object' });
    requireArguments(options, { prefix: 'texts?', suffix: 'texts?' }, 'options');
    return super.listNamespaces(options);
  }

  async #read(operation: Operation): Promise<Item | SearchItem[] | string[][] | null> {
    if (isPut(operation)) return null;
    if ('namespacePrefix' in operation)
      return operation.query ? this.#find(operation.query, operation) : this.#list(operation);
    return 'key' in operation ? this.#get(operation) : this.#namespaces(operation);
  }

  async #put({ namespace, key, value }: PutOperation): Promise<void> {
    if (value === null) await this.client.notes.delete(namespace, key);
    else
      await writtenWithin((maxBytes) =>
        this.client.notes.put(namespace, key, recordOf(value, { maxBytes })),
      );
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    if (namespace.length === 0) return null;
    const note = await this.client.notes.get(namespace, key);
    if (note !== undefined && isErased(note.value)) throw new MaceErased('The item');
    return note === undefined ? null : itemOf(note);
  }

  /**
   * Returns the items under a prefix, in the order of namespace and key. The filter runs here, because the service
   * filters by nothing that contains personal data, and the owner's own items have to match all the same.
   */
  async #list({ namespacePrefix, filter, limit = 10, offset = 0 }: SearchOperation) {
    const items: SearchItem[] = [];
    let skipped = 0;
    if (limit <= 0) return items;
    for await (const note of this.client.notes.all({ prefix: namespacePrefix, limit: PAGE })) {
      const item = itemOf(note);
      if (!matches(item.value, filter)) continue;
      if (skipped < offset) skipped += 1;
      else items.push(item);
      if (items.length === limit) break;
    }
    return items;
  }

  /** Returns the items that the service finds for a query, the best first. */
  async #find(
    query: string,
    { namespacePrefix, filter, limit = 10, offset = 0 }: SearchOperation,
  ): Promise<SearchItem[]> {
    const { hits } = await this.client.search({
      query,
      kinds: ['note'],
      ...(namespacePrefix.length === 0 ? {} : { namespace: namespacePrefix }),
      max_results: filter === undefined ? Math.min(offset + limit, MAX_HITS) : MAX_HITS,
    });
    const found = await Promise.all(
      hits.map(async ({ note, score }) => {
        if (note === undefined) return [];
        const stored = await this.client.notes.get(note.namespace, note.key);
        const item = stored === undefined ? null : itemOf(stored);
        return item !== null && matches(item.value, filter) ? [{ ...item, score }] : [];
      }),
    );
    return found.flat().slice(offset, offset + limit);
  }

  async #namespaces({
    matchConditions = [],
    maxDepth,
    limit,
    offset = 0,
  }: ListNamespacesOperation): Promise<string[][]> {
    const prefix = matchConditions.find(({ matchType }) => matchType === 'prefix')?.path;
    const suffix = matchConditions.find(({ matchType }) => matchType === 'suffix')?.path;
    const found = new Map<string, string[]>();
    for await (const namespace of this.#allNamespaces(prefix, suffix)) {
      if (!matchConditions.every((condition) => meets(namespace, condition))) continue;
      const cut = namespace.slice(0, maxDepth);
      found.set(JSON.stringify(cut), cut);
    }
    return [...found.values()].slice(offset, offset + (limit ?? found.size));
  }

  async *#allNamespaces(
    prefix: readonly string[] | undefined,
    suffix: readonly string[] | undefined,
  ): AsyncGenerator<string[]> {
    let cursor: string | null = null;
    do {
      const page: { namespaces: readonly (readonly string[])[]; next_cursor: string | null } =
        await this.client.notes.namespaces({
          ...(prefix && { prefix: [...prefix] }),
          ...(suffix && { suffix: [...suffix] }),
          ...(cursor !== null && { cursor }),
          limit: 1_000,
        });
      for (const namespace of page.namespaces) yield [...namespace];
      cursor = page.next_cursor;
    } while (cursor !== null);
  }
}

const isPut = (operation: Operation): operation is PutOperation => 'value' in operation;

/** Returns the fields that an operation must have. */
function kindsOf(operation: Operation): Readonly<Record<string, ArgumentKind>> {
  if (isPut(operation)) return { ...NAMED, ...(operation.value !== null && PUT) };
  if ('namespacePrefix' in operation)
    return { namespacePrefix: 'names', query: 'text?', filter: 'object?', ...PAGED };
  if ('key' in operation) return NAMED;
  return { matchConditions: 'objects?', maxDepth: 'count?', ...PAGED };
}

const NAMED = { namespace: 'ids', key: 'id' } as const;
const PUT = { value: 'object' } as const;
const PAGED = { limit: 'number?', offset: 'count?' } as const;

const itemOf = ({ namespace, key, value, created_at, updated_at }: Note): Item => ({
  namespace: [...namespace],
  key,
  value: isErased(value) ? { erased: ERASED } : (valueOf(value) as Item['value']),
  createdAt: new Date(created_at),
  updatedAt: new Date(updated_at),
});

/** True if a namespace has these first or last components; `*` stands for any one. */
function meets(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  const start = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return (
    path.length <= namespace.length &&
    path.every((part, place) => part === '*' || part === namespace[start + place])
  );
}
