import { Refusal } from './refusal.js';

/**
 * Refuses what is not allowed. `action` completes "The caller may not …" with keys and ids only, `rule` is
 * its id in SPEC.
 * @throws Refusal PERMISSION_DENIED
 */
export function permit(allowed: boolean, action: string, rule: string): void {
  if (!allowed) throw new Refusal('PERMISSION_DENIED', { action, rule });
}
