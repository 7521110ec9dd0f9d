import type { LoggedEvent } from '#event-store/event-store.js';

/** Runs SQL inside the batch's transaction, on the projection's own tables. */
export interface ProjectionTransaction {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** The parts of a read model. */
export interface ProjectionOptions {
  /** The name of the read model, its schema and its checkpoint; `[a-z_]+`. */
  readonly name: string;
  /** Raise it whenever tables or handlers change: a start with another version rebuilds (SPEC X5). */
  readonly version: number;
  /** The SQL that creates the tables and indexes. */
  readonly tables: string;
  /** Events of other stream categories are skipped. */
  readonly categories: readonly string[];
  /** Limits those streams to events of these types and of types that this release does not know. */
  readonly types?: ReadonlySet<string>;
}

/**
 * Maps events to rows: a pure mapping that uses no other service and no clock. The runner calls `project`
 * with the events of one batch in log order, within the transaction that also moves the checkpoint, so each
 * event takes effect exactly once. `search_path` points to the schema with the projection's tables (the live
 * schema, or the one that a rebuild fills), so the SQL never names a schema.
 */
export interface EventProjector {
  /** Receives events with upcast data. If it fails, this projection stops at the failing event. */
  project(tx: ProjectionTransaction, events: readonly LoggedEvent[]): Promise<void>;
}

/** A read model: its tables and its mapping from events to rows. */
export type Projection = ProjectionOptions & EventProjector;
