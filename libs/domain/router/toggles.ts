import { generateKey } from '../canonical-key/canonical-key.js';
import type { Json } from '../json.js';
import { ROUTE_REASONS, type RouteReason } from './rules.js';

/** Which rules are on; one that is not named is on. Privacy is never among them (SPEC R1). */
export type RouterToggles = Readonly<Partial<Record<RouteReason, boolean>>>;

/** The fact that switches a rule off by the value `false`: `mace/config/router/enable_<route_reason>`. */
export const toggleKey = (reason: RouteReason): string =>
  generateKey({
    scope: 'mace',
    entity_type: 'config',
    entity_id: 'router',
    attribute: `enable_${reason}`,
  });

/** The toggles as facts have them; only the value `false` switches a rule off (SPEC R1). */
export const togglesFrom = (
  valueOf: (key: string) => Json | undefined,
): Readonly<Record<RouteReason, boolean>> =>
  Object.fromEntries(
    ROUTE_REASONS.map((reason) => [reason, valueOf(toggleKey(reason)) !== false]),
  ) as Record<RouteReason, boolean>;
