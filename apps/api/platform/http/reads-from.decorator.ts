import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';

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
  ((target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<object>) => {
    const config: unknown = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, descriptor.value!);
    RouteConfig({ ...(config as object | undefined), ...part })(target, key, descriptor);
  }) as MethodDecorator;

/**
 * The route answers from these read models. Before it runs they have passed the caller's last write on this
 * instance (SPEC C1) and `Mace-Min-Position`. Stands above `@Roles`.
 */
export const ReadsFrom = (...readsFrom: readonly ReadModelName[]): MethodDecorator =>
  reads({ readsFrom, asTheyAre: false });

/**
 * As `ReadsFrom`, but only `Mace-Min-Position` is waited for: for a route that compares its answer with the log
 * itself (SPEC S6), and for one that tells how far the read models are.
 */
export const ReadsAsTheyAre = (...readsFrom: readonly ReadModelName[]): MethodDecorator =>
  reads({ readsFrom, asTheyAre: true });
