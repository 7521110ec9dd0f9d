import { MaceError } from './mace-error.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

/** A fact, or the statement that it does not exist. */
export type Fact = Schemas['FactDto'] | { readonly exists: false; readonly value: null };

/** A fact in a list. */
export type ListedFact = Schemas['ListedFactDto'];

export type PutFact = Omit<Schemas['PutFactDto'], 'idempotency_token'>;

/** The state of a fact to read; default: the current one. */
export type FactAt = QueryOf<'/v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}'>;

export type FactWritten = Schemas['FactWrittenDto'];

/** The facts that a job could read at its start. */
export type SemSnapshot = Schemas['SemSnapshotDto'];

/** Facts by canonical key, `scope/entity_type/entity_id/attribute`. */
export class Sem {
  constructor(private readonly transport: Transport) {}

  /** Reads a fact by its exact key; a missing fact is `{exists: false, value: null}`, not an error. */
  async get(key: string, at: FactAt = {}, options?: ReadOptions): Promise<Fact> {
    try {
      return await this.transport.json({
        method: 'GET',
        path: pathOf(key),
        query: { ...at },
        options,
      });
    } catch (error) {
      if (error instanceof MaceError && error.code === 'SEM_NOT_FOUND')
        return { exists: false, value: null };
      throw error;
    }
  }

  /**
   * Writes a fact as a whole. A user may write only under its own id; an agent needs an approved action
   * request. Fails with PERMISSION_DENIED otherwise.
   */
  put(key: string, fact: PutFact, options?: WriteOptions): Promise<FactWritten> {
    return this.transport.json({ method: 'PUT', path: pathOf(key), body: fact, options });
  }

  /** Hides a fact. Admins only. */
  delete(key: string, options?: WriteOptions): Promise<FactWritten> {
    return this.transport.json({ method: 'DELETE', path: pathOf(key), options });
  }

  /** One page of the facts that the caller may read, in byte order of their keys. */
  search(prefix: string, cursor?: string, options?: ReadOptions): Promise<Schemas['FactsPageDto']> {
    return this.transport.json({
      method: 'GET',
      path: '/v1/sem',
      query: { prefix, cursor },
      options,
    });
  }

  /** A snapshot that a job pinned, with one page of its facts. Auditors only. */
  snapshot(snapshotId: string, cursor?: string, options?: ReadOptions): Promise<SemSnapshot> {
    const path = `/v1/sem-snapshots/${encodeURIComponent(snapshotId)}`;
    return this.transport.json({ method: 'GET', path, query: { cursor }, options });
  }

  /** Generates a key from raw parts, and claims it for that title if the caller may write it. */
  makeKey(parts: Schemas['SemKeyDto'], options?: WriteOptions): Promise<Schemas['KeyDto']> {
    return this.transport.json({ method: 'POST', path: '/v1/sem-keys', body: parts, options });
  }

  /** The key that a phrase such as "my favourite colour" refers to, or null. */
  resolveAlias(
    text: string,
    userId?: string,
    options?: ReadOptions,
  ): Promise<Schemas['ResolvedAliasDto']> {
    return this.transport.json({
      method: 'POST',
      path: '/v1/sem-aliases/resolve',
      body: { text, ...(userId !== undefined && { user_id: userId }) },
      options,
    });
  }
}

/** Encodes the components of a key; the slashes between them stay, as they also separate the path. */
const pathOf = (key: string): string =>
  `/v1/sem/${key.split('/').map(encodeURIComponent).join('/')}`;
