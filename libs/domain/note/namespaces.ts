/** Matches any one component in the prefix or suffix of a list of namespaces. */
export const WILDCARD = '*';

const agrees = (pattern: readonly string[], components: readonly string[]): boolean =>
  pattern.every((wanted, place) => wanted === WILDCARD || wanted === components[place]);

/** True if a namespace begins with a prefix, compared by whole components (SPEC N1). */
export const isBelow = (namespace: readonly string[], prefix: readonly string[]): boolean =>
  namespace.length >= prefix.length && prefix.every((part, place) => part === namespace[place]);

/** True if a namespace begins with `prefix` and ends with `suffix`, in which `*` stands for any component. */
export const matchesNamespace = (
  namespace: readonly string[],
  prefix: readonly string[],
  suffix: readonly string[],
): boolean =>
  namespace.length >= Math.max(prefix.length, suffix.length) &&
  agrees(prefix, namespace) &&
  agrees(suffix, namespace.slice(namespace.length - suffix.length));

/**
 * True for a namespace that no search finds, because one of its components begins with a dot, as the name of a hidden
 * file does: a program keeps there what is of no use to a reader.
 */
export const isHidden = (namespace: readonly string[]): boolean =>
  namespace.some((component) => component.startsWith('.'));
