import { seededUuid } from '../determinism/ids.js';
import { type KeyMap, keyed, keyEntries, noKeys, withKey, withoutKey } from '../key-map.js';
import type { MemoriesEvent, MemoryEnded, MemoryWorded } from './events.js';

/** A memory that is there. The state has no text. */
export interface Remembered {
  readonly version: number;
  readonly fingerprint: string;
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly expires_at: string | null;
}

export interface MemoriesState {
  readonly stream: string;
  /** Null before the first event. */
  readonly owner: string | null;
  /** How many memories there have ever been. */
  readonly counter: number;
  /** The head of the sealed values of the memories, which names the key; after an erasure there is another key. */
  readonly key: string;
  readonly count: number;
  readonly memories: KeyMap<Remembered>;
  /** The id of the memory with each fingerprint. */
  readonly byFingerprint: KeyMap;
}

export const initialMemories = (stream: string): MemoriesState => ({
  ...{ stream, owner: null, counter: 0, key: '' },
  ...{ count: 0, memories: noKeys<Remembered>(), byFingerprint: noKeys() },
});

/** Returns the id of the next memory. */
export const nextMemoryId = ({ stream, counter }: MemoriesState): string =>
  `mem:${seededUuid([stream, counter])}`;

/** Returns a memory as it is there at a time; undefined if it is not there then. */
export function memoryAt(state: MemoriesState, id: string, at: string): Remembered | undefined {
  const memory = keyed(state.memories, id);
  const isThere = memory !== undefined && (memory.expires_at === null || memory.expires_at > at);
  return isThere ? memory : undefined;
}

/** Returns the memory with a fingerprint that is there at a time. */
export function memoryWith(
  state: MemoriesState,
  fingerprint: string,
  at: string,
): { readonly memory_id: string; readonly version: number } | undefined {
  const memory_id = keyed(state.byFingerprint, fingerprint);
  const memory = memory_id === undefined ? undefined : memoryAt(state, memory_id, at);
  return memory_id === undefined || memory === undefined
    ? undefined
    : { memory_id, version: memory.version };
}

/** True if a memory has a text, all these tags, and at least this time to live: to remember it changes nothing. */
export function isRemembered(
  state: MemoriesState,
  {
    fingerprint,
    tags,
    expires_at,
    at,
  }: Pick<MemoryWorded, 'fingerprint' | 'tags' | 'expires_at' | 'at'>,
): boolean {
  const same = memoryWith(state, fingerprint, at);
  const memory = same && memoryAt(state, same.memory_id, at);
  if (memory === undefined || !tags.every((tag) => memory.tags.includes(tag))) return false;
  return memory.expires_at === null || (expires_at !== null && expires_at <= memory.expires_at);
}

export function evolveMemories(state: MemoriesState, event: MemoriesEvent): MemoriesState {
  switch (event.type) {
    case 'memory_remembered': {
      const counter = state.counter + 1;
      return worded({ ...underKey(state, event.data), counter }, event.data);
    }
    case 'memory_reworded':
      return worded(without(underKey(state, event.data), event.data.memory_id), event.data);
    case 'memory_hidden':
    case 'memory_lapsed':
      return without(state, event.data.memory_id);
  }
}

/** Forgets the memories under another key: an erasure has destroyed it, so nobody can read them any more. */
export function underKey(
  state: MemoriesState,
  { sealed }: Pick<MemoryWorded, 'sealed'>,
): MemoriesState {
  const key = sealed.jwe.slice(0, sealed.jwe.indexOf('.'));
  const { stream, owner, counter } = state;
  return key === state.key ? state : { ...initialMemories(stream), owner, counter, key };
}

function worded(
  state: MemoriesState,
  { memory_id, version, owner, fingerprint, tags, created_at, expires_at }: MemoryWorded,
): MemoriesState {
  const memory = { version, fingerprint, tags, created_at, expires_at };
  return {
    ...state,
    owner,
    count: state.count + 1,
    memories: withKey(state.memories, memory_id, memory),
    byFingerprint: withKey(state.byFingerprint, fingerprint, memory_id),
  };
}

function without(state: MemoriesState, id: MemoryEnded['memory_id']): MemoriesState {
  const memory = keyed(state.memories, id);
  if (memory === undefined) return state;
  return {
    ...state,
    count: state.count - 1,
    memories: withoutKey(state.memories, id, memory),
    byFingerprint: withoutKey(state.byFingerprint, memory.fingerprint, id),
  };
}

/** Returns the state as JSON, with the memories in the order of their ids. */
export const memoriesJson = ({ owner, counter, memories }: MemoriesState) => ({
  owner,
  counter,
  memories: Object.fromEntries(
    keyEntries(memories)
      .map(([id, memory]) => [id, { ...memory }] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  ),
});
