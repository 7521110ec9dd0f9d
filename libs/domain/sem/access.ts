import { isEntityOf, parseKey } from '../canonical-key/canonical-key.js';
import { permit } from '../errors/permit.js';
import type { Json } from '../json.js';
import { hasRole, ownUserId } from '../ownership/access.js';
import type { Actor } from '../recorded-event.js';
import type { SemSource } from './events.js';

/** The fact whose value lists the `sub` of each agent that may write `agent/…` and `world/…` (SPEC S4). */
export const TRUSTED_AGENTS_KEY = 'mace/config/agents_allowed_writes/subs';

/** The subs in that fact's value: the strings of a list; any other value trusts no agent. */
export const trustedAgents = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((sub): sub is string => typeof sub === 'string') : [];

/** `user/…` is readable by its user, agents acting for that user, admin, council and auditor (SPEC S1). */
export function mayRead(actor: Actor, key: string): boolean {
  const { scope, entity_id } = parseKey(key);
  if (scope !== 'user' || hasRole(actor, 'admin', 'council', 'auditor')) return true;
  const own = ownUserId(actor);
  return own === undefined ? hasRole(actor, 'agent') : isEntityOf(own, entity_id);
}

/**
 * Whether a token may put a key without the council: users and agents with the user's id under that user's
 * keys, admins under every key, trusted agents under `agent/…` and `world/…` (SPEC S4). Writes that the
 * council approved skip this check.
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

/** Only admins may delete facts (SPEC S5). */
export const mayDelete = (actor: Actor): boolean => hasRole(actor, 'admin');

/**
 * The source of what a token writes: `system` for admins, `agent:<sub>` for agents, else `user` (SPEC S2).
 * @throws Refusal PERMISSION_DENIED if `sent` is another source, or the token may write no facts.
 */
export function sourceOf(actor: Actor, sent?: SemSource): SemSource {
  permit(hasRole(actor, 'admin', 'agent', 'user'), 'write facts', 'S4');
  const agentOrUser = hasRole(actor, 'agent') ? `agent:${actor.sub}` : 'user';
  const source = hasRole(actor, 'admin') ? 'system' : agentOrUser;
  permit(sent === undefined || sent === source, 'write with another source than its own', 'S2');
  return source;
}
