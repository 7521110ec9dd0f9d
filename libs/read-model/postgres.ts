import pg from 'pg';
import type { ProjectionTransaction } from './projection.js';
import type { RowMacs } from './row-macs.js';
import { sentInOrder } from './sent-in-order.js';
import {
  hasOutdatedPlan,
  isBeingBuilt,
  isPassing,
  PostgresUnavailable,
} from './postgres-unavailable.js';

/** A query with a name. Each connection prepares it once. Its text names the schema of each table. */
export interface NamedQuery {
  readonly name: string;
  readonly text: string;
}

/** A transaction that can work on the tables of several read models, one after the other. */
export interface PostgresTransaction extends ProjectionTransaction {
  /** Sets the search_path to `schema` for the rest of the transaction, and runs `work` on its tables. */
  within<T>(schema: string, work: (tx: ProjectionTransaction) => Promise<T>): Promise<T>;
}

export interface PostgresOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  readonly maxConnections?: number;
  /** The Postgres role that each connection takes, if the role exists and the database user may use it (SPEC L3). */
  readonly role?: string;
  /** The key of the rows that carry a MAC, for a program that reads or writes them. */
  readonly macs?: RowMacs;
}

/** Sets the role. If the user cannot use it, the statement returns no row and changes nothing. */
const SET_ROLE = `select set_config('role', rolname, false) as role from pg_roles
  where rolname = $1 and pg_has_role(oid, 'member')`;

const CONNECT_TIMEOUT_MS = 2_000;
const READ_TIMEOUT_MS = 30_000;

/**
 * Postgres rolls back a transaction whose client sends nothing for this time. A process that was stopped in
 * the middle of a transaction would otherwise keep its row locks, and block the next leader.
 */
const IDLE_LIMIT = 'idle_in_transaction_session_timeout = 5000';

/**
 * The connection pool of one process. It drops a broken connection, and the next query opens another
 * one. Temporary failures become `PostgresUnavailable`; other errors are thrown as pg throws them.
 */
export class Postgres {
  private readonly pool: pg.Pool;
  private readonly lossListeners = new Set<() => void>();
  private activeRole: string | undefined;

  constructor(private readonly options: PostgresOptions) {
    const { role } = options;
    this.pool = new pg.Pool({
      connectionString: options.url,
      max: options.maxConnections ?? 10,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      // The statements of a transaction are sent without waiting for earlier answers.
      pipeline: true,
      application_name: 'mace-memory',
      ...(role === undefined
        ? {}
        : {
            // pg awaits this before it uses the connection, although the type does not say so.
            onConnect: (client): unknown => this.useRole(client, role),
          }),
    });
    // If an idle connection breaks, the pool replaces it. Without a listener, its error would end the process.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => this.noteLoss()));
  }

  /**
   * Calls back when a connection breaks, before the next one opens. The server may have crashed and lost
   * commits that were not on disk.
   */
  onLoss(listener: () => void): void {
    this.lossListeners.add(listener);
  }

  /** The role of the connections; undefined while they use the rights of their user. */
  get role(): string | undefined {
    return this.activeRole;
  }

  get macs(): RowMacs | undefined {
    return this.options.macs;
  }

  /**
   * Runs one read. If an idle connection turns out to be broken, the read is retried on a new one, so a
   * restarted Postgres does not make a read fail. Neither does a rebuild that has given the tables other columns.
   */
  async query<Row extends object>(
    query: string | NamedQuery,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    try {
      return await this.queryOnce<Row>(query, values);
    } catch (cause) {
      if (!isPassing(cause)) throw asUnavailable(cause);
    }
    try {
      // Other connections may have prepared the query for the same old columns, so it is sent without its name.
      return await this.queryOnce<Row>(typeof query === 'string' ? query : query.text, values);
    } catch (cause) {
      throw asUnavailable(cause);
    }
  }

