import { type Held, isSealed } from '../held.js';
import type { NoteName } from './events.js';

export const namespaceOf = (name: NoteName): Held =>
  'sealed_namespace' in name ? { sealed: name.sealed_namespace } : { value: name.namespace };

export const keyOf = (name: NoteName): Held =>
  'sealed_key' in name ? { sealed: name.sealed_key } : { value: name.key };

/** Returns the name of a note from its parts. */
export function nameFrom(owner: string, namespace: Held, key: Held): NoteName {
  return {
    owner,
    ...(isSealed(namespace)
      ? { sealed_namespace: namespace.sealed }
      : { namespace: namespace.value as readonly string[] }),
    ...(isSealed(key) ? { sealed_key: key.sealed } : { key: key.value as string }),
  };
}
