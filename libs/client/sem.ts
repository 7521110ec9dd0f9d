import { bodyOf, pathPart, requireArguments } from './arguments.js';
import { MaceError } from './mace-error.js';
import type { QueryOf, Schemas } from './schemas.js';
import {
  type AccessOptions,
  type ReadOptions,
  requireCallOptions,
  type Transport,
  type WriteOptions,
} from './transport.js';

/** A fact, or the statement that it does not exist. */
export type Fact = Schemas['FactDto'] | { readonly exists: false; readonly value: null };

/** A fact in a list. */
export type ListedFact = Schemas['ListedFactDto'];

export type PutFact = Omit<Schemas['PutFact'], 'idempotency_token'>;

/** Which state of a fact to read; by default the current one. */
export type FactAt = QueryOf<'/v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}'>;

/** A page of the events of a fact, newest first. */
export type FactHistory = Schemas['FactHistoryDto'];

/** One event of a fact: a write, a deletion, or a claim of its key. */
export type FactEvent = FactHistory['events'][number];

/** Who approved a fact: the voters’ names only for the council, auditors and admins. */
export type ApprovedBy = Schemas['ApprovedByDto'];

export type FactWritten = Schemas['FactWrittenDto'];

/** The facts that a job could read at its start. */
export type SemSnapshot = Schemas['SemSnapshotDto'];

/** Facts by their canonical key, `scope/entity_type/entity_id/attribute`. */
export class Sem {
  constructor(private readonly transport: Transport) {}

  /** Reads a fact by its exact key. For a missing fact it returns `{exists: false, value: null}`, and does not fail. */
  async get(key: string, at: FactAt = {}, options?: ReadOptions & AccessOptions): Promise<Fact> {
    try {
      return await this.transport.get(
        pathOf(key),
        { ...bodyOf('at?', at, 'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}') },
        options,
      );
    } catch (error) {
      if (error instanceof MaceError && error.code === 'SEM_NOT_FOUND')
        return { exists: false, value: null };
      throw error;
    }
  }

  /**
   * Returns one page of the events of a fact, newest first, also of one that was deleted. Undefined if nothing was ever
   * written under the key.
   */
  async history(
    key: string,
    page: QueryOf<'/v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}/history'> = {},
    options?: ReadOptions,
  ): Promise<FactHistory | undefined> {
    try {
      const path = `${pathOf(key)}/history`;
      return await this.transport.get(
        path,
        {
          ...bodyOf(
            'page?',
            page,
            'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}/history',
          ),
        },
        options,
      );
    } catch (error) {
      if (error instanceof MaceError && error.code === 'SEM_NOT_FOUND') return undefined;
      throw error;
    }
  }

  /**
   * Writes a fact as a whole. A user may write only under the user's own id; an agent needs an approved
   * action request. Fails with PERMISSION_DENIED otherwise.
   */
  put(key: string, fact: PutFact, options?: WriteOptions): Promise<FactWritten> {
    return this.transport.json({
      method: 'PUT',
      path: pathOf(key),
      body: bodyOf('fact', fact, 'PUT /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}', [
        'idempotency_token',
      ]),
      options,
    });
  }

  /** Hides a fact. Only for admins. */
  delete(key: string, options?: WriteOptions): Promise<FactWritten> {
    return this.transport.json({ method: 'DELETE', path: pathOf(key), options });
  }

  /** Returns one page of the facts that the caller may read, in byte order of their keys. */
  search(
    prefix: string,
    cursor?: string,
    options: ReadOptions & Pick<QueryOf<'/v1/sem'>, 'at' | 'user_id' | 'limit'> = {},
  ): Promise<Schemas['FactsPageDto']> {
    requireArguments({ prefix }, { prefix: 'keyPrefix' });
    requireCallOptions(options, { at: 'moment?', user_id: 'id?', limit: 'count?' });
    const { at, user_id, limit, ...rest } = options;
    return this.transport.get('/v1/sem', { prefix, cursor, at, user_id, limit }, rest);
  }

  /**
   * Returns a snapshot that a job pinned, with one page of its facts: all, or those under a prefix, of scope `user` only
   * those of one user. Only for auditors.
   */
  snapshot(
    snapshotId: string,
    cursor?: string,
    options: ReadOptions & Pick<QueryOf<'/v1/sem-snapshots/{id}'>, 'prefix' | 'user_id'> = {},
  ): Promise<SemSnapshot> {
    requireCallOptions(options, { prefix: 'keyPrefix?', user_id: 'id?' });
    const { prefix, user_id, ...rest } = options;
    return this.transport.get(
      `/v1/sem-snapshots/${pathPart('snapshotId', snapshotId, 'snapshotId')}`,
      { cursor, prefix, user_id },
      rest,
    );
  }

  /**
   * Generates a key from its raw parts. If the caller may write the key, the call also claims the key
   * for the title in `parts`.
   */
  makeKey(parts: Schemas['ClaimKey'], options?: WriteOptions): Promise<Schemas['KeyDto']> {
    return this.transport.post(
      '/v1/sem-keys',
      bodyOf('parts', parts, 'POST /v1/sem-keys'),
      options,
    );
  }

  /** Returns the key that a phrase such as "my favourite colour" refers to, or null. */
  resolveAlias(
    text: string,
    userId?: string,
    options?: ReadOptions,
  ): Promise<Schemas['ResolvedAliasDto']> {
    requireArguments({ text, userId }, { text: 'text', userId: 'id?' });
    return this.transport.post(
      '/v1/sem-aliases/resolve',
      { text, ...(userId !== undefined && { user_id: userId }) },
      options,
    );
  }
}

/** Encodes the parts of a key. The slashes between them stay, because they also separate the path. */
function pathOf(key: string): string {
  requireArguments({ key }, { key: 'semKey' });
  const parts = key.split('/').map((part) => pathPart('key', part));
  return `/v1/sem/${parts.join('/')}`;
}
