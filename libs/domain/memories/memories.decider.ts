import type { AnsweredBy, Decider } from '../decider.js';
import { Refusal } from '../errors/refusal.js';
import { keyed } from '../key-map.js';
import { limitOf, requireSize } from '../size-limit.js';
import {
  memoriesSchemas,
  type MemoriesEvent,
  type MemoryWorded,
  type MemoryWords,
} from './events.js';
import { afterSeconds, MAX_TTL_SECONDS } from '../time-to-live.js';
import { MAX_MEMORIES, MAX_TAGS } from './limits.js';
import {
  evolveMemories,
  initialMemories,
  memoriesJson,
  type MemoriesState,
  memoryAt,
  memoryWith,
  nextMemoryId,
  underKey,
} from './state.js';

/** The caller checks beforehand that the actor acts for the owner, and the limits of the text. */
export type MemoriesCommand = Remember | Reword | Hide | Lapse;

export type Remember = MemoryWords &
  Pick<MemoryWorded, 'owner' | 'kept' | 'expires_at' | 'at'> & {
    readonly type: 'remember';
  } & AnsweredBy<MemoryWritten>;

export type Reword = MemoryWords &
  Pick<MemoryWorded, 'kept'> & {
    readonly type: 'reword';
    readonly memory_id: string;
    readonly at: string;
    /** The version that the memory must have. */
    readonly if_version?: number;
    /** The time at which it expires; without it, the present one. */
    readonly expires_at?: string | null;
  } & AnsweredBy<MemoryWritten>;

export interface Hide extends AnsweredBy<MemoryWritten> {
  readonly type: 'hide';
  readonly memory_id: string;
  readonly at: string;
}

interface Lapse {
  readonly type: 'lapse';
  readonly memory_id: string;
  readonly at: string;
}

/** The answer to a command that changed a memory. */
export type MemoryWritten = {
  readonly memory_id: string;
  readonly version: number;
};

/** Six bytes for each character of the text and its tags, a third more for the form of a sealed value. */
const SEALED = limitOf('text', 48 * 1024);

export const noSuchMemory = (id: string): Refusal =>
  new Refusal('NOT_FOUND', { what: 'memory', id }).teaching({
    instead: 'A memory belongs to one person: give user_id, if the token names none.',
  });

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

function decide(command: MemoriesCommand, state: MemoriesState): readonly MemoriesEvent[] {
  switch (command.type) {
    case 'remember':
      return remember(command, underKey(state, command));
    case 'reword':
      return reword(command, underKey(state, command));
    case 'hide': {
      const { memory_id, at } = command;
      const memory = memoryAt(state, memory_id, at);
      if (memory === undefined) throw noSuchMemory(memory_id);
      return [{ type: 'memory_hidden', data: { memory_id, version: memory.version, at } }];
    }
    case 'lapse': {
      const { memory_id, at } = command;
      const memory = keyed(state.memories, memory_id);
      if (memory === undefined || memoryAt(state, memory_id, at) !== undefined) return [];
      return [{ type: 'memory_lapsed', data: { memory_id, version: memory.version, at } }];
    }
  }
}

function remember(command: Remember, state: MemoriesState): readonly MemoriesEvent[] {
  const { owner, kept, expires_at, at } = command;
  requireWords(command);
  if (expires_at !== null && !isWithin(at, expires_at))
    throw invalid(`expires_in: is 1 to ${MAX_TTL_SECONDS} seconds`);
  const same = memoryWith(state, command.fingerprint, at);
  if (same !== undefined) return extended(command, same.memory_id, state);
  if (state.count >= MAX_MEMORIES)
    throw invalid(`user_id: a person has at most ${MAX_MEMORIES} memories; forget some first`);
  const memory_id = nextMemoryId(state);
  const since = { owner, created_at: at, at, expires_at };
  const data = { memory_id, version: 1, ...wordsOf(command), ...since, kept };
  return [{ type: 'memory_remembered', data }];
}

/**
 * The same text again: it is the same memory, and without an event if nothing is new. Other tags replace those that it has,
 * and the longer time to live counts.
 */
function extended(
  { expires_at, at, tags, kept, owner, ...words }: Remember,
  memory_id: string,
  state: MemoriesState,
): readonly MemoriesEvent[] {
  const memory = keyed(state.memories, memory_id)!;
  const longer = laterExpiry(memory.expires_at, expires_at);
  const isSame = longer === memory.expires_at && String(tags) === String(memory.tags);
  if (isSame) return [];
  const { created_at, version } = memory;
  const data: MemoryWorded = {
    ...{ memory_id, version: version + 1 },
    ...wordsOf({ ...words, tags }),
    ...{ owner, created_at, at, expires_at: longer, kept },
  };
  return [{ type: 'memory_reworded', data }];
}

const laterExpiry = (one: string | null, other: string | null): string | null => {
  if (one === null || other === null) return null;
  return one > other ? one : other;
};

function reword(command: Reword, state: MemoriesState): readonly MemoriesEvent[] {
  const { memory_id, at, if_version } = command;
  requireWords(command);
  const memory = memoryAt(state, memory_id, at);
  if (memory === undefined) throw noSuchMemory(memory_id);
  if (if_version !== undefined && if_version !== memory.version)
    throw new Refusal('VERSION_CONFLICT', {
      ...{ what: 'the memory', expected: if_version, actual: memory.version },
    });
  const same = memoryWith(state, command.fingerprint, at);
  if (same !== undefined && same.memory_id !== memory_id)
    throw invalid(`text: the memory ${same.memory_id} has this text already`);
  const { created_at, version } = memory;
  const { kept, expires_at = memory.expires_at } = command;
  const since = { owner: state.owner ?? '', created_at, at, expires_at, kept };
  const data: MemoryWorded = {
    ...{ memory_id, version: version + 1 },
    ...wordsOf(command),
    ...since,
  };
  return [{ type: 'memory_reworded', data }];
}

const wordsOf = ({ sealed, fingerprint, tags }: MemoryWords): MemoryWords => ({
  ...{ sealed, fingerprint, tags },
});

function requireWords({ sealed, tags }: MemoryWords): void {
  requireSize(sealed, SEALED);
  if (tags.length > MAX_TAGS) throw invalid(`tags: has at most ${MAX_TAGS} tags`);
}

const isWithin = (from: string, to: string): boolean =>
  to > from && to <= afterSeconds(from, MAX_TTL_SECONDS);

function commandOf(event: MemoriesEvent): MemoriesCommand {
  switch (event.type) {
    case 'memory_remembered': {
      const { owner, kept, expires_at, at } = event.data;
      return { type: 'remember', owner, kept, expires_at, at, ...wordsOf(event.data) };
    }
    case 'memory_reworded': {
      const { memory_id, at, kept, expires_at } = event.data;
      return { type: 'reword', memory_id, at, kept, expires_at, ...wordsOf(event.data) };
    }
    case 'memory_hidden':
    case 'memory_lapsed': {
      const { memory_id, at } = event.data;
      return { type: event.type === 'memory_hidden' ? 'hide' : 'lapse', memory_id, at };
    }
  }
}

/** The memories of one person, in `remembered-<HMAC of owner>` (SPEC W2). */
export const memoriesDecider: Decider<MemoriesState, MemoriesCommand, MemoriesEvent> = {
  category: 'remembered',
  schemas: memoriesSchemas,
  initialState: initialMemories,
  evolve: evolveMemories,
  decide,
  commandOf,
  resultOf: ({ data: { memory_id, version } }) => ({ memory_id, version }),
  sizeOf: ({ count }) => 600 + 300 * count,
  stateJson: memoriesJson,
};
