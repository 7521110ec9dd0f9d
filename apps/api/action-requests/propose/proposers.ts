import { permit } from '#domain/errors/permit.js';
import { hasRole } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';

/** The roles that propose facts, consents and erasures. The council proposes the erasure of a cleared fact alone (SPEC W8). */
export const PROPOSERS = ['agent', 'user', 'admin'] as const;

export const requireProposer = (actor: Actor): void =>
  permit(hasRole(actor, ...PROPOSERS), 'propose this to its own council', 'G2');
