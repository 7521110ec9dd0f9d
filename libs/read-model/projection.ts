import type { DomainEvent } from '#domain/decider.js';
import type { Sealed } from '#domain/held.js';
import type { Json } from '#domain/json.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { RowMacs } from './row-macs.js';

/** Runs SQL on the projection's own tables, in the transaction of the batch. */
export interface ProjectionTransaction {
  /** The key of the rows that carry a MAC; undefined in a program that reads and writes none of them. */
  readonly macs?: RowMacs | undefined;
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * An event of the log, with the type of its data. `opened` is the content of the sealed value that the projection
 * opens; absent if its key was destroyed.
 */
export type Logged<Event extends DomainEvent> = Event extends DomainEvent
  ? Omit<LoggedEvent, 'type' | 'data'> & Event & { readonly opened?: Json }
  : never;

export interface ProjectionOptions {
  /** The name of the read model, of its schema and of its checkpoint; `[a-z_]+`. */
  readonly name: string;
  /**
   * The version. Raise it whenever tables or handlers change: a start with another version rebuilds the
   * read model (SPEC X5).
   */
  readonly version: number;
  /** The SQL that creates the tables and indexes. */
  readonly tables: string;
  /** The tables whose rows may be named by their keys, such as `sem.fact`. Words of texts are keys of the others. */
  readonly namedTables?: readonly string[];
  /** The stream categories that are projected. Events of other categories are skipped. */
  readonly categories: readonly string[];
  /**
   * If set, the projection receives only events of these types and events of types that this release
   * does not know.
   */
  readonly types?: ReadonlySet<string>;
  /**
   * Returns the sealed value of an event that the rows are made from; undefined for an event without one. The runner
   * opens it before it projects the event, and waits while the keys cannot be reached. Such rows must go with the key
   * (SPEC P5, W2).
   */
  readonly opens?: (event: DomainEvent) => Sealed | undefined;
}

/** Opens a sealed value; `erased` if its key was destroyed. Fails while the keys cannot be reached. */
export type OpenSealed = (
  sealed: Sealed,
) => Promise<{ readonly value: Json } | { readonly erased: true }>;

/**
 * Maps events to rows, without a clock and without any other service. The runner calls `project` with
 * the events of one batch in log order, in the transaction that also moves the checkpoint, so each event
 * takes effect exactly once. `search_path` points to the schema with the projection's tables (the live
 * schema, or the one that a rebuild fills), so the SQL never names a schema.
 */
export interface EventProjector<Event extends DomainEvent = DomainEvent> {
  /**
   * Which of several forms the rows have, from 0, if a setting decides on it. A start with another form rebuilds the
   * read model, as one with another version does.
   */
  readonly form?: number;
  /**
   * Projects events; their data is already upcast. If this method fails, the projection stops at the failing
   * event.
   */
  readonly project: (tx: ProjectionTransaction, events: readonly Logged<Event>[]) => Promise<void>;
}

/** A read model: its tables and its mapping from events to rows. */
export type Projection = ProjectionOptions & EventProjector;
