import { DiscoveryService } from '@nestjs/core';
import type { DomainEvent } from '#domain/decider.js';
import { categoryOf } from '#domain/stream-names.js';
import type { EventsOf, Folded, FoldedTable, Reading } from './folded-table.js';
import type { EventProjector, Logged, Projection, ProjectionOptions } from './projection.js';

/** A projection: its tables, and the events that its own `project` reads. */
interface Declaration<D extends Folded, Type> extends Partial<Reading<D, Type>> {
  readonly name: ProjectionOptions['name'];
  readonly version: ProjectionOptions['version'];
  /** Tables that follow from events, tables that `project` fills, and SQL that creates tables of another kind. */
  readonly tables: readonly (
    FoldedTable | { readonly name: string; readonly ddl: string } | string
  )[];
  readonly opens?: ProjectionOptions['opens'];
}

/** The declaration of a projection, as its class is marked. */
export const PROJECTOR = DiscoveryService.createDecorator<Declaration<Folded, string>>();

/**
 * Marks a provider that is a read model: its tables, and an `EventProjector` for the rows that do not follow from the
 * tables' own folds. `Projections` finds it, and the runner keeps its tables up to date.
 */
export const Projector = <
  D extends Folded = never,
  Type extends EventsOf<D>['type'] = EventsOf<D>['type'],
>(
  declaration: Declaration<D, Type>,
) => {
  const mark = PROJECTOR(declaration);
  return (
    projector: new (
      ...services: never[]
    ) => [D] extends [never]
      ? object
      : EventProjector<Extract<EventsOf<D>, { readonly type: Type }>>,
  ): void => void mark(projector);
};

/** Forms differ by this number in the versions that tables have, which versions of the code never reach. */
const FORMS = 1_000;

/** Returns the version of tables whose rows have a form. */
export const tableVersion = (version: number, form = 0): number => version + FORMS * form;

/** Returns a marked projector as the runner takes it. @throws TypeError for any other provider. */
export function projectionOf(projector: object): Projection {
  const declaration = Reflect.getMetadata(PROJECTOR.KEY, projector.constructor) as
    Declaration<Folded, string> | undefined;
  if (declaration === undefined)
    throw new TypeError(`${projector.constructor.name} is not marked with @Projector`);
  const { name, version, tables, opens } = declaration;
  const own = projector as EventProjector;
  const parts: Part[] = tables.filter(isFolded).map((table) => ({
    reading: table,
    project: (tx, events) => table.project(tx, events),
  }));
  if (isReading(declaration))
    parts.push({ reading: declaration, project: (tx, events) => own.project(tx, events) });
  const categories = new Set(parts.flatMap(({ reading }) => categoriesOf(reading)));
  const types = parts.map(({ reading }) => reading.types);
  const steps = parts.map(({ reading, project }) => ({
    choose: chooserOf(reading, categories),
    project,
  }));
  return {
    name,
    version: tableVersion(version, own.form),
    tables: tables.map((table) => (typeof table === 'string' ? table : table.ddl)).join('\n'),
    namedTables: tables.flatMap((table) => (typeof table === 'string' ? [] : [table.name])),
    categories: [...categories],
    ...(opens === undefined ? {} : { opens }),
    ...(types.includes(undefined) ? {} : { types: new Set(types.flat() as string[]) }),
    project: async (tx, events) => {
      for (const step of steps) await step.project(tx, step.choose(events));
    },
  };
}

/** A folded table, or the projector's own `project`. */
interface Part {
  readonly reading: Reading<Folded, string>;
  readonly project: Projection['project'];
}

const isReading = (
  declaration: Declaration<Folded, string>,
): declaration is Declaration<Folded, string> & Reading<Folded, string> =>
  declaration.reads !== undefined;

const isFolded = (table: object | string): table is FoldedTable =>
  typeof table === 'object' && 'project' in table;

const categoriesOf = ({ reads }: Reading<Folded, string>): string[] =>
  reads.map(({ category }) => category);

type Choose = (events: readonly Logged<DomainEvent>[]) => readonly Logged<DomainEvent>[];

/** Returns a function that chooses the events that a part reads among those of the categories that all parts read. */
function chooserOf(reading: Reading<Folded, string>, all: ReadonlySet<string>): Choose {
  const own = new Set(categoriesOf(reading));
  const types = reading.types && new Set(reading.types);
  const isOfAll = own.size === all.size;
  if (isOfAll && types === undefined) return (events) => events;
  return (events) =>
    events.filter(
      ({ stream, type }) =>
        (types === undefined || types.has(type)) && (isOfAll || own.has(categoryOf(stream))),
    );
}