  /**
   * Runs `work` in one transaction. If it throws, the transaction is rolled back, and a broken
   * connection is dropped. @param settings such as `synchronous_commit = off`, for this transaction
   * only; an invalid setting makes the transaction fail
   */
  async transaction<T>(
    work: (tx: PostgresTransaction) => Promise<T>,
    settings: readonly string[] = [],
  ): Promise<T> {
    const client = await this.checkOut();
    // A checked-out client emits an error event if its connection breaks. It can be ignored, because the
    // queries of the client fail with the same error.
    const ignore = (): undefined => undefined;
    client.on('error', ignore);
    let broken: Error | undefined;
    try {
      const begin = ['begin', ...[IDLE_LIMIT, ...settings].map((one) => `set local ${one}`)].join(
        '; ',
      );
      const result = await sentInOrder(client.query(begin), work(transactionOn(client, this.macs)));
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back');
      return result;
    } catch (cause) {
      // A connection with an outdated plan is dropped, so that the next one plans anew.
      broken = (await rollback(client)) ?? (hasOutdatedPlan(cause) ? cause : undefined);
      throw asUnavailable(cause);
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }

  /**
   * Opens a connection outside the pool, for locks and LISTEN. The caller closes it.
   * @param answerWithinMs the time in ms after which a statement without an answer fails
   */
  async connect({ answerWithinMs = READ_TIMEOUT_MS } = {}): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.options.url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: answerWithinMs,
      keepAlive: true,
      application_name: 'mace-memory',
    });
    client.on('error', () => this.noteLoss());
    try {
      await client.connect();
    } catch (cause) {
      throw asUnavailable(cause);
    }
    return client;
  }

  /** Resolves if the server answers, and fails with `PostgresUnavailable` otherwise. */
  async ping(): Promise<void> {
    await this.query('select 1');
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private noteLoss(): void {
    for (const listener of this.lossListeners) listener();
  }

  private async useRole(client: pg.ClientBase, role: string): Promise<void> {
    try {
      const { rows } = await client.query<{ role: string }>(SET_ROLE, [role]);
      this.activeRole = rows[0]?.role;
    } catch {
      // If the role is refused or the connection breaks, the caller's own query reports the error.
      this.activeRole = undefined;
    }
  }

  private async queryOnce<Row extends object>(
    query: string | NamedQuery,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const config: pg.QueryConfig & { query_timeout: number } = {
      ...(typeof query === 'string' ? { text: query } : query),
      values: [...values],
      query_timeout: READ_TIMEOUT_MS,
    };
    return (await this.pool.query<Row>(config)).rows;
  }

  private async checkOut(): Promise<pg.PoolClient> {
    try {
      return await this.pool.connect();
    } catch (cause) {
      throw asUnavailable(cause);
    }
  }
}

/**
 * Makes a transaction on a client. Statements with parameters get a name, because they have few
 * different texts, and each connection then parses a text once.
 * @param schema the schema to which the search_path is set; undefined if each text names its schemas
 */
const transactionOn = (
  client: pg.PoolClient,
  macs: RowMacs | undefined,
  schema?: string,
): PostgresTransaction => ({
  macs,
  query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
    (values === undefined
      ? await client.query<Row>(text)
      : await client.query<Row>({ name: nameOf(text, schema), text, values: [...values] })
    ).rows,
  within: (other, work) =>
    sentInOrder(
      client.query(`set local search_path to ${other}`),
      work(transactionOn(client, macs, other)),
    ),
});

const names = new Map<string, string>();

/** Equal texts find other tables in another schema, so they are other statements there. */
function nameOf(text: string, schema = ''): string {
  const statement = `${schema} ${text}`;
  const name = names.get(statement) ?? `transaction_${names.size}`;
  names.set(statement, name);
  return name;
}

async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause : new Error('rollback failed');
  }
}

function asUnavailable(cause: unknown): unknown {
  if (cause instanceof PostgresUnavailable) return cause;
  if (isPassing(cause)) return new PostgresUnavailable('Postgres cannot be reached', { cause });
  if (isBeingBuilt(cause)) return new BeingBuilt(cause);
  return cause;
}

/** Thrown if a read model of this version does not exist yet. */
class BeingBuilt extends PostgresUnavailable {
  constructor(cause: unknown) {
    super('a read model is being built', { cause });
  }
}
