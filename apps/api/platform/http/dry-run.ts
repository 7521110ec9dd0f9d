import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

interface RouteDryRuns {
  readonly takesDryRuns: boolean;
}

/** Marks a route that can be asked, with `dry_run=true`, what its request would do. */
export const TakesDryRuns = (): MethodDecorator =>
  RouteConfig({ takesDryRuns: true } satisfies RouteDryRuns);

/** True for a request that only asks what it would do. It is a read: its refusal leaves a log line, and no event (SPEC I1). */
export function isDryRun({ routeOptions, query }: FastifyRequest): boolean {
  const { takesDryRuns = false } = routeOptions.config as Partial<RouteDryRuns>;
  return takesDryRuns && (query as Readonly<Record<string, unknown>>)['dry_run'] === 'true';
}
