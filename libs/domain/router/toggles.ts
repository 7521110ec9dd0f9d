import { generateKey } from '../canonical-key/canonical-key.js';
import type { Json } from '../json.js';
import { ROUTE_REASONS, type RouteReason } from './rules.js';

/** Whether each rule is on; a missing rule is on. The privacy gate has no toggle (SPEC R1). */
export type RouterToggles = Readonly<Partial<Record<RouteReason, boolean>>>;

/** The key of the fact that turns a rule off: `mace/config/router/enable_<route_reason>`. */
export const toggleKey = (reason: RouteReason): string =>
  generateKey({
    scope: 'mace',
    entity_type: 'config',
    entity_id: 'router',
    attribute: `enable_${reason}`,
  });

/** The toggles from the facts; only the value `false` turns a rule off (SPEC R1). */
export const togglesFrom = (
  valueOf: (key: string) => Json | undefined,
): Readonly<Record<RouteReason, boolean>> =>
  Object.fromEntries(
    ROUTE_REASONS.map((reason) => [reason, valueOf(toggleKey(reason)) !== false]),
  ) as Record<RouteReason, boolean>;
