import { type Held, isSealed } from '../held.js';
import { keyIdOf, partsOfKeyId } from '../privacy/key-id.js';
import { subjectOfFact } from '../privacy/subject.js';

/**
 * True for a value that is sealed under the key of its own fact. Only a value in which the council has cleared every
 * finding is, so who may read the fact's key may read the value (SPEC W8).
 */
export function isClearedFact(key: string, held: Held): boolean {
  if (!isSealed(held)) return false;
  try {
    return partsOfKeyId(keyIdOf(held.sealed)).subject === subjectOfFact(key);
  } catch {
    // The value was changed: a read that opens it is refused, and a list shows it redacted.
    return false;
  }
}
