import pg from 'pg';
import type { ProjectionTransaction } from './projection.js';
import { sentInOrder } from './sent-in-order.js';
import { isBeingBuilt, isPassing, PostgresUnavailable } from './postgres-unavailable.js';

/** A query that each connection prepares once, under its name. */
export interface NamedQuery {
  readonly name: string;
  readonly text: string;
}

export interface PostgresOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  readonly maxConnections?: number;
  /** The role of the connections, if it exists and the user may use it (SPEC L3). */
  readonly role?: string;
}

/** Sets the role; returns no row and changes nothing if the user cannot use it. */
const SET_ROLE = `select set_config('role', rolname, false) as role from pg_roles
  where rolname = $1 and pg_has_role(oid, 'member')`;

const CONNECT_TIMEOUT_MS = 2_000;
const READ_TIMEOUT_MS = 30_000;

/**
 * The connection pool of one process. It reconnects on its own: a broken connection is dropped, and the next
 * query opens another. Temporary failures become `PostgresUnavailable`; other errors are thrown as pg throws
 * them.
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
      // Statements of a transaction are sent without waiting for earlier answers.
      pipeline: true,
      application_name: 'mace-memory',
      ...(role === undefined
        ? {}
        : {
            // pg awaits this before it uses the connection, although its type does not say so.
            onConnect: (client): unknown => this.useRole(client, role),
          }),
    });
    // The pool replaces an idle connection that breaks; without a listener the error would end the process.
    this.pool.on('error', () => undefined);
    this.pool.on('connect', (client) => client.on('error', () => this.noteLoss()));
  }

  /**
   * Calls back when a connection breaks, before the next one opens: the server may have crashed and lost
   * commits that were not on disk.
   */
  onLoss(listener: () => void): void {
    this.lossListeners.add(listener);
  }

  /** The role of the connections; undefined while they use their user's rights. */
  get role(): string | undefined {
    return this.activeRole;
  }

  /**
   * Runs one read. It is retried on a new connection if an idle one turns out to be broken, so a restarted
   * Postgres causes no failed answer.
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
      return await this.queryOnce<Row>(query, values);
    } catch (cause) {
      throw asUnavailable(cause);
    }
  }

  /**
   * Runs `work` in one transaction; if it throws, the transaction is rolled back and a broken connection is
   * dropped.
   * @param settings such as `synchronous_commit = off`, for this transaction only; an invalid setting makes
   * the transaction fail
   */
  async transaction<T>(
    work: (tx: ProjectionTransaction) => Promise<T>,
    settings: readonly string[] = [],
  ): Promise<T> {
    const client = await this.checkOut();
    // A checked-out client emits the error of a broken connection, which its queries report too.
    const ignore = (): undefined => undefined;
    client.on('error', ignore);
    let broken: Error | undefined;
    try {
      const begin = ['begin', ...settings.map((one) => `set local ${one}`)].join('; ');
      const result = await sentInOrder(client.query(begin), work(transactionOn(client)));
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back');
      return result;
    } catch (cause) {
      broken = await rollback(client);
      throw asUnavailable(cause);
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }

  /** Opens a connection outside the pool, for locks and LISTEN. The caller closes it. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.options.url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: READ_TIMEOUT_MS,
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

  /** Resolves when the server answers, or fails with `PostgresUnavailable`. */
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
      // If the role is refused or the connection breaks, the caller's query reports it.
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

/** Names statements with parameters, which have few different texts: each connection parses a text once. */
const transactionOn = (client: pg.PoolClient): ProjectionTransaction => ({
  query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
    (values === undefined
      ? await client.query<Row>(text)
      : await client.query<Row>({ name: nameOf(text), text, values: [...values] })
    ).rows,
});

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `transaction_${names.size}`;
  names.set(text, name);
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

/** A read model of this version does not exist yet. */
class BeingBuilt extends PostgresUnavailable {
  constructor(cause: unknown) {
    super('a read model is being built', { cause });
  }
}
