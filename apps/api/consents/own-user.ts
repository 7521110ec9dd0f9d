import { permit } from '#domain/errors/permit.js';
import { ownUserId } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';

/**
 * Returns the user of the caller's token. Only this user gives and revokes consent (SPEC P4). @throws Refusal
 * PERMISSION_DENIED for a token without a user
 */
export function ownUserOf(actor: Actor): string {
  const own = ownUserId(actor);
  permit(own !== undefined, 'give, list or revoke consent without a user', 'P4');
  return own as string;
}
