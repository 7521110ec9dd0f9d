import { Refusal } from './errors/refusal.js';

/**
 * Refuses a new name that is not in Unicode NFC: two that people cannot tell apart would be two. It is asked outside of
 * the deciders, so that what earlier releases recorded is read, changed and replayed. @throws Refusal INVALID_INPUT
 */
export function requireComposed(field: string, name: string): void {
  if (name !== name.normalize('NFC'))
    throw new Refusal('INVALID_INPUT', { reason: `${field}: must be in Unicode NFC` });
}
