import type { Json, JsonObject } from './json.js';
import { MaceError } from './mace-error.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

/** A stable fact, or that there is none. */
export type Fact =
  | {
      readonly exists: true;
      readonly value: Json;
      /** `user`, `system` or `agent:<id>`. */
      readonly source: string;
      /** ISO 8601 UTC, milliseconds. */
      readonly last_updated: string;
      readonly notes: string | null;
      readonly meta: JsonObject | null;
      /** The number of its event in the fact's stream. */
      readonly version: number;
    }
  | { readonly exists: false; readonly value: null };

/** A fact in a list. */
export type ListedFact = Extract<Fact, { exists: true }> & { readonly key: string };

export interface PutFact {
  /** At most 16 KB as canonical JSON. */
  readonly value: Json;
  /** ISO 8601 UTC; the latest wins. Default: the service's clock. */
  readonly timestamp?: string;
  /** At most 512 characters. */
  readonly notes?: string;
  readonly meta?: JsonObject;
}

/** Which state of a fact to read; default: the current one. */
export interface FactAt {
  /** `sem:<hash>`, as jobs pin it. */
  readonly snapshot_id?: string;
  /** The number of an event of the fact's stream. */
  readonly version?: number;
  /** Reads at the job's pinned snapshot and records the read as its evidence. */
  readonly job_seed?: string;
}

export interface FactWritten {
  readonly key: string;
  readonly timestamp: string;
  readonly source: string;
  /** The number of the event in the fact's stream. */
  readonly version: number;
  /** A later timestamp stands already: the write is kept in the history and is not the current value. */
  readonly superseded: boolean;
}

/** What a job could read at its start. */
export interface SemSnapshot {
  readonly sem_snapshot_id: string;
  readonly sem_snapshot_hash: string;
  /** How many events of facts it covers, in the log's order. */
  readonly sem_event_count: number;
  readonly facts: readonly ListedFact[];
  readonly next_cursor: string | null;
}

/** Stable facts by canonical key, `scope/entity_type/entity_id/attribute`. */
export class Sem {
  constructor(private readonly transport: Transport) {}

  /** A fact by its exact key; one that is not there is `{exists: false, value: null}`, not an error. */
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

  /** Writes a whole fact. A user writes below its own id only, an agent by an action request; else PERMISSION_DENIED. */
  put(key: string, fact: PutFact, options?: WriteOptions): Promise<FactWritten> {
    return this.transport.json({ method: 'PUT', path: pathOf(key), body: fact, options });
  }

  /** Hides a fact. Admins only. */
  delete(key: string, options?: WriteOptions): Promise<FactWritten> {
    return this.transport.json({ method: 'DELETE', path: pathOf(key), options });
  }

  /** One page of the facts that the caller may read, in byte order of their keys. */
  search(
    prefix: string,
    cursor?: string,
    options?: ReadOptions,
  ): Promise<{
    readonly facts: readonly ListedFact[];
    readonly next_cursor: string | null;
  }> {
    return this.transport.json({
      method: 'GET',
      path: '/v1/sem',
      query: { prefix, cursor },
      options,
    });
  }

  /** A snapshot that a job pinned, with one page of its facts. Auditors. */
  snapshot(snapshotId: string, cursor?: string, options?: ReadOptions): Promise<SemSnapshot> {
    const path = `/v1/sem-snapshots/${encodeURIComponent(snapshotId)}`;
    return this.transport.json({ method: 'GET', path, query: { cursor }, options });
  }

  /** Makes a key of raw parts, and claims it for that title where the caller may write it. */
  makeKey(
    parts: {
      scope: string;
      entity_type: string;
      entity_id?: string;
      attribute: string;
      user_id?: string;
    },
    options?: WriteOptions,
  ): Promise<{ readonly key: string; readonly claimed: boolean }> {
    return this.transport.json({ method: 'POST', path: '/v1/sem-keys', body: parts, options });
  }

  /** The key that a phrase such as "my favourite colour" means, or null. */
  resolveAlias(
    text: string,
    userId?: string,
    options?: ReadOptions,
  ): Promise<{ readonly key: string | null }> {
    return this.transport.json({
      method: 'POST',
      path: '/v1/sem-aliases/resolve',
      body: { text, ...(userId !== undefined && { user_id: userId }) },
      options,
    });
  }
}

/** Slashes part the key's components, as they part the path's. */
const pathOf = (key: string): string =>
  `/v1/sem/${key.split('/').map(encodeURIComponent).join('/')}`;
