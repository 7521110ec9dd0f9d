import { type Held, isSealed } from '../held.js';
import type { NoteName } from './events.js';

export const namespaceOf = (name: NoteName): Held =>
  'sealed_namespace' in name ? { sealed: name.sealed_namespace } : { value: name.namespace };

export const keyOf = (name: NoteName): Held =>
  'sealed_key' in name ? { sealed: name.sealed_key } : { value: name.key };

export function nameFrom(owner: string, namespace: Held, key: Held): NoteName {
  return {
    owner,
    ...(isSealed(namespace)
      ? { sealed_namespace: namespace.sealed }
      : { namespace: namespace.value as readonly string[] }),
    ...(isSealed(key) ? { sealed_key: key.sealed } : { key: key.value as string }),
  };
}

/** Returns the components of a namespace in the Unicode form in which notes are named. */
export const namedParts = (parts: readonly string[]): readonly string[] =>
  parts.map((part) => part.normalize('NFC'));

/** Returns the name of a note in the form in which notes are named, and then as it was written and in other forms. */
export function formsOf(
  namespace: readonly string[],
  key: string,
): readonly (readonly [readonly string[], string])[] {
  const composed = namedParts(namespace);
  const decomposed = namespace.map((part) => part.normalize('NFD'));
  return [
    [composed, key.normalize('NFC')],
    [namespace, key],
    [composed, key.normalize('NFD')],
    [decomposed, key.normalize('NFC')],
    [decomposed, key.normalize('NFD')],
  ];
}
