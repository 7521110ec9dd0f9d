import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiHeader } from '@nestjs/swagger';

/** The read models that a route can answer from. */
export const READ_MODEL_NAMES = [
  'sem',
  'episodes',
  'action_requests',
  'jobs',
  'reflective_logs',
  'memory_items',
  'obligations',
] as const;
export type ReadModelName = (typeof READ_MODEL_NAMES)[number];

/** What the freshness hook reads from a route. */
export interface RouteReads {
  readonly readsFrom: readonly ReadModelName[];
  /** The caller's own writes are not waited for. */
  readonly asTheyAre: boolean;
}

const reads = (part: RouteReads): MethodDecorator =>
  applyDecorators(
    RouteConfig(part),
    ApiHeader({
      name: 'Mace-Min-Position',
      required: false,
      description: 'The answer shows at least what the log held at that position.',
      schema: { type: 'string', pattern: '^\\d{1,20}$' },
    }),
    ApiHeader({
      name: 'Mace-Consistency',
      required: false,
      description: 'The answer may be as old as the read models are; nothing is waited for.',
      schema: { type: 'string', enum: ['eventual'] },
    }),
  );

/**
 * The route answers from these read models. Before it runs they have passed the caller's last write on this
 * instance (SPEC C1) and `Mace-Min-Position`.
 */
export const ReadsFrom = (...readsFrom: readonly ReadModelName[]): MethodDecorator =>
  reads({ readsFrom, asTheyAre: false });

/**
 * As `ReadsFrom`, but only `Mace-Min-Position` is waited for: for a route that compares its answer with the log
 * itself (SPEC S6), and for one that tells how far the read models are.
 */
export const ReadsAsTheyAre = (...readsFrom: readonly ReadModelName[]): MethodDecorator =>
  reads({ readsFrom, asTheyAre: true });
