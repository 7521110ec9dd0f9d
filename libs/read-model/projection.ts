import type { LoggedEvent } from '#event-store/event-store.js';

/** Runs SQL inside the batch's transaction, on the projection's own tables. */
export interface ProjectionTransaction {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** What a read model is made of. */
export interface ProjectionOptions {
  /** Also the name of its checkpoint; `[a-z_]+`. */
  readonly name: string;
  /** Raised whenever tables or handlers change: a start with another version rebuilds (SPEC X5). */
  readonly version: number;
  /** The SQL that makes its tables and indexes. */
  readonly tables: string;
  /** Events of streams whose category is not listed are passed over. */
  readonly categories: readonly string[];
  /** Of those streams, only events of these types, and of types that this release does not know. */
  readonly types?: ReadonlySet<string>;
}

/**
 * How events become rows: a pure mapping, which asks no other service and no clock. The runner calls `project`
 * with the events of one batch, in log order, inside the transaction that also moves the checkpoint, so that
 * each event takes effect exactly once. `search_path` points at the schema that holds the projection's tables:
 * the live one, or the one a rebuild fills beside it; SQL here therefore never names a schema.
 */
export interface EventProjector {
  /** Data is upcast already. Throwing stops this projection at that event, loudly. */
  project(tx: ProjectionTransaction, events: readonly LoggedEvent[]): Promise<void>;
}

/** A read model: its tables and how events become rows. */
export type Projection = ProjectionOptions & EventProjector;
