import { Refusal } from './refusal.js';

/**
 * Refuses an action that is not allowed. `action` is a verb phrase for the developer_message, with keys and
 * ids only; `rule` is the id of the rule in SPEC.
 * @throws Refusal PERMISSION_DENIED if `allowed` is false.
 */
export function permit(allowed: boolean, action: string, rule: string): void {
  if (!allowed) throw new Refusal('PERMISSION_DENIED', { action, rule });
}
