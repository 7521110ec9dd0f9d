import type { DomainEvent } from '#domain/decider.js';
import type { Columns, RowWith } from './columns.js';
import type { Logged, ProjectionTransaction } from './projection.js';
import { type Declaration, ReadTable, type EventRow } from './read-table.js';

/** The decider of the streams whose events are read. */
export interface Folded {
  readonly category: string;
  evolve(state: never, event: never): unknown;
}

/** The events of a decider's streams. */
export type EventsOf<D extends Folded> = D extends {
  evolve(state: never, event: infer Event extends DomainEvent): unknown;
}
  ? Event
  : never;

/** Which events are read: those of the deciders' streams, or of these types only. */
export interface Reading<D extends Folded, Type> {
  readonly reads: readonly D[];
  readonly types?: readonly Type[];
}

export type EventRead<D extends Folded, Type> = Logged<
  Extract<EventsOf<D>, { readonly type: Type }>
>;

/** Folds events into rows, one event after the other. */
interface Fold<Row, Key, Event> {
  /** Returns the keys of the rows that an event makes or changes. */
  readonly at: (event: Event) => readonly Key[];
  /** Returns a row after an event; undefined or the same object if the event does not change it. */
  readonly row: (before: Row | undefined, event: Event, key: Key) => Row | undefined;
}

/** Makes rows of which none is changed later. */
interface Additions<Row, Event> {
  readonly adds: (event: Event) => readonly Row[];
  /** True if of several rows with one key the first one stays; without it, a second one is an error. */
  readonly keepsFirst?: boolean;
}

/** A table whose rows follow from the events that it reads, without a clock, a query or another table. */
export interface FoldedTable<Of extends Columns = Columns, Key extends keyof Of & string = string>
  extends ReadTable<Of, Key>, Reading<Folded, string> {
  /**
   * Returns the rows that the events create or change, each with the last event that changed it. `before` holds the
   * same rows as they were before.
   */
  after(
    before: readonly RowWith<Of>[],
    events: readonly Logged<DomainEvent>[],
  ): readonly EventRow<RowWith<Of>>[];
  project(tx: ProjectionTransaction, events: readonly Logged<DomainEvent>[]): Promise<void>;
}

/**
 * Declares a table and how its rows follow from events. @param name the schema and table, such as `notes.note`; the
 * schema is the read model's name
 */
export function foldedTable<
  const Of extends Columns,
  const Key extends keyof Of & string,
  D extends Folded,
  Type extends EventsOf<D>['type'] = EventsOf<D>['type'],
>(
  name: `${string}.${string}`,
  declaration: Declaration<Of, Key> &
    Reading<D, Type> &
    (
      | Fold<RowWith<Of>, Pick<RowWith<Of>, Key>, EventRead<D, Type>>
      | Additions<RowWith<Of>, EventRead<D, Type>>
    ),
): FoldedTable<Of, Key> {
  const table = new ReadTable(name, declaration);
  const { reads, types } = declaration;
  const parts = 'adds' in declaration ? adding(table, declaration) : folding(table, declaration);
  return Object.assign(table, {
    reads,
    ...(types === undefined ? {} : { types }),
    // The events are those of the declaration, because `Projector` passes no others.
    ...(parts as Pick<FoldedTable<Of, Key>, 'after' | 'project'>),
  });
}

type Source = EventRow<unknown>['event'];

interface Parts<Row, Event> {
  after(before: readonly Row[], events: readonly Event[]): readonly EventRow<Row>[];
  project(tx: ProjectionTransaction, events: readonly Event[]): Promise<void>;
}

function adding<Of extends Columns, Key extends keyof Of & string, Event extends Source>(
  table: ReadTable<Of, Key>,
  { adds, keepsFirst = false }: Additions<RowWith<Of>, Event>,
): Parts<RowWith<Of>, Event> {
  const after: Parts<RowWith<Of>, Event>['after'] = (_before, events) =>
    events.flatMap((event) => adds(event).map((row) => ({ row, event })));
  return {
    after,
    project: (tx, events) => {
      const rows = events.flatMap((event) => adds(event).map((row) => table.written(row, event)));
      return keepsFirst ? table.keepFirst(tx, rows) : table.insert(tx, rows);
    },
  };
}

function folding<Of extends Columns, Key extends keyof Of & string, Event extends Source>(
  table: ReadTable<Of, Key>,
  { at, row }: Fold<RowWith<Of>, Pick<RowWith<Of>, Key>, Event>,
): Parts<RowWith<Of>, Event> {
  const after: Parts<RowWith<Of>, Event>['after'] = (before, events) => {
    const rows = new Map(before.map((each) => [table.idOf(each), each]));
    const changed = new Map<string, EventRow<RowWith<Of>>>();
    for (const event of events)
      for (const key of at(event)) {
        const id = table.idOf(key);
        const known = rows.get(id);
        const next = row(known, event, key);
        if (next === undefined || next === known) continue;
        rows.set(id, next);
        changed.set(id, { row: next, event });
      }
    return [...changed.values()];
  };
  return {
    after,
    project: async (tx, events) => {
      const keys = new Map(events.flatMap(at).map((key) => [table.idOf(key), key]));
      const before = await table.withKeys(tx, [...keys.values()]);
      const rows = after(before, events).map(({ row, event }) => table.written(row, event));
      await table.replace(tx, rows);
    },
  };
}
