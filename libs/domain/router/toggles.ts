import { generateKey } from '../canonical-key/canonical-key.js';
import type { Json } from '../json.js';
import { ROUTE_REASONS, type RouteReason } from './rules.js';

/** For each rule, true if it is on; a rule that is missing here is on. The privacy gate has no toggle (SPEC R1). */
export type RouterToggles = Readonly<Partial<Record<RouteReason, boolean>>>;

/** Returns the key of the fact that turns a rule off: `mace/config/router/enable_<route_reason>`. */
export const toggleKey = (reason: RouteReason): string =>
  generateKey({
    scope: 'mace',
    entity_type: 'config',
    entity_id: 'router',
    attribute: `enable_${reason}`,
  });

/** Returns the toggles that the facts set. Only the value `false` turns a rule off (SPEC R1). */
export const togglesFrom = (
  valueOf: (key: string) => Json | undefined,
): Readonly<Record<RouteReason, boolean>> =>
  Object.fromEntries(
    ROUTE_REASONS.map((reason) => [reason, valueOf(toggleKey(reason)) !== false]),
  ) as Record<RouteReason, boolean>;
