import { isEntityOf, parseKey } from '../canonical-key/canonical-key.js';
import { permit } from '../errors/permit.js';
import type { Json } from '../json.js';
import { hasRole, ownUserId } from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';
import type { SemSource } from './events.js';

/** The fact whose value lists the `sub` of each agent that may write `agent/…` and `world/…` (SPEC S4). */
export const TRUSTED_AGENTS_KEY = 'mace/config/agents_allowed_writes/subs';

/**
 * Returns the subs in the value of the fact `TRUSTED_AGENTS_KEY`: the strings of a list. For any other
 * value, no agent is trusted.
 */
export const trustedAgents = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((sub): sub is string => typeof sub === 'string') : [];

/**
 * True if the actor may read the key. Keys under `user/…` are for their user, agents acting for that
 * user, admins, the council and auditors (SPEC S1).
 */
export function mayRead(actor: Actor, key: string): boolean {
  const { scope, entity_id } = parseKey(key);
  if (scope !== 'user' || hasRole(actor, 'admin', 'council', 'auditor')) return true;
  const own = ownUserId(actor);
  return own === undefined ? hasRole(actor, 'agent') : isEntityOf(own, entity_id);
}

/**
 * True if the actor may put the key without the council: users, and agents with the user's id, under
 * that user's keys; admins under every key; trusted agents under `agent/…` and `world/…` (SPEC S4).
 * Writes that the council approved skip this check.
 */
export function mayWrite(actor: Actor, key: string, trusted: readonly string[]): boolean {
  if (hasRole(actor, 'admin')) return true;
  const { scope, entity_id } = parseKey(key);
  if (scope === 'user') {
    const own = ownUserId(actor);
    return own !== undefined && hasRole(actor, 'user', 'agent') && isEntityOf(own, entity_id);
  }
  const open = scope === 'agent' || scope === 'world';
  return open && hasRole(actor, 'agent') && trusted.includes(actor.sub);
}

/** True for admins, who alone may delete facts (SPEC S5). */
export const mayDelete = (actor: Actor): boolean => hasRole(actor, 'admin');

/**
 * Returns the source of a token's writes: `system` for admins, `agent:<sub>` for agents, otherwise `user` (SPEC S2).
 * @throws Refusal PERMISSION_DENIED if `sent` is another source, or if the token may write no facts.
 */
export function sourceOf(actor: Actor, sent?: SemSource): SemSource {
  permit(hasRole(actor, 'admin', 'agent', 'user'), 'write facts', 'S4');
  const agentOrUser = hasRole(actor, 'agent') ? `agent:${actor.sub}` : 'user';
  const source = hasRole(actor, 'admin') ? 'system' : agentOrUser;
  permit(sent === undefined || sent === source, 'write with another source than its own', 'S2');
  return source;
}
