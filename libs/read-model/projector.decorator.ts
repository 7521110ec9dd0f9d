import { DiscoveryService } from '@nestjs/core';
import type { DomainEvent } from '#domain/decider.js';
import type { EventProjector, Projection, ProjectionOptions } from './projection.js';

/** The decider of the streams that a projection reads. */
interface Folded {
  readonly category: string;
  evolve(state: never, event: never): unknown;
}
/** The events of a decider's streams. */
export type EventsOf<D extends Folded> = D extends {
  evolve(state: never, event: infer Event extends DomainEvent): unknown;
}
  ? Event
  : never;

type Declaration<D extends Folded, Type> = Omit<
  ProjectionOptions,
  'categories' | 'types' | 'tables'
> & {
  /** The tables, or SQL that creates tables and indexes of another kind. */
  readonly tables: readonly (string | { readonly ddl: string })[];
  /** Events of other streams are skipped. */
  readonly reads: readonly D[];
  /**
   * If set, the projection receives only events of these types and events of types that this release
   * does not know.
   */
  readonly types?: readonly Type[];
};

export const PROJECTOR = DiscoveryService.createDecorator<ProjectionOptions>();

/**
 * Marks a provider that is an `EventProjector` of the events that it declares. `Projections` finds it, and the runner
 * keeps its tables up to date.
 */
export function Projector<
  D extends Folded,
  Type extends EventsOf<D>['type'] = EventsOf<D>['type'],
>({ reads, types, tables, ...options }: Declaration<D, Type>) {
  const mark = PROJECTOR({
    ...options,
    tables: tables.map((table) => (typeof table === 'string' ? table : table.ddl)).join('\n'),
    categories: reads.map(({ category }) => category),
    ...(types === undefined ? {} : { types: new Set<string>(types) }),
  });
  return (
    projector: new (
      ...services: never[]
    ) => EventProjector<Extract<EventsOf<D>, { readonly type: Type }>>,
  ): void => void mark(projector);
}

/** Forms differ by this number in the versions that tables have, which versions of the code never reach. */
const FORMS = 1_000;

/** Returns the version of tables whose rows have a form. */
export const tableVersion = (version: number, form = 0): number => version + FORMS * form;

/** Returns a marked projector with its options. @throws TypeError for any other provider. */
export function projectionOf(projector: EventProjector<never>): Projection {
  const options = Reflect.getMetadata(PROJECTOR.KEY, projector.constructor) as
    ProjectionOptions | undefined;
  if (options === undefined)
    throw new TypeError(`${projector.constructor.name} is not marked with @Projector`);
  const version = tableVersion(options.version, projector.form);
  return {
    ...options,
    version,
    project: (tx, events) => projector.project(tx, events as readonly never[]),
  };
}
