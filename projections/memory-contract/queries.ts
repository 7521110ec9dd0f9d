import { Injectable } from '@nestjs/common';
import { type MemoryItem, type Space, SPACES } from '#domain/memory-contract/item.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { ItemRow, PolicyRow, SessionRow, StoreRow } from './memory-contract.projection.js';

const POLICIES: NamedQuery = {
  name: 'memory_items_policies',
  text: 'select * from memory_items.policy where policy_hash = any($1::text[])',
};

const SUMMARIES: NamedQuery = {
  name: 'memory_items_summaries',
  text: `select * from memory_items.item
    where stream = $1 and summary_after is not null`,
};

const ITEMS_OF: NamedQuery = {
  name: 'memory_items_items',
  text: 'select * from memory_items.item where id = any($1::text[])',
};

const STORES: NamedQuery = {
  name: 'memory_items_stores',
  text: `select * from memory_items.store
    where stream >= $1 and stream < $2 and stream > $3 and space = any($5::text[])
    order by stream limit $4`,
};

const SESSIONS: NamedQuery = {
  name: 'memory_items_sessions',
  text: `select * from memory_items.session
    where user_name = $1 and position < $2 and position <= $3
    order by position desc limit $4`,
};

/** Is after every position of a log. */
const LAST_POSITION = '9223372036854775807';

/** Sorts after every character of a stream's name. */
const LAST_CHARACTER = '\u{10ffff}';

/** An item with the events that stored and deleted it. */
export interface StoredItem {
  readonly item: MemoryItem;
  readonly stored_number: number;
  readonly deleted_number: number | null;
  readonly deleted_reason: string | null;
  readonly replaced_by: string | null;
}

export interface StoreSummary {
  readonly space: Space;
  readonly owner: string;
  readonly tick: number;
  /** The number of the last projected event of the stream. */
  readonly revision: number;
}

/** Selects sessions of a user. */
export interface SessionFilter {
  /** The name of the user's store, folded. */
  readonly userName: string;
  /** The `position` of the last row of the previous page. */
  readonly before?: string | undefined;
  /** Only sessions that had begun at this position. */
  readonly begunBy?: bigint | undefined;
  readonly limit: number;
}

/** Reads the Memory Contract's stores. All methods fail with `PostgresUnavailable` while Postgres cannot answer. */
@Injectable()
export class MemoryItemQueries {
  constructor(private readonly postgres: Postgres) {}

  /**
   * Returns stores of some spaces in byte order of their streams, after the stream `after`. Their streams begin with
   * `prefix`, such as `memory-session:`.
   */
  async stores(
    prefix: string,
    after: string,
    limit: number,
    spaces: readonly Space[] = SPACES,
  ): Promise<StoreSummary[]> {
    const values = [prefix, prefix + LAST_CHARACTER, after, limit, spaces];
    return (await this.postgres.query<StoreRow>(STORES, values)).map(summaryOf);
  }

  /** Returns the sessions in which assistants acted for a user, the newest first. */
  sessions({
    userName,
    before = LAST_POSITION,
    begunBy,
    limit,
  }: SessionFilter): Promise<SessionRow[]> {
    const values = [userName, before, begunBy?.toString() ?? LAST_POSITION, limit];
    return this.postgres.query<SessionRow>(SESSIONS, values);
  }

  /** Returns an item by its id, also one that was deleted. */
  async item(id: string): Promise<StoredItem | undefined> {
    return (await this.items([id])).get(id);
  }

  /** Returns items by their ids, also those that were deleted. */
  async items(ids: readonly string[]): Promise<ReadonlyMap<string, StoredItem>> {
    const rows = await this.postgres.query<ItemRow>(ITEMS_OF, [ids]);
    return new Map(rows.map((row) => [row.id, storedOf(row)]));
  }

  /** Returns a function that expands a summary of a store to all turns that it covers (SPEC M11). */
  async summarized(stream: string): Promise<(summaryId: string) => readonly string[]> {
    const rows = await this.postgres.query<ItemRow>(SUMMARIES, [stream]);
    const known = new Map(rows.map((row) => [row.id, row]));
    return (summaryId) => {
      const lists: (readonly string[])[] = [];
      for (
        let row = known.get(summaryId);
        row !== undefined;
        row = known.get(row.summary_after ?? '')
      )
        lists.unshift((JSON.parse(row.item) as MemoryItem).meta.summary_of ?? []);
      return lists.flat();
    };
  }

  async policies(hashes: readonly string[]): Promise<ReadonlyMap<string, PolicySnapshot>> {
    const wanted = [...new Set(hashes)];
    const rows = await this.postgres.query<PolicyRow>(POLICIES, [wanted]);
    return new Map(
      rows.map(({ policy_hash, policy }) => [policy_hash, JSON.parse(policy) as PolicySnapshot]),
    );
  }
}

const storedOf = ({ item, ...row }: ItemRow): StoredItem => ({
  item: JSON.parse(item) as MemoryItem,
  stored_number: row.stored_number,
  deleted_number: row.deleted_number,
  deleted_reason: row.deleted_reason,
  replaced_by: row.replaced_by,
});

const summaryOf = ({ space, owner, tick, revision }: StoreRow): StoreSummary => ({
  ...{ space, owner, revision },
  tick: Number(tick),
});
