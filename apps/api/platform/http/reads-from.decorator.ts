import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiHeader } from '@nestjs/swagger';

/** The read models that a route can read. */
export const READ_MODEL_NAMES = [
  'sem',
  'episodes',
  'action_requests',
  'jobs',
  'reads',
  'reflective_logs',
  'memories',
  'memory_items',
  'checkpoints',
  'collisions',
  'notes',
  'obligations',
  'oversight',
  'recorded_times',
  'sealed_values',
  'search',
  'threads',
] as const;
export type ReadModelName = (typeof READ_MODEL_NAMES)[number];

/** The fields that the freshness hook reads from a route. */
export interface RouteReads {
  readonly readsFrom: readonly ReadModelName[];
  /** True if the route does not wait for the caller's own writes. */
  readonly ignoresOwnWrites: boolean;
}

const reads = (part: RouteReads): MethodDecorator =>
  applyDecorators(
    RouteConfig(part),
    ApiHeader({
      name: 'Mace-Min-Position',
      required: false,
      description: 'The answer includes every event up to this position.',
      schema: { type: 'string', pattern: '^\\d{1,20}$' },
    }),
    ApiHeader({
      name: 'Mace-Consistency',
      required: false,
      description: 'The read does not wait, so the answer may be as old as the read models.',
      schema: { type: 'string', enum: ['eventual'] },
    }),
  );

/**
 * Declares the read models that the route reads. The route runs after these read models have passed both
 * the caller's last write on this instance (SPEC C1) and the position in the header `Mace-Min-Position`.
 */
export const ReadsFrom = (...readsFrom: readonly ReadModelName[]): MethodDecorator =>
  reads({ readsFrom, ignoresOwnWrites: false });

/**
 * The same as `ReadsFrom`, but the route waits only for `Mace-Min-Position`. It is for routes that
 * compare their answer with the log (SPEC S6) and for routes that report the progress of the read
 * models.
 */
export const ReadsWithoutOwnWrites = (...readsFrom: readonly ReadModelName[]): MethodDecorator =>
  reads({ readsFrom, ignoresOwnWrites: true });
