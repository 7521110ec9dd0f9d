import { createHash } from 'node:crypto';

const MAX_LENGTH = 256;

/** The characters that are escaped: the separator, the sign of an escape, and what an id cannot have. */
const ESCAPED = /[%/\u0000\p{Surrogate}]/gu;
const UNCARRIABLE = /[\u0000\p{Surrogate}]/u;

const escaped = (component: string): string =>
  component.replace(
    ESCAPED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')};`,
  );

/** Returns the id of the conversation of a thread. No other namespace and thread have the same one. */
export function conversationIdOf(namespace: readonly string[], threadId: string): string {
  const id = [...namespace, threadId].map(escaped).join('/');
  if (id.length <= MAX_LENGTH || escaped(threadId) === threadId) return id;
  const hash = createHash('sha256').update(JSON.stringify(threadId)).digest('hex');
  return [...namespace.map(escaped), `%${hash}`].join('/');
}

/** Returns the id of a conversation as earlier releases joined it; undefined if it is the same. */
export function joinedIdOf(namespace: readonly string[], threadId: string): string | undefined {
  const joined = [...namespace, threadId].join('/');
  const isSame = joined === conversationIdOf(namespace, threadId);
  return isSame || joined.length > MAX_LENGTH || UNCARRIABLE.test(joined) ? undefined : joined;
}
