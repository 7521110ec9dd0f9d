import { DiscoveryService } from '@nestjs/core';
import type { EventProjector, Projection, ProjectionOptions } from './projection.js';

/**
 * Marks a provider that is an `EventProjector`. `Projections` finds it, and the runner keeps its tables
 * up to date.
 */
export const Projector = DiscoveryService.createDecorator<ProjectionOptions>();

/** Forms differ by this number in the versions that tables have, which versions of the code never reach. */
const FORMS = 1_000;

/** Returns the version of tables whose rows have a form. */
export const tableVersion = (version: number, form = 0): number => version + FORMS * form;

/** Returns a marked projector with its options. @throws TypeError for any other provider. */
export function projectionOf(projector: EventProjector): Projection {
  const options = Reflect.getMetadata(Projector.KEY, projector.constructor) as
    ProjectionOptions | undefined;
  if (options === undefined)
    throw new TypeError(`${projector.constructor.name} is not marked with @Projector`);
  const version = tableVersion(options.version, projector.form);
  return { ...options, version, project: (tx, events) => projector.project(tx, events) };
}
