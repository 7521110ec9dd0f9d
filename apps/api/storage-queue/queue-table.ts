import { readFileSync } from 'node:fs';
import { OwnTables } from '#read-model/own-tables.js';
import type { NamedQuery, Postgres } from '#read-model/postgres.js';
import type { RefusedWrite } from '#platform/storage-queue/refused-writes.js';

const TABLES = readFileSync(new URL('./tables.sql', import.meta.url), 'utf8');

const COLUMNS =
  'command_id, command, keyed, caller, stream, route, trace_id, refused_at, sealed, attempts, last_code, waits_for_person';

// If a command is refused again, the queue still has only one entry for the command. An entry that waits for a
// person keeps the code of its reason.
const KEEP: NamedQuery = {
  name: 'queue_keep',
  text: `insert into admin_queue.refused_write
      (command_id, command, keyed, caller, stream, route, trace_id, refused_at, sealed,
       waits_for_person)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, not $3::boolean
    where ((select count(*) from admin_queue.refused_write) < $10
        and (select count(*) from admin_queue.refused_write where caller = $4) < $11)
      or exists (select from admin_queue.refused_write where command_id = $1)
    on conflict (command_id) do update set last_code =
      case when refused_write.waits_for_person then refused_write.last_code else 'STORAGE_FULL' end
    returning command_id`,
};

const LIST: NamedQuery = {
  name: 'queue_list',
  text: `select ${COLUMNS} from admin_queue.refused_write
    where $1::text is null or (refused_at collate "C", command_id) > ($1, $2)
    order by refused_at collate "C", command_id limit $3`,
};

const ADDED: NamedQuery = {
  name: 'queue_added',
  text: `select seq, ${COLUMNS} from admin_queue.refused_write where seq > $1 order by seq limit $2`,
};

const KEPT: NamedQuery = {
  name: 'queue_kept',
  text: 'select command_id from admin_queue.refused_write where command_id = any($1::text[])',
};

const COUNT: NamedQuery = {
  name: 'queue_count',
  text: 'select count(*) as count from admin_queue.refused_write',
};

// The query skips entries that another instance has leased.
const LEASE_NEXT: NamedQuery = {
  name: 'queue_lease_next',
  text: `update admin_queue.refused_write
    set leased_until = now() + interval '60 seconds', attempts = attempts + 1
    where command_id = (
      select command_id from admin_queue.refused_write
      where keyed and not waits_for_person and leased_until < now()
      order by seq limit 1 for update skip locked)
    returning ${COLUMNS}`,
};

const LEASE: NamedQuery = {
  name: 'queue_lease',
  text: `update admin_queue.refused_write
    set leased_until = now() + interval '60 seconds', attempts = attempts + 1
    where command_id = $1 and leased_until < now()
    returning ${COLUMNS}`,
};

const RETURN: NamedQuery = {
  name: 'queue_return',
  text: `update admin_queue.refused_write
    set leased_until = 'epoch', last_code = $2, waits_for_person = waits_for_person or $3
    where command_id = $1`,
};

const REMOVE: NamedQuery = {
  name: 'queue_remove',
  text: 'delete from admin_queue.refused_write where command_id = $1',
};

const MAX_ENTRIES = 10_000;
/** The most entries of one caller, so that nobody uses up the room of others. */
export const MAX_OF_CALLER = 1_000;

/**
 * The place of a write in lists. A write keeps it when it moves from a file to the table, where it gets a number after
 * those of later writes.
 */
export type QueuePlace = readonly [refused_at: string, command_id: string];

export interface QueuedWrite extends RefusedWrite {
  /** The number of replays that have failed. */
  readonly attempts: number;
  /** The error code of the last attempt. */
  readonly last_code: string;
  readonly waits_for_person: boolean;
}

/**
 * The queue that all instances share. Every method fails with `PostgresUnavailable`, even if Postgres
 * only lacks disk space.
 */
export class QueueTable {
  private readonly tables: OwnTables;

  constructor(private readonly postgres: Postgres) {
    this.tables = new OwnTables(postgres, 'admin_queue', TABLES);
  }

  /** Adds a write. Returns false if the queue is full, or the caller has used up its share. */
  async keep(write: RefusedWrite): Promise<boolean> {
    await this.tables.make();
    const { command_id, command, keyed, caller, stream, route } = write;
    const { trace_id, refused_at, sealed } = write;
    const asked = [command_id, command, keyed, caller, stream, route];
    const values = [...asked, trace_id, refused_at, sealed, MAX_ENTRIES, MAX_OF_CALLER];
    return (await this.postgres.query(KEEP, values)).length > 0;
  }

  /** Lists entries in the order of their refusal, after a place. */
  async list(after: QueuePlace | undefined, limit: number): Promise<QueuedWrite[]> {
    await this.tables.make();
    const [refusedAt, commandId] = after ?? [];
    return this.postgres.query(LIST, [refusedAt ?? null, commandId ?? null, limit]);
  }

  /**
   * Lists entries in the order in which the table got them, after the entry with this number. No entry that another
   * instance adds meanwhile is left out.
   */
  async added(after: bigint, limit: number): Promise<(QueuedWrite & { readonly seq: string })[]> {
    await this.tables.make();
    return this.postgres.query(ADDED, [after.toString(), limit]);
  }

  /** Returns the ids of those commands that the table has. */
  async kept(commandIds: readonly string[]): Promise<ReadonlySet<string>> {
    await this.tables.make();
    const rows = await this.postgres.query<{ command_id: string }>(KEPT, [commandIds]);
    return new Set(rows.map(({ command_id }) => command_id));
  }

  async count(): Promise<number> {
    await this.tables.make();
    const [row] = await this.postgres.query<{ count: string }>(COUNT);
    return Number(row?.count);
  }

  /** Leases the oldest entry that may be replayed without a person's decision. */
  async leaseNext(): Promise<QueuedWrite | undefined> {
    await this.tables.make();
    return (await this.postgres.query<QueuedWrite>(LEASE_NEXT))[0];
  }

  /** Leases one entry. Returns undefined if it does not exist or another instance is replaying it. */
  async lease(commandId: string): Promise<QueuedWrite | undefined> {
    await this.tables.make();
    return (await this.postgres.query<QueuedWrite>(LEASE, [commandId]))[0];
  }

  async giveBack(commandId: string, code: string, waitsForPerson: boolean): Promise<void> {
    await this.postgres.query(RETURN, [commandId, code, waitsForPerson]);
  }

  async remove(commandId: string): Promise<void> {
    await this.postgres.query(REMOVE, [commandId]);
  }
}
